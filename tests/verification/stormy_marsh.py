# SPDX-License-Identifier: Apache-2.0
"""A storm over a rough marsh: whatever the step, scheme and layers, no water is lost and no depth negative."""

import cases
import numpy as np

variants = {
    "a step of 900 s": {},
    "a step of 3600 s": {"/time/step_s": 3600},
    "a step of 60 s": {"/time/step_s": 60, "/time/duration_s": 86400},
    "upwind, one layer": {"/physics/momentum/advection": "upwind", "/grid/levels/dz_m": 6},
    "little friction": {"/physics/drag/n": 0.01, "/physics/momentum/horizontal_viscosity_m2_s": 100},
    "a pump larger than its pool": {"/rivers": [{"name": "pump", "x_m": 20000, "y_m": 13000, "discharge_m3_s": -20000}]},
    "a coarse solver": {"/solver/surface/tolerance": 1e-3},
}
for name, settings in variants.items():
    run = cases.run("verification/stormy_marsh", settings)
    cases.conserves(run, 1e-13)
    depth = run.fields()["depth"]
    cases.below(f"{name}: most negative depth [m]", -np.nanmin(depth), 0.0)
    cases.below(f"{name}: fastest [m/s]", np.max(run.column("max_speed_m_s")), 30)
    wet = depth > 0.01
    cases.between(f"{name}: part of the cells that fell dry or were flooded", np.mean(wet.any(axis=0) & ~wet.all(axis=0)), 0.1, 1)
cases.finish()
