/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis info: the content of a file, for people.
 */
#include "base/memory.h"
#include "base/options.h"
#include "program/commands.h"
#include "program/datafile.h"
#include "program/part_files.h"

#include <math.h>
#include <string.h>

static const char HELP[] =
    "maeotis info FILE.nc ... [options]         shows what an output or restart file contains\n"
    "                                           (for an output that is split by day, give its name)\n"
    "\n"
    "  --quick               skip the ranges of the variables, which need all data to be read\n"
    "  --scenario            print only the scenario as its author wrote it\n"
    "\n"
    "Example: ./maeotis info results/azov_storm_2014/azov_storm_2014.nc\n";

static void print_text(const DataFile *file, const char *label, const char *attribute) {
    char *text = datafile_text(file, NC_GLOBAL, attribute);
    const char *line = text;
    while (line && *line) { /* further lines are moved in */
        size_t length = strcspn(line, "\n");
        printf("%-11s%.*s\n", line == text ? label : "", (int)length, line);
        line += length + (line[length] == '\n');
    }
    memory_free(text);
}

/* ---- what it is ---- */

static const char *kind_of(const DataFile *file) {
    int restart;
    if (nc_get_att_int(file->id, NC_GLOBAL, "maeotis_restart", &restart) == NC_NOERR) return "restart file";
    if (datafile_find(file, "station")) return "series at stations";
    const DataVariable *time = datafile_find(file, "time");
    if (datafile_find(file, "time_bnds")) return time && !time->by_record ? "extremes" : "means of fields";
    return time && time->by_record ? "fields" : "data";
}

static double value_at(const DataFile *file, const DataVariable *v, size_t index) {
    double value = NAN;
    (void)nc_get_var1_double(file->id, v->id, &index, &value);
    return value;
}

static const DataVariable *axis(const DataFile *file, const char *on_sphere, const char *on_plane) {
    const DataVariable *v = datafile_find(file, on_sphere);
    if (!v) v = datafile_find(file, on_plane);
    return v && v->n_dims == 1 && v->size > 0 ? v : NULL;
}

/* The first word of the units: "degrees" of "degrees_east", "seconds" of "seconds since ...". */
static void print_unit(const DataFile *file, const DataVariable *v) {
    char *units = datafile_text(file, v->id, "units");
    if (units && *units) printf(" %.*s", (int)strcspn(units, " _"), units);
    memory_free(units);
}

static void print_grid(const DataFile *file) {
    const DataVariable *x = axis(file, "lon", "x"), *y = axis(file, "lat", "y"),
                       *z = axis(file, "level", "level");
    if (!x || !y || datafile_find(file, "station")) return;
    printf("grid       %zu x %zu cells", x->size, y->size);
    if (z) printf(" x %zu layers", z->size);
    printf(", centres %s %.7g to %.7g, %s %.7g to %.7g", x->name, value_at(file, x, 0),
           value_at(file, x, x->size - 1), y->name, value_at(file, y, 0), value_at(file, y, y->size - 1));
    print_unit(file, y);
    putchar('\n');
}

static void print_times(const DataFile *file) {
    char first[32], last[32];
    const DataVariable *time = axis(file, "time", "time");
    print_text(file, "moment", "date");
    if (!time || !data_date(file, time, value_at(file, time, 0), first) ||
        !data_date(file, time, value_at(file, time, time->size - 1), last))
        return;
    printf("time       %s", first);
    if (time->size > 1) {
        printf(" to %s, %zu records, the first two %.9g", last, time->size,
               value_at(file, time, 1) - value_at(file, time, 0));
        print_unit(file, time);
        printf(" apart");
    }
    putchar('\n');
}

static void print_stations(const DataFile *file) {
    const DataVariable *names = datafile_find(file, "station"), *x = axis(file, "lon", "x"),
                       *y = axis(file, "lat", "y"), *moved = datafile_find(file, "moved");
    if (!names || names->n_dims != 2 || !x || !y || !moved) return;
    for (size_t n = 0; n < names->lengths[0] && n < x->size; n++) {
        const size_t start[2] = {n, 0}, count[2] = {1, names->lengths[1]};
        char *name = ALLOCATE(names->lengths[1] + 1, char);
        if (nc_get_vara_text(file->id, names->id, start, count, name) == NC_NOERR) {
            printf("%-11s%s at %.7g, %.7g", n == 0 ? "stations" : "", name, value_at(file, x, n),
                   value_at(file, y, n));
            print_unit(file, y);
            printf(", moved %.3g m\n", value_at(file, moved, n));
        }
        memory_free(name);
    }
}

