/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/messages.h"

#include "base/error.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

char *messages_take(void) {
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    error_print(to);
    fclose(to);
    return text;
}

void messages_expect(const char *fragment) {
    char *text = messages_take();
    if (!strstr(text, fragment)) fail_msg("expected \"%s\" in: %s", fragment, text);
    free(text);
}
