/* SPDX-License-Identifier: Apache-2.0
 *
 * Between fields and lines, in tiles of BLOCK x BLOCK numbers: those of lines along x are turned, the others
 * are vectors of the field already. Several neighbouring places go together, so that both sides are read and
 * written in pieces longer than a vector.
 */
#include "numerics/lines/device_blocks.h"
#include "numerics/matm/lanes.h"

enum { TOGETHER = 16 };

/* As LinesWay. */
typedef enum Way { FROM_FIELD, TO_FIELD, ADD_TO_FIELD } Way;

/* Past the caches where it is a whole line of memory that nobody needs soon. */
POINTWISE void store(Lanes *to, Lanes x, bool past) {
#if defined(__AVX512F__)
    if (past && ((uintptr_t)to & 63) == 0) {
        _mm512_stream_pd((double *)to, (__m512d)x);
        return;
    }
#endif
    (void)past;
    *(LanesAnywhere *)to = x;
}

/* The first `count` lanes of a vector, or all eight at once. */
POINTWISE void put(double *to, Lanes x, int count, Way way, double scale, bool past) {
    LanesAnywhere *all = (LanesAnywhere *)to;
    if (count >= BLOCK && way == ADD_TO_FIELD)
        *all = lanes_fma(lanes_of(scale), x, *all);
    else if (count >= BLOCK)
        store((Lanes *)to, x, past);
    else
        for (int l = 0; l < count; l++) to[l] = way == ADD_TO_FIELD ? fma(scale, x[l], to[l]) : x[l];
}

/* A tile of lines along x: `rows` lanes, `inside` rows of the lines. With eight of both it stays in
 * registers. */
POINTWISE void turn_tile(double *cell, ptrdiff_t row, int rows, int inside, double *lines, Way way,
                         double scale, bool past) {
    Lanes v[BLOCK];
    if (way == FROM_FIELD) {
        UNROLLED for (int l = 0; l < BLOCK; l++) v[l] =
            l < rows ? (Lanes) * (const LanesAnywhere *)(cell + l * row) : lanes_of(0);
        lanes_transpose(v);
        UNROLLED for (int t = 0; t < BLOCK; t++) if (t < inside)
            store((Lanes *)(lines + t * LINE_LANES), v[t], past);
    } else {
        UNROLLED for (int t = 0; t < BLOCK; t++) v[t] =
            t < inside ? *(const Lanes *)(lines + t * LINE_LANES) : lanes_of(0);
        lanes_transpose(v);
        UNROLLED for (int l = 0; l < BLOCK; l++) if (l < rows)
            put(cell + l * row, v[l], inside, way, scale, past);
    }
}

/* Along x: eight rows of the field are eight lanes. */
POINTWISE void turn_rows(const LineLayout *layout, LinePlace p, double *field, double *lines, Way way,
                         double scale, bool past) {
    const LineCells c = layout->cells;
    const ptrdiff_t row = c.row;
    const int rows = c.n2 - p.j < BLOCK ? c.n2 - p.j : BLOCK;
    double *first = field + AT(c, 0, p.j, p.k);
    int i = 0;
    for (; rows == BLOCK && i + BLOCK <= layout->n; i += BLOCK)
        turn_tile(first + i, row, BLOCK, BLOCK, lines + (ptrdiff_t)i * LINE_LANES, way, scale, past);
    for (; i < layout->n; i += BLOCK) {
        const int inside = layout->n - i < BLOCK ? layout->n - i : BLOCK;
        turn_tile(first + i, row, rows, inside, lines + (ptrdiff_t)i * LINE_LANES, way, scale, past);
    }
}

static double *lines_of_place(const LineLayout *layout, double *lines, int m) {
    return lines + m / LINE_BLOCKS * layout->group + m % LINE_BLOCKS * BLOCK;
}

/* Along y and z: vectors of the field as they are, `count` places at a time. */
POINTWISE void copy_columns(const LineLayout *layout, int m0, int count, double *field, double *lines,
                            Way way, double scale, bool past) {
    const LineCells c = layout->cells;
    const ptrdiff_t along = layout->axis == LINES_Y ? c.row : c.plane;
    double *in_field[TOGETHER], *in_lines[TOGETHER];
    int inside[TOGETHER];
    for (int m = 0; m < count; m++) {
        const LinePlace p = layout->place[m0 + m];
        in_field[m] = field + (p.j < 0 ? 0 : AT(c, p.i, p.j, p.k));
        in_lines[m] = lines_of_place(layout, lines, m0 + m);
        inside[m] = p.j < 0 ? 0 : c.n1 - p.i;
    }
    for (int r = 0; r < layout->n; r++)
        for (int m = 0; m < count; m++) {
            Lanes *line = (Lanes *)(in_lines[m] + (ptrdiff_t)r * LINE_LANES);
            double *cell = in_field[m] + r * along;
            if (way == FROM_FIELD)
                store(line, *(const LanesAnywhere *)cell, past);
            else
                put(cell, *line, inside[m], way, scale, past);
        }
}

POINTWISE void reorder_on_host(const LineLayout *layout, double *field, double *lines, Way way, double scale,
                               bool past) {
    const int places = layout->groups * LINE_BLOCKS;
    if (layout->axis == LINES_X) {
        for (int m = 0; m < places; m++)
            if (layout->place[m].j >= 0)
                turn_rows(layout, layout->place[m], field, lines_of_place(layout, lines, m), way, scale,
                          past);
        return;
    }
    for (int m = 0; m < places; m += TOGETHER)
        copy_columns(layout, m, places - m < TOGETHER ? places - m : TOGETHER, field, lines, way, scale,
                     past);
}

/* Is it written out of the caches before anybody reads it? */
static bool is_large(const LineLayout *layout) {
    return layout->size > (4 << 20) / (ptrdiff_t)sizeof(double);
}

/* On the device of the layout. */
static void reorder(const LineLayout *layout, double *field, double *lines, Way way, double scale,
                    bool past) {
    if (!lines_on_device(layout->exec))
        reorder_on_host(layout, field, lines, way, scale, past);
    else if (layout->groups > 0)
        lines_reorder(layout->exec, line_shape(layout->groups, 8),
                      (LinesReorder){.way = (LinesWay)way,
                                     .axis = layout->axis,
                                     .scale = scale,
                                     .field = field,
                                     .lines = lines,
                                     .place = layout->place,
                                     .idle = layout->idle,
                                     .n = layout->n,
                                     .row = layout->cells.row,
                                     .plane = layout->cells.plane});
}

void lines_from_field(const LineLayout *layout, const double *field, double *lines) {
    reorder(layout, (double *)field, lines, FROM_FIELD, 1, is_large(layout));
}

void lines_to_field(const LineLayout *layout, const double *lines, double *field) {
    reorder(layout, field, (double *)lines, TO_FIELD, 1, is_large(layout));
}

void lines_add_to_field(const LineLayout *layout, const double *lines, double scale, double *field) {
    reorder(layout, field, (double *)lines, ADD_TO_FIELD, scale, false);
}
