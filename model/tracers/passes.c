/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/passes.h"

#include "base/memory.h"
#include "model/tracers/implicit_transport.h"
#include "model/tracers/rows.h"
#include <math.h>

enum { WINDOW_ROWS = 4, SHARED = 3 }; /* a power of two; fields that serve all tracers */
static const double CACHE = 3e6; /* what the windows may take, with levels below the bed: 2 MB of water [B] */
static const double EVEN = 0.01; /* share of their thickness by which even cells may differ in height */

struct Passes {
    const Grid *grid; /* not owned */
    TransportScheme scheme;
    bool row_by_row;
    int tracers;
    const double *reach;      /* not owned */
    double *around, *even[2]; /* of Transport; even in x and y */
    Window window;
    size_t size; /* of a field */
    ptrdiff_t origin;
    double *fields; /* all that lie in the window */
    double *shared[SHARED];
    Carried tracer[MOST_CARRIED];    /* what lies in the window */
    BlockRows low, faces, room, own; /* where the passes are made */
};

/* The window's fields of a tracer. */
static double **field_of(Carried *t, int n) {
    double **all[] = {&t->gain,
                      &t->most,
                      &t->least,
                      &t->room_above,
                      &t->room_below,
                      &t->correction[ALONG_X],
                      &t->correction[ALONG_Y],
                      &t->correction[ALONG_Z]};
    return all[n];
}

static bool is_limited(TransportScheme scheme) {
    return scheme == TRANSPORT_FCT || scheme == TRANSPORT_IMPLICIT;
}

static int field_count(TransportScheme scheme) {
    return is_limited(scheme) ? 8 : 1;
}

static int shared_count(const Passes *p) {
    return p->scheme == TRANSPORT_VAN_LEER ? 3 : 2;
}

/* Beyond the rows' ends lies a block, and beyond the lowest and the highest level lies one more. */
static void set_window(Passes *p) {
    const Grid *g = p->grid;
    const ptrdiff_t line = (g->n1 / BLOCK + 3) * BLOCK, row = line * (g->n3 + 2) + BLOCK;
    const int rows = p->row_by_row ? WINDOW_ROWS : g->n2 + 2 * HALO;
    p->window = (Window){row, line, p->row_by_row ? WINDOW_ROWS - 1 : -1};
    p->origin = 2 * BLOCK + line + (p->row_by_row ? 0 : HALO * row);
    const size_t blocks = (size_t)rows * (size_t)row / BLOCK + 4;
    p->size = (blocks | 1) * BLOCK; /* an odd number of lines, so that they begin all over a page */
}

/* All in one block, since only large blocks have large pages. */
static void create_fields(Passes *p) {
    const int shared = shared_count(p), each = field_count(p->scheme);
    p->fields = ALLOCATE(p->size * (size_t)(shared + p->tracers * each), double);
    double *next = p->fields + p->origin;
    for (int n = 0; n < shared; n++, next += p->size) p->shared[n] = next;
    for (int n = 0; n < p->tracers; n++)
        for (int m = 0; m < each; m++, next += p->size) {
            const double value = m == 1 ? -INFINITY : m == 2 ? INFINITY : 0;
            for (size_t at = 0; value != 0 && at < p->size; at++) next[(ptrdiff_t)at - p->origin] = value;
            *field_of(&p->tracer[n], m) = next;
        }
}

/* Thickness at the datum of a column's cell in layer k; 0 below its bed. */
static double thickness(const Grid *g, ptrdiff_t m, int k) {
    const double depth = g->axes.interfaces[g->n3] - g->bed[m];
    return g->bottom_c[m] <= k ? g->phi_c[m + k * g->plane] * depth : 0;
}

/* Middle of a cell of layer k, below the datum. */
static double below_datum(const Grid *g, ptrdiff_t m, int k) {
    double below = 0.5 * thickness(g, m, k);
    for (int above = k + 1; above < g->n3; above++) below += thickness(g, m, above);
    return below;
}

/* Do the cells of layer k at m - step, m and m + step lie at one height? Single layers have no height. */
static bool are_even(const Grid *g, ptrdiff_t m, ptrdiff_t step, int k) {
    const double lowest = g->bottom_c[m], here = thickness(g, m, k), most = EVEN * here;
    const double back = thickness(g, m - step, k) - here, forth = thickness(g, m + step, k) - here;
    if (lowest == g->n3 - 1 && g->bottom_c[m - step] == lowest && g->bottom_c[m + step] == lowest)
        return true;
    if (g->axes.adaptive) return false; /* they will not stay even */
    if (!g->axes.along_bed) return fabs(back + forth) < most;
    const double below = below_datum(g, m, k);
    return fabs(below_datum(g, m - step, k) - below) < most &&
           fabs(below_datum(g, m + step, k) - below) < most;
}

static void set_even(Passes *p) {
    const Grid *g = p->grid;
    for (int d = 0; d < 2; d++) {
        const ptrdiff_t step = d == 0 ? 1 : g->row;
        double *even = p->even[d] = field2_create(g);
        field2_fill(g, even, g->n3);
        for (int j = 1 - HALO; j < g->n2 + HALO - 1; j++)
            for (int i = 1 - HALO; i < g->n1 + HALO - 1; i++) {
                const ptrdiff_t m = AT2(*g, i, j);
                const int lowest = (int)fmax(p->reach[m], fmax(p->reach[m - step], p->reach[m + step]));
                int k = g->n3;
                while (k > lowest && are_even(g, m, step, k - 1)) k--;
                even[m] = k;
            }
    }
}

