/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors: how a function reports that it failed.
 *
 * Every function that can fail returns a Status. The message goes to a per-process list the moment the
 * failure is found (`error_raise`, or `CHECK`), in words that say what was wrong, where, and what to do; the
 * status only travels up. `main` prints the list and turns the status into the exit code.
 *
 *     CHECKED Status thing_create(int size, Thing **out)
 *     {
 *         CHECK(size > 0, STATUS_BAD_INPUT, "a thing needs a size above 0, not %d", size);
 *         TRY(part_create(...));                   // returns on failure
 *         ATTEMPT(other_part_create(...));         // jumps to `cleanup`, needs `Status status = STATUS_OK`
 *
 * A function is *local* or *collective* and its header says which. A collective function checks locally,
 * agrees (`status_agree`), then acts, so that one failing rank never leaves the others waiting.
 */
#ifndef MAEOTIS_BASE_ERROR_H
#define MAEOTIS_BASE_ERROR_H

#include <mpi.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The values are the program's exit codes. */
typedef enum Status {
    STATUS_OK = 0,
    STATUS_FAILED = 1,     /* something went wrong while running */
    STATUS_BAD_INPUT = 2,  /* the user's input cannot be used as it is */
    STATUS_INTERRUPTED = 3 /* stopped on request, after a restart file */
} Status;

#define CHECKED __attribute__((warn_unused_result))

/* Adds a message to this process's list and returns `status`. Local. */
Status error_raise(Status status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* How many messages are in the list; print them to `to` and empty it; forget them. Local. */
int error_count(void);
void error_print(FILE *to);
void error_clear(void);

/* All messages, one a line, and the list is empty; to be freed with free(). NULL: there are none, or no memory. Local. */
char *error_take(void);

/* Prints this process's messages and ends the program: for failures where no Status leads up. Local. */
void error_give_up(void) __attribute__((noreturn));

/* The worst status of all ranks. Ranks whose own status is STATUS_OK learn that another failed. Messages stay
 * where they were raised. Collective. */
CHECKED Status status_agree(MPI_Comm comm, Status local);

/* Prints every rank's messages on rank 0's stderr, in the order of the ranks, equal ones once. Collective. */
void error_report(MPI_Comm comm);

#define CHECK(condition, status_if_not, ...)                                                                 \
    do {                                                                                                     \
        if (!(condition)) return error_raise((status_if_not), __VA_ARGS__);                                  \
    } while (0)

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        Status try_status_ = (call);                                                                         \
        if (try_status_ != STATUS_OK) return try_status_;                                                    \
    } while (0)

#define ATTEMPT(call)                                                                                        \
    do {                                                                                                     \
        status = (call);                                                                                     \
        if (status != STATUS_OK) goto cleanup;                                                               \
    } while (0)

#ifdef __cplusplus
}
#endif
#endif