static void print_ledger(const DataFile *file) {
    static const char *const names[] = {"volume", "volume_from_sources", "volume_from_boundaries",
                                        "volume_error"};
    const DataVariable *v = datafile_find(file, names[0]);
    if (!v || v->size == 0 || v->n_dims != 1) return;
    printf("at the end ");
    for (int n = 0; n < 4; n++) {
        v = datafile_find(file, names[n]);
        if (v && v->size > 0) printf("%s%s %.9g m3", n ? ", " : "", names[n], value_at(file, v, v->size - 1));
    }
    char digest[17];
    datafile_state_digest(file, datafile_find(file, names[0])->lengths[0] - 1, digest);
    if (digest[0]) printf(", digest %s", digest);
    putchar('\n');
}

/* ---- variables ---- */

typedef struct Range {
    double least, most;
    size_t values, missing;
} Range;

static Status find_range(const DataFile *file, const DataVariable *v, Range *range) {
    *range = (Range){INFINITY, -INFINITY, 0, 0};
    Pieces pieces = data_pieces(v);
    Datum *data = ALLOCATE(pieces.rows * pieces.per_row, Datum);
    Status status = STATUS_OK;
    for (size_t n = 0; n < pieces.count; n++) {
        size_t values;
        ATTEMPT(data_read(file, v, pieces, n, data, &values));
        range->values += values;
        for (size_t m = 0; m < values; m++) {
            double x = data_number(v, data[m]);
            if (isnan(x)) {
                range->missing++;
                continue;
            }
            if (x < range->least) range->least = x;
            if (x > range->most) range->most = x;
        }
    }
cleanup:
    memory_free(data);
    return status;
}

static bool is_coordinate(const DataVariable *v) {
    size_t length = strlen(v->name);
    if (length > 5 && strcmp(v->name + length - 5, "_bnds") == 0) return true;
    return v->n_dims == 0 || (v->n_dims == 1 && strcmp(v->dims[0], v->name) == 0);
}

static Status print_variable(const DataFile *file, const DataVariable *v, bool quick) {
    char shape[256] = "", *units = datafile_text(file, v->id, "units"),
         *what = datafile_text(file, v->id, "long_name");
    size_t used = 0;
    Range range;
    Status status = STATUS_OK;
    for (int d = 0; d < v->n_dims; d++) /* at most 17 letters each */
        used += (size_t)snprintf(shape + used, sizeof shape - used, "%s%.16s", d ? "," : "", v->dims[d]);
    printf("  %-22s %-24s", v->name, shape);
    if (!quick && v->type != NC_CHAR) {
        ATTEMPT(find_range(file, v, &range));
        if (range.missing < range.values)
            printf(" %12.6g to %-12.6g", range.least, range.most);
        else
            printf(" %28s", "no values");
        printf(" %3.0f%% fill", range.values ? 100.0 * (double)range.missing / (double)range.values : 0.0);
    }
    printf("  %s%s%s\n", units ? units : "", units && what ? ", " : "", what ? what : "");
cleanup:
    memory_free(units);
    memory_free(what);
    return status;
}

/* `with`: the bool whether ranges are left out. */
static Status print_info(const char *path, void *with) {
    const bool quick = *(const bool *)with;
    DataFile file;
    Status status;
    ATTEMPT(datafile_open(path, &file));
    printf("%s: %s\n", path, kind_of(&file));
    print_text(&file, "title", "title");
    print_text(&file, "made by", "history");
    char *ground = datafile_text(&file, NC_GLOBAL, "ground");
    if (ground) datafile_print_note("ground", ground, "the file's attribute `ground`");
    memory_free(ground);
    print_grid(&file);
    print_times(&file);
    print_stations(&file);
    print_ledger(&file);
    print_text(&file, "digest", "digest");
    printf("variables\n");
    for (int n = 0; n < file.n_variables; n++)
        if (!is_coordinate(&file.variables[n])) ATTEMPT(print_variable(&file, &file.variables[n], quick));
cleanup:
    datafile_close(&file);
    return status;
}

static Status print_scenario(const char *path, void *with) {
    (void)with;
    DataFile file;
    Status status;
    ATTEMPT(datafile_open(path, &file));
    char *text = datafile_text(&file, NC_GLOBAL, "scenario_text");
    if (text)
        fputs(text, stdout);
    else
        status = error_raise(STATUS_BAD_INPUT, "\"%s\" contains no scenario", path);
    memory_free(text);
cleanup:
    datafile_close(&file);
    return status;
}

int info_command(int argc, char **argv) {
    bool quick = false, scenario = false;
    const Option options[] = {{"quick", OPTION_FLAG, &quick}, {"scenario", OPTION_FLAG, &scenario}, {NULL}};
    Operands files = {"file", 1, argc, (const char **)argv};
    Status status = options_read("info", argc, argv, options, &files);
    if (status == STATUS_OK && files.help) return fputs(HELP, stdout) < 0;
    for (int n = 0; n < files.count && status == STATUS_OK; n++)
        status = part_files_each(files.word[n], scenario ? print_scenario : print_info, &quick);
    error_print(stderr);
    return status;
}
