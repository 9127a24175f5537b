/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* flock, pwrite */
#include "model/subgrid/kept.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* A block ends with the row in which it has so many numbers. */
enum { ENOUGH = 1 << 20 };

static const Hypsometry *table_of(const Subgrid *s, int list) {
    return list == 0 ? &s->column : list == 1 ? &s->u : &s->v;
}

/* The numbers of a place; `out` may be NULL. */
static int64_t pack_place(const Subgrid *s, int list, int i, int j, double *out) {
    const Grid *g = s->grid;
    const Hypsometry *h = table_of(s, list);
    const ptrdiff_t m = AT2(*g, i, j);
    const double *node = h->node + (int64_t)h->first[m];
    double *fields[KEPT_FIELDS];
    const int n_fields = kept_fields(s, list, fields);
    int64_t numbers = 0;
    if (h->first[m] > 0) {
        while (!isnan(node[numbers])) numbers += h->values;
        numbers += h->values;
    }
    if (out) {
        *out++ = (double)(g->j_first + j) * (g->nx + 1) + g->i_first + i;
        *out++ = (double)numbers;
        for (int n = 0; n < n_fields; n++) *out++ = fields[n] ? fields[n][m] : 1;
        memcpy(out, node, (size_t)numbers * sizeof *out);
    }
    return KEPT_HEAD + n_fields + numbers;
}

static int64_t pack_run(const Subgrid *s, int list, const Run *run, double *out) {
    int64_t numbers = 0;
    for (int i = run->i0; i < run->i1; i++)
        numbers += pack_place(s, list, i, run->j, out ? out + numbers : NULL);
    return numbers;
}

/* ---- writing ---- */

/* What a rank writes. */
typedef struct Writing {
    const Subgrid *subgrid;
    KeptBlock *block;
    int *begins; /* by block, and behind the last: the first run of its list; 0 begins another list */
    int blocks;
} Writing;

static void widen(KeptBlock *b, const Grid *g, const Run *run) {
    const int64_t west = g->i_first + run->i0, east = g->i_first + run->i1 - 1, row = g->j_first + run->j;
    b->west = west < b->west ? west : b->west, b->east = east > b->east ? east : b->east;
    b->south = row < b->south ? row : b->south, b->north = row > b->north ? row : b->north;
}

static void add_block(Writing *w, int list, int begin) {
    w->block = ENLARGE(w->block, w->blocks + 1, KeptBlock);
    w->begins = ENLARGE(w->begins, w->blocks + 1, int);
    w->begins[w->blocks] = begin;
    w->block[w->blocks++] = (KeptBlock){.list = list, .west = INT64_MAX, .south = INT64_MAX};
}

/* Their places and sizes. */
static void find_blocks(Writing *w) {
    for (int list = 0; list < KEPT_LISTS; list++) {
        const RunList *places = kept_list(w->subgrid->grid, list);
        for (int n = 0; n < places->count; n++) {
            if (n == 0 || w->block[w->blocks - 1].numbers >= ENOUGH) add_block(w, list, n);
            KeptBlock *b = &w->block[w->blocks - 1];
            b->numbers += pack_run(w->subgrid, list, &places->run[n], NULL);
            widen(b, w->subgrid->grid, &places->run[n]);
        }
    }
}

/* 0, or what prevents it, a number of errno.h; of all functions below. */
static int write_at(int file, int64_t at, const void *bytes, int64_t size) {
    const char *from = bytes;
    while (size > 0) {
        const ssize_t put = pwrite(file, from, (size_t)size, at);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return put < 0 ? errno : EIO;
        from += put, at += put, size -= put;
    }
    return 0;
}

/* Writes a block and reads it back: disks that are full are not always said to be. */
static int write_block(const Writing *w, int n, int file) {
    KeptBlock *b = &w->block[n];
    const RunList *places = kept_list(w->subgrid->grid, (int)b->list);
    const bool last = n + 1 == w->blocks || w->begins[n + 1] == 0;
    const int end = last ? places->count : w->begins[n + 1];
    const size_t bytes = (size_t)b->numbers * sizeof(double);
    double *numbers = ALLOCATE(b->numbers, double);
    int64_t used = 0;
    for (int r = w->begins[n]; r < end; r++)
        used += pack_run(w->subgrid, (int)b->list, &places->run[r], numbers + used);
    b->checksum = hash_bytes(numbers, bytes);
    int why = write_at(file, b->at, numbers, (int64_t)bytes);
    memset(numbers, 0, bytes);
    if (!why &&
        !(kept_read_at(file, b->at, numbers, b->numbers) && hash_bytes(numbers, bytes) == b->checksum))
        why = EIO;
    memory_free(numbers);
    return why;
}

