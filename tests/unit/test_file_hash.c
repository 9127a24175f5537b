/* SPDX-License-Identifier: Apache-2.0
 *
 * The checksum of a file, read in pieces, is that of its bytes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/memory.h"
#include <stdio.h>
#include <unistd.h>

static void in_pieces(void **state) {
    static const size_t sizes[] = {1, 7, 8, 4097, 1 << 20, (1 << 20) + 1, (3 << 20) - 5};
    (void)state;
    for (size_t n = 0; n < sizeof sizes / sizeof *sizes; n++) {
        unsigned char *bytes = ALLOCATE(sizes[n], unsigned char);
        uint64_t found;
        for (size_t m = 0; m < sizes[n]; m++) bytes[m] = (unsigned char)(m * m + m / 251);
        FILE *file = fopen("file_hash.bin", "wb");
        assert_non_null(file);
        assert_int_equal(fwrite(bytes, 1, sizes[n], file), sizes[n]);
        assert_int_equal(fclose(file), 0);
        assert_int_equal(file_hash("file_hash.bin", &found), STATUS_OK);
        assert_true(found == hash_bytes(bytes, sizes[n]));
        memory_free(bytes);
    }
    unlink("file_hash.bin");
}

static void refusals(void **state) {
    uint64_t hash;
    (void)state;
    assert_int_equal(file_hash("not_there", &hash), STATUS_BAD_INPUT);
    assert_int_equal(file_hash(".", &hash), STATUS_BAD_INPUT);
    assert_int_equal(file_hash("/dev/null", &hash), STATUS_BAD_INPUT);
    error_clear();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_pieces), cmocka_unit_test(refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
