# SPDX-License-Identifier: Apache-2.0
"""On a sphere the directions of u and v turn along the way: a steady zonal flow stays, of second order, in all schemes of momentum."""

import cases
import numpy as np


def drift(dlat, settings=None):
    run = cases.run("verification/zonal_flow", {"/grid/dlat_deg": dlat, "/time/step_s": 240 * dlat, **(settings or {})})
    fields = run.fields()
    u = np.nan_to_num(fields["u"][:, 0])
    return np.sqrt(np.mean((u[-1] - u[0]) ** 2) / np.mean(u[0] ** 2))


errors = [drift(dlat) for dlat in (5, 2.5, 1.25)]
cases.below("drift in 5 days", errors[-1], 1.5e-4)
for order in cases.orders(errors):
    cases.between("order", order, 2.1, 2.7)
for scheme in ("matm", "split"):
    cases.below(f"drift with {scheme}, 2.5 degrees", drift(2.5, {"/physics/momentum/scheme": scheme}), 6.6e-4)
cases.finish()
