# SPDX-License-Identifier: Apache-2.0
"""One sea outside, written in the ways of other models: the nest in it is the same. Initial values at a start between records,
and where the records are of another time."""

import json
from pathlib import Path

import cases
import netCDF4
import numpy as np

SEA = {"grid": {"kind": "cartesian", "length_x_m": 6000, "length_y_m": 5000, "dx_m": 500, "levels": {"bottom_m": -10, "dz_m": 2.5}},
       "bathymetry": {"bed_m": "-8 + x/6000"}, "physics": {"density": {"equation": "linear"}},
       "time": {"start": "2000-01-01T00:10:00Z", "duration_s": 120, "step_s": 40},
       "output": [{"file": "all.nc", "every_s": 40, "velocities": "faces", "variables": ["eta", "u", "v", "salinity", "temperature"]}]}
FIELDS = {"eta": ("m", lambda t, z, y, x: 0.01 * x / 6000 - 0.02 * y / 5000 + t / 60000),
          "u_eastward": ("m s-1", lambda t, z, y, x: 0.05 + y / 1e5 + z / 500), "v_northward": ("m s-1", lambda t, z, y, x: 0.02 - x / 1e6 + z / 900),
          "temperature": ("degC", lambda t, z, y, x: 10 + x / 3000 + z / 10 + t / 900), "salinity": ("1", lambda t, z, y, x: 25 - y / 1000 - z / 5)}
TIMES = np.arange(-600.0, 2000, 300)  # the start lies on the fifth of them
HEIGHTS = np.array([-14.0, -9.0, -5.0, 0.5, 3.0])


def write(name, places=None, down=False, sigma=False, packed=None, times=TIMES):
    """`places`: columns and rows -> x, y; None: axes, from north to south if `down`."""
    path = Path.cwd() / f"{name}.nc"
    columns, rows = np.arange(17.0), np.arange(16.0)
    x, y = -1500 + 700 * columns, -1500 + 700 * rows
    xx, yy = np.meshgrid(x, y[::-1] if down else y) if places is None else places(*np.meshgrid(columns, rows))
    level = np.linspace(-1, 0.3, 5) if sigma else HEIGHTS
    level = level[::-1] if down else level
    flat = ("yc", "xc") if places else ("y", "x")
    depth = 11 + 0 * xx if places is None or not sigma else 11 + xx / 6000
    with netCDF4.Dataset(path, "w") as data:
        for axis, size in (("time", len(times)), ("z", len(level)), (flat[0], len(rows)), (flat[1], len(columns))):
            data.createDimension(axis, size)
        for key, values, unit, shape in (("time", times, "seconds since 2000-01-01", ("time",)), ("z", level, "1" if sigma else "m", ("z",))):
            data.createVariable(key, "f8", shape).units = unit
            data[key][:] = values
        if sigma:
            data["z"].setncatts({"standard_name": "ocean_sigma_coordinate", "formula_terms": "sigma: z eta: eta depth: h"})
            data.createVariable("h", "f8", flat)[:] = depth
        for key, values, shape in (("x", xx[0] if places is None else xx, ("x",)), ("y", yy[:, 0] if places is None else yy, ("y",))):
            data.createVariable(key, "f8", flat if places else shape).setncatts({"units": "m", "standard_name": f"projection_{key}_coordinate"})
            data[key][:] = values
        t = times[:, None, None, None]
        z = level[None, :, None, None] * (depth if sigma else 1)
        for key, (unit, function) in FIELDS.items():
            values = function(t, z, yy, xx) + 0 * t + 0 * z + 0 * xx
            values, shape = (values[:, 0], ("time", *flat)) if key == "eta" else (values, ("time", "z", *flat))
            variable = data.createVariable(key, "i4" if packed else "f8", shape)
            variable.units = unit
            if places:
                variable.coordinates = "y x"
            if packed:
                variable.scale_factor, variable.add_offset = packed, 3.0
            variable[:] = values
    return str(path)


def run(label, ranks=0, may_fail=False, **changes):
    path = Path.cwd() / f"{label}.json"
    path.write_text(json.dumps({**SEA, **changes}))
    return cases.run(path, ranks=ranks, may_fail=may_fail, label=f"{label}_run")


