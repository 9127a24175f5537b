# SPDX-License-Identifier: Apache-2.0
"""Balzano's beaches: uniform slope, slope with a shelf, slope with a closed pool; ebb, flood, and a long wait."""

import cases
import numpy as np

SLOPE = "-5 + x/2760"
SHELF = "x < 3600 ? -5 + x/2760 : (x < 6000 ? -3.7 + (x-3600)/2400*0.6 : (x < 9000 ? -3.1 + (x-6000)*5e-4 : -1.6 + (x-9000)/3000))"
TIDE = "2*cos(2*pi*t/43200)"


ONE_LAYER = {"/grid/levels": {"bottom_m": -6, "dz_m": 6}}


def run(label, bed=None, level=None, more=None):
    settings = {**({"/bathymetry/bed_m": bed} if bed else {}), **(more or {})}
    if level:
        settings["/boundaries/0/eta_m"] = level
    result = cases.run("verification/balzano", settings)
    cases.conserves(result)
    fields = result.fields()
    cases.below(f"{label}: most negative depth [m]", -np.nanmin(fields["depth"]), 0.0)
    cases.below(f"{label}: fastest [m/s]", np.max(result.column("max_speed_m_s")), 2.0)
    depth, ground = fields["depth"][:, 1], fields["bed"][1]
    cases.below(f"{label}: difference across [m]", np.max(np.ptp(fields["depth"], axis=1)), 1e-6)
    return fields["x"], depth, ground, fields["u"][:, -1, 1]


for label, bed in (("slope", SLOPE), ("shelf", SHELF)):
    _, depth, ground, _ = run(f"{label}, ebb", bed)
    dry = ground > -2
    film = np.max(run(f"{label}, ebb, one layer", bed, None, ONE_LAYER)[1][-1][dry])
    cases.below(f"{label}, ebb, one layer: film left after 60 h [m]", film, 0.004)
    cases.close(f"{label}, ebb: film in six layers [m], exact: in one", np.max(depth[-1][dry]), film, 0.08)
    cases.below(f"{label}, ebb: level of the sea [m]", np.max(np.abs((depth[-1] + ground)[~dry] + 2)), 2e-3)
    for hour in (6, 9, 12):
        level = (depth[hour] + ground)[depth[hour] > 0.05]
        cases.below(f"{label}, ebb, hour {hour}: level falls towards the land by [m]", np.max(-np.diff(level)), 0.01)
    _, depth, ground, _ = run(f"{label}, tide", bed, TIDE)
    high = depth[60] + ground
    cases.below(f"{label}, tide: high water is level [m]", np.ptp(high), 0.15)
    cases.below(f"{label}, tide: difference of two tides [m]", np.max(np.abs(depth[60:72] - depth[48:60])), 0.01)

x, depth, ground, u = run("pool")
pool = (x > 8500) & (x < 12000)
lip = np.max(ground[(x > 6000) & (x < 9000)])
level = (depth[-1] + ground)[pool]
cases.between("pool: level over the lip after 60 h [m]", np.mean(level) - lip, 0, 0.03)
cases.below("pool: level is flat [m]", np.ptp(level), 1e-4)
inside = np.flatnonzero(pool)[1:]
cases.below("pool: speed inside [m/s]", np.nanmax(np.abs(u[-1][inside])), 2e-3)

# cells that know the slope inside them: the pool keeps its level, the lip at -1.2 m, and beside it nothing stays
fields = cases.run("verification/balzano", {**ONE_LAYER, "/bathymetry/subgrid": True, "/bathymetry/pixels": 8}).fields()
level, depth, ground = fields["eta"][-1, 1], fields["depth"][-1, 1], fields["bed"][1]
cases.below("pool, ground inside cells: film left after 60 h [m]", np.max(depth[(ground > -2) & ((x < 8000) | (x > 12500))]), 8e-4)
cases.below("pool, ground inside cells: level is flat [m]", np.ptp(level[pool]), 1e-4)
cases.between("pool, ground inside cells: level over the lip after 60 h [m]", np.mean(level[pool]) + 1.21, 0, 0.005)
cases.below("pool, ground inside cells: level of the sea [m]", np.max(np.abs(level[x < 6500] + 2)), 1e-4)
cases.finish()
