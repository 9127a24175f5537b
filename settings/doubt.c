/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/doubt.h"

#include "base/log.h"
#include <stdarg.h>
#include <string.h>

const char *const doubt_names[DOUBTS + 1] = {
    [DOUBT_VALUES] = "values", [DOUBT_GAPS] = "gaps",     [DOUBT_ACCUMULATION] = "accumulation",
    [DOUBT_UNITS] = "units",   [DOUBT_SCALES] = "scales", [DOUBT_TWICE] = "twice"};

bool doubt_allowed(const Scenario *scenario, Doubt doubt) {
    for (int n = 0; n < scenario->n_allow; n++)
        if (strcmp(scenario->allow[n], doubt_names[doubt]) == 0) return true;
    return false;
}

Status doubt_raise(const Scenario *scenario, Doubt doubt, const char *format, ...) {
    char text[1200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!doubt_allowed(scenario, doubt))
        return error_raise(STATUS_BAD_INPUT, "%s (if it is intended: --set '/allow=[\"%s\"]')", text,
                           doubt_names[doubt]);
    log_warn("%s (allowed by /allow)", text);
    return STATUS_OK;
}
