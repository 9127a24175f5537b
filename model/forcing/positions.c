/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/positions.h"

#include "base/file_set.h"
#include "base/memory.h"
#include "model/forcing/curvilinear.h"
#include "model/forcing/gridded_source.h"
#include <math.h>
#include <string.h>

enum { SPARE = 4 }; /* columns beyond the places, among which the nearest values are */

/* The first file's variable. */
static Status look_for_degrees(const ProfileSource *what, const Axes *axes, int *degrees) {
    NetcdfFile *file = NULL;
    NetcdfVariable v;
    char *path = file_set_first(what->path);
    Status status;
    ATTEMPT(netcdf_open(path, &file));
    ATTEMPT(source_variable(file, path, what->variable, &what->names, &v));
    *degrees = source_in_degrees(file, &v, axes);
cleanup:
    netcdf_close(&file);
    memory_free(path);
    return status;
}

Status positions_in_degrees(const ProfileSource *what, const Grid *g, Positions *p) {
    int rank, degrees = 0;
    if (!g->axes.map) return STATUS_OK;
    MPI_Comm_rank(g->comm, &rank);
    TRY(status_agree(g->comm, rank == 0 ? look_for_degrees(what, &g->axes, &degrees) : STATUS_OK));
    MPI_Bcast(&degrees, 1, MPI_INT, 0, g->comm);
    p->degrees = degrees;
    for (int n = 0; n < p->count && p->degrees; n++)
        axes_degrees(&g->axes, p->x[n], p->y[n], &p->x[n], &p->y[n]);
    return STATUS_OK;
}

static Status read_curvilinear(const ProfileSource *what, const Axes *axes, Curvilinear *out) {
    NetcdfFile *file = NULL;
    NetcdfVariable v;
    const bool is_velocity = strcmp(what->names.unit ? what->names.unit : "", "m/s") == 0;
    char *path = file_set_first(what->path);
    Status status;
    ATTEMPT(netcdf_open(path, &file));
    ATTEMPT(source_variable(file, path, what->variable, &what->names, &v));
    ATTEMPT(curvilinear_read(file, &v, axes, is_velocity, out));
cleanup:
    netcdf_close(&file);
    memory_free(path);
    return status;
}

Status positions_find(const ProfileSource *what, const Grid *g, Positions *p) {
    Curvilinear file = {0};
    int rank;
    MPI_Comm_rank(g->comm, &rank);
    TRY(status_agree(g->comm, rank == 0 ? read_curvilinear(what, &g->axes, &file) : STATUS_OK));
    curvilinear_share(g->comm, g->axes.spherical || p->degrees, &file);
    p->by_index = file.nx > 0;
    Status status = STATUS_OK;
    if (p->by_index && what->initial) p->within = ALLOCATE(p->count + 1, bool);
    for (int n = 0; n < p->count && p->by_index && status == STATUS_OK; n++) {
        const double x = p->x[n], y = p->y[n], off = curvilinear_locate(&file, x, y, &p->x[n], &p->y[n]);
        if (what->initial) p->within[n] = off < POSITION_CLOSE;
        if (isfinite(off)) continue;
        if (what->initial)
            curvilinear_nearest(&file, x, y, &p->x[n], &p->y[n]);
        else
            status = error_raise(STATUS_BAD_INPUT,
                                 "%s: the file does not reach %s at %.6g, %.6g: get a larger extract (%s)",
                                 what->path, what->beside, x, y, what->place);
    }
    curvilinear_free(&file);
    return status_agree(g->comm, status);
}

bool positions_area(const Positions *p, const ProfileSource *what, const Grid *g, SourceWindow *window) {
    double ends[4] = {INFINITY, INFINITY, INFINITY, INFINITY}; /* least x, y; least -x, -y */
    for (int n = 0; n < p->count; n++) {
        const double here[4] = {p->x[n], p->y[n], -p->x[n], -p->y[n]};
        for (int c = 0; c < 4; c++) ends[c] = fmin(ends[c], here[c]);
    }
    MPI_Allreduce(MPI_IN_PLACE, ends, 4, MPI_DOUBLE, MPI_MIN, g->comm);
    *window = (SourceWindow){.low = {ends[0], ends[1]},
                             .high = {-ends[2], -ends[3]},
                             .spare = what->initial ? 0 : SPARE,
                             .cover = !what->initial,
                             .shortfall = CURVILINEAR_REACH};
    if (what->initial && !p->by_index)
        *window = source_window_of(&g->axes, false);
    else
        window->degrees = p->degrees;
    window->by_index = p->by_index;
    window->what = what->beside;
    return isfinite(ends[0]);
}
