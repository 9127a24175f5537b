/* SPDX-License-Identifier: Apache-2.0 */
#include "base/hash.h"
#include "base/memory.h"
#include "model/seam/seam_internal.h"
#include <math.h>

/* ---- making ---- */

static Status check_faces(const Seam *s) {
    const Grid *g = s->outer->grid;
    for (int face = 0; face < seam_faces(&s->shape); face++) {
        const SeamPlace p = seam_place(&s->shape, face);
        const int i = p.outside.i - g->i_first, j = p.outside.j - g->j_first;
        if (i < 0 || i >= g->n1 || j < 0 || j >= g->n2) continue;
        const ptrdiff_t m = AT2(*g, p.face.i - g->i_first, p.face.j - g->j_first);
        const bool open = (p.along_x ? g->width_u : g->width_v)[m] > 0;
        CHECK(
            !open || s->opens[face], STATUS_BAD_INPUT,
            "%s: at (%.10g, %.10g) the zoom begins with land where the sea around has water: move an edge of "
            "/zoom/box",
            s->outer->scenario->path, axes_x(&g->axes, p.face.i), axes_y(&g->axes, p.face.j));
    }
    return STATUS_OK;
}

/* Has each face of the sea around a face of the finer grid to flow through? Collective. */
static Status check_shores(Seam *s) {
    const int faces = seam_faces(&s->shape);
    s->opens = ALLOCATE(faces, unsigned char);
    for (int n = 0; n < s->n_parts; n++) s->opens[s->part[n].number / s->shape.finer] = 1;
    MPI_Allreduce(MPI_IN_PLACE, s->opens, faces, MPI_UNSIGNED_CHAR, MPI_MAX, s->outer->grid->comm);
    const Status status = status_agree(s->outer->grid->comm, check_faces(s));
    memory_free(s->opens);
    s->opens = NULL;
    return status;
}

static void refuse_source(void *context, ptrdiff_t column) {
    Seam *s = context;
    if (seam_covers(s->outer->grid, column)) s->soaked = true;
}

/* A sponge would feed cells that do not count. */
static Status check_sponges(Seam *s) {
    boundaries_each_soaked(s->outer->boundaries, refuse_source, s);
    Status status = STATUS_OK;
    if (s->soaked)
        status = error_raise(STATUS_BAD_INPUT,
                             "%s: /zoom/box reaches into the sponge of a boundary: make one of them "
                             "smaller, or give the boundary a \"relaxation_zone\"",
                             s->outer->scenario->path);
    return status_agree(s->outer->grid->comm, status);
}

/* The finer grid knows no lines of boundaries; land and ghosts behind one cannot be under it. Collective. */
static Status check_lines(const Seam *s) {
    const Grid *g = s->outer->grid;
    const SeamShape *box = &s->shape;
    const int margin = 2;
    double found[2] = {0, 0}; /* ghosts in the box or beside it, wet cells under it */
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const int at_i = g->i_first + i, at_j = g->j_first + j;
            const ptrdiff_t m = AT2(*g, i, j);
            const bool near = at_i >= box->i0 - margin && at_i < box->i1 + margin &&
                              at_j >= box->j0 - margin && at_j < box->j1 + margin;
            found[0] += near && g->area[m] > 0 && g->own_area[m] == 0;
            found[1] += seam_covers(g, m);
        }
    MPI_Allreduce(MPI_IN_PLACE, found, 2, MPI_DOUBLE, MPI_SUM, g->comm);
    CHECK(found[0] == 0, STATUS_BAD_INPUT,
          "%s: a boundary along a line goes through /zoom/box or within %d cells of it: move one of them",
          s->outer->scenario->path, margin);
    CHECK(found[1] > 0, STATUS_BAD_INPUT,
          "%s: the sea around has no water in /zoom/box: move it, or the line of the boundary in front of it",
          s->outer->scenario->path);
    return STATUS_OK;
}

