/* SPDX-License-Identifier: Apache-2.0
 *
 * ESRI ASCII ("Arc/Info ASCII Grid"): a header of keys, then one line per row, from north to south.
 */
#include "bathymetry/raster_internal.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>
#include <strings.h>

enum Key { NCOLS, NROWS, XLLCORNER, XLLCENTER, YLLCORNER, YLLCENTER, CELLSIZE, DX, DY, NODATA, KEYS };

static const char *const key_names[KEYS] = {"ncols",     "nrows",       "xllcorner", "xllcenter",
                                            "yllcorner", "yllcenter",   "cellsize",  "dx",
                                            "dy",        "nodata_value"};

typedef struct Header {
    double value[KEYS];
    int line[KEYS]; /* where the key stood, 0: nowhere */
} Header;

static int key_of(const char *word) {
    if (strcasecmp(word, "xllcentre") == 0) return XLLCENTER;
    if (strcasecmp(word, "yllcentre") == 0) return YLLCENTER;
    for (int n = 0; n < KEYS; n++)
        if (strcasecmp(word, key_names[n]) == 0) return n;
    return -1;
}

static bool begins_with_letter(const RasterLine *line) {
    char c = line->at < line->end ? (char)(*line->at | 0x20) : 0;
    return c >= 'a' && c <= 'z';
}

bool raster_is_ascii(const FileBytes *file) {
    const char *next = file->bytes;
    RasterLine line = {0};
    while (raster_next_line(file, &next, &line)) {
        if (!raster_skip_blanks(&line, false)) continue;
        char word[32];
        raster_word(&line, word);
        return key_of(word) >= 0 && strcasecmp(word, "dx") != 0 && strcasecmp(word, "dy") != 0;
    }
    return false;
}

static Status take_key(const FileBytes *file, RasterLine *line, Header *header) {
    char word[32];
    raster_word(line, word);
    int key = key_of(word);
    CHECK(key >= 0, STATUS_BAD_INPUT,
          "%s:%d: the header has %s, but can only have ncols, nrows, xllcorner or xllcenter, yllcorner or "
          "yllcenter, "
          "cellsize or dx and dy, NODATA_value",
          file->path, line->number, word);
    CHECK(header->line[key] == 0, STATUS_BAD_INPUT, "%s:%d: %s is given twice, first in line %d", file->path,
          line->number, word, header->line[key]);
    line->at += strlen(word);
    char found[32] = "";
    if (raster_skip_blanks(line, false)) raster_word(line, found);
    bool good = *found && raster_take_number(line, &header->value[key]);
    bool only = !raster_skip_blanks(line, false);
    CHECK(good && only && (key == NODATA || isfinite(header->value[key])), STATUS_BAD_INPUT,
          "%s:%d: %s needs one number, found \"%s\"", file->path, line->number, word, found);
    header->line[key] = line->number;
    return STATUS_OK;
}

/* Reads keys until a line that does not begin with one, which stays to be read. */
static Status take_header(const FileBytes *file, const char **next, RasterLine *line, Header *header) {
    const char *before = *next;
    RasterLine kept = *line;
    while (raster_next_line(file, next, line)) {
        RasterLine ahead = *line;
        double value;
        bool blank = !raster_skip_blanks(line, false);
        ahead.at = line->at;
        if (!blank && (!begins_with_letter(line) || raster_take_number(&ahead, &value))) break;
        if (!blank) TRY(take_key(file, line, header));
        before = *next;
        kept = *line;
    }
    *next = before;
    *line = kept;
    return STATUS_OK;
}

