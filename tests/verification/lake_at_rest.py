# SPDX-License-Identifier: Apache-2.0
"""A lake at rest stays at rest: two levels over a rough bed with islands and banks, and the Azov Sea without wind."""

import cases
import numpy as np

ridge = "x < 15250 ? {} : {}"
for west, east in ((0, 1.7), (2.3, -0.9), (0, 0)):
    run = cases.run("verification/lake_at_rest", {"/initial/eta_m": ridge.format(west, east)})
    cases.below(f"speed at levels {west} and {east} m", np.max(run.column("max_speed_m_s")), 1e-12)
    cases.equal("steps", len(run.log), 1000)
    cases.conserves(run, 1e-15)
    fields = run.fields()
    wet = np.nan_to_num(fields["depth"][-1]) > 0.01
    levels = np.where(fields["x"][None, :] < 15250, west, east) + np.zeros(wet.shape)
    cases.below("change of the level [m]", np.max(np.abs(fields["eta"][-1] - levels)[wet]), 1e-6)

for advection in ("none", "upwind"):
    run = cases.run("verification/lake_at_rest", {"/physics/momentum/advection": advection, "/physics/free_surface/theta": 0.5})
    cases.below(f"speed with advection {advection}", np.max(run.column("max_speed_m_s")), 1e-12)

calm = {"/forcing/wind/factor": 0, "/rivers": [], "/boundaries": [], "/output": [], "/initial/eta_m": 0.8, "/grid/dx_m": 4000}
run = cases.run("azov_storm_2014", calm, options=["--steps", "200"])
cases.below("speed in the Azov Sea, a sphere with partial cells, 0.8 m above the datum", np.max(run.column("max_speed_m_s")), 1e-12)
cases.finish()
