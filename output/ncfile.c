/* SPDX-License-Identifier: Apache-2.0 */
#include "output/ncfile.h"

#include "base/memory.h"
#include "base/netcdf_in.h"
#include "output/ncfile_disk.h"
#include "output/ncfile_slabs.h"
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

void ncfile_note(NcFile *file, int code, const char *doing) {
    if (code == NC_NOERR || file->code != NC_NOERR) return;
    file->code = code;
    file->doing = doing;
}

static const char *reason(int code) {
    return code == NC_EWRITE ? "the data in the file are not those that were written." : ncmpi_strerror(code);
}

static const char *advice(int code) {
    if (code == NC_ENO_SPACE || code == NC_EQUOTA || code == NC_EWRITE) return " Is the disk full?";
    if (code == NC_EACCESS || code == NC_EPERM) return " May you write there?";
    return "";
}

/* Whatever failed first, when nothing stands at its path any more. */
static bool is_gone(const NcFile *file) {
    return (file->writes || file->code == NC_ENOENT) && access(file->path, F_OK) != 0;
}

Status ncfile_agree(NcFile *file) {
    Status mine = file->code == NC_NOERR ? STATUS_OK : STATUS_FAILED;
    if (mine != STATUS_OK && !file->failed && is_gone(file))
        mine = error_raise(STATUS_FAILED, "\"%s\": the file or its folder was deleted or moved", file->path);
    else if (mine != STATUS_OK && !file->failed)
        mine = error_raise(STATUS_FAILED, "\"%s\": %s: %s%s", file->path, file->doing, reason(file->code),
                           advice(file->code));
    Status all = status_agree(file->comm, mine);
    file->failed |= all != STATUS_OK;
    return all;
}

MPI_Offset ncfile_round_bytes = (MPI_Offset)1 << 30;

static void begin(NcFile *file, MPI_Comm comm, const char *path) {
    memset(file, 0, sizeof *file);
    file->comm = comm;
    file->path = memory_copy_text(path);
    file->id = -1;
    file->reads_back = true;
}

/* Of every process, before all open the file together: inside MPI's own opening those who can would wait for ever for
 * one that cannot. Collective. */
static Status try_open(NcFile *file, int flags) {
    Status status = STATUS_OK;
    const int descriptor = open(file->path, flags | O_CLOEXEC | O_NONBLOCK, 0666);
    if (descriptor < 0)
        status = error_raise(STATUS_FAILED, "\"%s\": a process cannot open the file: %s%s", file->path,
                             strerror(errno), errno == EACCES ? " May you?" : "");
    else
        close(descriptor);
    status = status_agree(file->comm, status);
    file->failed |= status != STATUS_OK;
    return status;
}

