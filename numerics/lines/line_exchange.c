/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/line_exchange.h"

#include "base/memory.h"
#include "gpu/messages.h"
#include "numerics/lines/device_blocks.h"
#include <string.h>

enum { TAG_ROWS = 11 };

/* Neighbouring rows that one rank has and another asks for. */
typedef struct Piece {
    int from, to, side;
    int row, count; /* own rows of `from` */
    int place;      /* of the first in the halo of `to` */
    double *buffer;
    MPI_Request request;
} Piece;

struct LineFetch {
    const LineLayout *layout;
    int wish[2]; /* own */
    Piece *piece;
    int count, room;
};

static int owner_of(const LineLayout *layout, int row) {
    int p = 0;
    while (row >= layout->cut[p + 1]) p++;
    return p;
}

/* Of messages: kernels and MPI touch them, the host does not. */
static double *numbers(Exec exec, ptrdiff_t count) {
    double *buffer;
    if (messages_allocate(exec, (size_t)(count + 1) * sizeof *buffer, (void **)&buffer) != STATUS_OK)
        error_give_up();
    return buffer;
}

/* Adds row number `place` of the halo of rank `to`, which is row `row` of the line. */
static void add_row(LineFetch *fetch, int to, int side, int place, int row) {
    const LineLayout *layout = fetch->layout;
    if (!layout->periodic && (row < 0 || row >= layout->rows)) return;
    row = (row % layout->rows + layout->rows) % layout->rows;
    const int from = owner_of(layout, row), own = row - layout->cut[from];
    if (from != layout->rank && to != layout->rank) return;
    Piece *last = fetch->count ? fetch->piece + fetch->count - 1 : NULL;
    if (last && last->from == from && last->to == to && last->side == side &&
        last->row + last->count == own && last->place + last->count == place) {
        last->count++;
        return;
    }
    if (fetch->count == fetch->room) {
        fetch->room = 2 * fetch->room + 8;
        fetch->piece = ENLARGE(fetch->piece, fetch->room, Piece);
    }
    fetch->piece[fetch->count++] =
        (Piece){.from = from, .to = to, .side = side, .row = own, .count = 1, .place = place};
}

LineFetch *line_fetch_create(const LineLayout *layout, const int *before, const int *after) {
    LineFetch *fetch = ALLOCATE(1, LineFetch);
    *fetch = (LineFetch){.layout = layout, .wish = {before[layout->rank], after[layout->rank]}};
    for (int p = 0; p < layout->ranks; p++) {
        for (int m = 0; m < before[p]; m++) add_row(fetch, p, 0, m, layout->cut[p] - before[p] + m);
        for (int m = 0; m < after[p]; m++) add_row(fetch, p, 1, m, layout->cut[p + 1] + m);
    }
    for (int m = 0; m < fetch->count; m++)
        fetch->piece[m].buffer =
            numbers(layout->exec, (ptrdiff_t)layout->groups * fetch->piece[m].count * layout->lanes);
    return fetch;
}

void line_fetch_destroy(LineFetch **fetch) {
    if (!*fetch) return;
    for (int m = 0; m < (*fetch)->count; m++)
        messages_free((*fetch)->layout->exec, (*fetch)->piece[m].buffer);
    memory_free((*fetch)->piece);
    memory_free(*fetch);
    *fetch = NULL;
}

void lines_copy(Exec exec, LinesCopy copy) {
    if (lines_on_device(exec)) {
        if (copy.pieces > 0 && copy.count > 0) lines_copy_blocks(exec, line_shape(copy.pieces, 4), copy);
        return;
    }
    for (int piece = 0; piece < copy.pieces; piece++) {
        double *to = copy.to + piece * copy.to_piece;
        if (copy.from)
            memcpy(to, copy.from + piece * copy.from_piece, (size_t)copy.count * sizeof *to);
        else
            memset(to, 0, (size_t)copy.count * sizeof *to);
    }
}

/* Between `count` rows from `row` on of arrays with n rows, and the message. */
static void copy_rows(const LineLayout *layout, const Piece *piece, double *lines, int n, int row,
                      bool pack) {
    const ptrdiff_t count = (ptrdiff_t)piece->count * layout->lanes, of_array = (ptrdiff_t)n * layout->lanes;
    double *rows = lines + (ptrdiff_t)row * layout->lanes;
    lines_copy(layout->exec, (LinesCopy){.from = pack ? rows : piece->buffer,
                                         .to = pack ? piece->buffer : rows,
                                         .from_piece = pack ? of_array : count,
                                         .to_piece = pack ? count : of_array,
                                         .count = count,
                                         .pieces = layout->groups});
}

void line_fetch(LineFetch *fetch, const double *lines, double *const halo[2]) {
    const LineLayout *layout = fetch->layout;
    const int me = layout->rank;
    bool told = false;
    for (int m = 0; m < fetch->count; m++) {
        const Piece *p = fetch->piece + m;
        if (p->from == me) copy_rows(layout, p, (double *)lines, layout->n, p->row, true);
        told = told || p->from != me || p->to != me;
    }
    /* for the outgoing data, and for late readers of the buffers that are refilled */
    if (told) exec_wait(layout->exec);
    for (int m = 0; m < fetch->count; m++) {
        Piece *p = fetch->piece + m;
        const int count = layout->groups * p->count * layout->lanes;
        p->request = MPI_REQUEST_NULL;
        if (p->from == me && p->to != me)
            MPI_Isend(p->buffer, count, MPI_DOUBLE, p->to, TAG_ROWS, layout->comm, &p->request);
        else if (p->from != me)
            MPI_Irecv(p->buffer, count, MPI_DOUBLE, p->from, TAG_ROWS, layout->comm, &p->request);
    }
    for (int m = 0; m < fetch->count; m++) {
        Piece *p = fetch->piece + m;
        traffic_wait_all(1, &p->request);
        if (p->to == me) copy_rows(layout, p, halo[p->side], fetch->wish[p->side], p->place, false);
    }
}

/* ---- messages under way ---- */

LineMail line_mail_create(Exec exec, ptrdiff_t out, ptrdiff_t in) {
    return (LineMail){numbers(exec, out), numbers(exec, in), MPI_REQUEST_NULL, MPI_REQUEST_NULL};
}

void line_mail_release(Exec exec, LineMail *mail) {
    if (!mail->out) return;
    line_mail_reuse(mail);
    line_mail_wait(mail);
    messages_free(exec, mail->out);
    messages_free(exec, mail->in);
    *mail = (LineMail){0};
}

void line_mail_send(LineMail *mail, const LineLayout *layout, int to, int tag, ptrdiff_t count) {
    MPI_Isend(mail->out, (int)count, MPI_DOUBLE, to, tag, layout->comm, &mail->sent);
}

void line_mail_expect(LineMail *mail, const LineLayout *layout, int from, int tag, ptrdiff_t count) {
    MPI_Irecv(mail->in, (int)count, MPI_DOUBLE, from, tag, layout->comm, &mail->received);
}
