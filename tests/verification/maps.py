# SPDX-License-Identifier: Apache-2.0
"""Maps beside that of the bed's roughness: a factor of the wind's drag, with the exact flow beneath it, and heights of land; a
bed by a formula with named constants."""

import json
from pathlib import Path

import cases
import netCDF4
import numpy as np

SINGLE = 1.2e-7  # fields are written in single precision; the start is forgotten to less than that


def write(name, x, y, **fields):
    """fields: values, NaN where they are missing, with the unit m."""
    with netCDF4.Dataset(name, "w") as data:
        for axis, at in (("y", y), ("x", x)):
            data.createDimension(axis, len(at))
            variable = data.createVariable(axis, "f8", (axis,))
            variable.units, variable[:] = "m", at
        for key, values in fields.items():
            variable = data.createVariable(key, "f8", ("y", "x"), fill_value=-9999.0)
            variable.units, variable[:] = "m", np.where(np.isnan(values), -9999.0, values)
            if key == "elevation":
                variable.positive = "up"
    return {"file": str(Path.cwd() / name)}


# ---- the wind's drag: (rho_a / rho_w) Cd W^2 times the factor, against the bed's Cd U^2 ----

WIND = {"/forcing/wind": {"u_m_s": 15, "v_m_s": 0, "drag": {"law": "constant", "cd": 1.5e-3}}, "/physics/drag/cd": 2.5e-3}
x, y = np.arange(500.0, 8000, 1000), np.arange(500.0, 4000, 1000)
sheltered = np.where(y[:, None] < 2000, 0.25, 1.0) + 0 * x[None, :]
FACTOR = "/forcing/wind/drag/factor"


def velocity(factor):
    return np.sqrt(factor * 1.22 / 1000 * 1.5e-3 * 15**2 / 2.5e-3)


for name, factor in (("formula", "y < 2000 ? lee : 1"), ("file", write("factor.nc", x, y, factor=sheltered))):
    run = cases.run("verification/uniform_flow", {**WIND, "/constants": {"lee": 0.25}, FACTOR: factor})
    u = run.fields()["u"][-1, 0, :, :8]
    cases.below(f"{name}: velocity beneath the wind", np.max(np.abs(u / velocity(sheltered) - 1)), SINGLE)
    if name == "formula":
        digest = run.digest
    cases.equal(f"{name}: digest", run.digest, digest)
    short = ["--steps", "20"]
    beside = cases.run("verification/uniform_flow", {**WIND, "/constants": {"lee": 0.25}, FACTOR: factor}, 0, ["--device", "emu", *short])
    cases.equal(f"{name}: emulated GPU", beside.digest, run.column("digest")[19])
u = cases.run("verification/uniform_flow", {**WIND, FACTOR: 0.25}).fields()["u"][-1]
cases.below("number: velocity", np.max(np.abs(u / velocity(0.25) - 1)), SINGLE)
along_y = {**WIND, "/forcing/wind": {"u_m_s": 0, "v_m_s": 15, "drag": {"law": "constant", "cd": 1.5e-3, "factor": "x < 4000 ? 0.25 : 1"}}}
v = cases.run("verification/uniform_flow", along_y).fields()["v"][-1, 0, :4]
cases.below("along y: velocity", np.max(np.abs(v / velocity(np.where(x < 4000, 0.25, 1))[None, :] - 1)), SINGLE)
# a face between two factors has their mean: the first step from rest, across them
first = {**along_y, "/forcing/wind/drag/factor": "y < 2000 ? 0.25 : 1", "/time/step_s": 1, "/time/duration_s": 1, "/output/0/every_s": 1}
v = cases.run("verification/uniform_flow", first).fields()["v"][-1, 0, :4, 0]
cases.below("faces between: velocity", np.max(np.abs(v / (np.array([0.625, 0.25, 0.625, 1]) * 1.22 / 1000 * 1.5e-3 * 15**2 / 10) - 1)), 1e-3)
for name, settings, words in (("limits", {FACTOR: 11}, "at most 10"), ("place", {FACTOR: "x < 7000 ? 1 : -1"}, "wet cell at (7500, 500)"),
                              ("stress", {"/forcing/wind": {"stress_x_Pa": 0.5, "drag": {"factor": 2}}}, "exclude each other")):
    refused = cases.run("verification/uniform_flow", {**WIND, **settings}, may_fail=True)
    cases.equal(f"{name}: refused", (refused.code, words in refused.message), (2, True))

# ---- heights of land, which the sea floods ----

cells_x, cells_y = np.arange(50.0, 2000, 100), np.arange(50.0, 800, 100)
ground = np.where(cells_x[None, :] < 1000, -3.0, np.nan) + 0 * cells_y[:, None]
heights = 0.2 + (cells_x[None, :] - 1000) / 500 + cells_y[:, None] / 4000
heights[(cells_x[None, :] < 1000) | (cells_y[:, None] > 700)] = np.nan  # a map of land alone, and not of all
sea, land = write("sea.nc", cells_x, cells_y, elevation=ground), write("land.nc", cells_x, cells_y, height=heights)
FLOOD = {"grid": {"kind": "cartesian", "length_x_m": 2000, "length_y_m": 800, "dx_m": 100, "levels": {"bottom_m": -4, "dz_m": 4}, "flood_to_m": 1.5},
         "bathymetry": {**sea, "land_m": land, "land_height_m": 7, "keep": "all"},
         "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 600, "step_s": 10},
         "initial": {"eta_m": "x < 1000 ? 0.9 : -3"}, "output": [{"every_s": 600, "variables": ["depth"]}]}
Path("flood.json").write_text(json.dumps(FLOOD))
run = cases.run(Path.cwd() / "flood.json")
fields = run.fields()
with netCDF4.Dataset(next(run.folder.glob("**/flood.nc"))) as data:
    cases.equal("land: checksum of the map in the output", "land.nc" in data.getncattr("inputs"), True)
expected = np.where(np.isnan(heights), np.where(cells_x[None, :] < 1000, -3, 7), heights)
floods = expected < 1.5
cases.below("land: heights of the map", np.max(np.abs(fields["bed"] - expected)[floods]), 1e-6)
cases.equal("land: cells that can flood", bool(np.array_equal(fields["mask"] == 1, floods)), True)
cases.below("land: dry above the flood", np.nanmax(fields["depth"][-1][floods & (expected > 1.3)]), 1e-9)
cases.between("land: wet below", np.nanmin(fields["depth"][-1][(expected > 0) & (expected < 0.45)]), 0.01, 1)
heights[3, 12] = -0.5
write("land.nc", cells_x, cells_y, height=heights)
refused = cases.run(Path.cwd() / "flood.json", may_fail=True)
cases.equal("land below the datum: refused", (refused.code, "is -0.5 at (1250, 350)" in refused.message), (2, True))

# ---- a bed by named constants ----

constants = {"/constants": {"depth": 4, "slope": 1e-3, "x1": 1000}, "/bathymetry": {"bed_m": "-depth + slope*max(0, x - x1)"}, "/grid/flood_to_m": 0}
named = cases.run(Path.cwd() / "flood.json", constants).fields()
cases.below("constants: bed", np.max(np.abs(named["bed"] - (-4 + 1e-3 * np.maximum(0, cells_x - 1000))[None, :])), 1e-6)
cases.finish()
