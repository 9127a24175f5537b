/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/compact_operator.h"

#include "base/hash.h"
#include "base/memory.h"
#include "gpu/device.h"
#include <string.h>

enum { TABLES = 3 + 2 * COMPACT_REACH + 1 }; /* a, b, c and the right-hand side's */

/* The points of whole lines, line after line, from those of all ranks. Collective over layout->comm. */
static unsigned char *whole_lines(const LineLayout *layout, const unsigned char *own) {
    const ptrdiff_t width = (ptrdiff_t)layout->groups * layout->lanes;
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
                for (int lane = 0; lane < layout->lanes; lane++)
                    lines[((ptrdiff_t)g * layout->lanes + lane) * layout->rows + first + row] =
                        parts[start[p] + ((ptrdiff_t)g * n + row) * layout->lanes + lane];
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

/* Fills tables: of lines that are all alike, or of each line's own rows. `lines` as from whole_lines; `one`:
 * like this line, all wet where NULL. */
static void fill_tables(const LineLayout *layout, const CompactScheme *scheme, bool per_line,
                        const unsigned char *lines, const unsigned char *one, double *const table[TABLES]) {
    CompactRow *rows = ALLOCATE(layout->rows, CompactRow);
    if (!per_line) {
        compact_rows(scheme, layout->rows, one, layout->periodic, rows);
        for (int row = 0; row < layout->rows; row++) put_row(table, row, &rows[row]);
    }
    for (int g = 0; per_line && g < layout->groups; g++)
        for (int lane = 0; lane < layout->lanes; lane++) {
            compact_rows(scheme, layout->rows, lines + ((ptrdiff_t)g * layout->lanes + lane) * layout->rows,
                         layout->periodic, rows);
            for (int row = 0; row < layout->n; row++)
                put_row(table, LINE_AT(*layout, lane, row, g), &rows[layout->first + row]);
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

/* Whether all lines with a wet point are alike, on all ranks; `one`: such a line, NULL if there is none here.
 * Collective. */
static bool all_alike(const LineLayout *layout, const unsigned char *lines, const unsigned char **one) {
    uint64_t range[2] = {UINT64_MAX,
                         UINT64_MAX}; /* the least number of a line, and the least of its inverse */
    *one = NULL;
    for (int g = 0; g < layout->groups; g++)
        for (int lane = 0; lane < layout->lanes; lane++) {
            const unsigned char *line = lines + ((ptrdiff_t)g * layout->lanes + lane) * layout->rows;
            if (line_is_idle(layout, lane, g) || !memchr(line, POINT_WET, (size_t)layout->rows)) continue;
            uint64_t number = 0;
            for (int row = 0; row < layout->rows; row++) number = hash_mix(number * 3 + line[row] + 1);
            range[0] = number < range[0] ? number : range[0];
            range[1] = ~number < range[1] ? ~number : range[1];
            *one = line;
        }
    MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_UINT64_T, MPI_MIN, layout->everyone);
    return range[0] == ~range[1] || (range[0] == UINT64_MAX && range[1] == UINT64_MAX);
}

Status compact_operator_create(const LineLayout *layout, const CompactScheme *scheme,
                               const unsigned char *points, const LineChoice *choice, LineOperator **out) {
    exec_wait(layout->exec);
    unsigned char *lines = points ? whole_lines(layout, points) : NULL;
    const unsigned char *one = NULL;
    const bool per_line = lines && !all_alike(layout, lines, &one);
    const ptrdiff_t count = per_line ? layout->size : layout->rows;
    double *table[TABLES];
    for (int t = 0; t < TABLES; t++) table[t] = ALLOCATE(count, double);
    fill_tables(layout, scheme, per_line, lines, one, table);
    memory_free(lines);
    int reach = reach_of(table, count);
    MPI_Allreduce(MPI_IN_PLACE, &reach, 1, MPI_INT, MPI_MAX, layout->everyone);
    LineRows rows = {per_line, table[0], table[1], table[2], per_line, reach, {0}};
    for (int m = -reach; m <= reach; m++) rows.r[reach + m] = table[3 + COMPACT_REACH + m];
    const Status status = line_operator_create(layout, &rows, choice, out);
    for (int t = 0; t < TABLES; t++) memory_free(table[t]);
    return status;
}