Status seam_create(Simulation *outer, Seam **out) {
    Seam *s = *out = ALLOCATE(1, Seam);
    const Grid *g = outer->grid;
    *s = (Seam){.outer = outer, .layers = g->n3, .tracers = outer->state->n_tracers, .dry_x = NAN};
    const ZoomGrid finer = seam_grid(outer->scenario, &g->axes);
    TRY(seam_shape(outer->scenario, &g->axes, &s->shape));
    CHECK(outer->exec.device != DEVICE_GPU, STATUS_BAD_INPUT,
          "%s: a /zoom runs on CPUs only: set /solver/device to \"cpu\"", outer->scenario->path);
    MPI_Comm_size(g->comm, &s->ranks);
    TRY(check_sponges(s));
    TRY(check_lines(s));
    TRY(status_agree(g->comm, scenario_zoom(outer->scenario, &finer, &s->scenario)));
    TRY(simulation_create_inside(outer, s->scenario, &s->inner));
    s->outer_cells = seam_rectangles(g);
    s->inner_cells = seam_rectangles(s->inner->grid);
    s->account = ALLOCATE(s->tracers + 1, TracerAccount);
    s->event = ALLOCATE(outer->state->n_events + 1, EventSize);
    s->fields = ALLOCATE(2 * s->tracers + 1, double *);
    for (int n = 0; n < 2; n++) s->level[n] = field2_create(g);
    seam_flows_create(s);
    seam_means_create(s);
    TRY(check_shores(s));
    s->inner->driven = s;
    tracers_watch(s->inner->tracers, (TracerWatch){s, seam_set_values, seam_note_left});
    return STATUS_OK;
}

void seam_destroy(Seam **seam) {
    Seam *s = *seam;
    if (!s) return;
    seam_flows_destroy(s);
    seam_means_destroy(s);
    for (int n = 0; n < 2; n++) field2_destroy(s->outer->grid, &s->level[n]);
    simulation_destroy(&s->inner);
    scenario_destroy(&s->scenario);
    memory_free(s->outer_cells), memory_free(s->inner_cells), memory_free(s->account), memory_free(s->event),
        memory_free(s->fields);
    memory_free(s);
    *seam = NULL;
}

Simulation *seam_inner(const Seam *s) {
    return s->inner;
}

double seam_work(const Seam *s) {
    int64_t columns, finer, around;
    grid_count(s->outer->grid, &columns, &around);
    grid_count(s->inner->grid, &columns, &finer);
    return s->shape.finer * (double)finer / (double)around;
}

/* ---- a step ---- */

/* What the surface's equation leaves of the flow that was given: less, where it would empty a cell. */
static void look_at_flow(Seam *s) {
    const double round_off = 1e-9;
    for (int n = 0; n < s->n_parts; n++) {
        const OpenFace *f = s->part[n].open;
        const double *limit = f->along_x ? s->inner->u.limit : s->inner->v.limit;
        const SeamPlace p = seam_place(&s->shape, s->part[n].number / s->shape.finer);
        if (limit[f->face] < 1 - round_off)
            s->dry_x = axes_x(&s->outer->grid->axes, p.face.i),
            s->dry_y = axes_y(&s->outer->grid->axes, p.face.j);
    }
}

static Status step_inside(Seam *s, bool last) {
    Simulation *inner = s->inner;
    SurfaceReport *all = &s->outer->report.surface;
    inner->keeps_digest = last && s->outer->keeps_digest;
    TRY(simulation_step(inner));
    exec_wait(inner->exec);
    look_at_flow(s);
    if (!inner->report.surface.converged) *all = inner->report.surface;
    CHECK(inner->report.lost == 0, STATUS_FAILED,
          "\"%s\" is no finite number any more somewhere in the zoom, in step %lld of it, while currents and "
          "levels are sound: a shorter /time/step_s",
          inner->state->tracer[inner->report.lost - 1].name, (long long)inner->state->step);
    CHECK(
        !inner->report.broken, STATUS_FAILED,
        "the flow in the zoom has become unstable in step %lld of it: a shorter /time/step_s, or a smoother "
        "/zoom/bathymetry",
        (long long)inner->state->step);
    return STATUS_OK;
}

