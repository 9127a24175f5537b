/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: alignment, zeros, the count of what is in use, texts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/memory.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool all_zero(const char *block, size_t size) {
    for (size_t n = 0; n < size; n++)
        if (block[n] != 0) return false;
    return true;
}

static void blocks_are_aligned_and_zero(void **state) {
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 1000, 4 << 20, (4 << 20) + 1, 9 << 20};
    for (int round = 0; round < 2; round++) { /* the second time in memory that was used */
        for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
            char *block = memory_allocate(sizes[n], 1);
            assert_int_equal((uintptr_t)block % 64, 0);
            assert_true(all_zero(block, sizes[n]));
            assert_int_equal(memory_in_use(), sizes[n]);
            if (sizes[n]) memset(block, 0xA5, sizes[n]);
            memory_free(block);
        }
    }
    assert_int_equal(memory_in_use(), 0);
    memory_free(NULL);
}

/* Else fields would fight for the same sets of the cache. */
static void large_blocks_begin_at_different_lines_of_a_page(void **state) {
    (void)state;
    char *a = memory_allocate(5 << 20, 1), *b = memory_allocate(5 << 20, 1), *c = memory_allocate(5 << 20, 1);
    assert_int_not_equal((uintptr_t)a % 4096, (uintptr_t)b % 4096);
    assert_int_not_equal((uintptr_t)b % 4096, (uintptr_t)c % 4096);
    memory_free(a), memory_free(b), memory_free(c);
}

/* [bytes] of this process that lie in memory */
static long resident(void) {
    long whole = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%ld %ld", &whole, &pages) != 2) pages = 0;
    if (file) fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

/* Most of a field is land, which nobody reads or writes. */
static void large_blocks_take_memory_only_where_they_are_used(void **state) {
    (void)state;
    enum { SIZE = 256 << 20, USED = 64 << 20 };
    const long before = resident();
    char *block = memory_allocate(SIZE, 1);
    assert_true(resident() - before < SIZE / 4);
    memset(block + SIZE / 2, 1, USED);
    assert_true(resident() - before >= USED);
    assert_true(resident() - before < USED + SIZE / 4);
    memory_free(block);
    assert_true(resident() - before < SIZE / 4);
}

static void blocks_grow_with_what_they_hold(void **state) {
    (void)state;
    int *block = ENLARGE(NULL, 1, int);
    block[0] = 1969;
    for (size_t count = 10; count <= 10000000; count *= 1000) {
        block = ENLARGE(block, count, int);
        assert_int_equal(memory_in_use(), count * sizeof(int));
        assert_int_equal(block[0], 1969);
        assert_true(all_zero((char *)(block + 1), (count - 1) * sizeof(int)));
    }
    memory_free(block);
}

static void texts(void **state) {
    (void)state;
    assert_null(memory_copy_text(NULL));
    char *copy = memory_copy_text("Azov"), *text = memory_format("%s %d", copy, 1969),
         *empty = memory_format("%s", "");
    assert_string_equal(copy, "Azov");
    assert_string_equal(text, "Azov 1969");
    assert_string_equal(empty, "");
    memory_append(&text, ", %s", copy);
    memory_append(&empty, "%s", empty);
    assert_string_equal(text, "Azov 1969, Azov");
    assert_string_equal(empty, "");
    memory_free(copy), memory_free(text), memory_free(empty);
    assert_int_equal(memory_in_use(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_aligned_and_zero),
        cmocka_unit_test(large_blocks_begin_at_different_lines_of_a_page),
        cmocka_unit_test(large_blocks_take_memory_only_where_they_are_used),
        cmocka_unit_test(blocks_grow_with_what_they_hold),
        cmocka_unit_test(texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
