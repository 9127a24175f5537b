/* SPDX-License-Identifier: Apache-2.0
 *
 * Moves the cuts between ranks during a run, by the speeds that its first steps show: each rank's work over the time in
 * which it did not wait for others. The state goes through a restart file, so that no bit of it changes.
 */
#ifndef MAEOTIS_PROGRAM_REBALANCE_H
#define MAEOTIS_PROGRAM_REBALANCE_H

#include "program/session.h"

typedef struct Rebalance {
    int64_t steps;   /* so far */
    double computed; /* session->computed after the first of them, which is not measured [s] */
} Rebalance;

/* After each step of a session; moves the cuts after step `options->rebalance`, if that is worthwhile. `scenario`: the session's, whose
 * speeds change. Collective. */
CHECKED Status rebalance_note(Rebalance *rebalance, Session *session, Scenario *scenario);

#endif
