/* SPDX-License-Identifier: Apache-2.0
 *
 * The checksum of a restart file's header: of all its bytes, with zeros in its own place. The libraries give
 * attributes, not headers, so it is looked for, and written, in the file itself.
 */
#include "output/restart.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/netcdf_in.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { DIGITS = 16 };
static const char NAME[] = "header_checksum", EMPTY[DIGITS + 1] = "0000000000000000";

void restart_define_seal(NcFile *file) {
    ncfile_text(file, NC_GLOBAL, NAME, EMPTY);
}

/* Where the digits stand; 0: nowhere. In CDF-5 the name, to which its closing zero is added up to a multiple
 * of four, is followed by the type and the length. */
static int64_t find_digits(const char *header, int64_t size) {
    static const char after[] = {0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, DIGITS};
    char pattern[sizeof NAME + sizeof after];
    memcpy(pattern, NAME, sizeof NAME);
    memcpy(pattern + sizeof NAME, after, sizeof after);
    const char *found = memmem(header, (size_t)size, pattern, sizeof pattern);
    int64_t at = found ? found - header + (int64_t)sizeof pattern : 0;
    return at + DIGITS <= size ? at : 0;
}

/* The digits that stand in the file and those that belong there. */
static Status read_seal(const char *path, int64_t *at, char there[DIGITS + 1], char right[DIGITS + 1]) {
    FileBytes file;
    int64_t size;
    TRY(file_map(path, &file));
    Status status = netcdf_check_classic(path, (const unsigned char *)file.bytes, (int64_t)file.size, &size);
    *at = status == STATUS_OK ? find_digits(file.bytes, size) : 0;
    if (*at > 0) {
        char *header = ALLOCATE(size, char);
        memcpy(header, file.bytes, (size_t)size);
        memcpy(there, header + *at, DIGITS);
        memcpy(header + *at, EMPTY, DIGITS);
        snprintf(right, DIGITS + 1, "%016" PRIx64, hash_bytes(header, (size_t)size));
        memory_free(header);
    }
    file_unmap(&file);
    return status;
}

Status restart_seal(const char *path) {
    char there[DIGITS + 1] = "", right[DIGITS + 1] = "";
    int64_t at;
    TRY(read_seal(path, &at, there, right));
    int file = at > 0 ? open(path, O_WRONLY) : -1;
    bool good = file >= 0 && pwrite(file, right, DIGITS, at) == DIGITS;
    int why = errno;
    if (file >= 0) close(file);
    CHECK(good, STATUS_FAILED, "\"%s\": cannot write the checksum of its header: %s", path, strerror(why));
    return STATUS_OK;
}

Status restart_check_seal(const char *path) {
    char there[DIGITS + 1] = "", right[DIGITS + 1] = "";
    int64_t at;
    TRY(read_seal(path, &at, there, right));
    CHECK(at > 0 && strcmp(there, right) == 0, STATUS_BAD_INPUT,
          "\"%s\" is damaged: the checksum of its header does not match; use an earlier restart file", path);
    return STATUS_OK;
}
