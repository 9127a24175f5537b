# SPDX-License-Identifier: Apache-2.0
"""Rivers from maps: mouths where a river has most water, small ones joined to large ones, inland ones left out; runoff by area; all of
the water arrives, with the same bits on any processes and after a restart; refusals."""

from pathlib import Path

import cases
import netCDF4
import numpy as np

HOURS, STEP = 12, 600
WIDE, HIGH = 2500.0, 2000.0  # a cell of the maps [m]
COAST = {"/grid/length_x_m": 40000, "/grid/length_y_m": 25000, "/grid/dx_m": 1000, "/grid/levels": {"bottom_m": -8, "layers": 4},
         "/bathymetry/bed_m": "-8 + 14*(1 + tanh((15000-x)/100))", "/time/duration_s": HOURS * 3600, "/time/step_s": STEP, "/forcing": {},
         "/output": []}
GROWTH = 1 + 0.5 * np.arange(HOURS + 1) / HOURS
mean_growth = np.interp(np.arange(1, HOURS * 3600 // STEP + 1) * STEP / 3600, np.arange(HOURS + 1), GROWTH).mean()


def write(name, values, unit, growth=GROWTH, variable="dis", hours=1):
    """Values [y, x], times `growth`, by the hour or by so many."""
    path = Path.cwd() / name
    with netCDF4.Dataset(path, "w") as data:
        for axis, at in (("time", hours * np.arange(len(growth))), ("y", HIGH * (np.arange(12) + 0.5)), ("x", WIDE * (np.arange(16) + 0.5))):
            data.createDimension(axis, len(at))
            data.createVariable(axis, "f8", (axis,))[:] = at
            data[axis].units = "hours since 2000-07-01 00:00:00" if axis == "time" else "m"
        data.createVariable(variable, "f8", ("time", "y", "x"), fill_value=-1e30)[:] = np.ma.masked_invalid(values * np.reshape(growth, (-1, 1, 1)))
        data[variable].units = unit
    return str(path)


def poured(run):
    return run.log[-1]["sources_m3"] / (HOURS * 3600)


# a river that grows on its way east, with a brook beside it; another one that ends in a lake; no values at sea
rivers = np.zeros((12, 16))
rivers[4, :6] = 100 + 10 * np.arange(6)
rivers[5, :3], rivers[8, :6], rivers[1, :2] = 90 - np.arange(3), 0.5, 7
rivers[:, 6:] = np.nan
rivers[0, 4:6] = 20  # in the outermost row
full = write("rivers.nc", rivers, "m**3 s**-1")
item = {"name": "west", "file": full, "temperature_C": 9}
once = cases.run("verification/heat_box", {**COAST, "/river_maps": [item]})
cases.close("discharge [m3 s-1]", poured(once), (150 + 20 + 0.5) * mean_growth, 1e-13)
cases.conserves(once, 1e-14)
tracers = once.log[-1]["tracers"]
cases.close("heat that came [K m3]", tracers["temperature"]["sources"], 9 * once.log[-1]["sources_m3"], 1e-13)
cases.equal("salt that came", tracers["salinity"]["sources"], 0.0)
shared = cases.run("verification/heat_box", {**COAST, "/river_maps": [item]}, 3)
cases.equal("three processes", shared.digest, once.digest)
told = cases.run("verification/heat_box", {**COAST, "/river_maps": [{**item, "least_m3_s": 0}], "/time/duration_s": STEP})
cases.equal("told", [text in told.message for text in ("3 mouths", "13750, 9000", "moved 1.8 km")], [True] * 3)

half = {**COAST, "/river_maps": [item], "/restart/every_s": 21600}
first = cases.run("verification/heat_box", {**half, "/time/duration_s": HOURS * 1800})
later = cases.run("verification/heat_box", half, options=["--restart", str(next(first.folder.rglob("*restart*.nc")))])
cases.equal("after a restart", later.digest, once.digest)

# runoff of cells along the coast [kg m-2 s-1]
runoff = np.zeros((12, 16))
runoff[2, 6], runoff[7, 6] = 2e-3, 1e-3
coast = write("runoff.nc", runoff, "kg m-2 s-1", variable="sorunoff")
near = {"name": "coast", "file": coast, "quantity": "runoff"}
cases.close("runoff [m3 s-1]", poured(cases.run("verification/heat_box", {**COAST, "/river_maps": [near]})), 3e-6 * WIDE * HIGH * mean_growth, 1e-13)
doubted = {**COAST, "/river_maps": [item, near], "/allow": ["twice"], "/rivers": [
    {"name": "own", "x_m": 30000, "y_m": 0, "discharge_m3_s": -1}, {"name": "brook", "x_m": 14000, "y_m": 11000, "discharge_m3_s": "0*t"}]}
both = cases.run("verification/heat_box", doubted)
cases.close("two maps and a withdrawal [m3 s-1]", poured(both), (170.5 + 3e-6 * WIDE * HIGH) * mean_growth - 1, 1e-13)

cases.equal("told where water may come twice", ['is about where "brook" has one; 3 mouths' in both.message, "twice" in once.message], [True, False])

gap, low = rivers.copy(), rivers.copy()
gaps = np.where(np.arange(HOURS + 1) == 5, np.nan, GROWTH)
low[4, 5] = -150
for name, change, words in (("a gap", {"file": write("gap.nc", rivers, "m3 s-1", gaps)}, "no value"),
                            ("less than nothing", {"file": write("low.nc", low, "m3 s-1")}, "-150"),
                            ("another quantity", {"file": write("hot.nc", rivers, "K")}, "m3 s-1"),
                            ("an unknown name", {"variable": "rain"}, "rain"),
                            ("no large river", {"least_m3_s": 1e5}, "no mouth of 100000 m3/s"),
                            ("nowhere near", {"file": write("short.nc", rivers, "m3 s-1", GROWTH[:3])}, "covers")):
    run = cases.run("verification/heat_box", {**COAST, "/river_maps": [{**item, **change}]}, may_fail=True)
    cases.equal(f"{name}: refused", (run.code, words in run.message), (2, True))
# means of a day, stamped with its end, hold at noon: 100 at 12 h, -12 h, 300 at 36 h
days = {**item, "file": write("days.nc", rivers / 170.5, "m3 s-1", np.array([100.0, 100, 300]), "dis24", 24)}
late = cases.run("verification/heat_box", {**COAST, "/river_maps": [days], "/time/duration_s": 86400})
cases.close("means of days [m3 s-1]", late.log[-1]["sources_m3"] / 86400, np.interp(np.arange(1, 145) / 6, [-12, 12, 36], [100, 100, 300]).mean(), 1e-12)

run = cases.run("verification/heat_box", {key: value for key, value in doubted.items() if key != "/allow"}, may_fail=True)
cases.equal("the same river twice: refused", (run.code, "is about where" in run.message), (2, True))
for name, maps, more, words in (("twice", [item, {**item, "name": "again"}], {}, "same rivers"),
                                ("a part of the grid", [item], {"/grid/length_x_m": 60000}, "the file covers x")):
    run = cases.run("verification/heat_box", {**COAST, "/river_maps": maps, **more}, may_fail=True)
    cases.equal(f"{name}: refused", (run.code, words in run.message), (2, True))
zoomed = {"/zoom": {"box": [20000, 30000, 5000, 15000]}, "/river_maps": [item]}
run = cases.run("verification/heat_box", {**COAST, **zoomed}, may_fail=True)
cases.equal("with a zoom: refused", (run.code, "river_maps" in run.message), (2, True))
cases.finish()