static Status check_header(const FileBytes *file, const Header *h) {
    CHECK(h->line[NCOLS] && h->line[NROWS], STATUS_BAD_INPUT, "%s: the header lacks %s", file->path,
          h->line[NCOLS] ? "nrows" : "ncols");
    CHECK(h->line[XLLCORNER] != h->line[XLLCENTER] && !(h->line[XLLCORNER] && h->line[XLLCENTER]),
          STATUS_BAD_INPUT, "%s: the header needs one of xllcorner and xllcenter", file->path);
    CHECK(h->line[YLLCORNER] != h->line[YLLCENTER] && !(h->line[YLLCORNER] && h->line[YLLCENTER]),
          STATUS_BAD_INPUT, "%s: the header needs one of yllcorner and yllcenter", file->path);
    bool pair = h->line[DX] && h->line[DY], none = !h->line[DX] && !h->line[DY];
    CHECK((h->line[CELLSIZE] && none) || (!h->line[CELLSIZE] && pair), STATUS_BAD_INPUT,
          "%s: the header needs either cellsize, or dx and dy", file->path);
    double dx = pair ? h->value[DX] : h->value[CELLSIZE], dy = pair ? h->value[DY] : dx;
    CHECK(dx > 0 && dy > 0, STATUS_BAD_INPUT, "%s: the spacing must be above 0, not %g x %g", file->path, dx,
          dy);
    double nx = h->value[NCOLS], ny = h->value[NROWS];
    CHECK(nx >= 1 && ny >= 1 && nx == floor(nx) && ny == floor(ny) && nx < 1e9 && ny < 1e9 &&
              nx * ny <= RASTER_MOST_CELLS,
          STATUS_BAD_INPUT, "%s: ncols %g and nrows %g are not the size of a raster", file->path, nx, ny);
    /* Each number takes a digit and a blank: no memory is asked for what the file cannot hold. */
    CHECK(nx * ny <= (double)file->size / 2 + 1, STATUS_BAD_INPUT,
          "%s is cut off: ncols %g x nrows %g numbers would not fit into its %zu bytes", file->path, nx, ny,
          file->size);
    return STATUS_OK;
}

static void place(const Header *h, Raster *raster) {
    bool pair = h->line[DX] > 0;
    raster->nx = (int)h->value[NCOLS];
    raster->ny = (int)h->value[NROWS];
    raster->dx = pair ? h->value[DX] : h->value[CELLSIZE];
    raster->dy = pair ? h->value[DY] : h->value[CELLSIZE];
    raster->x0 = h->line[XLLCENTER] ? h->value[XLLCENTER] : h->value[XLLCORNER] + 0.5 * raster->dx;
    raster->y0 = h->line[YLLCENTER] ? h->value[YLLCENTER] : h->value[YLLCORNER] + 0.5 * raster->dy;
    raster->elevation = ALLOCATE((size_t)raster->nx * (size_t)raster->ny, double);
}

static Status take_row(const FileBytes *file, RasterLine *line, double nodata, int nx, double *row) {
    int count = 0;
    for (; raster_skip_blanks(line, false); count++) {
        char word[32];
        double value;
        raster_word(line, word);
        CHECK(count < nx, STATUS_BAD_INPUT, "%s:%d: more than ncols = %d numbers in this row", file->path,
              line->number, nx);
        CHECK(raster_take_number(line, &value), STATUS_BAD_INPUT,
              "%s:%d: number %d of the row is \"%s\" (use a decimal point, and blanks between numbers)",
              file->path, line->number, count + 1, word);
        row[count] = value == nodata ? NAN : value;
    }
    CHECK(count == nx, STATUS_BAD_INPUT, "%s:%d: %d numbers in this row, ncols is %d", file->path,
          line->number, count, nx);
    return STATUS_OK;
}

Status raster_read_ascii(const FileBytes *file, Raster *raster) {
    Header header = {.value[NODATA] = -9999}; /* the format's own default */
    const char *next = file->bytes;
    RasterLine line = {0};
    TRY(take_header(file, &next, &line, &header));
    TRY(check_header(file, &header));
    place(&header, raster);
    int rows = 0;
    while (raster_next_line(file, &next, &line)) {
        if (!raster_skip_blanks(&line, false)) continue;
        CHECK(rows < raster->ny, STATUS_BAD_INPUT, "%s:%d: more than nrows = %d rows", file->path,
              line.number, raster->ny);
        size_t j = (size_t)(raster->ny - 1 - rows++);
        TRY(take_row(file, &line, header.value[NODATA], raster->nx,
                     raster->elevation + j * (size_t)raster->nx));
    }
    CHECK(rows == raster->ny, STATUS_BAD_INPUT, "%s is cut off: %d rows, nrows is %d", file->path, rows,
          raster->ny);
    return STATUS_OK;
}
