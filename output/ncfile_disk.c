/* SPDX-License-Identifier: Apache-2.0 */
#include "output/ncfile_disk.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/netcdf_in.h"
#include "output/ncfile_slabs.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* ---- rounds ---- */

enum { PIECE_BYTES = 1 << 22 };

/* How many rounds the slabs take: of all ranks, the most. */
static int count_rounds(const NcFile *file) {
    int rounds = 0, most;
    for (int n = 0; n < file->n_slabs; rounds++) n = slabs_of_round(file, n);
    MPI_Allreduce(&rounds, &most, 1, MPI_INT, MPI_MAX, file->comm);
    return most;
}

static void write_round(NcFile *file, const Slab *slab, int count) {
    for (int n = 0; n < count; n++)
        ncfile_note(file,
                    ncmpi_iput_vara(file->id, slab[n].variable, slab[n].start, slab[n].count, slab[n].data,
                                    slab[n].values, slab[n].type, NULL),
                    "cannot write");
    ncfile_note(file, ncmpi_wait_all(file->id, NC_REQ_ALL, NULL, NULL), "cannot write");
}

/* The end of a piece of the slabs: as much as stays in a processor's cache until it is compared, but one at least. */
static int end_of_piece(const Slab *slab, int first, int count, MPI_Offset *bytes) {
    int end = first;
    *bytes = 0;
    while (end < count && (end == first || *bytes + slab[end].bytes <= PIECE_BYTES))
        *bytes += slab[end++].bytes;
    return end;
}

static int count_pieces(const NcFile *file, const Slab *slab, int count) {
    MPI_Offset bytes;
    int pieces = 0, most;
    for (int n = 0; n < count; pieces++) n = end_of_piece(slab, n, count, &bytes);
    MPI_Allreduce(&pieces, &most, 1, MPI_INT, MPI_MAX, file->comm);
    return most;
}

/* The same memory for all records: new memory is cleared page by page, which takes longer than the reading. */
static char *room_for(NcFile *file, MPI_Offset bytes) {
    if (bytes > file->copy_bytes) {
        memory_free(file->copy);
        file->copy = ALLOCATE(bytes, char);
        file->copy_bytes = bytes;
    }
    return file->copy;
}

/* Does a piece stand in the file? */
static bool piece_stands(NcFile *file, const Slab *slab, int count, MPI_Offset bytes) {
    char *at = room_for(file, bytes);
    bool same = true;
    for (int n = 0; n < count; at += slab[n++].bytes)
        ncfile_note(file,
                    ncmpi_iget_vara(file->id, slab[n].variable, slab[n].start, slab[n].count, at,
                                    slab[n].values, slab[n].type, NULL),
                    "cannot read back what was written");
    ncfile_note(file, ncmpi_wait_all(file->id, NC_REQ_ALL, NULL, NULL), "cannot read back what was written");
    at = file->copy;
    for (int n = 0; n < count; at += slab[n++].bytes)
        same = same && memcmp(at, slab[n].data, (size_t)slab[n].bytes) == 0;
    return same;
}

/* Do the slabs stand in the file, on all ranks? Every rank takes part in every piece. */
static bool stands_there(NcFile *file, const Slab *slab, int count) {
    const int pieces = count_pieces(file, slab, count);
    int same = 1;
    for (int piece = 0, first = 0; piece < pieces; piece++) {
        MPI_Offset bytes;
        const int end = end_of_piece(slab, first, count, &bytes);
        same &= piece_stands(file, first < end ? &slab[first] : NULL, end - first, bytes);
        first = end;
    }
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, file->comm);
    return same;
}

/* What this rank has written goes to the disk; true if it got there. */
static bool flush_own(const NcFile *file) {
    const int opened = open(file->path, O_RDONLY | O_CLOEXEC);
    const bool flushed = opened >= 0 && fsync(opened) == 0;
    if (opened >= 0) close(opened);
    return flushed;
}

/* Network file systems may show one machine late what another has written. (Not ncmpi_sync: where the first
 * rank cannot write the header, it returns there at once, and leaves the others waiting.) */
static void read_round_back(NcFile *file, const Slab *slab, int count) {
    if (stands_there(file, slab, count)) return;
    (void)flush_own(file); /* the values tell */
    MPI_Barrier(file->comm);
    for (int patience = 0; patience < 3; patience++) {
        if (stands_there(file, slab, count)) return;
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    }
    ncfile_note(file, NC_EWRITE, "not everything could be written");
}

/* Every rank takes part in every round, with nothing at last where others have more. */
void slabs_write(NcFile *file) {
    const int rounds = count_rounds(file);
    for (int round = 0, first = 0; round < rounds; round++) {
        const int end = slabs_of_round(file, first);
        const Slab *slab = first < end ? &file->slab[first] : NULL;
        write_round(file, slab, end - first);
        if (file->reads_back) read_round_back(file, slab, end - first);
        first = end;
    }
    file->n_slabs = 0;
}

/* ---- what stands on the disk ---- */

/* The header, of a file that may be shorter than it says; `size` is the file's. */
static Status read_header(const char *path, ClassicHeader *header, int64_t *size) {
    FileBytes file;
    TRY(file_map(path, &file));
    *size = (int64_t)file.size;
    const Status status = netcdf_check_header(path, (const unsigned char *)file.bytes, *size, header);
    file_unmap(&file);
    return status;
}

static void check_header(NcFile *file) {
    ClassicHeader header;
    MPI_Offset records = 0;
    int64_t size;
    int dimension = -1;
    ncfile_note(file, ncmpi_inq_unlimdim(file->id, &dimension), "cannot look up the records");
    if (dimension >= 0)
        ncfile_note(file, ncmpi_inq_dimlen(file->id, dimension, &records), "cannot look up the records");
    if (read_header(file->path, &header, &size) != STATUS_OK || header.records != records)
        ncfile_note(file, NC_EWRITE, "the header could not be written");
}

void disk_check(NcFile *file) {
    long long furthest = file->end;
    int rank;
    MPI_Comm_rank(file->comm, &rank);
    MPI_Allreduce(MPI_IN_PLACE, &furthest, 1, MPI_LONG_LONG, MPI_MAX, file->comm);
    if (rank != 0 || file->code != NC_NOERR) return;
    struct statvfs disk;
    struct stat entry = {0};
    for (int patience = 0; patience < 20;
         patience++) { /* network file systems learn of others' writes late */
        int opened = open(file->path, O_RDONLY);
        bool long_enough = opened >= 0 && fstat(opened, &entry) == 0 && entry.st_size >= furthest;
        if (opened >= 0) close(opened);
        if (long_enough && (statvfs(file->path, &disk) != 0 || disk.f_bavail > 0)) {
            check_header(file);
            return;
        }
        if (long_enough) break;
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    ncfile_note(file, NC_ENO_SPACE, "not everything could be written");
}

/* Each rank what it has written. (Not ncmpi_sync: where one rank fails in it, others wait for ever. What it would write
 * besides, the number of records, stands in the header already: disk_check has seen it.) */
void disk_flush(NcFile *file) {
    if (!flush_own(file))
        ncfile_note(file, errno == ENOSPC ? NC_ENO_SPACE : NC_EWRITE, "cannot flush the file to the disk");
}

Status disk_check_cut(const char *path) {
    ClassicHeader header;
    int64_t size;
    TRY(read_header(path, &header, &size));
    CHECK(header.fixed_end <= size, STATUS_BAD_INPUT,
          "%s is cut off: it has %lld bytes, and its first record begins at byte %lld", path, (long long)size,
          (long long)header.fixed_end);
    return STATUS_OK;
}
