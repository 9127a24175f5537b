/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of a session: session_begin.c sets it up, also anew with other cuts, session.c makes its steps and ends it.
 */
#ifndef MAEOTIS_PROGRAM_SESSION_INTERNAL_H
#define MAEOTIS_PROGRAM_SESSION_INTERNAL_H

#include "program/session.h"

/* The next of /restart/at after the present. Local. */
void session_find_restart_moment(Session *session);

/* The finer grid's files, in the same steps. Collective. */
CHECKED Status session_record_zoom(Session *session);

#endif
