/* SPDX-License-Identifier: Apache-2.0
 *
 * Formulas: values, variables, what is refused and in which words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/expression.h"
#include "base/memory.h"
#include <locale.h>
#include <math.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))
static const double pi = 3.14159265358979323846;

static Expression *create(const char *text) {
    Expression *expression;
    char why[160] = "";
    if (expression_create(text, 100, 50, &expression, why) != STATUS_OK) fail_msg("%s: %s", text, why);
    return expression;
}

static void check_values(void) {
    static const ExpressionPoint at = {3, 4, -1, 36, 46, 7};
    const struct {
        const char *text;
        double value;
    } cases[] = {
        {"0.5", 0.5},
        {"x + 2*y^2 - z", 36},
        {"lon - lat + t", -3},
        {"sin(pi*x/Lx)", sin(pi * 3 / 100)},
        {"0.1*cos(2*pi*y/Ly)", 0.1 * cos(2 * pi * 4 / 50)},
        {"tanh(1) + exp(-x) + sqrt(y)", tanh(1) + exp(-3) + 2},
        {"log(_e) + ln(_e) + log10(100)", 4},
        {"min(x, y, 1) + max(x, y)", 5},
        {"abs(z)", 1},
        {"x > 2 && t < 8 ? 10 : 20", 10},
        {"if(x == 3, y, t)", 4},
        {"step(t - 7) + step(t - 7.5)", 1},
        {"1e3*x + 1.5E-1", 3000.15},
        {"2^3^2", 512},
        {"-x^2", -9},
        {"360e3/1000", 360},
    };
    for (size_t n = 0; n < LENGTH(cases); n++) {
        Expression *expression = create(cases[n].text);
        double value = expression_at(expression, at);
        if (!(fabs(value - cases[n].value) <= 1e-12 * fmax(1, fabs(value))))
            fail_msg("%s = %.17g", cases[n].text, value);
        expression_destroy(&expression);
        assert_null(expression);
    }
}

static void values(void **state) {
    (void)state;
    check_values();
}

/* 0.5 is a half where people write 0,5. */
static void values_in_another_locale(void **state) {
    (void)state;
    static const char *const locales[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8"};
    for (size_t n = 0; n < LENGTH(locales); n++)
        if (setlocale(LC_ALL, locales[n])) check_values();
    setlocale(LC_ALL, "C");
}

static void two_formulas_do_not_share_variables(void **state) {
    (void)state;
    Expression *a = create("x"), *b = create("10*x");
    assert_true(expression_at(a, (ExpressionPoint){.x = 1}) == 1);
    assert_true(expression_at(b, (ExpressionPoint){.x = 2}) == 20);
    assert_true(expression_at(a, (ExpressionPoint){.x = 3}) == 3);
    expression_destroy(&a), expression_destroy(&b);
}

static void what_has_no_value_is_nan(void **state) {
    (void)state;
    Expression *expression = create("sqrt(x)");
    assert_true(isnan(expression_at(expression, (ExpressionPoint){.x = -1})));
    assert_true(expression_at(expression, (ExpressionPoint){.x = 4}) == 2); /* and it works again */
    expression_destroy(&expression);
}

static void it_knows_what_it_uses(void **state) {
    (void)state;
    Expression *expression = create("exp(-1e3*t) + min(lat, Lx)");
    assert_true(expression_uses(expression, "t"));
    assert_true(expression_uses(expression, "lat"));
    assert_true(expression_uses(expression, "Lx"));
    assert_false(expression_uses(expression, "x"));
    assert_false(expression_uses(expression, "e"));
    assert_false(expression_uses(expression, "lon"));
    expression_destroy(&expression);
}

static void refused(void **state) {
    (void)state;
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "empty"},
        {"   ", "empty"},
        {"depth*2", "\"depth\" is unknown; there are x, y, z, lon, lat, t"},
        {"X", "\"X\" is unknown"},
        {"PI*x", "\"PI\" is unknown"},
        {"sen(x)", "\"sen\" is unknown"},
        {"1e", "\"e\" is unknown"},
        {"2*", "nexpected end"},
        {"(x", "issing parenthesis"},
        {"x)", "nexpected"},
        {"x y", "nexpected"},
        {"sin()", "Too few parameters"},
        {"sin(x, y)", "Too many parameters"},
        {"x = 3", "two numbers are compared with \"==\""},
        {"x += 3", "does not belong in a formula"},
        {"1, 2", "has 2, separated by commas"},
        {"0,5*x", "separated by commas"},
        {"\"text\"", "unknown"},
        {"#", "nexpected"},
        {"1e999", "nexpected"},
    };
    for (size_t n = 0; n < LENGTH(cases); n++) {
        Expression *expression;
        char why[160] = "";
        assert_int_equal(expression_create(cases[n].text, 1, 1, &expression, why), STATUS_BAD_INPUT);
        assert_null(expression);
        if (!strstr(why, cases[n].why))
            fail_msg("%s: \"%s\" is not in \"%s\"", cases[n].text, cases[n].why, why);
    }
    assert_int_equal(error_count(), 0); /* the caller knows where the text stood */
    assert_int_equal(memory_in_use(), 0);
}

/* The library's message about a long one does not fit where the library writes it. */
static void a_long_one_is_refused(void **state) {
    (void)state;
    Expression *expression;
    char text[4096], why[160] = "";
    for (int at = 0; at < 4000; at += 2) memcpy(text + at, "x ", 3);
    assert_int_equal(expression_create(text, 1, 1, &expression, why), STATUS_BAD_INPUT);
    assert_non_null(strstr(why, "at character 3"));
    assert_int_equal(expression_create("2*", 1, 1, &expression, why),
                     STATUS_BAD_INPUT); /* its words are whole */
    assert_non_null(strstr(why, "nexpected end"));
    for (int at = 0; at < 4000; at += 2) memcpy(text + at, "+x", 3);
    assert_int_equal(expression_create(text, 1, 1, &expression, why), STATUS_OK);
    assert_true(expression_at(expression, (ExpressionPoint){.x = 1}) == 2000);
    expression_destroy(&expression);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),
        cmocka_unit_test(values_in_another_locale),
        cmocka_unit_test(two_formulas_do_not_share_variables),
        cmocka_unit_test(what_has_no_value_is_nan),
        cmocka_unit_test(it_knows_what_it_uses),
        cmocka_unit_test(refused),
        cmocka_unit_test(a_long_one_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
