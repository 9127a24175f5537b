/* SPDX-License-Identifier: Apache-2.0
 *
 * Communication between the ranks of a line: rows beyond their ends, and messages that overlap with other
 * work.
 */
#ifndef MAEOTIS_NUMERICS_LINE_EXCHANGE_H
#define MAEOTIS_NUMERICS_LINE_EXCHANGE_H

#include "numerics/grid/traffic.h"
#include "numerics/lines/line_layout.h"

/* ---- rows beyond both ends ---- */

/* Which rows go from whom to whom when every rank p asks for before[p] rows before and after[p] rows after
 * its own, across as many ranks as that takes and around the end of periodic lines. */
typedef struct LineFetch LineFetch;

LineFetch *line_fetch_create(const LineLayout *layout, const int *before, const int *after); /* local */
void line_fetch_destroy(LineFetch **fetch);

/* halo[0]: the rows before, [group][row][lane], halo[1]: those after. Rows beyond a closed end are left as
 * they are. Collective over layout->comm. */
void line_fetch(LineFetch *fetch, const double *lines, double *const halo[2]);

/* ---- messages under way ---- */

/* One to a rank and one from a rank. */
typedef struct LineMail {
    double *out, *in;
    MPI_Request sent, received;
} LineMail;

LineMail line_mail_create(Exec exec, ptrdiff_t out, ptrdiff_t in);
void line_mail_release(Exec exec, LineMail *mail); /* waits for the messages under way */
void line_mail_send(LineMail *mail, const LineLayout *layout, int to, int tag, ptrdiff_t count);
void line_mail_expect(LineMail *mail, const LineLayout *layout, int from, int tag, ptrdiff_t count);
static inline void line_mail_wait(LineMail *mail) {
    traffic_wait_all(1, &mail->received);
}
static inline void line_mail_reuse(LineMail *mail) {
    traffic_wait_all(1, &mail->sent);
}

#endif
