/* SPDX-License-Identifier: Apache-2.0
 *
 * Continuing a file: records that an earlier run wrote after the time of the restart are removed, so that the
 * file becomes the same as that of an uninterrupted run.
 *
 * NetCDF has no call that removes records. In the classic formats their number stands behind the four bytes
 * of the magic number, in 4 bytes (CDF-2) or 8 (CDF-5), most significant first, and records lie one after the
 * other at the end of the file.
 */
#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "output/parts.h"
#include "output/restart.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What must be known of the file. */
typedef struct Extent {
    int64_t claimed;        /* records, by the header */
    int64_t whole;          /* of them, those that the file is long enough for */
    int64_t kept;           /* of these, those that are not after the time */
    double last;            /* time of the last kept one */
    double next;            /* when the one after it is due */
    MPI_Offset begin, size; /* of the first record; of one record [bytes] */
    int format;
} Extent;

/* The end of each record's interval, or its time where it is a moment. */
static double *read_times(NcFile *file, int64_t records, bool *means) {
    int bounds = -1, time = ncfile_find(file, "time");
    *means = ncmpi_inq_varid(file->id, "time_bnds", &bounds) == NC_NOERR;
    double *times = ALLOCATE(records + 1, double);
    MPI_Offset start[2] = {0, 1}, count[2] = {records, 1};
    if (file->code == NC_NOERR && records > 0)
        ncfile_get(file, *means ? bounds : time, start, count, MPI_DOUBLE, times);
    return times;
}

/* Where the records begin, and how long they are. */
static void find_layout(NcFile *file, Extent *out) {
    int dim = -1, n_variables = 0;
    MPI_Offset records = 0;
    ncfile_note(file, ncmpi_inq_unlimdim(file->id, &dim), "cannot find the time");
    if (file->code == NC_NOERR)
        ncfile_note(file, ncmpi_inq_dimlen(file->id, dim, &records), "cannot count records");
    ncfile_note(file, ncmpi_inq_recsize(file->id, &out->size), "cannot measure the records");
    ncfile_note(file, ncmpi_inq_format(file->id, &out->format), "cannot see the format");
    ncfile_note(file, ncmpi_inq_nvars(file->id, &n_variables), "cannot count the variables");
    for (int v = 0; v < n_variables && file->code == NC_NOERR; v++) {
        MPI_Offset begin;
        ncfile_note(file, ncmpi_inq_varoffset(file->id, v, &begin), "cannot look up a variable");
        if (ncfile_leading_dimension(file, v) == dim && (out->begin == 0 || begin < out->begin))
            out->begin = begin;
    }
    out->claimed = records;
}

static void find_extent(NcFile *file, const char *path, RecordsDue due, double time, Extent *out) {
    struct stat facts;
    find_layout(file, out);
    if (file->code != NC_NOERR || out->size <= 0 || stat(path, &facts) != 0) return;
    const int64_t room = facts.st_size > out->begin ? (facts.st_size - out->begin) / out->size : 0;
    out->whole = room < out->claimed ? room : out->claimed;
    bool means;
    double *times = read_times(file, out->whole, &means);
    while (file->code == NC_NOERR && out->kept < out->whole && times[out->kept] <= time + SCHEDULE_EARLY_S)
        out->kept++;
    if (out->kept > 0) out->last = times[out->kept - 1];
    out->next = out->kept > 0 ? out->last + due.every : due.first;
    memory_free(times);
}

static Status set_records(const char *path, const Extent *extent) {
    int width = extent->format == NC_FORMAT_CDF5 ? 8 : 4;
    unsigned char bytes[8];
    for (int n = 0; n < width; n++) bytes[n] = (unsigned char)(extent->kept >> 8 * (width - 1 - n));
    int file = open(path, O_WRONLY);
    bool good = file >= 0 && pwrite(file, bytes, (size_t)width, 4) == width &&
                ftruncate(file, (off_t)(extent->begin + extent->kept * extent->size)) == 0;
    int why = errno;
    if (file >= 0) close(file);
    CHECK(good, STATUS_FAILED, "\"%s\": cannot remove the records after the restart: %s", path,
          strerror(why));
    return STATUS_OK;
}

/* On rank 0. */
static Status cut_records(const char *path, RecordsDue due, double time, int64_t *records, double *last) {
    *records = 0;
    *last = 0;
    if (access(path, F_OK) != 0) return STATUS_OK;
    NcFile file;
    Extent extent = {0};
    Status status = ncfile_open_cut(&file, MPI_COMM_SELF, path);
    if (status == STATUS_OK) {
        find_extent(&file, path, due, time, &extent);
        status = ncfile_close(&file);
    }
    ncfile_abandon(&file);
    if (status != STATUS_OK)
        return error_raise(STATUS_BAD_INPUT,
                           "\"%s\" is in the way: it is not a file of the run to continue; move it", path);
    /* A record after the restart may be incomplete: it is cut away. One before it must be there. */
    CHECK(extent.kept < extent.whole || extent.whole == extent.claimed ||
              extent.next > time + SCHEDULE_EARLY_S,
          STATUS_BAD_INPUT,
          "\"%s\" is cut off: its header says %lld records, but only %lld are complete, and the last of them "
          "is %g s older than the restart. Replace it by a good copy, or move it: the run then begins a new "
          "file",
          path, (long long)extent.claimed, (long long)extent.whole, time - extent.last);
    if (extent.kept < extent.claimed) TRY(set_records(path, &extent));
    *records = extent.kept;
    *last = extent.last;
    return STATUS_OK;
}

