/* SPDX-License-Identifier: Apache-2.0
 *
 * Which records of two files belong together: those of the same time, wherever they stand, or those of the same number
 * where a file does not tell times.
 */
#ifndef MAEOTIS_PROGRAM_PAIRING_H
#define MAEOTIS_PROGRAM_PAIRING_H

#include "program/datafile.h"

typedef struct Pairing {
    size_t count;
    size_t *of[2]; /* the records of both files */
    bool by_time;
    size_t records[2]; /* in all */
} Pairing;

/* Along the first dimension of these variables, which has one name. To be freed with pairing_release. */
CHECKED Status pairing_find(const DataFile files[2], const DataVariable *a, const DataVariable *b,
                            Pairing *out);
void pairing_release(Pairing *pairing);

/* Every record has its partner of the same number. */
bool pairing_is_plain(const Pairing *pairing);

#endif
