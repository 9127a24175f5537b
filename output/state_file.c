/* SPDX-License-Identifier: Apache-2.0 */
#include "output/state_file.h"

#include "base/hash.h"
#include "base/memory.h"
#include <string.h>

/* Lowest layer with a meaning; n3 where there is none. */
static int lowest(const Grid *g, const StateField *field, int i, int j) {
    ptrdiff_t n = AT2(*g, i, j);
    switch (field->place) {
    case 'u':
        if (!field->last_face && g->axes.periodic_x && g->i_first + i == g->nx)
            return g->n3; /* face 0 again */
        return g->width_u[n] > 0 ? (int)g->bottom_u[n] : g->n3;
    case 'v':
        if (!field->last_face && g->axes.periodic_y && g->j_first + j == g->ny) return g->n3;
        return g->width_v[n] > 0 ? (int)g->bottom_v[n] : g->n3;
    default:
        return g->own_area[n] > 0 ? (int)g->bottom_c[n] : g->n3;
    }
}

static bool has_meaning(const Grid *g, const StateField *field, int i, int j, int k) {
    int bottom = lowest(g, field, i, j);
    return field->three_d ? k >= bottom : bottom < g->n3;
}

double *state_field_pack(const Layout *layout, const StateField *field, double outside) {
    const Grid *g = layout->grid;
    Piece p = layout_piece(layout, field->place);
    int n_levels = field->three_d ? g->n3 : 1;
    double *packed = ALLOCATE(piece_size(p) * n_levels, double), *value = packed;
    for (int k = 0; k < n_levels; k++)
        for (int j = p.j0; j < p.j1; j++)
            for (int i = p.i0; i < p.i1; i++)
                *value++ = has_meaning(g, field, i, j, k) ? field->data[AT(*g, i, j, k)] : outside;
    return packed;
}

void state_field_unpack(const Layout *layout, const StateField *field, const double *packed) {
    const Grid *g = layout->grid;
    Piece p = layout_piece(layout, field->place);
    int n_levels = field->three_d ? g->n3 : 1;
    for (int k = 0; k < n_levels; k++)
        for (int j = p.j0; j < p.j1; j++)
            for (int i = p.i0; i < p.i1; i++, packed++)
                if (has_meaning(g, field, i, j, k)) field->data[AT(*g, i, j, k)] = *packed;
}

uint64_t state_field_checksum(const Layout *layout, const StateField *field, const double *packed) {
    const Grid *g = layout->grid;
    Piece p = layout_piece(layout, field->place);
    uint64_t sum = 0, row = (uint64_t)g->nx + 1, plane = row * ((uint64_t)g->ny + 1);
    int n_levels = field->three_d ? g->n3 : 1;
    for (int k = 0; k < n_levels; k++)
        for (int j = 0; j < p.count_y; j++) {
            uint64_t at = (uint64_t)k * plane + (uint64_t)(p.start_y + j) * row + (uint64_t)p.start_x;
            for (int i = 0; i < p.count_x; i++, at++) {
                uint64_t bits;
                memcpy(&bits, packed++, sizeof bits);
                sum += hash_mix(bits ^ hash_mix(at + 1));
            }
        }
    return sum;
}

/* Where the own part of the field lies in its variable; 2-D fields begin at [1]. */
static void find_place(const Layout *layout, const StateField *field, MPI_Offset start[3],
                       MPI_Offset count[3]) {
    Piece p = layout_piece(layout, field->place);
    start[0] = 0, start[1] = p.start_y, start[2] = p.start_x;
    count[0] = field->three_d ? layout->grid->n3 : 1, count[1] = p.count_y, count[2] = p.count_x;
}

void state_field_put(NcFile *file, const Layout *layout, const StateField *field, const double *packed) {
    MPI_Offset start[3], count[3];
    find_place(layout, field, start, count);
    int skip = field->three_d ? 0 : 1;
    ncfile_put(file, ncfile_find(file, field->name), start + skip, count + skip, MPI_DOUBLE, packed);
}

double *state_field_get(NcFile *file, const Layout *layout, const StateField *field) {
    MPI_Offset start[3], count[3];
    find_place(layout, field, start, count);
    int skip = field->three_d ? 0 : 1;
    double *packed = ALLOCATE(count[0] * count[1] * count[2], double);
    ncfile_get(file, ncfile_find(file, field->name), start + skip, count + skip, MPI_DOUBLE, packed);
    return packed;
}

bool state_field_fits(NcFile *file, const Layout *layout, const StateField *field, int variable) {
    const Grid *g = layout->grid;
    const int expected = field->three_d ? 3 : 2;
    MPI_Offset length[3] = {0};
    nc_type type;
    if (ncmpi_inq_vartype(file->id, variable, &type) != NC_NOERR || type != NC_DOUBLE) return false;
    if (ncfile_lengths(file, variable, 3, length) != expected) return false;
    return (!field->three_d || length[0] == g->n3) && length[expected - 2] == g->ny + (field->place == 'v') &&
           length[expected - 1] == g->nx + (field->place == 'u');
}

int state_field_define(NcFile *file, const Layout *layout, const StateField *field) {
    int dims[4],
        n_dims = layout_dims(layout, field->place == 'w' ? 'c' : field->place, field->three_d, -1, dims);
    return ncfile_define(file, field->name, NC_DOUBLE, n_dims, dims);
}

uint64_t ground_checksum(const Grid *grid) {
    Layout layout = layout_whole(grid);
    const StateField fields[] = {
        {"bed", grid->bed, false, 'c', false},           {"area", grid->area, false, 'c', false},
        {"width_u", grid->width_u, false, 'u', false},   {"width_v", grid->width_v, false, 'v', false},
        {"bottom_u", grid->bottom_u, false, 'u', false}, {"bottom_v", grid->bottom_v, false, 'v', false},
    };
    uint64_t sum = 0;
    for (size_t n = 0; n < sizeof fields / sizeof *fields; n++) {
        double *packed = state_field_pack(&layout, &fields[n], 0);
        sum += hash_mix(hash_text(fields[n].name)) * state_field_checksum(&layout, &fields[n], packed);
        memory_free(packed);
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, grid->comm);
    return sum;
}
