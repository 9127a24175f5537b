/* SPDX-License-Identifier: Apache-2.0 */
#include "model/seam/seam_internal.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>

/* ---- who has what ---- */

static int finer_owner(const Seam *s, int face, int part) {
    const SeamPlace place = seam_place(&s->shape, face);
    return seam_owner(s->inner_cells, s->ranks, seam_part_cell(&place, part));
}

static int part_owner(const void *context, int number) {
    const Seam *s = context;
    return finer_owner(s, number / s->shape.finer, number % s->shape.finer);
}

static bool has_a_part(const Seam *s, int face, int rank) {
    for (int p = 0; p < s->shape.finer; p++)
        if (finer_owner(s, face, p) == rank) return true;
    return false;
}

/* Those with another part of the same face share its flow; the others around it must know its layers. */
static bool wants_section(const void *context, int number, int rank) {
    const Seam *s = context;
    const int face = number / s->shape.finer;
    const SeamPlace place = seam_place(&s->shape, face);
    return has_a_part(s, face, rank) || seam_within(s->outer_cells[rank], place.face, HALO + 1);
}

static int face_owner(const void *context, int face) {
    const Seam *s = context;
    return seam_owner(s->outer_cells, s->ranks, seam_place(&s->shape, face).outside);
}

static bool wants_flow(const void *context, int face, int rank) {
    return has_a_part(context, face, rank);
}

static bool wants_left(const void *context, int number, int rank) {
    const Seam *s = context;
    const SeamPlace place = seam_place(&s->shape, number / s->shape.finer);
    return seam_owner(s->outer_cells, s->ranks, place.covered) == rank;
}

/* ---- making ---- */

static void find_parts(Seam *s) {
    const Grid *g = s->inner->grid;
    int count;
    const OpenFace *open = boundaries_faces(s->inner->boundaries, &count);
    const ptrdiff_t n3 = s->layers, values = n3 * s->tracers;
    s->n_parts = count;
    s->part = ALLOCATE(count + 1, SeamPart);
    s->numbers = ALLOCATE((ptrdiff_t)count * (n3 + values) + 1, double);
    s->left = ALLOCATE((ptrdiff_t)count * values + 1, Left);
    for (int n = 0; n < count; n++) {
        const OpenFace *f = &open[n];
        const int i = (int)(f->inside - (ptrdiff_t)f->j * g->row);
        const int back = !f->along_x && f->inwards < 0 ? 1 : 0; /* j is that of the face */
        const int column = back ? (int)(f->inside - (ptrdiff_t)(f->j - 1) * g->row) : i;
        s->part[n] = (SeamPart){f,
                                seam_part_of(&s->shape, f->along_x, f->inwards > 0 ? 1 : -1,
                                             g->i_first + column, g->j_first + f->j - back),
                                s->numbers + n * (n3 + values), s->numbers + n * (n3 + values) + n3,
                                s->left + n * values};
    }
}

void seam_flows_create(Seam *s) {
    const int faces = seam_faces(&s->shape), parts = faces * s->shape.finer;
    const int n3 = s->layers, values = n3 * s->tracers;
    const MailPlan sections = {parts, part_owner, wants_section, s},
                   flows = {faces, face_owner, wants_flow, s}, carried = {parts, part_owner, wants_left, s};
    const MPI_Comm comm = s->outer->grid->comm;
    find_parts(s);
    s->part_at = ALLOCATE(parts, int);
    for (int n = 0; n < parts; n++) s->part_at[n] = -1;
    for (int n = 0; n < s->n_parts; n++) s->part_at[s->part[n].number] = n;
    mail_create(comm, &sections, n3, &s->sections);
    mail_create(comm, &flows, 2 * (n3 + values), &s->flows);
    mail_create(comm, &carried, LEFT_NUMBERS * values, &s->carried);
    s->section = ALLOCATE((size_t)parts * (size_t)n3, double);
    s->taken = ALLOCATE((size_t)s->flows.n_give * (size_t)values + 1, double);
    s->came = ALLOCATE((size_t)parts * (size_t)values + 1, Left);
}

