# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""Nudging: against the decay of the scheme towards what is given; zones; budgets; files and formulas; any step is stable."""

import json
from pathlib import Path

import cases
import netCDF4
import numpy as np

BOX = {"grid": {"kind": "cartesian", "length_x_m": 8000, "length_y_m": 4000, "dx_m": 500, "levels": {"bottom_m": -8, "dz_m": 2}},
       "bathymetry": {"bed_m": "-7 + x/4000"}, "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 3600, "step_s": 60},
       "physics": {"turbulence": {"closure": "constant", "viscosity_m2_s": 0}},
       "initial": {"temperature_C": 10, "salinity": "20 + x/8000"}, "tracers": [{"name": "dye"}]}


def run(nudging, ranks=0, may_fail=False, options=(), label=None, **changes):
    path = Path.cwd() / "box.json"
    path.write_text(json.dumps({**BOX, "nudging": nudging, **changes,
                                "output": [{"file": "all.nc", "every_s": changes.get("time", BOX["time"])["duration_s"], "variables": ["salinity", "temperature", "dye"]}]}))
    return cases.run(path, ranks=ranks, may_fail=may_fail, options=options, label=label)


def error(found, name, exact):
    """`exact` of z, y, x at rest; NaN below the bed."""
    data = found.read("all.nc")
    bed, share = data["bed"], data["layer_share"]
    below = np.nancumsum(share, axis=0) - share
    z = bed - (below + 0.5 * share) * bed
    return np.nanmax(np.abs(data[name][-1] - exact(z, data["y"][:, None], data["x"])))


# still water: c = given + (c0 - given) kept^n, with `kept` of the scheme, in time scales that vary in space
drawn = lambda x: 60 / (1000 + x / 4)  # noqa: E731
kept = lambda x: (1 + drawn(x)) ** -60  # noqa: E731
still = run([{"variable": "salinity", "to": "25 + z/4 + y/1000", "time_s": "1000 + x/4"}, {"variable": "temperature", "to": 12, "time_s": 500, "box": [0, 4000, 0, 2000]}])
given = lambda z, y, x: 25 + z / 4 + y / 1000  # noqa: E731
cases.below("still water: salinity", error(still, "salinity", lambda z, y, x: given(z, y, x) + (20 + x / 8000 - given(z, y, x)) * kept(x)), 5e-6)
cases.below("in a box: temperature", error(still, "temperature", lambda z, y, x: 10 + np.where((x < 4000) & (y < 2000), 2 - 2 * (1 + 60 / 500) ** -60, 0) + 0 * z), 5e-6)


def budgets(label, found, names=("salinity", "temperature", "dye")):
    for name in names:
        wrong = max(abs(line["tracers"][name]["error"]) / max(abs(line["tracers"][name]["content"]), 1) for line in found.log)
        cases.below(f"{label}: budget of {name}", wrong, 1e-12)


budgets("still water", still)

# a step far beyond the time scale: no oscillation
stiff = run([{"variable": "dye", "to": 3, "time_s": 0.001}])
cases.below("a time scale of a thousandth of a second", error(stiff, "dye", lambda z, y, x: 3 + 0 * z + 0 * x), 1e-4)
account = stiff.log[-1]["tracers"]["dye"]
cases.close("the budget's source is what came", account["sources"], account["content"], 1e-12)

# a zone in front of an open edge, in still water
edge = run([{"variable": "dye", "to": 1, "time_s": 600, "width_m": 3000}], boundaries=[{"name": "sea", "edge": "west", "kind": "elevation", "eta_m": 0}])
cases.below("zone: falls off with the square of the distance", error(edge, "dye", lambda z, y, x: 1 - (1 + 0.1 * np.maximum(0, 1 - x / 3000) ** 2) ** -60 + 0 * z), 1e-6)

# time scales from a file: the variable `hold` of two points along x
map_of_times = Path.cwd() / "times.nc"
with netCDF4.Dataset(map_of_times, "w") as data:
    for name, values in (("y", [-500.0, 4500]), ("x", [0.0, 8000])):
        data.createDimension(name, 2)
        axis = data.createVariable(name, "f8", (name,))
        axis.units = "m"
        axis[:] = values
    hold = data.createVariable("hold", "f8", ("y", "x"))
    hold.units = "s"
    hold[:] = [[1000, 3000], [1000, 3000]]
mapped = run([{"variable": "salinity", "to": "25 + z/4 + y/1000", "time_s": {"file": str(map_of_times), "column": "hold"}}])
cases.below("time scales from a file", error(mapped, "salinity", lambda z, y, x: given(z, y, x) + (20 + x / 8000 - given(z, y, x)) * kept(x)), 5e-6)

# in moving water, by file and by formula; bits; restarts
path = Path.cwd() / "climate.nc"
x, y, z, hours = np.linspace(-500, 9000, 6), np.linspace(-500, 4500, 4), np.array([-9.0, -4, 0]), np.array([-1.0, 0.25, 1.5])
with netCDF4.Dataset(path, "w") as data:
    for name, values, unit in (("time", hours, "hours since 2000-01-01"), ("z", z, "m"), ("y", y, "m"), ("x", x, "m")):
        data.createDimension(name, len(values))
        axis = data.createVariable(name, "f8", (name,))
        axis.units = unit
        axis[:] = values
    so = data.createVariable("so", "f8", ("time", "z", "y", "x"))
    so.units = "1e-3"
    t, zz, yy, xx = np.meshgrid(3600 * hours, z, y, x, indexing="ij")
    so[:] = 30 + t / 3600 + zz / 10 - yy / 4000 + xx / 8000
