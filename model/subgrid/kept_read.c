/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* pread */
#include "model/subgrid/kept.h"

#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool kept_agree(MPI_Comm comm, bool good) {
    int all = good;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_LAND, comm);
    return all;
}

bool kept_read_at(int file, int64_t at, double *numbers, int64_t count) {
    char *to = (char *)numbers;
    for (int64_t left = count * (int64_t)sizeof *numbers; left > 0;) {
        const ssize_t got = pread(file, to, (size_t)left, at);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        to += got, at += got, left -= got;
    }
    return true;
}

/* ---- what the file is ---- */

typedef enum Found { NO_FILE, NO_TABLES, DAMAGED, OTHER_TABLES, FITTING } Found;

static bool blocks_are_whole(const KeptHeader *header, const KeptBlock *blocks, int64_t size) {
    if (header->checksum != kept_checksum(header, blocks)) return false;
    for (int64_t n = 0; n < header->blocks; n++) {
        const int64_t at = blocks[n].at, numbers = blocks[n].numbers;
        if (at < 0 || at > size || numbers < 0 || numbers > (size - at) / (int64_t)sizeof(double))
            return false;
    }
    return true;
}

/* The header and the list of blocks, which is to be freed. */
static Found look_into(FILE *file, int64_t size, uint64_t key, KeptHeader *header, KeptBlock **blocks) {
    const size_t name = strlen("maeotis tables");
    if (size == 0) return DAMAGED;
    *header = (KeptHeader){0};
    const size_t got = fread(header, 1, sizeof *header, file);
    if (got < name || memcmp(header->kind, kept_kind, name) != 0) return NO_TABLES;
    if (got == sizeof *header && memcmp(header->kind, kept_kind, sizeof header->kind) != 0)
        return OTHER_TABLES;
    const int64_t in_message = INT_MAX / (int64_t)sizeof **blocks;
    const int64_t in_file = (size - (int64_t)sizeof *header) / (int64_t)sizeof **blocks;
    const int64_t most = in_file < in_message ? in_file : in_message;
    if (got < sizeof *header || header->blocks < 0 || header->blocks > most) return DAMAGED;
    *blocks = ALLOCATE(header->blocks + 1, KeptBlock);
    if (fread(*blocks, sizeof **blocks, (size_t)header->blocks, file) != (size_t)header->blocks ||
        !blocks_are_whole(header, *blocks, size))
        return DAMAGED;
    return header->key == key ? FITTING : OTHER_TABLES;
}

static Found look(const char *path, uint64_t key, KeptHeader *header, KeptBlock **blocks) {
    struct stat about;
    *blocks = NULL;
    if (stat(path, &about) != 0) return NO_FILE;
    FILE *file = S_ISREG(about.st_mode) ? fopen(path, "rb") : NULL;
    if (!file) return NO_TABLES;
    const Found found = look_into(file, about.st_size, key, header, blocks);
    fclose(file);
    return found;
}

bool kept_may_replace(const char *path) {
    KeptHeader header;
    KeptBlock *blocks;
    const Found found = look(path, 0, &header, &blocks);
    memory_free(blocks);
    if (found == NO_TABLES)
        log_info("the ground inside cells: no file keeps the tables, as \"%s\" is in the way", path);
    return found != NO_TABLES;
}

/* The same on all ranks. Collective. */
static Found look_first(MPI_Comm comm, const char *path, uint64_t key, KeptHeader *header,
                        KeptBlock **blocks) {
    int rank, found = NO_FILE;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0) found = look(path, key, header, blocks);
    if (found == DAMAGED)
        log_info("the ground inside cells: \"%s\" is damaged: rebuilding the tables", path);
    else if (found == OTHER_TABLES)
        log_info(
            "the ground inside cells: \"%s\" is of another ground, grid or version: rebuilding the tables",
            path);
    MPI_Bcast(&found, 1, MPI_INT, 0, comm);
    if (found != FITTING) return found;
    MPI_Bcast(header, sizeof *header, MPI_BYTE, 0, comm);
    if (rank != 0) *blocks = ALLOCATE(header->blocks + 1, KeptBlock);
    MPI_Bcast(*blocks, (int)(header->blocks * (int64_t)sizeof **blocks), MPI_BYTE, 0, comm);
    return found;
}

/* ---- from numbers to tables ---- */

static int values_of(int list) {
    return list == 0 ? NODE_OF_COLUMN : NODE_OF_FACE;
}

/* What has been read of a list. */
typedef struct Reading {
    Table table;
    double *fields[KEPT_FIELDS];
    int n_fields;
    int64_t places;
} Reading;

/* Is it a place of this rank? The last faces of the grid belong to the cells before them. */
static bool is_own(const Grid *g, int64_t i, int64_t j) {
    const int columns = g->n1 + (g->i_first + g->n1 == g->nx), rows = g->n2 + (g->j_first + g->n2 == g->ny);
    return i >= 0 && i < columns && j >= 0 && j < rows;
}