void seam_flows_destroy(Seam *s) {
    mail_release(&s->sections), mail_release(&s->flows), mail_release(&s->carried);
    memory_free(s->part), memory_free(s->numbers), memory_free(s->left);
    memory_free(s->section), memory_free(s->came), memory_free(s->taken), memory_free(s->part_at);
}

/* ---- the flow ---- */

static const Faces *inner_faces(const Seam *s, const OpenFace *f) {
    return f->along_x ? &s->inner->u : &s->inner->v;
}

static void send_sections(Seam *s) {
    const Grid *g = s->inner->grid;
    Mail *m = &s->sections;
    for (int n = 0; n < m->n_give; n++) {
        const SeamPart *p = seam_part_numbered(s, m->give[n]);
        const Faces *f = p ? inner_faces(s, p->open) : NULL;
        for (int k = 0; k < s->layers; k++) {
            const bool open = f && k >= (int)f->bottom[p->open->face];
            const ptrdiff_t at = open ? p->open->face : 0;
            m->out[n * s->layers + k] =
                open ? f->width[at] * f->phi[at + k * g->plane] * fmax(0, f->depth[at]) : 0;
        }
    }
    mail_send(m);
    for (int n = 0; n < m->n_take; n++)
        memcpy(s->section + (ptrdiff_t)m->take[n] * s->layers, m->in + (ptrdiff_t)n * s->layers,
               (size_t)s->layers * sizeof(double));
}

static double section_of(const Seam *s, int face, int k) {
    double sum = 0;
    for (int p = 0; p < s->shape.finer; p++)
        sum += s->section[(ptrdiff_t)(face * s->shape.finer + p) * s->layers + k];
    return sum;
}

static void note_dry(Seam *s, int face) {
    const SeamPlace place = seam_place(&s->shape, face);
    s->dry_x = axes_x(&s->outer->grid->axes, place.face.i);
    s->dry_y = axes_y(&s->outer->grid->axes, place.face.j);
}

/* Where the parts have less of a layer than the face, or nothing, it keeps its velocity there, and the rest of its water
 * goes with that of all layers: in what is left of a layer above a bed it would be a jet. */
static void fit_face(Seam *s, int face, const Faces *f, ptrdiff_t m) {
    const ptrdiff_t plane = s->outer->grid->plane;
    const int bottom = (int)f->bottom[m];
    double rest = 0, all = 0;
    for (int k = bottom; k < s->layers; k++) {
        const double own = f->width[m] * f->phi[m + k * plane] * fmax(0, f->depth[m]);
        const double finer = section_of(s, face, k), kept = finer < own ? finer / own : 1;
        rest += (1 - kept) * f->flux[m + k * plane];
        f->flux[m + k * plane] *= kept;
        all += finer;
    }
    if (all <= 0 && rest != 0) note_dry(s, face);
    for (int k = bottom; k < s->layers && all > 0; k++)
        f->flux[m + k * plane] += rest * (section_of(s, face, k) / all);
}

Status seam_check_wet(const Seam *s) {
    Status status = STATUS_OK;
    if (!isnan(s->dry_x))
        status = error_raise(
            STATUS_FAILED,
            "the sea runs dry where the zoom begins, at (%.10g, %.10g): move /zoom/box so that its "
            "edges lie in water that stays, or raise /zoom/bathymetry/minimum_depth_m",
            s->dry_x, s->dry_y);
    return status_agree(s->outer->grid->comm, status);
}

/* Faces that this rank has, and those in its halo, where their owner does the same. */
Status seam_fit(Seam *s) {
    const Grid *g = s->outer->grid;
    exec_wait(s->outer->exec);
    send_sections(s);
    s->dry_x = s->dry_y = NAN;
    for (int face = 0; face < seam_faces(&s->shape); face++) {
        const SeamPlace p = seam_place(&s->shape, face);
        const int i = p.face.i - g->i_first, j = p.face.j - g->j_first;
        const bool here = i >= -HALO && i < g->n1 + HALO && j >= -HALO && j < g->n2 + HALO;
        if (here) fit_face(s, face, p.along_x ? &s->outer->u : &s->outer->v, AT2(*g, i, j));
    }
    return seam_check_wet(s);
}

