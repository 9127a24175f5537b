/* SPDX-License-Identifier: Apache-2.0
 *
 * What a run says at its beginning and its end: the sea, what drives it, the files, and how it goes on.
 */
#ifndef MAEOTIS_PROGRAM_SESSION_WORDS_H
#define MAEOTIS_PROGRAM_SESSION_WORDS_H

#include "program/session.h"

/* `end`: of the run [s since the start]. Collective. */
void session_say_start(const Session *session, double end);

/* After `seconds` of computing; takes the ledger's last row into record and files. Collective. */
void session_say_end(Session *session, double seconds, Status status);

#endif
