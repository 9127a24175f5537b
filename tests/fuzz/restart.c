/* SPDX-License-Identifier: Apache-2.0
 *
 * Restart files: a good one, changed at places that the input names (3 bytes: where, 1 byte: to what). With an
 * odd first byte the header gets a checksum that fits again, so that what lies behind it is reached; without,
 * the state comes back as it was, or not at all.
 */
#include "output/restart.h"
#include "output/output.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/small_sea.h"
#include <string.h>

static SmallSea sea;
static uint8_t *good, *changed;
static size_t length;
static uint64_t digest;

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    const RunFacts facts = {"{}", "{}", "made up", "fuzz", NULL, NULL, false};
    char path[512], *folder = memory_format("/tmp/maeotis_fuzz_%d", (int)getpid());
    MPI_Init(argc, argv);
    sea = small_sea_create(MPI_COMM_SELF, "[]", folder, true, false);
    digest = state_digest(sea.state);
    if (restart_write(sea.scenario, &facts, sea.state, NULL, NULL, 0, path) != STATUS_OK) abort();
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    length = (size_t)ftell(file);
    rewind(file);
    good = malloc(length), changed = malloc(length);
    if (fread(good, 1, length, file) != length) abort();
    fclose(file);
    unlink(path), rmdir(folder);
    memory_free(folder);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 5) return -1;
    memcpy(changed, good, length);
    for (size_t n = 1; n + 4 <= size; n += 4)
        changed[((size_t)data[n] << 16 | (size_t)data[n + 1] << 8 | data[n + 2]) % length] = data[n + 3];
    const char *path = fuzz_file(changed, length);
    const bool sealed = data[0] & 1;
    if (sealed) (void)!restart_seal(path);
    error_clear();
    Status status = restart_read(path, sea.scenario, data[0] & 2, sea.state, NULL, 0);
    if (status == STATUS_OK && !sealed && state_digest(sea.state) != digest) abort();
    fuzz_check(status);
    return 0;
}
