/* SPDX-License-Identifier: Apache-2.0
 *
 * What Open MPI shall know before it starts; the user's own settings win. Files have no shared pointers here, for which it
 * would need shared memory. A process that nobody launched talks to no other: it need not look for networks nor start a
 * daemon (0.04 s in place of 0.35), and shares no folder with processes beside it, which would delete it as they end.
 * Local.
 */
#ifndef MAEOTIS_PROGRAM_ALONE_H
#define MAEOTIS_PROGRAM_ALONE_H

/* Before MPI_Init: sets the environment. */
void alone_prepare(void);

/* After MPI_Init, in a process of somebody else's: processes that it starts shall not take themselves to be alone. */
void alone_forget(void);

#endif
