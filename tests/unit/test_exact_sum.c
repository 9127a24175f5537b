/* SPDX-License-Identifier: Apache-2.0
 *
 * The exact sum against what the processor rounds correctly by itself: sums of two doubles and fused
 * multiply-adds; against whole numbers; and against itself in other orders and groupings.
 */
#include "gpu/reduce.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t random_state = 1;

static uint64_t random_bits(void) {
    random_state ^= random_state << 13, random_state ^= random_state >> 7, random_state ^= random_state << 17;
    return random_state * 0x2545F4914F6CDD1Du;
}

static double double_of_bits(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Any sign and mantissa; the exponent anywhere in 2^low <= |x| < 2^high. */
static double random_double(int low, int high) {
    const uint64_t sign_and_mantissa = random_bits() & 0x800fffffffffffffu;
    const double one_to_two = double_of_bits(sign_and_mantissa | 0x3ff0000000000000u);
    return ldexp(one_to_two, low + (int)(random_bits() % (uint64_t)(high - low)));
}

static double sum_of(const double *term, int count) {
    ExactSum sum;
    exact_sum_clear(&sum);
    for (int n = 0; n < count; n++) exact_sum_add(&sum, term[n]);
    return exact_sum_value(&sum);
}

static void assert_same_double(double expected, double got) {
    if (expected != got && !(isnan(expected) && isnan(got))) fail_msg("expected %a, got %a", expected, got);
}

static void test_one_term_is_itself(void **unused) {
    (void)unused;
    const double special[] = {0.0,     1.0,      -1.0,   DBL_MIN, -DBL_MIN,
                              DBL_MAX, -DBL_MAX, 5e-324, -5e-324, 2.2e-308};
    for (int n = 0; n < (int)(sizeof special / sizeof *special); n++)
        assert_same_double(special[n], sum_of(&special[n], 1));
    for (int n = 0; n < 100000; n++) {
        const double x = random_double(-1080, 1024);
        assert_same_double(x, sum_of(&x, 1));
    }
}

static void test_two_terms_are_rounded_as_the_processor_does(void **unused) {
    (void)unused;
    for (int n = 0; n < 300000; n++) {
        const int low = -1080 + (int)(random_bits() % 2030), span = 1 + (int)(random_bits() % 70);
        const int high = low + span < 1024 ? low + span : 1024;
        const double pair[2] = {random_double(low, high), random_double(low, high)};
        assert_same_double(pair[0] + pair[1], sum_of(pair, 2));
    }
}

/* Halfway cases: 1 + 2^-53 ties to even, any further bit however small decides. */
static void test_ties(void **unused) {
    (void)unused;
    const double half = 0x1p-53;
    const struct {
        double term[3], sum;
    } cases[] = {
        {{1, half, 0}, 1},
        {{1, half, 5e-324}, 1 + 0x1p-52},
        {{1, half, -5e-324}, 1},
        {{1 + 0x1p-52, half, 0}, 1 + 0x1p-51},
        {{1 + 0x1p-52, half, -5e-324}, 1 + 0x1p-52},
        {{-1, -half, -0x1p-300}, -1 - 0x1p-52},
        {{DBL_MAX, 0x1p969, 0}, DBL_MAX},
        {{DBL_MAX, 0x1p970, 0}, HUGE_VAL},
        {{-DBL_MAX, -0x1p970, 5e-324}, -DBL_MAX},
        {{DBL_MIN, -5e-324, 0}, DBL_MIN - 5e-324},
    };
    for (int n = 0; n < (int)(sizeof cases / sizeof *cases); n++)
        assert_same_double(cases[n].sum, sum_of(cases[n].term, 3));
}

static void test_three_terms_are_a_fused_multiply_add(void **unused) {
    (void)unused;
    for (int n = 0; n < 300000; n++) {
        const double x = random_double(-30, 30), y = random_double(-30, 30), z = random_double(-120, 60);
        const double high = x * y, low = fma(x, y, -high);
        assert_same_double(fma(x, y, z), sum_of((const double[]){z, low, high}, 3));
    }
}

enum { TERMS = 2000 };

static void shuffle(double *term, int count) {
    for (int n = count - 1; n > 0; n--) {
        const int other = (int)(random_bits() % (uint64_t)(n + 1));
        const double keep = term[n];
        term[n] = term[other], term[other] = keep;
    }
}

static void test_everything_cancels_but_one_subnormal(void **unused) {
    (void)unused;
    double term[2 * TERMS + 1];
    for (int n = 0; n < TERMS; n++) term[2 * n] = random_double(-1074, 1024), term[2 * n + 1] = -term[2 * n];
    term[2 * TERMS] = -15e-324;
    for (int round = 0; round < 20; round++) {
        shuffle(term, 2 * TERMS + 1);
        assert_same_double(-15e-324, sum_of(term, 2 * TERMS + 1));
    }
}

static void test_order_and_grouping_do_not_matter(void **unused) {
    (void)unused;
    double term[TERMS];
    for (int n = 0; n < TERMS; n++) term[n] = random_double(-400, 400);
    ExactSum expected;
    exact_sum_clear(&expected);
    for (int n = 0; n < TERMS; n++) exact_sum_add(&expected, term[n]);
    exact_sum_normalise(&expected);
    for (int round = 0; round < 200; round++) {
        enum { MOST_GROUPS = 9 };
        const int groups = 1 + (int)(random_bits() % MOST_GROUPS);
        ExactSum group[MOST_GROUPS];
        for (int g = 0; g < groups; g++) exact_sum_clear(&group[g]);
        shuffle(term, TERMS);
        for (int n = 0; n < TERMS; n++) {
            ExactSum *mine = &group[random_bits() % (uint64_t)groups];
            exact_sum_add(mine, term[n]);
            if (random_bits() % 16 == 0) exact_sum_normalise(mine);
        }
        for (int g = 1; g < groups; g++) exact_sum_merge(&group[0], &group[g]);
        exact_sum_normalise(&group[0]);
        assert_memory_equal(&expected, &group[0], sizeof expected);
    }
}

static void same_as_one_by_one(const double *term, int count) {
    ExactSum expected, got;
    exact_sum_clear(&expected);
    exact_sum_clear(&got);
    for (int n = 0; n < count; n++) exact_sum_add(&expected, term[n]);
    exact_sum_add_all(&got, term, count);
    exact_sum_normalise(&expected);
    exact_sum_normalise(&got);
    assert_memory_equal(&expected.limb, &got.limb, (EXACT_SUM_LIMBS - 1) * sizeof *got.limb);
    assert_int_equal(expected.limb[EXACT_SUM_LIMBS - 1] != 0, got.limb[EXACT_SUM_LIMBS - 1] != 0);
}

/* Spans of 10, 40, ... 800 powers of two: with and without what three levels hold; every length; and ends. */
static void test_many_at_once(void **unused) {
    (void)unused;
    double term[TERMS];
    for (int span = 10; span <= 2000; span += 30)
        for (int count = 0; count <= TERMS; count += 1 + count / 3) {
            const int low = -1074 + (int)(random_bits() % (uint64_t)(2090 - span));
            for (int n = 0; n < count; n++) term[n] = random_bits() % 9 ? random_double(low, low + span) : 0;
            same_as_one_by_one(term, count);
            for (int n = 0; n < count; n++) term[n] = ldexp(0x1.fffffffffffffp0, low / 2);
            same_as_one_by_one(term, count);
        }
    term[1000] = NAN;
    same_as_one_by_one(term, TERMS);
    term[1000] = HUGE_VAL;
    same_as_one_by_one(term, TERMS);
}

static void test_whole_numbers(void **unused) {
    (void)unused;
    for (int round = 0; round < 50; round++) {
        ExactSum sum;
        exact_sum_clear(&sum);
        int64_t expected = 0;
        for (int n = 0; n < 20000; n++) {
            const int64_t whole = (int64_t)(random_bits() >> 12) - ((int64_t)1 << 51);
            exact_sum_add(&sum, ldexp((double)whole, -60));
            expected += whole; /* below 2^51 20000: fits */
        }
        assert_same_double(ldexp((double)expected, -60), exact_sum_value(&sum));
    }
}

/* 2^30 additions without normalising, of numbers that fill the limbs to the brim. */
static void test_headroom(void **unused) {
    (void)unused;
    for (int place = 0; place < 32; place++) {
        const double brim = ldexp(0x1.fffffffffffffp0, place);
        ExactSum sum;
        exact_sum_clear(&sum);
        for (int n = 0; n < 1 << 10; n++) exact_sum_add(&sum, -brim);
        for (int doubling = 0; doubling < 20; doubling++) exact_sum_merge(&sum, &sum);
        assert_same_double(-ldexp(brim, 30), exact_sum_value(&sum));
    }
    ExactSum sum;
    exact_sum_clear(&sum);
    for (int n = 0; n < 1 << 20; n++) exact_sum_add(&sum, DBL_MAX);
    assert_same_double(HUGE_VAL, exact_sum_value(&sum));
    for (int n = 0; n < 1 << 20; n++) exact_sum_add(&sum, -DBL_MAX);
    assert_same_double(0.0, exact_sum_value(&sum));
}

static void test_what_is_not_finite_sticks(void **unused) {
    (void)unused;
    assert_same_double(NAN, sum_of((const double[]){1, NAN, 2}, 3));
    assert_same_double(NAN, sum_of((const double[]){HUGE_VAL, 1}, 2));
    assert_same_double(NAN, sum_of((const double[]){-HUGE_VAL, HUGE_VAL}, 2));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_term_is_itself),
        cmocka_unit_test(test_two_terms_are_rounded_as_the_processor_does),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_three_terms_are_a_fused_multiply_add),
        cmocka_unit_test(test_everything_cancels_but_one_subnormal),
        cmocka_unit_test(test_order_and_grouping_do_not_matter),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_headroom),
        cmocka_unit_test(test_what_is_not_finite_sticks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