/* So many steps of the finer grid go into one: with automatic steps as many as its own flow asks for, if that is more. */
static int steps_inside(const Seam *s) {
    const double asked =
        s->inner->scenario->time.automatic ? ceil(s->outer->dt / s->inner->wanted - 1e-9) : 0;
    return (int)fmax(s->shape.finer, asked);
}

/* The finer grid's steps in a piece, and what it gives back. */
static Status step_piece(Seam *s, int steps, bool last) {
    seam_take_flows(s);
    s->inner->dt = s->moved.dt / steps;
    for (int n = 1; n <= steps; n++) TRY(step_inside(s, last && n == steps));
    s->inner->state->time = s->moved.time; /* to the bit */
    seam_give_back(s);
    return seam_check_wet(s);
}

static Status move_in_pieces(Seam *s, const WaterMoved *whole, int pieces, int steps, Tally *tally) {
    Simulation *outer = s->outer;
    double *const after = outer->state->depth;
    Status status = STATUS_OK;
    for (int piece = 0; piece < pieces && status == STATUS_OK; piece++) {
        const bool last = piece + 1 == pieces;
        seam_begin_piece(s, whole, piece, pieces, after);
        ATTEMPT(step_piece(s, steps, last));
        ATTEMPT(tracers_step(outer->tracers, &s->moved, tally));
        if (last) break; /* that account is closed with the step */
        tally_answer(tally);
        tracers_close(outer->tracers, NULL);
        seam_return_tracers(s);
    }
cleanup:
    outer->state->depth = after;
    return status;
}

Status seam_move_tracers(Seam *s, const WaterMoved *whole, Tally *tally) {
    const int steps = steps_inside(s);
    int pieces = 1;
    CHECK(!(s->outer->given > 0), STATUS_BAD_INPUT,
          "a sea with a /zoom takes its forcing from the scenario alone: give none through the library");
    if (s->tracers > 0) TRY(seam_count_pieces(s, whole, &pieces));
    if (pieces == 1) return move_in_pieces(s, whole, 1, steps, tally);
    return move_in_pieces(s, whole, pieces > steps ? pieces : steps, 1, tally);
}

/* ---- budgets of both ---- */

static void add_account(const TracerAccount *inner, TracerAccount *sum) {
    sum->content += inner->content;
    sum->bed += inner->bed;
    sum->sources += inner->sources;
    sum->air += inner->air;
    sum->reactions += inner->reactions;
    sum->error += inner->error + inner->boundaries; /* which are the seam */
    sum->least = fmin(sum->least, inner->least);
    sum->most = fmax(sum->most, inner->most);
}

static void add_reactions(Seam *s, const LedgerRow *inner, LedgerRow *row) {
    const Reactions *reactions = s->outer->reactions;
    if (!reactions) return;
    const MaeotisKinetics *module = reactions_module(reactions);
    const int gains = module->n_variables * module->n_processes;
    for (int n = 0; n < gains; n++) s->gains[n] = row->by_process[n] + inner->by_process[n];
    for (int n = 0; n < module->n_processes; n++) s->processes[n] = row->processes[n] + inner->processes[n];
    row->by_process = s->gains;
    row->processes = s->processes;
}

void seam_add(Seam *s, LedgerRow *row) {
    const LedgerRow inner = simulation_ledger(s->inner);
    row->volume_m3 += inner.volume_m3;
    row->sources_m3 += inner.sources_m3;
    row->air_m3 += inner.air_m3;
    row->error_m3 += inner.error_m3 + inner.boundaries_m3;
    if (row->digest) row->digest += hash_mix(inner.digest);
    for (int t = 0; t < s->tracers; t++) {
        s->account[t] = row->tracers[t];
        add_account(&inner.tracers[t], &s->account[t]);
    }
    row->tracers = s->account;
    add_reactions(s, &inner, row);
    for (int n = 0; n < s->outer->state->n_events; n++) {
        s->event[n].area_m2 = row->events[n].area_m2 + inner.events[n].area_m2;
        s->event[n].volume_m3 = row->events[n].volume_m3 + inner.events[n].volume_m3;
    }
    row->events = s->event;
}
