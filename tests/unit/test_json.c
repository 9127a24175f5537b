/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON: positions and pointers of values, comments, what is refused and in which words, overrides, numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/memory.h"
#include "tests/support/messages.h"
#include <cjson/cJSON.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

static Json *parse(const char *text) {
    Json *json;
    if (json_parse("f.json", text, &json) != STATUS_OK) fail_msg("%s", messages_take());
    return json;
}

static void values_know_their_places(void **state) {
    (void)state;
    Json *json =
        parse("{ // says \"what\": {\n  \"grid\": {\"dx_m\": 2000.5},\n\t/* two\n lines é */ \"ä\": [true, "
              "null, \"x\\u00e9\\n\"],\n  \"a/b~c\": -1e-3 }\n");
    const Json *grid = json_find(json, "grid"), *dx = json_find(grid, "dx_m"), *list = json_find(json, "ä");
    assert_int_equal(json->kind, JSON_OBJECT);
    assert_string_equal(dx->place, "f.json:2:20 (/grid/dx_m)");
    assert_string_equal(dx->key_place, "f.json:2:12 (/grid/dx_m)");
    assert_true(dx->number == 2000.5);
    assert_string_equal(list->key_place, "f.json:4:13 (/ä)"); /* characters are counted, not bytes */
    assert_string_equal(list->items[1]->place, "f.json:4:25 (/ä/1)");
    assert_int_equal(list->items[0]->kind, JSON_BOOL);
    assert_true(list->items[0]->truth);
    assert_int_equal(list->items[1]->kind, JSON_NULL);
    assert_string_equal(list->items[2]->text, "xé\n");
    assert_string_equal(json_find(json, "a/b~c")->pointer, "/a~1b~0c");
    assert_null(json_find(json, "Grid")); /* capitals count */
    assert_null(json_find(list, "0"));
    json_destroy(&json);
    assert_null(json);
}

static void editors_marks_and_line_ends_pass(void **state) {
    (void)state;
    Json *json = parse("\xEF\xBB\xBF{\r\n \"a\": 1\r\n}\r\n");
    assert_string_equal(json_find(json, "a")->place, "f.json:2:7 (/a)");
    json_destroy(&json);
    json = parse("  [\"// no comment\", \"/* nor this */\"] // but this");
    assert_string_equal(json->items[0]->text, "// no comment");
    json_destroy(&json);
}

static void syntax_errors_say_where_and_what(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "f.json:1:1: expected a value"},
        {"  \n // nothing", "f.json:2:12: expected a value"},
        {"{\"a\": 1,}", "f.json:1:8: nothing follows this comma"},
        {"[1, 2, /* é */ ]", "f.json:1:6: nothing follows this comma"},
        {"{\"a\": 1\n \"b\": 2}", "f.json:2:2: expected ',' or '}', found a string (is a comma missing"},
        {"{\"a\": 1 ]", "f.json:1:9: expected ',' or '}', found ']'"},
        {"[1, 2", "f.json:1:6: expected ',' or ']', found the end of the text"},
        {"{\"a\": [1, 2}", "f.json:1:12: expected ',' or ']', found '}'"},
        {"{a: 1}", "f.json:1:2: expected a key in double quotes, found 'a'"},
        {"{\"a\" 1}", "f.json:1:6: expected ':' after the key, found '1'"},
        {"{'a': 1}", "expected a key in double quotes"},
        {"{\"a\": 'x'}", "f.json:1:7: a text needs double quotes"},
        {"{\"a\": NaN}",
         "f.json:1:7: expected a value (a number, \"text\", true, false, null, [...] or {...}), found 'NaN'"},
        {"{\"a\": True}", "found 'True'"},
        {"[Infinity]", "found 'Infinity'"},
        {"[01]", "a number does not begin with 0"},
        {"[.5]", "a number begins with a digit"},
        {"[+5]", "a number begins with a digit"},
        {"[5.]", "a digit is missing after the decimal point"},
        {"[1e]", "the digits of the exponent are missing"},
        {"[1e999]", "f.json:1:2 (/0): this number is too large"},
        {"[1111111111222222222233333333334444444444555555555566666666667]",
         "a number of more than 60 characters"},
        {"[\"a\nb\"]", "f.json:1:2: the text that begins here is not closed"},
        {"[\"a\tb\"]", "a tab or another control character inside a text"},
        {"[\"\\q\"]", "a backslash begins"},
        {"[\"\\u12\"]", "\\u needs four hexadecimal digits"},
        {"[\"\\u0000\"]", "cannot contain the character \\u0000"},
        {"[\"\\ud800\"]", "half a character"},
        {"[\"\\udc00\"]", "half a character"},
        {"[1] 2", "f.json:1:5: the text should end here, found '2'"},
        {"{} }", "the text should end here"},
        {"[1 /* open", "f.json:1:4: the comment that begins here is never closed"},
        {"[1 / 2]", "expected ',' or ']', found '/'"},
        {"[\"\xE9\"]", "f.json:1:3: the byte 0xE9 is not UTF-8"},
        {"\n// \xC0\xAF\n[]", "f.json:2:4: the byte 0xC0 is not UTF-8"},
        {"{\"a\": 1, \"b\": {\"a\": 2, \"a\": 3}}",
         "f.json:1:24 (/b/a): the key \"a\" is given twice, also at f.json:1:16"},
        {"{\"a\": 1, \"\\u0061\": 2}", "the key \"a\" is given twice"},
    };
    for (size_t n = 0; n < LENGTH(cases); n++) {
        Json *json;
        assert_int_equal(json_parse("f.json", cases[n].text, &json), STATUS_BAD_INPUT);
        assert_null(json);
        messages_expect(cases[n].message);
    }
}

