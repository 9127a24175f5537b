/* SPDX-License-Identifier: Apache-2.0
 *
 * The dates in a restart file, read before there is a grid.
 */
#include "base/calendar.h"
#include "base/memory.h"
#include "base/netcdf_in.h"
#include "output/restart.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <netcdf.h>

/* Of the first run of the chain: its scenario's. */
static bool read_start(const NetcdfFile *file, double *start) {
    char *text = netcdf_text(file, NETCDF_WHOLE_FILE, "restart_scenario");
    cJSON *json = text ? cJSON_Parse(text) : NULL;
    const cJSON *time = cJSON_GetObjectItemCaseSensitive(json, "time"),
                *date = cJSON_GetObjectItemCaseSensitive(time, "start");
    const bool good = cJSON_IsString(date) && calendar_parse(date->valuestring, start, NULL) == STATUS_OK;
    cJSON_Delete(json);
    memory_free(text);
    return good;
}

static bool read_dates(const NetcdfFile *file, RestartDates *out) {
    const int elapsed = netcdf_find(file, "elapsed");
    if (!netcdf_number(file, NETCDF_WHOLE_FILE, RESTART_BEGAN, &out->began)) out->began = 0;
    return read_start(file, &out->start) && elapsed >= 0 && netcdf_rank(file, elapsed) == 0 &&
           nc_get_var_double(netcdf_id(file), elapsed, &out->elapsed) == NC_NOERR && isfinite(out->elapsed) &&
           out->elapsed >= 0 && isfinite(out->began);
}

Status restart_dates(const char *path, RestartDates *out) {
    NetcdfFile *file = NULL;
    double format = 0;
    TRY(netcdf_open(path, &file));
    const bool known = netcdf_number(file, NETCDF_WHOLE_FILE, "maeotis_restart", &format),
               read = known && read_dates(file, out);
    netcdf_close(&file);
    CHECK(known, STATUS_BAD_INPUT, "\"%s\" is not a restart file of this program", path);
    TRY(restart_check_seal(path));
    CHECK(read, STATUS_BAD_INPUT, "\"%s\" has no date; the file is damaged", path);
    return STATUS_OK;
}