moving = {"boundaries": [{"name": "sea", "edge": "west", "kind": "flather", "eta_m": "0.1*sin(t/1000)", "salinity": 30}]}
zone = {"variable": "salinity", "time_s": 1800, "width_m": 3000}
by_file = run([{**zone, "to": {"file": str(path)}}], **moving)
by_words = run([{**zone, "to": "30 + t/3600 + z/10 - y/4000 + x/8000"}], **moving)
a, b = by_file.read("all.nc")["salinity"], by_words.read("all.nc")["salinity"]
cases.below("by file and by formula", np.nanmax(np.abs(a - b)), 1e-5)
cases.conserves(by_file)
budgets("moving water", by_file, ("salinity",))
start = 20 + by_file.read("all.nc")["x"] / 8000
changed = np.nanmax(np.abs(a[-1] - start), axis=(0, 1))
cases.below("beyond the zone nothing changes", changed[9:].max(), 0.1)
cases.between("at the edge it does", changed[0], 5, 12)
for ranks, options in ((2, ()), (0, ("--set", "/solver/device=emu"))):
    cases.equal(f"digest, {ranks} ranks {options}", run([{**zone, "to": {"file": str(path)}}], ranks=ranks, options=options, **moving).digest, by_file.digest)

# velocities: a shear of no depth mean in a channel without friction, then the same by file; with the slope of the surface as it is
shear = {"grid": {**BOX["grid"], "periodic": ["x"]}, "bathymetry": {"bed_m": -8}, "initial": {"u_m_s": 0.05}, "tracers": [],
         "physics": {"turbulence": {"closure": "constant", "viscosity_m2_s": 0}, "drag": {"law": "none"}}}


def flow(nudging, changes=None, **more):
    path = Path.cwd() / "flow.json"
    path.write_text(json.dumps({**BOX, **shear, **(changes or {}), "nudging": nudging, "output": [{"file": "all.nc", "every_s": 3600, "velocities": "faces", "variables": ["eta", "u", "v"]}]}))
    return cases.run(path, **more)


swaying = flow([{"variable": "u", "to": "0.02*(z + 4)", "time_s": "500 - 100*z"}])
layers = np.array([-7.0, -5, -3, -1])
exact = 0.02 * (layers + 4) + (0.05 - 0.02 * (layers + 4)) * (1 + 60 / (500 - 100 * layers)) ** -60
cases.below("velocities by layer", np.nanmax(np.abs(swaying.read("all.nc")["u"][-1] - exact[:, None, None])), 5e-9)
cases.conserves(swaying)
shear["grid"] = BOX["grid"]
leaning = flow([{"variable": "u", "to": 0.02, "time_s": 300}], {"time": {**BOX["time"], "duration_s": 14400}, "initial": {}})
eta = leaning.read("all.nc")["eta"][-1].mean(axis=0)
cases.close("a basin leans against the force of nudging: slope", (eta[-1] - eta[0]) / 7500, 0.02 / 300 / 9.81, 0.01)
walled = [{"variable": "u", "to": 0.1, "time_s": 600, "box": [2000, 6000, 0, 4000]}, {"variable": "v", "to": "0.01*z", "time_s": 900}]
one = flow(walled)
cases.conserves(one, 1e-12)
cases.between("a velocity against the shore: the surface takes it up [m/s]", np.nanmax(one.read("all.nc")["u"][-1]), 1e-4, 0.1)
for ranks, options in ((2, ()), (0, ("--set", "/solver/device=emu"))):
    cases.equal(f"velocities, digest, {ranks} ranks {options}", flow(walled, ranks=ranks, options=options).digest, one.digest)

for label, nudging, words in (
        ("no such tracer", {"variable": "salt", "to": 1, "time_s": 1}, "there is no variable \"salt\""),
        ("a time of 0", {"variable": "dye", "to": 1, "time_s": "0*x"}, "nudging time scale is 0 at"),
        ("a salinity below 0", {"variable": "salinity", "to": "x - 10000", "time_s": 1000}, "salinity is -9750"),
        ("no open edge", {"variable": "dye", "to": 1, "time_s": 1000, "width_m": 100}, "there are none"),
        ("a box beside the sea", {"variable": "dye", "to": 1, "time_s": 1000, "box": [9000, 9900, 0, 4000]}, "no water in this box"),
        ("a file that ends early", {"variable": "salinity", "to": {"file": str(path)}, "time_s": 1000}, "the run needs")):
    changes = {"time": {**BOX["time"], "duration_s": 36000}} if "early" in label else {}
    failed = run([nudging], may_fail=True, **changes)
    cases.equal(f"refused, {label}", failed.code == 2 and words in failed.message, True)
cases.finish()