def same(label, one, other, size):
    for name in FIELDS:
        name = name.split("_")[0]
        a, b = (r.read("all.nc")[name] for r in (one, other))
        cases.below(f"{label}: {name}", np.max(np.abs(a - b)[~np.isnan(a)]), size * np.nanmax(np.abs(a)))


def bent(c, r):
    return -1900 + 620 * c + 130 * r - 9 * c * r, -2100 + 690 * r + 150 * c - 6 * c**2


plain = run("plain", nest=write("outside"))
cases.between("the least current at the start", np.nanmin(plain.read("all.nc")["u"][0]), 0.03, 0.05)
cases.equal("from north to south, deepest level last: digest", run("down", nest=write("turned", down=True)).digest, plain.digest)
same("packed", plain, run("packed", nest=write("integers", packed=1e-7)), 6e-6)
same("sigma", plain, run("sigma", nest=write("shares", sigma=True)), 1.3e-7)
curved = run("curved", nest=write("curvilinear", bent, sigma=True))
same("curvilinear, sigma", plain, curved, 1.3e-7)
cases.equal("the same: digest on 3 ranks", run("curved", ranks=3, nest="curvilinear.nc").digest, curved.digest)

# several files, by pattern or list; the start between the last record of one and the first of the next
parts = [write("day_1", times=TIMES[:3]), write("day_2", times=TIMES[3:])]
early = {**SEA["time"], "start": "2000-01-01T00:02:30Z"}
one = run("one", nest="outside.nc", time=early)
for label, nest in (("pattern", "day_*.nc"), ("list", parts)):
    cases.equal(f"a nest by {label}: digest", run(label, nest=nest, time=early).digest, one.digest)
several = {"eta_m": {"file": parts}, "u_m_s": {"file": "day_*.nc"}, "v_m_s": {"file": "day_?.nc"}, "temperature_C": {"file": parts}, "salinity": {"file": parts}}
cases.equal("initial values of several files: digest", run("several", nest="outside.nc", time=early, initial=several).digest, one.digest)

# points of the file at those of the grid, in cells of several files' points: of initial values alone, as far as the file goes
aligned = run("aligned", nest=write("squares", lambda c, r: (-1750 + 500 * c, -2250 + 500 * r)))
same("axes as two-dimensional places", plain, aligned, 1.3e-7)
narrow = {"eta_m": {"file": "outside.nc"}, "temperature_C": 10, "salinity": {"file": write("narrow", lambda c, r: (-1500 + 400 * c + 20 * r, -1500 + 700 * r - 10 * c))}}
edge = run("narrow", initial=narrow)
cases.equal("beyond a curvilinear file: told", "of 120 wet columns lie outside the file" in edge.message, True)
x = 250 + 500 * np.arange(12)
wrong = np.abs(edge.read("all.nc")["salinity"][0] - plain.read("all.nc")["salinity"][0])
cases.below("beyond a curvilinear file: what it covers", np.nanmax(wrong[..., x < 4900]), 2e-6)
cases.between("beyond a curvilinear file: the nearest point, at most half a cell to the north or south", np.nanmax(wrong[..., x > 5100]), 0.1, 0.36)

# the start of the run between records: linear; beyond them: refused where they are of another time
between = {"time": {**SEA["time"], "start": "2000-01-01T00:12:00Z"}, "initial": {"temperature_C": {"file": "outside.nc"}, "salinity": 0}}
warm = [run(f"warm{n}", **{**between, "time": {**SEA["time"], "start": f"2000-01-01T00:{n}:00Z"}}).read("all.nc")["temperature"][0] for n in (10, 12, 15)]
cases.below("between records: linear in time", np.nanmax(np.abs(warm[1] - 0.6 * warm[0] - 0.4 * warm[2])), 2e-6)
other = {**between, "time": {**SEA["time"], "start": "2000-01-01T02:00:00Z"}}
late = run("late", may_fail=True, **other)
cases.equal("records of another time: refused", (late.code, "but the run begins at 2000-01-01T02:00:00Z" in late.message), (2, True))
cases.equal("records of another time: allowed", run("allowed", allow=["gaps"], **other).code, 0)
cases.finish()
