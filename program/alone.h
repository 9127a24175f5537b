/* SPDX-License-Identifier: Apache-2.0
 *
 * What Open MPI shall know before it starts; the user's own settings win. Pointers into files that processes share, which
 * nobody needs here, shall be in memory, or not be at all between nodes: else it makes a second file beside each, and where one
 * process cannot open that, as on a full disk, the others wait inside MPI for ever. A process that nobody launched talks to no
 * other: it need not look for networks nor start a daemon (0.04 s in place of 0.35), and shares no folder with processes beside
 * it, which would delete it as they end, nor memory. Local.
 */
#ifndef MAEOTIS_PROGRAM_ALONE_H
#define MAEOTIS_PROGRAM_ALONE_H

/* Before MPI_Init: sets the environment. */
void alone_prepare(void);

/* After MPI_Init, in a process of somebody else's: processes that it starts shall not take themselves to be alone. */
void alone_forget(void);

#endif
