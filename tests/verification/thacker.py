# SPDX-License-Identifier: Apache-2.0
"""Thacker's parabolic basin: curved and plane surface with a moving shore against the exact solutions."""

import cases
import numpy as np
from paraboloid import D0, L, PERIOD, curved, planar


def errors(name, exact, settings):
    """Root mean square error of the depth where there is water, at every record."""
    run = cases.run(f"verification/{name}", settings)
    cases.conserves(run)
    fields = run.fields()
    x, y = np.meshgrid(fields["x"], fields["y"])
    bed = D0 * ((x**2 + y**2) / L**2 - 1)
    found = []
    for time, depth in zip(fields["time"], fields["depth"]):
        wanted, depth = np.maximum(exact(x, y, time) - bed, 0), np.nan_to_num(depth)
        found.append(np.sqrt(np.mean((depth - wanted)[(wanted > 0) | (depth > 0.01)] ** 2)))
    cases.below("most negative depth [m]", -np.nanmin(fields["depth"]), 0.0)
    return np.array(found), fields["time"], run


first, second = [], []
for refinement in (1, 2):
    settings = {"/grid/dx_m": 17000 / refinement, "/time/step_s": 300 / refinement}
    found, time, run = errors("thacker_curved", curved, settings)
    first.append(found[time <= PERIOD + 300].max())
    second.append(found.max())
    series = run.stations()
    omega, _, _ = cases.fit_wave(series["time"], series["eta"][:, 0], 2 * np.pi / PERIOD)
    cases.close(f"curved: period, {25 * refinement} cells per radius", 2 * np.pi / omega, PERIOD, 0.010 / refinement)
cases.below("curved: error in the first period, 25 cells per radius [m]", first[0], 0.2)
cases.below("curved: error in two periods, 25 cells per radius [m]", second[0], 0.25)
cases.between("curved: order", np.log2(second[0] / second[1]), 0.9, 2.5)

found = [errors("thacker_planar", planar, {"/grid/dx_m": dx, "/time/step_s": dx / 50})[0].max() for dx in (20e3, 10e3)]
implicit = cases.SETTINGS.get("/physics/momentum/scheme") == "matm"  # its error is a little larger since fronts keep their momentum
cases.below("planar: error, of 10 m at the shore, 21 cells per radius [m]", found[0], 0.26 if implicit else 0.25)
cases.between("planar: order", np.log2(found[0] / found[1]), 0.9, 2.5)
cases.finish()