/* The first makes the file, so that the others find it. Collective. */
static Status try_create(NcFile *file) {
    int rank;
    MPI_Comm_rank(file->comm, &rank);
    Status status = STATUS_OK;
    const int descriptor = rank == 0 ? open(file->path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
    if (rank == 0 && descriptor < 0)
        status = error_raise(STATUS_FAILED, "\"%s\": cannot create the file: %s%s", file->path,
                             strerror(errno), errno == EACCES ? " May you write there?" : "");
    if (descriptor >= 0) close(descriptor);
    status = status_agree(file->comm, status);
    file->failed |= status != STATUS_OK;
    return status == STATUS_OK ? try_open(file, O_WRONLY) : status;
}

Status ncfile_create(NcFile *file, MPI_Comm comm, const char *path, int format) {
    begin(file, comm, path);
    int mode = NC_CLOBBER | (format == CDF2 ? NC_64BIT_OFFSET : NC_64BIT_DATA);
    TRY(try_create(file));
    ncfile_note(file, ncmpi_create(comm, path, mode, MPI_INFO_NULL, &file->id), "cannot create the file");
    file->open = file->writes = file->code == NC_NOERR;
    return ncfile_agree(file);
}

static Status open_checked(NcFile *file, MPI_Comm comm, const char *path, int mode,
                           Status (*check)(const char *path)) {
    int rank;
    begin(file, comm, path);
    MPI_Comm_rank(comm, &rank);
    TRY(status_agree(comm, rank == 0 ? check(path) : STATUS_OK));
    TRY(try_open(file, mode == NC_WRITE ? O_RDWR : O_RDONLY));
    ncfile_note(file, ncmpi_open(comm, path, mode, MPI_INFO_NULL, &file->id), "cannot open the file");
    file->open = file->code == NC_NOERR;
    file->writes = file->open && mode == NC_WRITE;
    return ncfile_agree(file);
}

Status ncfile_open(NcFile *file, MPI_Comm comm, const char *path, bool to_write) {
    return open_checked(file, comm, path, to_write ? NC_WRITE : NC_NOWRITE, netcdf_check);
}

Status ncfile_open_cut(NcFile *file, MPI_Comm comm, const char *path) {
    return open_checked(file, comm, path, NC_NOWRITE, disk_check_cut);
}

Status ncfile_end_define(NcFile *file) {
    if (!file->failed) ncfile_note(file, ncmpi_enddef(file->id), "cannot write the header");
    return ncfile_agree(file);
}

Status ncfile_wait(NcFile *file) {
    if (file->open && !file->failed) {
        slabs_write(file);
        disk_check(file);
    }
    return ncfile_agree(file);
}

Status ncfile_flush(NcFile *file) {
    if (file->open && !file->failed) disk_flush(file);
    return ncfile_agree(file);
}

Status ncfile_close(NcFile *file) {
    if (!file->open) return STATUS_OK;
    Status flushed = file->writes ? ncfile_flush(file) : STATUS_OK;
    file->open = false;
    /* After a failure requests may be pending, which close would refuse to leave behind. */
    if (file->failed) (void)ncmpi_cancel(file->id, NC_REQ_ALL, NULL, NULL);
    ncfile_note(file, ncmpi_close(file->id), "cannot write the end of the file");
    Status closed = ncfile_agree(file);
    return flushed != STATUS_OK ? flushed : closed;
}

void ncfile_abandon(NcFile *file) {
    if (file->open) {
        (void)ncmpi_cancel(file->id, NC_REQ_ALL, NULL, NULL);
        (void)ncmpi_close(file->id);
    }
    memory_free(file->slab);
    memory_free(file->copy);
    memory_free(file->path);
    memset(file, 0, sizeof *file);
}

int ncfile_dimension(NcFile *file, const char *name, MPI_Offset size) {
    int id = -1;
    if (file->code == NC_NOERR) ncfile_note(file, ncmpi_def_dim(file->id, name, size, &id), name);
    return id;
}

int ncfile_define(NcFile *file, const char *name, nc_type type, int n_dims, const int *dims) {
    int id = -1;
    if (file->code == NC_NOERR)
        ncfile_note(file, ncmpi_def_var(file->id, name, type, n_dims, dims, &id), name);
    return id;
}

void ncfile_text(NcFile *file, int variable, const char *name, const char *text) {
    if (!text || file->code != NC_NOERR) return;
    ncfile_note(file, ncmpi_put_att_text(file->id, variable, name, (MPI_Offset)strlen(text), text), name);
}

void ncfile_number(NcFile *file, int variable, const char *name, double value) {
    if (file->code != NC_NOERR) return;
    ncfile_note(file, ncmpi_put_att_double(file->id, variable, name, NC_DOUBLE, 1, &value), name);
}

void ncfile_integer(NcFile *file, int variable, const char *name, int value) {
    if (file->code != NC_NOERR) return;
    ncfile_note(file, ncmpi_put_att_int(file->id, variable, name, NC_INT, 1, &value), name);
}

void ncfile_fill(NcFile *file, int variable, nc_type type) {
    if (file->code != NC_NOERR) return;
    double value = type == NC_FLOAT ? (double)FILL_FLOAT : FILL_DOUBLE;
    ncfile_note(file, ncmpi_put_att_double(file->id, variable, "_FillValue", type, 1, &value), "_FillValue");
}

int ncfile_find(NcFile *file, const char *name) {
    int id = -1;
    if (file->code == NC_NOERR) ncfile_note(file, ncmpi_inq_varid(file->id, name, &id), name);
    return id;
}

/* Ids of the dimensions; returns how many. */
static int dimensions(NcFile *file, int variable, int dims[MOST_DIMS]) {
    int n = 0;
    ncfile_note(file, ncmpi_inq_varndims(file->id, variable, &n), "cannot look up a variable");
    if (n > MOST_DIMS) ncfile_note(file, NC_EMAXDIMS, "a variable has too many dimensions");
    if (file->code != NC_NOERR) return 0;
    ncfile_note(file, ncmpi_inq_vardimid(file->id, variable, dims), "cannot look up a variable");
    return n;
}

int ncfile_lengths(NcFile *file, int variable, int most, MPI_Offset *lengths) {
    int dims[MOST_DIMS] = {0}, n = dimensions(file, variable, dims);
    if (n > most) ncfile_note(file, NC_EMAXDIMS, "a variable has too many dimensions");
    for (int d = 0; d < n && d < most; d++)
        ncfile_note(file, ncmpi_inq_dimlen(file->id, dims[d], &lengths[d]), "cannot look up a dimension");
    return n;
}

int ncfile_leading_dimension(NcFile *file, int variable) {
    int dims[MOST_DIMS] = {0};
    return dimensions(file, variable, dims) > 0 ? dims[0] : -1;
}

/* Where in the file the last element lies that is put. */
static void note_end(NcFile *file, int variable, const MPI_Offset *start, const MPI_Offset *count) {
    MPI_Offset begin = 0, record = 0, lengths[MOST_DIMS], last = 0, size = 0;
    int unlimited = -1, n_dims = ncfile_lengths(file, variable, MOST_DIMS, lengths);
    nc_type type = NC_CHAR;
    ncfile_note(file, ncmpi_inq_varoffset(file->id, variable, &begin), "cannot look up a variable");
    ncfile_note(file, ncmpi_inq_vartype(file->id, variable, &type), "cannot look up a variable");
    ncfile_note(file, ncmpi_inq_unlimdim(file->id, &unlimited), "cannot look up a dimension");
    ncfile_note(file, ncmpi_inq_recsize(file->id, &record), "cannot measure the records");
    if (file->code != NC_NOERR) return;
    size = type == NC_DOUBLE ? 8 : type == NC_CHAR ? 1 : 4;
    bool by_record = n_dims > 0 && unlimited >= 0 && ncfile_leading_dimension(file, variable) == unlimited;
    for (int d = by_record; d < n_dims; d++) last = last * lengths[d] + start[d] + count[d] - 1;
    MPI_Offset end = begin + (by_record ? (start[0] + count[0] - 1) * record : 0) + (last + 1) * size;
    if (end > file->end) file->end = end;
}

void ncfile_put(NcFile *file, int variable, const MPI_Offset *start, const MPI_Offset *count,
                MPI_Datatype type, const void *data) {
    if (file->code != NC_NOERR || file->failed) return;
    int dims[MOST_DIMS], n_dims = dimensions(file, variable, dims);
    Slab whole = slab_whole(variable, n_dims, start, count, type, (char *)(uintptr_t)data);
    if (whole.values == 0 || file->code != NC_NOERR) return;
    note_end(file, variable, start, count);
    slabs_add(file, whole);
}

void ncfile_get(NcFile *file, int variable, const MPI_Offset *start, const MPI_Offset *count,
                MPI_Datatype type, void *data) {
    int dims[MOST_DIMS], n_dims = dimensions(file, variable, dims);
    const Slab whole = slab_whole(variable, n_dims, start, count, type, data);
    const Slab nothing = slab_whole(variable, n_dims, start, (const MPI_Offset[MOST_DIMS]){0}, type, data);
    slabs_add(file, whole);
    /* each slab is a round of its own */
    int rounds = file->n_slabs, mine = file->n_slabs;
    MPI_Allreduce(MPI_IN_PLACE, &rounds, 1, MPI_INT, MPI_MAX, file->comm);
    for (int n = 0; n < rounds; n++) {
        const Slab *s = n < mine ? &file->slab[n] : &nothing;
        ncfile_note(file,
                    ncmpi_get_vara_all(file->id, variable, s->start, s->count, s->data, s->values, s->type),
                    "cannot read");
    }
    file->n_slabs = 0;
}
