/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis pack: the same data as compressed NetCDF-4. A run writes the classic format, because all its
 * processes write at once; the copy is checked value by value before it gets its name.
 */
#include "base/memory.h"
#include "base/options.h"
#include "program/commands.h"
#include "program/datafile.h"
#include "program/pixels.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char HELP[] =
    "maeotis pack FILE.nc ... [options]     writes compressed NetCDF-4 copies and verifies them\n"
    "\n"
    "  -o, --output FOLDER   write NAME.nc into this folder (default: NAME_packed.nc beside the file)\n"
    "  --compression N       1 (fast) to 9 (small) (default 2)\n"
    "  --overwrite           replace copies that exist\n"
    "  --pixels              write NAME_pixels.nc instead: the depth of water on the map's own cells,\n"
    "                        from the levels (eta) of fields or the highest level (max_eta) of extremes\n"
    "  --geotiff             the same, and NAME_pixels.tif, with a band for each record; needs gdal-bin\n"
    "  -i, --inputs FOLDER   with --pixels: folder of the scenario, if it is no longer where the run found "
    "it\n"
    "\n"
    "All dimensions, variables and attributes of a packed file are kept, to the last bit. The run must\n"
    "have ended: a run cannot continue a packed file.\n"
    "\n"
    "Examples: ./maeotis pack results/azov_storm_2014/*.nc -o packed\n"
    "          ./maeotis pack results/town/town_extremes.nc --geotiff\n";

typedef struct Packing {
    const char *folder; /* NULL: beside the file */
    const char *inputs; /* NULL: where the run found them */
    int64_t level;
    bool overwrite, pixels, geotiff;
} Packing;

typedef struct Copy {
    DataFile from;
    int to;
    char *path, *unfinished;
} Copy;

#define NC_TRY(copy, call)                                                                                   \
    do {                                                                                                     \
        int code_ = (call);                                                                                  \
        CHECK(code_ == NC_NOERR, STATUS_FAILED, "cannot write \"%s\": %s%s", (copy)->unfinished,             \
              nc_strerror(code_), code_ == NC_EHDFERR ? ". Is the disk full?" : "");                         \
    } while (0)

/* ---- what is copied ---- */

static Status copy_attributes(Copy *c, int from, int to) {
    int n = 0;
    NC_TRY(c, nc_inq_varnatts(c->from.id, from, &n));
    for (int a = 0; a < n; a++) {
        char name[NC_MAX_NAME + 1];
        NC_TRY(c, nc_inq_attname(c->from.id, from, a, name));
        NC_TRY(c, nc_copy_att(c->from.id, from, name, c->to, to));
    }
    return STATUS_OK;
}

static Status copy_dimensions(Copy *c) {
    int n = 0, unlimited = -1;
    NC_TRY(c, nc_inq_ndims(c->from.id, &n));
    NC_TRY(c, nc_inq_unlimdim(c->from.id, &unlimited));
    for (int d = 0, id; d < n; d++) {
        char name[NC_MAX_NAME + 1];
        size_t length;
        NC_TRY(c, nc_inq_dim(c->from.id, d, name, &length));
        NC_TRY(c, nc_def_dim(c->to, name, d == unlimited ? NC_UNLIMITED : length, &id));
    }
    return STATUS_OK;
}

/* One level of one record is a chunk, so that a map or a level is read alone; series are one chunk. */
static void choose_chunks(const DataVariable *v, size_t chunks[DATA_DIMS]) {
    for (int d = 0; d < v->n_dims; d++) {
        const bool of_a_map = d >= v->n_dims - 2 && !(d == 0 && v->by_record);
        chunks[d] = of_a_map || v->n_dims == 1 ? v->lengths[d] : 1;
        if (chunks[d] > 1 << 20) chunks[d] = 1 << 20;
        if (chunks[d] < 1) chunks[d] = 1;
    }
}

static Status define(Copy *c, int id, int level) {
    char name[NC_MAX_NAME + 1];
    nc_type type;
    int n_dims, dims[NC_MAX_VAR_DIMS], copied;
    size_t chunks[DATA_DIMS] = {0};
    NC_TRY(c, nc_inq_var(c->from.id, id, name, &type, &n_dims, dims, NULL));
    const DataVariable *v = datafile_find(&c->from, name);
    CHECK(v, STATUS_BAD_INPUT, "\"%s\": the type of the variable %s cannot be packed", c->from.path, name);
    NC_TRY(c, nc_def_var(c->to, name, type, n_dims, dims, &copied));
    if (n_dims > 0) {
        choose_chunks(v, chunks);
        NC_TRY(c, nc_def_var_chunking(c->to, copied, NC_CHUNKED, chunks));
        NC_TRY(c, nc_def_var_deflate(c->to, copied, NC_SHUFFLE, 1, level));
    }
    return copy_attributes(c, id, copied);
}

