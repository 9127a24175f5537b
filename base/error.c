/* SPDX-License-Identifier: Apache-2.0 */
#include "base/error.h"

#include "base/log.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A broken input can fail once per cell: beyond this many messages nobody reads on. */
enum { MOST_MESSAGES = 200 };

/* The one list of the process. Plain malloc, because "out of memory" is a message too. */
static struct {
    char *text[MOST_MESSAGES];
    int count;    /* kept */
    int left_out; /* raised after the list was full */
} messages;

static char *format_text(const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) return NULL;
    char *text = malloc((size_t)length + 1);
    if (text) vsnprintf(text, (size_t)length + 1, format, arguments);
    return text;
}

Status error_raise(Status status, const char *format, ...) {
    if (messages.count == MOST_MESSAGES) {
        messages.left_out++;
        return status;
    }
    va_list arguments;
    va_start(arguments, format);
    char *text = format_text(format, arguments);
    va_end(arguments);
    if (text) log_make_printable(text);
    if (text) messages.text[messages.count++] = text;
    return status;
}

int error_count(void) {
    return messages.count + messages.left_out;
}

void error_print(FILE *to) {
    for (int n = 0; n < messages.count; n++) fprintf(to, "error: %s\n", messages.text[n]);
    if (messages.left_out > 0) fprintf(to, "error: ... and %d more\n", messages.left_out);
    fflush(to);
    error_clear();
}

void error_clear(void) {
    for (int n = 0; n < messages.count; n++) free(messages.text[n]);
    memset(&messages, 0, sizeof messages);
}

char *error_take(void) {
    size_t size = 64;
    for (int n = 0; n < messages.count; n++) size += strlen(messages.text[n]) + 1;
    char *all = messages.count > 0 ? calloc(size, 1) : NULL;
    size_t used = 0;
    for (int n = 0; all && n < messages.count; n++)
        used += (size_t)snprintf(all + used, size - used, "%s%s", n ? "\n" : "", messages.text[n]);
    if (all && messages.left_out > 0)
        snprintf(all + used, size - used, "\n... and %d more", messages.left_out);
    error_clear();
    return all;
}

void error_give_up(void) {
    int begun = 0, ended = 0, ranks = 1;
    error_print(stderr);
    MPI_Initialized(&begun);
    MPI_Finalized(&ended);
    if (begun && !ended) MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks > 1) MPI_Abort(MPI_COMM_WORLD, STATUS_FAILED); /* the others end, too */
    _exit(STATUS_FAILED);
}

Status status_agree(MPI_Comm comm, Status local) {
    /* MPI_MAX would rank "interrupted" above "failed"; what is worse is an order of its own. */
    static const Status from_best[] = {STATUS_OK, STATUS_INTERRUPTED, STATUS_BAD_INPUT, STATUS_FAILED};
    int mine = 3, worst = 3;
    for (int n = 0; n < 4; n++)
        if (from_best[n] == local) mine = n;
    MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, comm);
    return from_best[worst];
}

/* This process's messages one after the other, each with its closing zero. */
static char *pack(int *size) {
    size_t total = 64;
    for (int n = 0; n < messages.count; n++) total += strlen(messages.text[n]) + 1;
    char *packed = malloc(total);
    size_t used = 0;
    for (int n = 0; packed && n < messages.count; n++) {
        size_t length = strlen(messages.text[n]) + 1;
        memcpy(packed + used, messages.text[n], length);
        used += length;
    }
    if (packed && messages.left_out > 0)
        used += (size_t)snprintf(packed + used, total - used, "... and %d more", messages.left_out) + 1;
    *size = packed ? (int)used : 0;
    return packed;
}

static void print_distinct(const char *packed, size_t size) {
    for (const char *text = packed; text < packed + size; text += strlen(text) + 1) {
        const char *earlier = packed;
        while (earlier < text && strcmp(earlier, text) != 0) earlier += strlen(earlier) + 1;
        if (earlier != text) continue;
        log_keep("error: ", text);
        fprintf(stderr, "error: %s\n", text);
    }
    fflush(stderr);
}

static void give_up_gathering(void) {
    fputs("error: no memory is left to gather the messages of all processes\n", stderr);
    error_give_up();
}

void error_report(MPI_Comm comm) {
    int rank, ranks, size, total = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    char *packed = pack(&size);
    int *sizes = NULL, *starts = NULL;
    if (rank == 0)
        sizes = calloc((size_t)ranks, sizeof *sizes), starts = calloc((size_t)ranks, sizeof *starts);
    if (rank == 0 && (!sizes || !starts)) give_up_gathering();
    MPI_Gather(&size, 1, MPI_INT, sizes, 1, MPI_INT, 0, comm);
    for (int n = 0; rank == 0 && n < ranks; n++) starts[n] = total, total += sizes[n];
    char *all = rank == 0 ? malloc((size_t)total + 1) : NULL;
    if (rank == 0 && !all) give_up_gathering();
    MPI_Gatherv(packed, size, MPI_CHAR, all, sizes, starts, MPI_CHAR, 0, comm);
    if (rank == 0) print_distinct(all, (size_t)total);
    free(all), free(starts), free(sizes), free(packed);
    error_clear();
}
