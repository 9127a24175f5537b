/* SPDX-License-Identifier: Apache-2.0 */
#include "model/nest.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/forcing/field_names.h"
#include "model/forcing/profiles.h"

/* `fallback`: what the value is if the file does not hold it. */
static Status complete(MPI_Comm comm, const char *what, ValueKind fallback, Value *value) {
    const char *const own[] = {what, NULL};
    const FieldNames names = field_names_of(what, own);
    bool found;
    if (!value->of_nest) return STATUS_OK;
    TRY(profiles_find(comm, value->file, &names, &found));
    if (found) return STATUS_OK;
    if (fallback == VALUE_CONSTANT)
        log_warn("/nest: \"%s\" has no %s: the run begins with %g", value->file, names.what, value->constant);
    memory_free(value->file);
    value->file = NULL;
    value->kind = fallback;
    return STATUS_OK;
}

Status nest_complete(MPI_Comm comm, Scenario *s) {
    if (!s->nest) return STATUS_OK;
    CHECK(gridded_is_netcdf(comm, s->nest), STATUS_BAD_INPUT, "/nest: \"%s\" is not NetCDF", s->nest);
    TRY(complete(comm, "eta_m", VALUE_CONSTANT, &s->initial.eta_m));
    TRY(complete(comm, "u_m_s", VALUE_CONSTANT, &s->initial.u_m_s));
    TRY(complete(comm, "v_m_s", VALUE_CONSTANT, &s->initial.v_m_s));
    TRY(complete(comm, "temperature", VALUE_ABSENT, &s->initial.temperature_C));
    TRY(complete(comm, "salinity", VALUE_ABSENT, &s->initial.salinity));
    for (int n = 0; n < s->n_tracers; n++)
        TRY(complete(comm, s->tracers[n].name, VALUE_CONSTANT, &s->tracers[n].initial));
    CHECK(s->physics.density.equation == DENSITY_CONSTANT || s->initial.temperature_C.kind != VALUE_ABSENT ||
              s->initial.salinity.kind != VALUE_ABSENT,
          STATUS_BAD_INPUT,
          "/nest: \"%s\" has neither temperature nor salinity, which /physics/density/equation needs: let "
          "the coarse run write them, or choose the equation \"constant\"",
          s->nest);
    return STATUS_OK;
}