static Status copy_values(Copy *c, const DataVariable *v) {
    const Pieces pieces = data_pieces(v);
    size_t start[DATA_DIMS] = {0}, count[DATA_DIMS] = {0}, bytes = 8;
    Status status = STATUS_OK;
    NC_TRY(c, nc_inq_type(c->from.id, v->type, NULL, &bytes));
    void *values = ALLOCATE(pieces.rows * pieces.per_row * bytes, char);
    for (int d = 0; d < v->n_dims; d++) count[d] = v->lengths[d];
    for (size_t n = 0; n < pieces.count && status == STATUS_OK; n++) {
        start[0] = n * pieces.rows;
        if (v->n_dims > 0)
            count[0] = start[0] + pieces.rows > v->lengths[0] ? v->lengths[0] - start[0] : pieces.rows;
        int code = nc_get_vara(c->from.id, v->id, start, count, values);
        if (code == NC_NOERR) code = nc_put_vara(c->to, v->id, start, count, values);
        if (code != NC_NOERR)
            status = error_raise(STATUS_FAILED, "cannot copy %s to \"%s\": %s", v->name, c->unfinished,
                                 nc_strerror(code));
    }
    memory_free(values);
    return status;
}

static Status copy_all(Copy *c, const Packing *packing) {
    int n = 0, before;
    NC_TRY(c, nc_create(c->unfinished, NC_NETCDF4 | NC_NOCLOBBER, &c->to));
    NC_TRY(c, nc_set_fill(c->to, NC_NOFILL, &before));
    TRY(copy_dimensions(c));
    TRY(copy_attributes(c, NC_GLOBAL, NC_GLOBAL));
    NC_TRY(c, nc_inq_nvars(c->from.id, &n));
    for (int id = 0; id < n; id++) TRY(define(c, id, (int)packing->level));
    NC_TRY(c, nc_enddef(c->to));
    for (int v = 0; v < c->from.n_variables; v++) TRY(copy_values(c, &c->from.variables[v]));
    int code = nc_close(c->to);
    c->to = -1;
    NC_TRY(c, code);
    return STATUS_OK;
}

/* ---- is it equal? ---- */

static Status same_data(const Copy *c, const DataFile *packed) {
    CHECK(packed->n_variables == c->from.n_variables, STATUS_FAILED, "\"%s\" lacks variables", packed->path);
    for (int n = 0; n < packed->n_variables; n++) {
        uint64_t one, other;
        TRY(data_digest(&c->from, &c->from.variables[n], &one));
        TRY(data_digest(packed, &packed->variables[n], &other));
        CHECK(one == other, STATUS_FAILED, "\"%s\": %s is not equal to that of \"%s\"", packed->path,
              packed->variables[n].name, c->from.path);
    }
    return STATUS_OK;
}

static Status check_copy(const Copy *c) {
    DataFile packed;
    TRY(datafile_open(c->unfinished, &packed));
    const Status status = same_data(c, &packed);
    datafile_close(&packed);
    return status;
}

/* ---- names ---- */

static char *path_of_copy(const char *path, const Packing *packing) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    const int length = (int)(dot ? dot - name : (ptrdiff_t)strlen(name));
    if (packing->folder && !packing->pixels) return memory_format("%s/%s", packing->folder, name);
    const int before = packing->folder ? (int)strlen(packing->folder) : (int)(name - path);
    return memory_format("%.*s%s%.*s_%s%s", before, packing->folder ? packing->folder : path,
                         packing->folder ? "/" : "", length, name, packing->pixels ? "pixels" : "packed",
                         dot ? dot : "");
}

static char *path_of_geotiff(const char *path) {
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    return memory_format("%.*s.tif", (int)(dot ? dot - path : (ptrdiff_t)strlen(path)), path);
}

static Status check_free(const char *path, const Packing *packing) {
    struct stat entry;
    CHECK(packing->overwrite || lstat(path, &entry) != 0, STATUS_BAD_INPUT,
          "\"%s\" exists: --overwrite replaces it", path);
    return STATUS_OK;
}

static Status check_names(const Copy *c, const Packing *packing) {
    struct stat from, to;
    if (packing->folder)
        CHECK(mkdir(packing->folder, 0777) == 0 || errno == EEXIST, STATUS_FAILED,
              "cannot make the folder \"%s\": %s", packing->folder, strerror(errno));
    if (packing->geotiff) {
        CHECK(!strchr(c->path, '"'), STATUS_BAD_INPUT,
              "%s: GDAL cannot open a file with a quotation mark in its name: rename it, or leave out "
              "--geotiff",
              c->path);
        char *path = path_of_geotiff(c->path);
        const Status status = check_free(path, packing);
        memory_free(path);
        TRY(status);
    }
    if (lstat(c->path, &to) == 0) {
        CHECK(stat(c->from.path, &from) != 0 || from.st_ino != to.st_ino || from.st_dev != to.st_dev,
              STATUS_BAD_INPUT, "\"%s\" is the input itself: name another folder with -o", c->path);
        TRY(check_free(c->path, packing));
    }
    return packing->geotiff ? geotiff_possible() : STATUS_OK;
}

