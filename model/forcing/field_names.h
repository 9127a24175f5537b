/* SPDX-License-Identifier: Apache-2.0
 *
 * How quantities of the sea are called in files of other models, and of maeotis. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_FIELD_NAMES_H
#define MAEOTIS_MODEL_FORCING_FIELD_NAMES_H

#include "model/forcing/gridded.h"

/* `what`: "temperature", "salinity", "eta_m", "u_m_s", "v_m_s", "outer_u_m_s", "outer_v_m_s" or a tracer's name, which
 * files have as it is, in any range: `own` is {what, NULL} and must live as long as the names. */
FieldNames field_names_of(const char *what, const char *const *own);

/* The unit that files of a tracer are turned into: what the scenario gives it, or its kinetics module; NULL: none that is known,
 * and numbers are as they are. */
const char *field_names_unit(const Scenario *scenario, const char *tracer);

/* Refuses a file that says by its CF standard name that it holds another temperature or salinity than `carried`; NULL:
 * any is taken. `place` and `file` are for the message. */
CHECKED Status field_names_check(const char *standard_name, const char *carried, const char *place,
                                 const char *file);

#endif
