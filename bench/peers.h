/* SPDX-License-Identifier: Apache-2.0
 *
 * Solvers of other libraries, for comparison: plug-ins beside the program, one for each library that the
 * build found (cmake/Peers.cmake, bench/peers/NAME.c). Only `maeotis bench` loads them.
 */
#ifndef MAEOTIS_BENCH_PEERS_H
#define MAEOTIS_BENCH_PEERS_H

/* The plug-in maeotis_NAME.so; NULL where the build has none, or, with a word about it, where the machine
 * cannot load it. It stays loaded: its library may have an end of its own. Local. */
void *peer_open(const char *name);

/* A function of a plug-in (NULL where there is no plug-in), written to the pointer at `function`:
 * peer_find(peer_open("lapack"), "peer_lines", &lines). Local. */
void peer_find(void *plug_in, const char *symbol, void *function);

#endif