static void set_around(Passes *p) {
    const Grid *g = p->grid;
    p->around = field2_create(g);
    field2_fill(g, p->around, g->n3);
    for (int j = 1 - HALO; j < g->n2 + HALO - 1; j++)
        for (int i = 1 - HALO; i < g->n1 + HALO - 1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            const double *r = p->reach + m;
            p->around[m] = fmin(fmin(r[0], fmin(r[-1], r[1])), fmin(r[-g->row], r[g->row]));
        }
}

int passes_at_once(const Grid *g, Exec exec, TransportScheme scheme, const double *reach, int tracers) {
    const int most = tracers < MOST_CARRIED ? tracers : MOST_CARRIED,
              few = most < FEW_CARRIED ? most : FEW_CARRIED;
    if (exec.device != DEVICE_CPU || scheme == TRANSPORT_IMPLICIT) return few;
    int columns = 0;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) columns += reach[AT2(*g, i, j)] < g->n3;
    const double in_window = (double)WINDOW_ROWS * columns / g->n2 * g->n3;
    const double a_tracer = field_count(scheme) * in_window * sizeof(double);
    int count = most;
    while (count > few && count * a_tracer > CACHE) count--;
    return count;
}

void passes_create(const Grid *g, Exec exec, TransportScheme scheme, const double *reach, int tracers,
                   Passes **out) {
    Passes *p = *out = ALLOCATE(1, Passes);
    *p = (Passes){.grid = g, .scheme = scheme, .row_by_row = exec.device == DEVICE_CPU, .reach = reach};
    p->tracers = tracers;
    set_window(p);
    set_around(p);
    set_even(p);
    create_fields(p);
    p->low = block_rows_find(g, p->around, (Rectangle){-2, g->n1 + 2, -2, g->n2 + 2});
    p->faces = block_rows_find(g, p->around, (Rectangle){-2, g->n1 + 2, -1, g->n2 + 2});
    p->room = block_rows_find(g, p->reach, (Rectangle){-1, g->n1 + 1, -1, g->n2 + 1});
    p->own = block_rows_find(g, p->reach, (Rectangle){0, g->n1, 0, g->n2});
}

void passes_destroy(Passes **passes) {
    Passes *p = *passes;
    if (!p) return;
    memory_free(p->fields);
    field2_destroy(p->grid, &p->around);
    for (int d = 0; d < 2; d++) field2_destroy(p->grid, &p->even[d]);
    BlockRows *rows[] = {&p->low, &p->faces, &p->room, &p->own};
    for (int n = 0; n < 4; n++) block_rows_release(rows[n]);
    memory_free(p);
    *passes = NULL;
}

BlockList passes_faces(const Passes *p) {
    return p->faces.all;
}

void passes_lend(const Passes *p, Transport *a) {
    a->reach = p->reach;
    a->around = p->around;
    a->even_x = p->even[0];
    a->even_y = p->even[1];
    a->window = p->window;
    a->per_water = p->shared[0];
    a->per_volume = p->shared[1];
    a->leaving = p->shared[2];
    for (int n = 0; n < a->count; n++) {
        Carried lent = p->tracer[n];
        for (int m = 0; m < field_count(p->scheme); m++) *field_of(&a->tracer[n], m) = *field_of(&lent, m);
    }
}

/* ---- the passes ---- */

typedef struct Turn {
    const Passes *passes;
    Exec exec;
    const Transport *transport;
    const Substeps *substeps;
    const Mixing *mixing;
} Turn;

static void find_low(const Turn *t, int j) {
    const BlockList row = block_row(&t->passes->low, j);
    if (t->passes->scheme == TRANSPORT_IMPLICIT)
        implicit_hand_on(t->exec, row, *t->transport);
    else
        transport_low(t->exec, row, *t->transport);
    if (t->substeps->parts > 0) substep_hand_on(t->exec, run_row(&t->substeps->handed, j), *t->transport);
}

static void find_corrections(const Turn *t, int j) {
    if (t->passes->scheme == TRANSPORT_VAN_LEER)
        transport_van_leer(t->exec, block_row(&t->passes->own, j), *t->transport);
    if (t->passes->scheme == TRANSPORT_IMPLICIT)
        implicit_correction(t->exec, block_row(&t->passes->faces, j), *t->transport);
    if (t->passes->scheme != TRANSPORT_FCT) return;
    transport_correction(t->exec, block_row(&t->passes->faces, j), *t->transport);
    if (t->substeps->parts > 0)
        substep_hand_on_corrections(t->exec, run_row(&t->substeps->faces, j), *t->transport);
}

static void find_room(const Turn *t, int j) {
    if (is_limited(t->passes->scheme)) transport_room(t->exec, block_row(&t->passes->room, j), *t->transport);
}

static void find_after(const Turn *t, int j) {
    const BlockList row = block_row(&t->passes->own, j);
    if (is_limited(t->passes->scheme))
        transport_after(t->exec, row, *t->transport);
    else
        transport_after_low(t->exec, row, *t->transport);
    if (t->mixing) mix_down(t->exec, row, *t->mixing);
}

void passes_do(const Passes *p, Exec exec, const Transport *transport, const Substeps *substeps,
               const Mixing *mixing) {
    const Turn turn = {p, exec, transport, substeps, mixing};
    const int first = p->row_by_row ? -2 : ALL_ROWS, end = p->row_by_row ? p->grid->n2 + 3 : ALL_ROWS + 1;
    const int behind = p->row_by_row ? 1 : 0;
    /* of what passes leave, all but van Leer's correction needs only this row and the one to the south, which are in the
     * cache now */
    const int correction_behind = p->scheme == TRANSPORT_VAN_LEER ? behind : 0;
    for (int j = first; j < end; j++) {
        find_low(&turn, j);
        find_corrections(&turn, j - correction_behind);
        find_room(&turn, j - correction_behind - behind);
        find_after(&turn, j - correction_behind - 2 * behind);
    }
}