static void every_duplicate_is_told(void **state) {
    (void)state;
    Json *json;
    assert_int_equal(json_parse("f.json", "{\"a\":1,\"b\":2,\"a\":3,\"c\":{\"d\":1,\"d\":2}}", &json),
                     STATUS_BAD_INPUT);
    assert_int_equal(error_count(), 2);
    error_clear();
}

static void deep_nesting_is_refused_not_followed(void **state) {
    (void)state;
    size_t depth = 1000000;
    char *text = memory_allocate(depth + 1, 1);
    Json *json;
    for (int kind = 0; kind < 2; kind++) {
        for (size_t n = 0; n < depth; n++) text[n] = kind ? "{\"a\":"[n % 5] : '[';
        assert_int_equal(json_parse("f.json", text, &json), STATUS_BAD_INPUT);
        messages_expect("nested deeper than 64 levels");
    }
    memory_free(text);
    text =
        memory_copy_text("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
    json = parse(text);
    json_destroy(&json);
    memory_free(text);
}

static void overrides_replace_add_and_append(void **state) {
    (void)state;
    Json *json = parse("{\"a\": {\"b\": 1}, \"list\": [1, 2], \"x/y\": 0}");
    static const char *const settings[] = {"/a/b=2.5",  "/a/c=0.1*x",     "/new/deep/key=true", "/list/1=7",
                                           "/list/-=8", "/x~1y=\"text\"", "/o={\"p\": [1]}",    "/empty="};
    for (size_t n = 0; n < LENGTH(settings); n++)
        assert_int_equal(json_override(json, settings[n]), STATUS_OK);
    const Json *a = json_find(json, "a"), *list = json_find(json, "list");
    assert_true(json_find(a, "b")->number == 2.5);
    assert_string_equal(json_find(a, "b")->place, "--set /a/b");
    assert_string_equal(json_find(a, "c")->text, "0.1*x"); /* what is no JSON is a text */
    assert_true(json_find(json_find(json_find(json, "new"), "deep"), "key")->truth);
    assert_int_equal(list->n_items, 3);
    assert_true(list->items[1]->number == 7 && list->items[2]->number == 8);
    assert_string_equal(list->items[2]->pointer, "/list/2");
    assert_string_equal(json_find(json, "x/y")->text, "text");
    const Json *inner = json_find(json_find(json, "o"), "p")->items[0];
    assert_string_equal(inner->place, "--set /o (/o/p/0)");
    assert_string_equal(json_find(json, "empty")->text, "");
    json_destroy(&json);
}

static void bad_overrides_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *setting, *message;
    } cases[] = {
        {"a=1", "such as --set /physics/drag/n=0.03"},
        {"/a", "write the place in the scenario"},
        {"/=1", "write the place in the scenario"},
        {"/list/3=1", "--set /list/3: \"3\" is not a place in the array /list of 2 (0 to 1"},
        {"/list/x=1", "is not a place in the array"},
        {"/list/99999999999999999999=1", "is not a place in the array"},
        {"/n/x=1", "--set /n/x: /n is a number and has no members"},
        {"/a=[1,", "--set /a:1:4: expected a value"},
        {"/a={\"b\":1,\"b\":2}", "is given twice"},
    };
    Json *json = parse("{\"n\": 1, \"list\": [1, 2]}");
    for (size_t n = 0; n < LENGTH(cases); n++) {
        assert_int_equal(json_override(json, cases[n].setting), STATUS_BAD_INPUT);
        messages_expect(cases[n].message);
    }
    assert_int_equal(json->n_items, 2);
    json_destroy(&json);
    json = parse("3");
    assert_int_equal(json_override(json, "/a=1"), STATUS_BAD_INPUT);
    messages_expect("the scenario is a number");
    json_destroy(&json);
}

