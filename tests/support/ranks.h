/* SPDX-License-Identifier: Apache-2.0
 *
 * The end of a test program that ran on several ranks.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_RANKS_H
#define MAEOTIS_TESTS_SUPPORT_RANKS_H

/* Agrees on the number of failed tests, counts memory that was not given back as one more failure, and ends
 * MPI. Returns the exit code. Collective. */
int ranks_finish(int failed);

#endif