static double megabytes(const char *path) {
    struct stat entry;
    return stat(path, &entry) == 0 ? (double)entry.st_size * 1e-6 : 0;
}

/* The copy gets its name when it is whole. */
static Status name_file(const char *unfinished, const char *path) {
    CHECK(rename(unfinished, path) == 0, STATUS_FAILED, "cannot name \"%s\": %s", path, strerror(errno));
    return STATUS_OK;
}

static Status write_geotiff(const Copy *c) {
    char *path = path_of_geotiff(c->path), *unfinished = memory_format("%s.unfinished", path);
    Status status = pixels_geotiff(c->path, unfinished);
    if (status == STATUS_OK) status = name_file(unfinished, path);
    if (status == STATUS_OK)
        printf("%s: %.1f MB\n", path, megabytes(path));
    else
        (void)unlink(unfinished);
    memory_free(path), memory_free(unfinished);
    return status;
}

static Status pack(const char *path, const Packing *packing) {
    Copy c = {.to = -1, .path = path_of_copy(path, packing)};
    Status status;
    c.unfinished = memory_format("%s.unfinished", c.path);
    ATTEMPT(datafile_open(path, &c.from));
    ATTEMPT(check_names(&c, packing));
    (void)unlink(c.unfinished); /* of a packing that was killed */
    if (packing->pixels) {
        const PixelsWanted wanted = {packing->inputs, (int)packing->level};
        ATTEMPT(pixels_write(&c.from, c.unfinished, wanted));
        ATTEMPT(name_file(c.unfinished, c.path));
        printf("%s: %.1f MB\n", c.path, megabytes(c.path));
        if (packing->geotiff) ATTEMPT(write_geotiff(&c));
    } else {
        ATTEMPT(copy_all(&c, packing));
        ATTEMPT(check_copy(&c));
        ATTEMPT(name_file(c.unfinished, c.path));
        printf("%s: %.1f MB, %.1f MB packed, equal\n", c.path, megabytes(path), megabytes(c.path));
    }
cleanup:
    if (c.to >= 0) (void)nc_close(c.to);
    if (status != STATUS_OK) (void)unlink(c.unfinished);
    datafile_close(&c.from);
    memory_free(c.path);
    memory_free(c.unfinished);
    return status;
}

/* Files of one name from several folders: one copy would replace the other. */
static Status check_no_two(int files, const char *const *paths, const Packing *packing) {
    Status status = STATUS_OK;
    for (int n = 0; n < files; n++)
        for (int m = 0; m < n && status == STATUS_OK; m++) {
            char *one = path_of_copy(paths[m], packing), *other = path_of_copy(paths[n], packing);
            if (strcmp(one, other) == 0)
                status = error_raise(STATUS_BAD_INPUT,
                                     "pack: \"%s\" would be the copy of both \"%s\" and \"%s\": pack them "
                                     "into different folders",
                                     one, paths[m], paths[n]);
            memory_free(one);
            memory_free(other);
        }
    return status;
}

int pack_command(int argc, char **argv) {
    Packing packing = {.level = 2};
    const Option options[] = {{"output", OPTION_TEXT, &packing.folder, .letter = 'o'},
                              {"compression", OPTION_WHOLE, &packing.level, .least = 1},
                              {"level", OPTION_RENAMED, .now = "compression"},
                              {"overwrite", OPTION_FLAG, &packing.overwrite},
                              {"pixels", OPTION_FLAG, &packing.pixels},
                              {"geotiff", OPTION_FLAG, &packing.geotiff},
                              {"inputs", OPTION_TEXT, &packing.inputs, .letter = 'i'},
                              {NULL}};
    Operands files = {"file", 1, argc, (const char **)argv};
    Status status = options_read("pack", argc, argv, options, &files);
    if (status == STATUS_OK && files.help) return fputs(HELP, stdout) < 0;
    packing.pixels |= packing.geotiff;
    if (packing.inputs && !packing.pixels)
        status = error_raise(
            STATUS_BAD_INPUT,
            "pack: -i names the folder of the map that --pixels and --geotiff paint: add one of them");
    if (packing.level > 9)
        status = error_raise(STATUS_BAD_INPUT, "pack: --compression is 1 to 9, not %d", (int)packing.level);
    if (status == STATUS_OK) status = check_no_two(files.count, files.word, &packing);
    for (int n = 0; n < files.count && status == STATUS_OK; n++) status = pack(files.word[n], &packing);
    error_print(stderr);
    return status;
}
