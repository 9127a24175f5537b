/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages for people, on stderr, from rank 0 alone (data goes to stdout, failures through error.h).
 */
#ifndef MAEOTIS_BASE_LOG_H
#define MAEOTIS_BASE_LOG_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Called where a run begins: only rank 0 prints. */
void log_start(int rank);
/* Prints warnings alone from now on, or everything; all messages are kept in either case. */
void log_only_warnings(bool only);
void log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The messages so far, and the errors that were printed, for a record of the run: the one after `previous`, the first
 * after NULL, NULL after the last. Repeated ones count once; when there is no room for more, the last one says so. */
const char *log_kept(const char *previous);
/* Keeps a message that is printed elsewhere. */
void log_keep(const char *label, const char *text);
/* Before the next of several runs in one process. */
void log_forget(void);

#ifdef __cplusplus
}
#endif
/* Texts of the user's and of files may hold what a terminal takes for commands. Does one begin here? */
bool log_is_control(const char *text);
/* Replaces them by question marks, except for ends of lines and tabs. All messages go through it. */
void log_make_printable(char *text);
/* A number as messages say it, where it may be none: "not a number" in place of nan and -nan. */
const char *log_number(double value, char text[32]);
/* With so many significant digits, for %.10g: "3460", where %.3g says "3.46e+03". */
double log_rounded(double value, int digits);

#endif
