/* SPDX-License-Identifier: Apache-2.0
 *
 * Formulas: whatever the text, it has a value or is refused with a reason.
 */
#include "base/expression.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1), why[160] = "";
    memcpy(text, data, size);
    text[size] = '\0';
    Expression *expression = NULL;
    Status status = expression_create(text, 1000, 2000, &expression, why);
    if ((status == STATUS_OK) != (expression != NULL) || (status != STATUS_OK && !*why)) abort();
    if (expression) {
        for (int n = 0; n < 3; n++)
            (void)expression_at(expression, (ExpressionPoint){n, 2, -3, 35, 46, n * 60});
        (void)expression_uses(expression, "t");
    }
    expression_destroy(&expression);
    error_clear();
    free(text);
    if (memory_in_use() != 0) abort();
    return 0;
}
