/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/compact_operator.h"

#include "base/memory.h"
#include <string.h>

enum { TABLES = 3 + 2 * COMPACT_REACH + 1 }; /* a, b, c and the right-hand side's */

/* What makes the rows of one whole line. */
typedef struct Maker {
    const CompactScheme *scheme; /* NULL: a step of diffusion */
    CompactEnd end;
    double number;
} Maker;

static void make_rows(const Maker *m, const LineLayout *layout, const unsigned char *points,
                      CompactRow *rows) {
    if (m->scheme)
        compact_rows(m->scheme, layout->rows, points, layout->periodic, rows);
    else
        compact_diffusion_rows(m->end, m->number, layout->rows, points, layout->periodic, rows);
}

/* The points of whole lines, line after line, from those of all ranks. Collective over layout->comm. */
static unsigned char *whole_lines(const LineLayout *layout, const unsigned char *own) {
    const ptrdiff_t width = (ptrdiff_t)layout->groups * LINE_LANES;
    unsigned char *parts = ALLOCATE(width * layout->rows, unsigned char);
    unsigned char *lines = ALLOCATE(width * layout->rows, unsigned char);
    int *count = ALLOCATE(2 * layout->ranks, int), *start = count + layout->ranks;
    for (int p = 0; p < layout->ranks; p++) {
        count[p] = (int)width * (layout->cut[p + 1] - layout->cut[p]);
        start[p] = (int)width * layout->cut[p];
    }
    MPI_Allgatherv(own, (int)layout->size, MPI_UNSIGNED_CHAR, parts, count, start, MPI_UNSIGNED_CHAR,
                   layout->comm);
    for (int p = 0; p < layout->ranks; p++) {
        const int first = layout->cut[p], n = layout->cut[p + 1] - first;
        for (int g = 0; g < layout->groups; g++)
            for (int row = 0; row < n; row++)
                for (int lane = 0; lane < LINE_LANES; lane++)
                    lines[((ptrdiff_t)g * LINE_LANES + lane) * layout->rows + first + row] =
                        parts[start[p] + ((ptrdiff_t)g * n + row) * LINE_LANES + lane];
    }
    memory_free(count);
    memory_free(parts);
    return lines;
}

static void put_row(double *const table[TABLES], ptrdiff_t at, const CompactRow *row) {
    table[0][at] = row->lower;
    table[1][at] = row->centre;
    table[2][at] = row->upper;
    for (int m = 0; m <= 2 * COMPACT_REACH; m++) table[3 + m][at] = row->weight[m];
}

/* Fills tables: of whole lines that are all alike, or of each line's own rows. */
static void fill_tables(const LineLayout *layout, const Maker *maker, const unsigned char *points,
                        double *const table[TABLES]) {
    CompactRow *rows = ALLOCATE(layout->rows, CompactRow);
    if (!points) {
        make_rows(maker, layout, NULL, rows);
        for (int row = 0; row < layout->rows; row++) put_row(table, row, &rows[row]);
    } else {
        unsigned char *lines = whole_lines(layout, points);
        for (int g = 0; g < layout->groups; g++)
            for (int lane = 0; lane < LINE_LANES; lane++) {
                make_rows(maker, layout, lines + ((ptrdiff_t)g * LINE_LANES + lane) * layout->rows, rows);
                for (int row = 0; row < layout->n; row++)
                    put_row(table, LINE_AT(*layout, lane, row, g), &rows[layout->first + row]);
            }
        memory_free(lines);
    }
    memory_free(rows);
}

static int reach_of(double *const table[TABLES], ptrdiff_t count) {
    int reach = 0;
    for (int m = 0; m <= 2 * COMPACT_REACH; m++) {
        const int distance = m < COMPACT_REACH ? COMPACT_REACH - m : m - COMPACT_REACH;
        for (ptrdiff_t i = 0; i < count && distance > reach; i++)
            if (table[3 + m][i] != 0) reach = distance;
    }
    return reach;
}

/* Whether any rank has a point that does not take part. Collective. */
static bool some_do_not(const LineLayout *layout, const unsigned char *points) {
    unsigned char some = 0;
    if (points)
        for (int g = 0; g < layout->groups; g++)
            for (int lane = 0; lane < LINE_LANES; lane++) {
                if (line_is_idle(layout, lane, g)) continue;
                for (int row = 0; row < layout->n; row++)
                    if (points[LINE_AT(*layout, lane, row, g)] != POINT_WET) some = 1;
            }
    MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_UNSIGNED_CHAR, MPI_MAX, layout->everyone);
    return some;
}

static Status create(const LineLayout *layout, const Maker *maker, const unsigned char *points,
                     const LineChoice *choice, LineOperator **out) {
    const bool per_line = some_do_not(layout, points);
    const ptrdiff_t count = per_line ? layout->size : layout->rows;
    double *table[TABLES];
    for (int t = 0; t < TABLES; t++) table[t] = ALLOCATE(count, double);
    fill_tables(layout, maker, per_line ? points : NULL, table);
    int reach = reach_of(table, count);
    MPI_Allreduce(MPI_IN_PLACE, &reach, 1, MPI_INT, MPI_MAX, layout->everyone);
    LineRows rows = {per_line, table[0], table[1], table[2], per_line, reach, {0}};
    for (int m = -reach; m <= reach; m++) rows.r[reach + m] = table[3 + COMPACT_REACH + m];
    const Status status = line_operator_create(layout, &rows, choice, out);
    for (int t = 0; t < TABLES; t++) memory_free(table[t]);
    return status;
}

Status compact_operator_create(const LineLayout *layout, const CompactScheme *scheme,
                               const unsigned char *points, const LineChoice *choice, LineOperator **out) {
    return create(layout, &(Maker){.scheme = scheme}, points, choice, out);
}

Status compact_diffusion_create(const LineLayout *layout, CompactEnd end, double number,
                                const unsigned char *points, const LineChoice *choice, LineOperator **out) {
    return create(layout, &(Maker){.end = end, .number = number}, points, choice, out);
}