/* All blocks on rank 0, in the order of the ranks; to be freed. */
static KeptBlock *gather_blocks(MPI_Comm comm, const Writing *w, int64_t *all) {
    int rank, ranks, own = w->blocks * (int)sizeof(KeptBlock);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    int *bytes = ALLOCATE(ranks, int), *at = ALLOCATE(ranks + 1, int);
    MPI_Gather(&own, 1, MPI_INT, bytes, 1, MPI_INT, 0, comm);
    for (int r = 0; rank == 0 && r < ranks; r++) at[r + 1] = at[r] + bytes[r];
    *all = at[ranks] / (int64_t)sizeof(KeptBlock);
    KeptBlock *blocks = ALLOCATE(*all + 1, KeptBlock);
    MPI_Gatherv(w->block, own, MPI_BYTE, blocks, bytes, at, MPI_BYTE, 0, comm);
    memory_free(bytes), memory_free(at);
    return blocks;
}

/* Where this rank's blocks lie. */
static void place_blocks(MPI_Comm comm, Writing *w) {
    int64_t all = w->blocks, own = 0, before = 0;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, comm);
    for (int n = 0; n < w->blocks; n++) own += w->block[n].numbers;
    MPI_Scan(&own, &before, 1, MPI_INT64_T, MPI_SUM, comm);
    int64_t at = (int64_t)sizeof(KeptHeader) + all * (int64_t)sizeof(KeptBlock) +
                 (before - own) * (int64_t)sizeof(double);
    for (int n = 0; n < w->blocks; n++) {
        w->block[n].at = at;
        at += w->block[n].numbers * (int64_t)sizeof(double);
    }
}

/* Of any rank. Collective. */
static int agree(MPI_Comm comm, int why) {
    MPI_Allreduce(MPI_IN_PLACE, &why, 1, MPI_INT, MPI_MAX, comm);
    return why;
}

static int write_all(MPI_Comm comm, int file, uint64_t key, const Subgrid *s) {
    Writing w = {.subgrid = s};
    KeptHeader header = {.key = key, .counts = s->counts};
    int rank, why = 0;
    MPI_Comm_rank(comm, &rank);
    memcpy(header.kind, kept_kind, sizeof header.kind);
    memcpy(header.divided, s->divided, sizeof header.divided);
    find_blocks(&w);
    place_blocks(comm, &w);
    for (int n = 0; n < w.blocks && !why; n++) why = write_block(&w, n, file);
    KeptBlock *blocks = gather_blocks(comm, &w, &header.blocks);
    if (rank == 0) {
        header.checksum = kept_checksum(&header, blocks);
        if (!why) why = write_at(file, 0, &header, sizeof header);
        if (!why) why = write_at(file, sizeof header, blocks, header.blocks * (int64_t)sizeof *blocks);
    }
    memory_free(blocks);
    memory_free(w.block), memory_free(w.begins);
    return why;
}

/* The new file of this run alone; `*file` < 0: not made. What a run left that was killed is used again. */
static int create(const char *temporary, int *file) {
    struct stat mine, there;
    int why = 0;
    *file = open(temporary, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (*file < 0) return errno;
    if (flock(*file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        why = EWOULDBLOCK; /* folders without locks: checksums find what two runs spoil */
    else if (fstat(*file, &mine) != 0 || stat(temporary, &there) != 0 || mine.st_ino != there.st_ino)
        why = EWOULDBLOCK; /* the other run has just finished it */
    else if (ftruncate(*file, 0) != 0)
        why = errno;
    if (why) close(*file), *file = -1;
    return why;
}

static void tell(const char *path, int why) {
    if (!why)
        log_info("the ground inside cells: %s keeps the tables for the next start", path);
    else if (why == EWOULDBLOCK)
        log_info("the ground inside cells: another run writes the tables to %s", path);
    else
        log_info("the ground inside cells: no file keeps the tables, as \"%s\" cannot be written: %s", path,
                 strerror(why));
}

/* The open file on all ranks, or on none that reports why. Collective. */
static int open_all(MPI_Comm comm, const char *temporary, int *file) {
    int rank, why = 0;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) why = create(temporary, file);
    why = agree(comm, why);
    if (why) return why;
    if (rank != 0 && (*file = open(temporary, O_RDWR)) < 0) why = errno;
    return agree(comm, why);
}

void kept_write(const char *path, uint64_t key, const Subgrid *s) {
    const MPI_Comm comm = s->grid->comm;
    int rank, file = -1;
    MPI_Comm_rank(comm, &rank);
    if (!kept_agree(comm, rank != 0 || kept_may_replace(path))) return;
    char *temporary = memory_format("%s.part", path);
    int why = open_all(comm, temporary, &file);
    if (!why) why = agree(comm, write_all(comm, file, key, s));
    if (rank != 0 && file >= 0 && close(file) != 0 && !why) why = errno;
    why = agree(comm, why);
    if (rank == 0 && !why && rename(temporary, path) != 0) why = errno;
    if (rank == 0 && why && file >= 0) (void)unlink(temporary);
    if (rank == 0 && file >= 0) close(file); /* and let others write */
    if (rank == 0) tell(path, why);
    memory_free(temporary);
}
