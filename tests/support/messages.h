/* SPDX-License-Identifier: Apache-2.0
 *
 * What the code under test has raised.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_MESSAGES_H
#define MAEOTIS_TESTS_SUPPORT_MESSAGES_H

/* All messages since the last call, as they are printed; to be freed with free. Local. */
char *messages_take(void);

/* Fails the test unless they hold `fragment`. Local. */
void messages_expect(const char *fragment);

#endif