/* Where a part lies on its face, from -1/2 to 1/2. */
static double place_on_face(const Seam *s, int part) {
    return (part + 0.5) / s->shape.finer - 0.5;
}

/* Shares the flux through one layer of a face: by the sections of its parts, with the slope of the velocity as far as
 * none turns around. To flux[part]. */
static void share_flux(const Seam *s, int face, int k, double all, double slope, double *flux) {
    const double sum = section_of(s, face, k), velocity = sum > 0 ? all / sum : 0;
    const double *section = s->section + (ptrdiff_t)face * s->shape.finer * s->layers + k;
    double middle = 0, farthest = 0;
    for (int p = 0; p < s->shape.finer && sum > 0; p++)
        middle += section[p * s->layers] / sum * place_on_face(s, p);
    for (int p = 0; p < s->shape.finer; p++) farthest = fmax(farthest, fabs(place_on_face(s, p) - middle));
    const double most = 0.9 * fabs(velocity) / farthest, change = fmax(-most, fmin(slope, most));
    for (int p = 0; p < s->shape.finer; p++)
        flux[p] = section[p * s->layers] * (velocity + change * (place_on_face(s, p) - middle));
}

/* Values of the parts, whose mean by flux is `value`; none is farther from it than half the slope. */
static void share_value(const Seam *s, const double *flux, double value, double slope, double *parts) {
    double sum = 0, middle = 0, farthest = 0.5;
    for (int p = 0; p < s->shape.finer; p++) sum += flux[p], middle += flux[p] * place_on_face(s, p);
    middle = sum != 0 ? middle / sum : 0;
    for (int p = 0; p < s->shape.finer; p++) farthest = fmax(farthest, fabs(place_on_face(s, p) - middle));
    for (int p = 0; p < s->shape.finer; p++)
        parts[p] = value + slope * (0.5 / farthest) * (place_on_face(s, p) - middle);
}

static void take_layer(Seam *s, int face, int k, const double *in) {
    enum { MOST_PARTS = 5 };
    const int n3 = s->layers, first = face * s->shape.finer;
    double flux[MOST_PARTS], value[MOST_PARTS];
    share_flux(s, face, k, in[k], in[n3 + k], flux);
    for (int t = 0; t < s->tracers; t++) {
        const int v = t * n3 + k;
        share_value(s, flux, in[2 * n3 + v], in[(2 + s->tracers) * n3 + v], value);
        for (int p = 0; p < s->shape.finer; p++) {
            SeamPart *part = seam_part_numbered(s, first + p);
            if (part) part->value[v] = value[p], part->left[v] = (Left){0, INFINITY, -INFINITY};
        }
    }
    for (int p = 0; p < s->shape.finer; p++) {
        SeamPart *part = seam_part_numbered(s, first + p);
        if (part) part->flux[k] = flux[p];
    }
}

void seam_take_flows(Seam *s) {
    const Mail *m = &s->flows;
    seam_send_flows(s);
    for (int n = 0; n < m->n_take; n++)
        for (int k = 0; k < s->layers; k++) take_layer(s, m->take[n], k, m->in + (ptrdiff_t)n * m->width);
}

void seam_impose(Seam *s) {
    const Grid *g = s->inner->grid;
    exec_wait(s->inner->exec);
    for (int n = 0; n < s->n_parts; n++) {
        const SeamPart *p = &s->part[n];
        const Faces *f = inner_faces(s, p->open);
        const ptrdiff_t m = p->open->face;
        double sum = 0;
        for (int k = (int)f->bottom[m]; k < s->layers; k++) {
            const double section = f->width[m] * f->phi[m + k * g->plane] * f->depth[m];
            f->predicted[m + k * g->plane] = section > 0 ? p->flux[k] / section : 0;
            f->response[m + k * g->plane] = 0;
            sum += p->flux[k];
        }
        f->theta[m] = 1;
        f->flux_predicted[m] = sum;
        f->conductance[m] = 0;
    }
}
