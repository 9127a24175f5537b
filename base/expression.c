/* SPDX-License-Identifier: Apache-2.0 */
#include "base/expression.h"

#include "base/memory.h"
#include <ctype.h>
#include <math.h>
#include <muParserDLL.h>
#include <string.h>

struct Expression {
    muParserHandle_t parser;
    ExpressionPoint point; /* muParser reads the variables here: bound once, set for each evaluation */
    char *text;
};

static const char *const variables[] = {"x", "y", "z", "lon", "lat", "t"};
static const char *const constants[] = {"pi", "_pi", "_e", "Lx", "Ly"};
static const char *const functions[] = {"sin",  "cos",   "tan",   "asin",  "acos",  "atan", "atan2", "sinh",
                                        "cosh", "tanh",  "asinh", "acosh", "atanh", "exp",  "log",   "ln",
                                        "log2", "log10", "sqrt",  "cbrt",  "abs",   "sign", "rint",  "min",
                                        "max",  "sum",   "avg",   "step",  "if"};
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* 1 from 0 on; muParser has no such function, and surges and dam breaks want one. */
static double step_from_zero(double value) {
    return value >= 0 ? 1.0 : 0.0;
}
static double choose(double condition, double yes, double no) {
    return condition != 0 ? yes : no;
}

/* The next name in the text (sin, x, Lx), behind numbers such as 1e5, whose e is no name. NULL at the end. */
static const char *next_name(const char **at, size_t *length) {
    const char *p = *at;
    while (*p) {
        const char *start = p;
        if (isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]))) {
            while (isdigit((unsigned char)*p) || *p == '.') p++;
            const char *exponent = p + 1 + (*p && (p[1] == '+' || p[1] == '-'));
            if ((*p == 'e' || *p == 'E') && isdigit((unsigned char)*exponent)) p = exponent;
            while (isdigit((unsigned char)*p)) p++;
        } else if (isalpha((unsigned char)*p) || *p == '_') {
            while (isalnum((unsigned char)*p) || *p == '_') p++;
            *length = (size_t)(p - start);
            *at = p;
            return start;
        } else {
            p++;
        }
    }
    *at = p;
    return NULL;
}

static bool listed(const char *name, size_t length, const char *const *list, size_t count) {
    for (size_t n = 0; n < count; n++)
        if (strlen(list[n]) == length && strncmp(list[n], name, length) == 0) return true;
    return false;
}

/* muParser would say "unexpected token"; this says what there is. */
static Status check_names(const char *text, char why[160]) {
    size_t length;
    for (const char *at = text, *name; (name = next_name(&at, &length));) {
        if (listed(name, length, variables, LENGTH(variables)) ||
            listed(name, length, constants, LENGTH(constants)) ||
            listed(name, length, functions, LENGTH(functions)))
            continue;
        snprintf(
            why, 160,
            "\"%.*s\" is unknown; there are x, y, z, lon, lat, t, pi, Lx, Ly and functions such as sin, exp, "
            "sqrt, min, max, step, if",
            (int)(length < 40 ? length : 40), name);
        return STATUS_BAD_INPUT;
    }
    return STATUS_OK;
}

/* muParser would let "x = 3" overwrite our variable, and "1, 2" mean 2. */
static Status check_assignment(const char *text, char why[160]) {
    for (const char *p = text; *p; p++) {
        bool comparison = p[1] == '=' || (p > text && strchr("=<>!", p[-1]));
        if (*p != '=' || comparison) continue;
        snprintf(why, 160, "\"=\" does not belong in a formula; two numbers are compared with \"==\"");
        return STATUS_BAD_INPUT;
    }
    return STATUS_OK;
}

static void bind(Expression *expression, double length_x, double length_y) {
    double *const places[] = {&expression->point.x,   &expression->point.y,   &expression->point.z,
                              &expression->point.lon, &expression->point.lat, &expression->point.t};
    muParserHandle_t parser = expression->parser;
    mupResetLocale(parser); /* 0.5 is a half, whatever the user's locale writes */
    for (size_t n = 0; n < LENGTH(variables); n++) mupDefineVar(parser, variables[n], places[n]);
    mupDefineConst(parser, "pi", 3.14159265358979323846);
    mupDefineConst(parser, "Lx", length_x);
    mupDefineConst(parser, "Ly", length_y);
    mupDefineFun1(parser, "step", step_from_zero, 1);
    mupDefineFun3(parser, "if", choose, 1);
}

/* muParser writes its message, which may quote all of the text, to a buffer of 2048 bytes, however long it is. */
static void explain(const Expression *expression, char why[160]) {
    enum { QUOTABLE = 1500 };
    if (strlen(expression->text) <= QUOTABLE)
        snprintf(why, 160, "%s", mupGetErrorMsg(expression->parser));
    else
        snprintf(why, 160, "syntax error at character %d", mupGetErrorPos(expression->parser) + 1);
}

/* muParser reads the text at the first evaluation. */
static Status try_once(Expression *expression, char why[160]) {
    int results = 0;
    mupEvalMulti(expression->parser, &results);
    if (mupError(expression->parser)) {
        explain(expression, why);
        return STATUS_BAD_INPUT;
    }
    if (results == 1) return STATUS_OK;
    snprintf(why, 160, "a formula has one result, but this one has %d, separated by commas", results);
    return STATUS_BAD_INPUT;
}

Status expression_create(const char *text, double length_x, double length_y, Expression **out,
                         char why[160]) {
    Status status = STATUS_OK;
    Expression *expression = NULL;
    *out = NULL;
    ATTEMPT(check_names(text, why));
    ATTEMPT(check_assignment(text, why));
    expression = ALLOCATE(1, Expression);
    expression->text = memory_copy_text(text);
    expression->parser = mupCreate(muBASETYPE_FLOAT);
    bind(expression, length_x, length_y);
    mupSetExpr(expression->parser, text);
    ATTEMPT(try_once(expression, why));
    *out = expression;
    return STATUS_OK;
cleanup:
    expression_destroy(&expression);
    return status;
}

void expression_destroy(Expression **expression) {
    if (!*expression) return;
    mupRelease((*expression)->parser);
    memory_free((*expression)->text);
    memory_free(*expression);
    *expression = NULL;
}

double expression_at(Expression *expression, ExpressionPoint point) {
    expression->point = point;
    double value = mupEval(expression->parser);
    return mupError(expression->parser) ? NAN : value;
}

bool expression_uses(const Expression *expression, const char *variable) {
    size_t length;
    for (const char *at = expression->text, *name; (name = next_name(&at, &length));)
        if (strlen(variable) == length && strncmp(name, variable, length) == 0) return true;
    return false;
}
