/* SPDX-License-Identifier: Apache-2.0
 *
 * What is looked at before a NetCDF library sees a file.
 */
#include "base/netcdf_in.h"

#include "base/file.h"
#include <stdbool.h>
#include <string.h>

/* The superblock says where the file ends. Its place depends on the version and the width of addresses. */
static int64_t hdf5_end(const unsigned char *bytes, int64_t size) {
    const int version = size > 8 ? bytes[8] : 0, width = size > 13 ? bytes[version < 2 ? 13 : 9] : 0;
    const int64_t at = (version < 2 ? version == 1 ? 28 : 24 : 12) + 2 * 8;
    uint64_t end = 0;
    if (version > 3 || width != 8 || size < at + 8) return 0;
    for (int n = 7; n >= 0; n--) end = end << 8 | bytes[at + n]; /* least significant first */
    return end > INT64_MAX ? INT64_MAX : (int64_t)end;
}

static Status check_hdf5(const char *path, const unsigned char *bytes, int64_t size) {
    const int64_t end = hdf5_end(bytes, size);
    CHECK(end > 0, STATUS_BAD_INPUT,
          "%s is damaged: its first bytes (the superblock of HDF5) are not those of NetCDF-4; copy or "
          "download it again",
          path);
    CHECK(end <= size, STATUS_BAD_INPUT,
          "%s is cut off: it has %lld bytes, but its header requires %lld; copy or download it again", path,
          (long long)size, (long long)end);
    return STATUS_OK;
}

static Status check_bytes(const char *path, const unsigned char *bytes, int64_t size) {
    if (size >= 4 && memcmp(bytes, "CDF", 3) == 0) return netcdf_check_classic(path, bytes, size, NULL);
    CHECK(size >= 8 && memcmp(bytes, "\x89HDF\r\n\x1a\n", 8) == 0, STATUS_BAD_INPUT,
          "%s is not a NetCDF file (it begins with neither CDF nor HDF)", path);
    return check_hdf5(path, bytes, size);
}

Status netcdf_check(const char *path) {
    FileBytes file;
    TRY(file_map(path, &file));
    Status status = check_bytes(path, (const unsigned char *)file.bytes, (int64_t)file.size);
    const bool classic = file.bytes[0] == 'C';
    file_unmap(&file);
    return status == STATUS_OK && !classic ? netcdf_probe(path) : status;
}