static void the_nearest_name_is_found(void **state) {
    (void)state;
    static const char *const names[] = {"variables", "stations", "extremes", "every_s", "file"};
    assert_string_equal(json_nearest("varaibles", names, 5), "variables");
    assert_string_equal(json_nearest("Variables", names, 5), "variables");
    assert_string_equal(json_nearest("variabels", names, 5), "variables");
    assert_string_equal(json_nearest("fiel", names, 5), "file");
    assert_string_equal(json_nearest("station", names, 5), "stations");
    assert_null(json_nearest("temperature", names, 5));
    assert_null(json_nearest("", names, 5));
}

static void numbers_are_short_and_exact(void **state) {
    (void)state;
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0.1, "0.1"},
                 {2000, "2000"},
                 {-15, "-15"},
                 {1e-9, "1e-9"},
                 {1.0 / 3, "0.3333333333333333"},
                 {1e300, "1e+300"},
                 {0, "0"},
                 {12345.5, "12345.5"},
                 {86400, "86400"},
                 {0.1 + 0.2, "0.30000000000000004"}};
    char text[32];
    for (size_t n = 0; n < LENGTH(cases); n++) {
        json_format_number(cases[n].number, text);
        assert_string_equal(text, cases[n].text);
    }
    static const double edges[] = {DBL_MIN,           DBL_MAX, 5e-324, -DBL_MAX, 123456789012345678.0,
                                   4503599627370497.5};
    for (size_t n = 0; n < LENGTH(edges); n++) {
        json_format_number(edges[n], text);
        assert_true(strtod(text, NULL) == edges[n]);
    }
}

static void what_is_printed_reads_back(void **state) {
    (void)state;
    const char *text = "{\"a\":[1,2,[3,\"x\\\"y\\u0001\"]],\"b\":{},\"c\":[],\"d\":{\"e\":[{\"f\":null}]},"
                       "\"long\":[1000000001,"
                       "1000000002,1000000003,1000000004,1000000005,1000000006,1000000007,1000000008,"
                       "1000000009,1000000010]}";
    cJSON *from = cJSON_Parse(text);
    char *printed = json_print(from);
    cJSON *back = cJSON_Parse(printed);
    assert_true(cJSON_Compare(from, back, true));
    for (const char *line = printed, *end; (end = strchr(line, '\n')); line = end + 1) {
        assert_true(end - line <= 100);
        assert_true(end == line || end[-1] != ' ');
    }
    memory_free(printed);
    cJSON_Delete(from), cJSON_Delete(back);
}

static void nothing_is_left_in_memory(void **state) {
    (void)state;
    assert_int_equal(memory_in_use(), 0);
    assert_int_equal(error_count(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_know_their_places),
        cmocka_unit_test(editors_marks_and_line_ends_pass),
        cmocka_unit_test(syntax_errors_say_where_and_what),
        cmocka_unit_test(every_duplicate_is_told),
        cmocka_unit_test(deep_nesting_is_refused_not_followed),
        cmocka_unit_test(overrides_replace_add_and_append),
        cmocka_unit_test(bad_overrides_are_refused),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(numbers_are_short_and_exact),
        cmocka_unit_test(what_is_printed_reads_back),
        cmocka_unit_test(nothing_is_left_in_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