/* Do these numbers begin with a place of the whole grid and its whole table? Its last node is not a number, which ends searches.
 * Checksums can be forged. */
static bool is_place(const Grid *g, const double *numbers, int64_t left, const Reading *r) {
    const int64_t head = KEPT_HEAD + r->n_fields, values = r->table.values;
    if (left < head) return false;
    const double place = numbers[0], places = (double)(g->nx + 1) * (g->ny + 1), own = numbers[1];
    if (!(place >= 0 && place < places && own >= 0 && own <= (double)(left - head))) return false;
    if (own == 0) return true;
    const double *last = numbers + head + (int64_t)own - values;
    return own >= 2 * (double)values && fmod(own, (double)values) == 0 && isnan(last[NODE_HEIGHT]) &&
           isnan(last[NODE_DEPTH]);
}

static void take_place(const Grid *g, const double *numbers, Reading *r) {
    const int64_t place = (int64_t)numbers[0], own = (int64_t)numbers[1];
    const int64_t i = place % (g->nx + 1) - g->i_first, j = place / (g->nx + 1) - g->j_first;
    if (!is_own(g, i, j)) return;
    const ptrdiff_t m = AT2(*g, i, j);
    for (int n = 0; n < r->n_fields; n++)
        if (r->fields[n]) r->fields[n][m] = numbers[KEPT_HEAD + n];
    memcpy(table_room(&r->table, own), numbers + KEPT_HEAD + r->n_fields, (size_t)own * sizeof *numbers);
    table_take(&r->table, m, own);
    r->places++;
}

static bool read_block(const Grid *g, int file, const KeptBlock *b, Reading *r) {
    double *numbers = ALLOCATE(b->numbers, double);
    const bool good = kept_read_at(file, b->at, numbers, b->numbers) &&
                      hash_bytes(numbers, (size_t)b->numbers * sizeof *numbers) == b->checksum;
    int64_t at = 0;
    while (good && is_place(g, numbers + at, b->numbers - at, r)) {
        take_place(g, numbers + at, r);
        at += KEPT_HEAD + r->n_fields + (int64_t)numbers[at + 1];
    }
    memory_free(numbers);
    return good && at == b->numbers;
}

/* Are there places of this rank in it? */
static bool is_near(const Grid *g, const KeptBlock *b) {
    return b->west <= g->i_first + g->n1 && b->east >= g->i_first && b->south <= g->j_first + g->n2 &&
           b->north >= g->j_first;
}

static bool read_list(const Subgrid *s, int list, int file, const KeptHeader *header, const KeptBlock *blocks,
                      Table *out) {
    Reading r = {0};
    bool good = file >= 0;
    r.n_fields = kept_fields(s, list, r.fields);
    table_begin(s->grid, values_of(list), &r.table);
    for (int64_t n = 0; good && n < header->blocks; n++)
        if (blocks[n].list == list && is_near(s->grid, &blocks[n]))
            good = read_block(s->grid, file, &blocks[n], &r);
    *out = r.table;
    return good && r.places == kept_list(s->grid, list)->elements;
}

static bool read_tables(const char *path, const KeptHeader *header, const KeptBlock *blocks, Subgrid *s) {
    const Grid *g = s->grid;
    const int file = open(path, O_RDONLY);
    Table table[KEPT_LISTS];
    bool good = file >= 0;
    for (int list = 0; list < KEPT_LISTS; list++)
        good = read_list(s, list, file, header, blocks, &table[list]) && good;
    if (file >= 0) close(file);
    good = kept_agree(g->comm, good);
    Hypsometry *all[KEPT_LISTS] = {&s->column, &s->u, &s->v};
    for (int list = 0; list < KEPT_LISTS; list++) {
        if (good)
            *all[list] = table_finish(g, s, &table[list]);
        else
            table_forget(g, &table[list]);
    }
    return good;
}

bool kept_read(const char *path, uint64_t key, Subgrid *s) {
    KeptHeader header;
    KeptBlock *blocks = NULL;
    int rank;
    MPI_Comm_rank(s->grid->comm, &rank);
    bool good = look_first(s->grid->comm, path, key, &header, &blocks) == FITTING;
    if (good) {
        good = read_tables(path, &header, blocks, s);
        log_info(good ? "the ground inside cells: tables from %s"
                      : "the ground inside cells: \"%s\" is damaged, or not there for all processes: "
                        "rebuilding the tables",
                 path);
    }
    if (good && rank == 0) {
        s->counts.pixels = header.counts.pixels, s->counts.closed = header.counts.closed;
        s->counts.divided = header.counts.divided, s->counts.apart = header.counts.apart;
        memcpy(s->divided, header.divided, sizeof s->divided);
    }
    memory_free(blocks);
    return good;
}
