# SPDX-License-Identifier: Apache-2.0
"""Kato and Phillips' deepening mixed layer: depth against the empirical law, heat kept, on several grids and steps."""

import cases
import numpy as np

DEPTH, FRICTION, STABILITY = 50.0, 0.01, 0.01


def run(layers, settings=None):
    return cases.run("verification/kato_phillips", {"/grid/levels/dz_m": DEPTH / layers, **(settings or {})})


def edge(values, heights, threshold):
    """Depth at which `values` fall below the threshold, from the surface down."""
    k = np.flatnonzero(values[1:-1] > threshold)[0] + 1
    part = (threshold - values[k - 1]) / (values[k] - values[k - 1])
    return -(heights[k - 1] + part * (heights[k] - heights[k - 1]))


for layers, settings, late, early in ((25, {}, 0.02, 0.05), (50, {}, 0.02, 0.02), (100, {}, 0.02, 0.03), (25, {"/time/step_s": 600}, 0.02, 0.05),
                                      (50, {"/time/step_s": 600}, 0.02, 0.08), (50, {"/physics/turbulence/stability": "cheng"}, 0.02, 0.02)):
    label = ", ".join([f"{layers} layers", *(f"{key.rsplit('/', 1)[1]} {value}" for key, value in settings.items())])
    fields = run(layers, settings).fields("kato_phillips.nc")
    heights = -DEPTH + DEPTH * (np.arange(layers) + 0.5) / layers
    columns = fields["temperature"][-1]
    cases.below(f"{label}: difference between columns [K]", np.max(np.ptp(columns, axis=(1, 2))), 1e-6)
    for hour, tolerance in ((6, early), (12, early), (20, late), (30, late)):
        law = 1.05 * FRICTION * np.sqrt(hour * 3600 / STABILITY)
        cases.close(f"{label}: mixed layer after {hour} h", edge(fields["tke"][hour, :, 1, 4], heights, 1e-5), law, tolerance)
    temperature = fields["temperature"][:, :, 1, 4]
    cases.below(f"{label}: heat gained, of what was moved", abs(np.mean(temperature[-1]) - np.mean(temperature[0])), 1e-5)
    cases.below(f"{label}: colder above than below by [K]", np.max(-np.diff(temperature[-1])), 1e-5)
    mixed = heights > -0.7 * law
    was = 1e-4 / (9.81 * 2e-4) * law
    cases.below(f"{label}: differences in the mixed layer, of what they were", np.ptp(temperature[-1][mixed]) / (0.7 * was), 0.2)

# without shear nothing mixes but the floors
for closure in ("k-epsilon", "mixing-length", "azov"):
    still = {"/forcing/wind/stress_x_Pa": 0, "/physics/turbulence/closure": closure, "/output/0/variables": ["temperature", "vertical_diffusivity"]}
    fields = run(50, still).fields("kato_phillips.nc")
    cases.below(f"{closure}, no wind: diffusivity [m2/s]", np.nanmax(fields["vertical_diffusivity"][-1]), 1.001e-6)

# heavy water on top turns over within hours, and is warmest nowhere but where it was
unstable = {"/forcing/wind/stress_x_Pa": 0, "/initial/temperature_C": "20 - 1e-3*z"}
for step in (60, 600):
    fields = run(50, {**unstable, "/time/step_s": step}).fields("kato_phillips.nc")
    temperature = fields["temperature"][:, :, 1, 4]
    cases.below(f"unstable water, steps of {step} s: differences left", np.ptp(temperature[-1]) / np.ptp(temperature[0]), 0.1)
    cases.below(f"unstable water, steps of {step} s: diffusivity [m2/s]", np.nanmax(fields["vertical_diffusivity"]), 100)
cases.finish()