/* A run that is dated by its restart file writes nothing of before that, nor of that moment. */
RecordsDue records_due(const Making *making, bool means, double time) {
    const ScenarioTime *run = &making->scenario->time;
    const CalendarPart cut = making->entry->cut;
    const double every = making->entry->every_s,
                 part = cut == PART_WHOLE
                            ? 0
                            : calendar_part(run->start + time + SCHEDULE_EARLY_S, cut, 0) - run->start;
    if (run->dated_s > 0 && run->dated_s >= part)
        return (RecordsDue){every, schedule_after(every, run->dated_s).next};
    return (RecordsDue){every, schedule_from(every, fmax(part, 0)).next + (means ? every : 0)};
}

/* ---- is it the file of the run that is continued? ---- */

/* What a file knows of its run; NULL and 0: nothing. */
typedef struct Origin {
    char *scenario;
    uint64_t digest; /* of the sea at the time of the restart */
} Origin;

static void read_scenario(const NcFile *file, Origin *out) {
    MPI_Offset length = 0;
    if (ncmpi_inq_attlen(file->id, NC_GLOBAL, "effective_scenario", &length) != NC_NOERR) return;
    out->scenario = ALLOCATE(length + 1, char);
    if (ncmpi_get_att_text(file->id, NC_GLOBAL, "effective_scenario", out->scenario) != NC_NOERR)
        memory_free(out->scenario), out->scenario = NULL;
}

static void read_digest(NcFile *file, int64_t record, Origin *out) {
    int high, low;
    double half[2] = {0, 0};
    if (ncmpi_inq_varid(file->id, "digest_high", &high) != NC_NOERR ||
        ncmpi_inq_varid(file->id, "digest_low", &low) != NC_NOERR)
        return;
    const MPI_Offset start[1] = {record}, one[1] = {1};
    ncfile_get(file, high, start, one, MPI_DOUBLE, &half[0]);
    ncfile_get(file, low, start, one, MPI_DOUBLE, &half[1]);
    if (file->code == NC_NOERR) out->digest = (uint64_t)half[0] << 32 | (uint64_t)half[1];
}

/* Of a file whose records after the restart would all be replaced nothing needs to be known. */
static Origin origin_of(const char *path, double time) {
    NcFile file;
    Extent extent = {0};
    Origin origin = {0};
    if (ncfile_open_cut(&file, MPI_COMM_SELF, path) == STATUS_OK) {
        find_extent(&file, path, (RecordsDue){0}, time, &extent);
        if (file.code == NC_NOERR && extent.kept > 0) {
            read_scenario(&file, &origin);
            if (extent.last >= time - SCHEDULE_EARLY_S) read_digest(&file, extent.kept - 1, &origin);
        }
        (void)!ncfile_close(&file);
    }
    ncfile_abandon(&file);
    return origin;
}

static Status compare_record(const Scenario *scenario, const char *path, double time, const char *now,
                             uint64_t digest) {
    static const char *const cure = "move the results, or choose another /output_folder";
    if (access(path, F_OK) != 0) return STATUS_OK;
    Origin origin = origin_of(path, time);
    Status same = STATUS_OK;
    if (now && origin.scenario) {
        restart_complete_scenario(&origin.scenario, scenario->path);
        same = restart_compare_scenarios(path, origin.scenario, now, false);
    }
    memory_free(origin.scenario);
    CHECK(same == STATUS_OK, STATUS_BAD_INPUT, "\"%s\" is from another run than the restart file: %s", path,
          cure);
    char date[32];
    calendar_format_since(scenario->time.start, time, date);
    CHECK(digest == 0 || origin.digest == 0 || origin.digest == digest, STATUS_BAD_INPUT,
          "\"%s\" is from another run than the restart file: on %s its digest is %016" PRIx64
          ", that of the restart file %016" PRIx64 ": %s",
          path, date, origin.digest, digest, cure);
    return STATUS_OK;
}

Status output_compare(const Scenario *scenario, double time, const char *now, uint64_t digest) {
    for (int n = 0; n < scenario->n_outputs; n++) {
        const OutputKind kind = scenario->outputs[n].kind;
        if (kind != OUTPUT_FIELDS && kind != OUTPUT_STATIONS)
            continue; /* the others are made of what the restart holds */
        char *path = path_of_entry(scenario, &scenario->outputs[n], time);
        const Status status = compare_record(scenario, path, time, now, digest);
        memory_free(path);
        TRY(status);
    }
    return STATUS_OK;
}

Status records_resume(MPI_Comm comm, const char *path, RecordsDue due, double time, int64_t *records,
                      double *last) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    struct {
        int64_t records;
        double last;
    } found = {0, 0};
    Status mine = rank == 0 ? cut_records(path, due, time, &found.records, &found.last) : STATUS_OK;
    TRY(status_agree(comm, mine));
    MPI_Bcast(&found, (int)sizeof found, MPI_BYTE, 0, comm);
    *records = found.records;
    *last = found.last;
    return STATUS_OK;
}

Schedule records_schedule(const char *path, double every, double last, double restart) {
    const Schedule schedule = schedule_after(every, last);
    if (schedule.next > restart + SCHEDULE_EARLY_S) return schedule;
    log_warn("\"%s\" ends %g s before the restart: the records in between are missing (has another run "
             "written to it?)",
             path, restart - last);
    return schedule_after(every, restart);
}
