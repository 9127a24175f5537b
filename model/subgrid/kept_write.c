/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* getpid */
#include "model/subgrid/kept.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
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

static bool write_at(MPI_File file, int64_t at, const void *bytes, int64_t size, MPI_Datatype type) {
    MPI_Status done;
    int count = -1;
    return MPI_File_write_at(file, at, bytes, (int)size, type, &done) == MPI_SUCCESS &&
           MPI_Get_count(&done, type, &count) == MPI_SUCCESS && count == size;
}

/* Writes a block and reads it back: disks that are full are not always said to be. */
static bool write_block(const Writing *w, int n, MPI_File file) {
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
    bool good = write_at(file, b->at, numbers, b->numbers, MPI_DOUBLE);
    memset(numbers, 0, bytes);
    good =
        good && kept_read_at(file, b->at, numbers, b->numbers) && hash_bytes(numbers, bytes) == b->checksum;
    memory_free(numbers);
    return good;
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

static bool write_all(MPI_Comm comm, MPI_File file, uint64_t key, Writing *w) {
    const Subgrid *s = w->subgrid;
    KeptHeader header = {.key = key, .counts = s->counts};
    int rank;
    bool good = true;
    MPI_Comm_rank(comm, &rank);
    memcpy(header.kind, kept_kind, sizeof header.kind);
    memcpy(header.divided, s->divided, sizeof header.divided);
    place_blocks(comm, w);
    for (int n = 0; n < w->blocks; n++) good = good && write_block(w, n, file);
    KeptBlock *blocks = gather_blocks(comm, w, &header.blocks);
    if (rank == 0) {
        header.checksum = kept_checksum(&header, blocks);
        good = good && write_at(file, 0, &header, sizeof header, MPI_BYTE) &&
               write_at(file, sizeof header, blocks, header.blocks * (int64_t)sizeof *blocks, MPI_BYTE);
    }
    memory_free(blocks);
    return kept_agree(comm, good);
}

/* The new file, which other runs do not have; on rank 0 `why` is what prevents it. */
static bool create(MPI_Comm comm, const char *temporary, MPI_File *file, int *why) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    const int made = rank == 0 ? open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666) : 0;
    *why = errno;
    if (rank == 0 && made >= 0) close(made);
    if (!kept_agree(comm, made >= 0)) return false;
    *why = EIO;
    return kept_agree(comm,
                      MPI_File_open(comm, temporary, MPI_MODE_RDWR, MPI_INFO_NULL, file) == MPI_SUCCESS);
}

void kept_write(const char *path, uint64_t key, const Subgrid *s) {
    const MPI_Comm comm = s->grid->comm;
    int rank, id = getpid(), why;
    MPI_Comm_rank(comm, &rank);
    if (!kept_agree(comm, rank != 0 || kept_may_replace(path))) return;
    MPI_Bcast(&id, 1, MPI_INT, 0, comm);
    char *temporary = memory_format("%s.%d.part", path, id);
    Writing w = {.subgrid = s};
    MPI_File file = MPI_FILE_NULL;
    bool good = create(comm, temporary, &file, &why);
    const bool made = good || why == EIO;
    if (good) {
        find_blocks(&w);
        good = write_all(comm, file, key, &w);
        why = EIO;
    }
    if (file != MPI_FILE_NULL) MPI_File_close(&file);
    if (rank == 0 && good && rename(temporary, path) != 0) good = false, why = errno;
    if (rank == 0 && !good && made) (void)unlink(temporary);
    if (rank == 0 && good)
        log_info("the ground inside cells: %s keeps the tables for the next start", path);
    else if (rank == 0)
        log_info("the ground inside cells: no file keeps the tables, as \"%s\" cannot be written: %s", path,
                 strerror(why));
    memory_free(w.block), memory_free(w.begins);
    memory_free(temporary);
}
