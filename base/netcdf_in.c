/* SPDX-License-Identifier: Apache-2.0 */
#include "base/netcdf_in.h"
#include "base/memory.h"

#include <netcdf.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

struct NetcdfFile {
    int id, count;
    char *path;
    char **names;
};

static bool is_classic(const char *bytes) {
    return memcmp(bytes, "CDF", 3) == 0;
}

static bool is_hdf5(const char *bytes) {
    return memcmp(bytes, "\x89HDF", 4) == 0;
}

bool netcdf_is_netcdf(const char *path) {
    char magic[4] = "";
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode)) return false; /* a pipe can be read once only */
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    bool long_enough = fread(magic, 1, sizeof magic, file) == sizeof magic;
    fclose(file);
    return long_enough && (is_classic(magic) || is_hdf5(magic));
}

static Status read_names(NetcdfFile *file) {
    if (nc_inq_nvars(file->id, &file->count) != NC_NOERR) file->count = 0;
    file->names = ALLOCATE(file->count + 1, char *);
    for (int n = 0; n < file->count; n++) {
        char name[NC_MAX_NAME + 1] = "";
        int code = nc_inq_varname(file->id, n, name);
        CHECK(code == NC_NOERR, STATUS_BAD_INPUT, "%s: variable %d cannot be read: %s", file->path, n,
              nc_strerror(code));
        file->names[n] = memory_copy_text(name);
    }
    return STATUS_OK;
}

Status netcdf_open(const char *path, NetcdfFile **out) {
    *out = NULL;
    TRY(netcdf_check(path)); /* also keeps the library from taking a path for an address on the net */
    int id;
    int code = nc_open(path, NC_NOWRITE, &id);
    CHECK(code == NC_NOERR, STATUS_BAD_INPUT,
          "%s cannot be read as NetCDF (%s): it is damaged, cut off, or in another format; copy or download "
          "it again",
          path, nc_strerror(code));
    NetcdfFile *file = ALLOCATE(1, NetcdfFile);
    file->id = id;
    file->path = memory_copy_text(path);
    Status status = read_names(file);
    if (status != STATUS_OK) netcdf_close(&file);
    *out = file;
    return status;
}

void netcdf_close(NetcdfFile **file) {
    if (!*file) return;
    nc_close((*file)->id);
    for (int n = 0; n < (*file)->count && (*file)->names; n++) memory_free((*file)->names[n]);
    memory_free((*file)->names);
    memory_free((*file)->path);
    memory_free(*file);
    *file = NULL;
}

const char *netcdf_path(const NetcdfFile *file) {
    return file->path;
}

int netcdf_id(const NetcdfFile *file) {
    return file->id;
}

int netcdf_count(const NetcdfFile *file) {
    return file->count;
}

const char *netcdf_name(const NetcdfFile *file, int id) {
    return id >= 0 && id < file->count ? file->names[id] : "";
}

int netcdf_rank(const NetcdfFile *file, int id) {
    int rank = 0;
    return nc_inq_varndims(file->id, id, &rank) == NC_NOERR ? rank : 0;
}

int netcdf_find(const NetcdfFile *file, const char *name) {
    for (int n = 0; n < file->count; n++)
        if (strcmp(file->names[n], name) == 0) return n;
    return -1;
}

int netcdf_find_standard_name(const NetcdfFile *file, const char *name) {
    int found = -1;
    for (int n = 0; n < file->count && found < 0; n++) {
        char *text = netcdf_text(file, n, "standard_name");
        if (text && strcasecmp(text, name) == 0) found = n;
        memory_free(text);
    }
    return found;
}

/* Adds "elevation(lat, lon)". */
static void list_one(const NetcdfFile *file, int n, char **list) {
    int rank = 0, dimensions[NC_MAX_VAR_DIMS];
    if (nc_inq_varndims(file->id, n, &rank) != NC_NOERR ||
        nc_inq_vardimid(file->id, n, dimensions) != NC_NOERR)
        rank = 0;
    memory_append(list, "%s%s", **list ? ", " : "", file->names[n]);
    for (int d = 0; d < rank; d++) {
        char name[NC_MAX_NAME + 1] = "?";
        nc_inq_dimname(file->id, dimensions[d], name);
        memory_append(list, "%s%s%s", d ? ", " : "(", name, d == rank - 1 ? ")" : "");
    }
}

char *netcdf_list(const NetcdfFile *file) {
    char *list = memory_copy_text("");
    for (int n = 0; n < file->count; n++) list_one(file, n, &list);
    if (*list) return list;
    memory_free(list);
    return memory_copy_text("no variables");
}

/* Text attributes are char arrays (netCDF-3) or strings (netCDF-4). */
static char *text_of_string(const NetcdfFile *file, int id, const char *attribute, size_t length) {
    char **strings = ALLOCATE(length, char *);
    char *text = NULL;
    if (nc_get_att_string(file->id, id, attribute, strings) == NC_NOERR) {
        text = memory_copy_text(strings[0] ? strings[0] : "");
        nc_free_string(length, strings);
    }
    memory_free(strings);
    return text;
}

static char *text_of_numbers(const NetcdfFile *file, int id, const char *attribute, size_t length) {
    double *values = ALLOCATE(length, double);
    char *text = NULL;
    if (nc_get_att_double(file->id, id, attribute, values) == NC_NOERR) {
        text = memory_format("%.15g", values[0]);
        for (size_t n = 1; n < length && n < 16; n++) memory_append(&text, " %.15g", values[n]);
    }
    memory_free(values);
    return text;
}

char *netcdf_text(const NetcdfFile *file, int id, const char *attribute) {
    nc_type type;
    size_t length;
    if (nc_inq_att(file->id, id, attribute, &type, &length) != NC_NOERR) return NULL;
    if (length == 0) return type == NC_CHAR ? memory_copy_text("") : NULL;
    if (type == NC_STRING) return text_of_string(file, id, attribute, length);
    if (type != NC_CHAR) return text_of_numbers(file, id, attribute, length);
    char *text = ALLOCATE(length + 1, char);
    if (nc_get_att_text(file->id, id, attribute, text) == NC_NOERR) return text;
    memory_free(text);
    return NULL;
}

bool netcdf_number(const NetcdfFile *file, int id, const char *attribute, double *value) {
    nc_type type;
    size_t length;
    if (nc_inq_att(file->id, id, attribute, &type, &length) != NC_NOERR) return false;
    if (length != 1 || type == NC_CHAR || type == NC_STRING) return false;
    return nc_get_att_double(file->id, id, attribute, value) == NC_NOERR;
}
