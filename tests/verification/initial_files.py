# SPDX-License-Identifier: Apache-2.0
"""Initial values from NetCDF files: exact where they are linear, whatever the file's order; nearest values elsewhere; refusals."""

import json
from pathlib import Path

import cases
import netCDF4
import numpy as np

PLANE = {"kind": "cartesian", "length_x_m": 4000, "length_y_m": 3000, "dx_m": 250, "levels": {"bottom_m": -12, "dz_m": 2}}
SPHERE = {"kind": "spherical", "west": -2, "east": 2, "south": 44, "north": 47, "dlon_deg": 0.25, "dlat_deg": 0.25,
          "levels": {"bottom_m": -12, "dz_m": 2}}
SCENARIO = {"bathymetry": {"bed_m": "-10 + 4*sin(x/900)*cos(y/700)"},
            "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 60, "step_s": 20}}


def write(name, fields, x, y, z=None, times=None, units=("m", "m"), depth=False):
    """fields: name -> (units, function of x, y, z, record); z ascending heights, written as depths if asked."""
    path = Path.cwd() / name
    with netCDF4.Dataset(path, "w") as data:
        shape = []
        for axis, values, unit in (("time", times, "hours since 2000-01-01"), ("depth" if depth else "z", z, "m"),
                                   ("lat" if units[1] != "m" else "y", y, units[1]), ("lon" if units[0] != "m" else "x", x, units[0])):
            if values is None:
                continue
            data.createDimension(axis, len(values))
            variable = data.createVariable(axis, "f8", (axis,))
            variable.units = unit
            variable[:] = -np.asarray(values) if axis == "depth" else values
            if axis in ("depth", "z"):
                variable.axis = "Z"
            shape.append(axis)
        for key, (unit, function) in fields.items():
            variable = data.createVariable(key, "f8", shape, fill_value=-9999.0)
            variable.units = unit
            records = [function(np.asarray(x)[None, None, :], np.asarray(y)[None, :, None],
                                np.asarray([0.0] if z is None else z)[:, None, None], n) + np.zeros((1 if z is None else len(z), len(y), len(x)))
                       for n in range(1 if times is None else len(times))]
            values = np.array(records) if times is not None else records[0]
            values = values.reshape(variable.shape)
            variable[:] = np.where(np.isnan(values), -9999.0, values)
    return {"file": str(path)}


def run(initial, grid=PLANE, tracers=None, ranks=0, may_fail=False, steps=1, equation="constant"):
    scenario = {**SCENARIO, "physics": {"density": {"equation": equation}}, "grid": grid, "initial": initial, "tracers": tracers or [],
                "output": [{"file": "all.nc", "every_s": 20, "velocities": "faces", "variables": ["eta", "u", "v", "salinity", "temperature"] +
                            [t["name"] for t in tracers or []]}]}
    path = Path.cwd() / "case.json"
    path.write_text(json.dumps(scenario))
    return cases.run(path, ranks=ranks, options=["--steps", str(steps)], may_fail=may_fail)


def difference(one, other, name):
    a, b = (r.read("all.nc")[name][0] for r in (one, other))
    cases.equal(f"{name}: wet cells", bool(np.array_equal(np.isnan(a), np.isnan(b))), True)
    return np.nanmax(np.abs(a - b))


# linear in each direction: what the file and the formula say is the same; axes in all orders, records, units
WORDS = {"temperature_C": "10 + x/1000 + y/500 + z/20 + x*y/1e7 + x*z/1e5", "salinity": "20 - x/2000 + z/10"}
FLOW = {"eta_m": "0.01*x/1000 - 0.02*y/1000", "u_m_s": "0.1*y/3000", "v_m_s": "0.1*x/4000"}
by_words = run({**WORDS, **FLOW})
warm = lambda x, y, z, n: 10 + x / 1000 + y / 500 + z / 20 + x * y / 1e7 + x * z / 1e5  # noqa: E731
x, y, z = np.linspace(-500, 4500, 7), np.linspace(-100, 3200, 5), np.array([-20.0, -11, -3, 0, 2])
flow = {"zos": ("cm", lambda x, y, z, n: x / 1000 - 2 * y / 1000), "uo": ("m s-1", lambda x, y, z, n: 0.1 * y / 3000),
        "vo": ("cm s-1", lambda x, y, z, n: 10 * x / 4000)}
salty = {"so": ("1e-3", lambda x, y, z, n: 20 - x / 2000 + z / 10)}
for name, order in {"plain": {}, "reversed": {"x": x[::-1], "y": y[::-1], "z": z[::-1]}, "depths": {"depth": True, "z": z[:4]},
                    "records": {"times": [-30.0, 0.0, 20.0]}}.items():
    axes = {"x": x, "y": y, "z": z, **order}
    record = 1 if "times" in order else 0
    water = write(f"{name}.nc", {"temp": ("K", lambda x, y, z, n: warm(x, y, z, n) + 273.15 + 7 * (n != record)), **salty}, **axes)
    currents = write(f"{name}_flow.nc", flow, **{**axes, "z": None, "depth": False})
    by_file = run({"temperature_C": water, "salinity": water, "eta_m": currents, "u_m_s": {**currents, "column": "uo"}, "v_m_s": currents})
    for variable, size in (("temperature", 2e-6), ("salinity", 4e-6), ("eta", 2e-8), ("u", 2e-8), ("v", 2e-8)):
        cases.below(f"{name}, {variable}: file and formula", difference(by_words, by_file, variable), size)
    cases.equal(f"{name}: covered", "get the nearest value" in by_file.message, False)

# velocities with levels
sheared = write("sheared.nc", {"u": ("m/s", lambda x, y, z, n: 0.1 + z / 1000)}, x, y, z)
found = run({"salinity": 0, "temperature_C": 0, "u_m_s": sheared}).read("all.nc")
still = -run({"salinity": 0, "temperature_C": "-z"}).read("all.nc")["temperature"][0]  # heights of the middles
middle = 0.5 * (still[:, :, 1:] + still[:, :, :-1])
inside = found["u"][0][:, :, 1:-1]
deep = np.isfinite(inside) & np.isfinite(middle)
cases.below("u by height, top layers", np.max(np.abs(inside - 0.1 - middle / 1000)[-2:][deep[-2:]]), 1e-3)

# land in the file, and its end within the grid: the nearest column; below its lowest value, that
x, y, z = np.arange(-250.0, 3000, 500), np.arange(-250.0, 3500, 500), np.array([-6.0, -2, 0])
holes = write("holes.nc", {"dye": ("1", lambda x, y, z, n: np.where((x > 2000) | ((x < 1000) & (z < -3)), np.nan, x + 10 * z))}, x, y, z)
TRACERS = [{"name": "dye", "initial": holes}]
part = run({"salinity": 0, "temperature_C": "-z"}, tracers=TRACERS)
dye, height = part.read("all.nc")["dye"][0], -part.read("all.nc")["temperature"][0]
at = np.broadcast_to(125 + 250 * np.arange(16), dye.shape)
column = lambda x, height: x + 10 * np.maximum(height, np.where(x < 1000, -2, -6))  # noqa: E731
low = np.minimum(np.floor((at + 250) / 500) * 500 - 250, 1750)
share = np.clip((at - low) / 500, 0, 1) * (low < 1750)
expected = (1 - share) * column(low, height) + share * column(np.minimum(low + 500, 1750), height)
cases.below("holes: nearest values", np.nanmax(np.abs(dye - expected)), 1e-3)
cases.equal("holes: told", "108 of 192 wet columns lie outside the file or where dye is missing" in part.message, True)
digests = [run({"salinity": 0, "temperature_C": "-z", "u_m_s": sheared}, tracers=TRACERS, ranks=ranks, steps=3).digest for ranks in (0, 2, 3)]
cases.equal("holes: digests on 2 and 3 ranks", set(digests), {digests[0]})

# so many points that each rank keeps its part of them; in layers of the file's own bed
x, y = np.linspace(-250, 4250, 100), np.linspace(-250, 3250, 80)
fine = write("fine.nc", {"dye": ("1", lambda x, y, z, n: np.where((x > 1800) & (x < 2600) & (y > 700), np.nan, np.sin(x / 300) + y / 1000 + z))}, x, y,
             np.array([-0.9, -0.5, -0.1]))
with netCDF4.Dataset("fine.nc", "a") as data:
    data["z"].units, data["z"].standard_name, data["z"].formula_terms = "1", "ocean_sigma_coordinate", "sigma: z depth: bed"
    data.createVariable("bed", "f8", ("y", "x"))[:] = 8 + x[None, :] / 1000 + y[:, None] / 2000
digests = [run({"salinity": 0, "temperature_C": "-z"}, tracers=[{"name": "dye", "initial": fine}], ranks=ranks).digest for ranks in (0, 2, 4)]
cases.equal("fine: digests on 2 and 4 ranks", set(digests), {digests[0]})
around = run({"salinity": 0, "temperature_C": "-z"}, {**PLANE, "periodic": ["x"]}, [{"name": "dye", "initial": fine}])
cases.equal("fine, periodic: digest on 3 ranks", run({"salinity": 0, "temperature_C": "-z"}, {**PLANE, "periodic": ["x"]},
                                                      [{"name": "dye", "initial": fine}], ranks=3).digest, around.digest)

# on a sphere, a file from 0 to 360 degrees and from north to south, across the zero meridian
lon, lat = np.arange(0, 360, 1.0), np.arange(60, 30, -1.0)
turning = lambda lon, lat, z, n: 5 + (lon - 360 * (lon > 180)) + lat / 10  # noqa: E731
globe = write("globe.nc", {"salinity": ("1e-3", turning)}, lon, lat, units=("degrees_east", "degrees_north"))
a, b = (run({"salinity": value, "temperature_C": 0}, SPHERE) for value in (globe, "5 + lon + lat/10"))
cases.below("sphere: file and formula", difference(a, b, "salinity"), 2e-6)

# round-off below nothing, as models leave it, is nothing
nearly = write("nearly.nc", {"so": ("1e-3", lambda x, y, z, n: np.where(x > 2000, -8.17e-21, 10.0))}, [0.0, 1500, 2500, 5000], [0.0, 5000])
salt = run({"salinity": nearly, "temperature_C": 0}).log[0]["tracers"]["salinity"]
cases.equal("round-off below nothing: the least", salt["least"], 0)

# refusals: another sea, other units, a value beyond the limits, no such variable, a profile
with netCDF4.Dataset("profile.nc", "w") as data:
    data.createDimension("z", 3)
    for name, values in (("z", [-9, -3, 0]), ("so", [12, 11, 10])):
        data.createVariable(name, "f8", ("z",))[:] = values
    data["z"].axis = "Z"
for name, initial, words in (
    ("another sea", {"salinity": write("far.nc", {"so": ("1e-3", lambda x, y, z, n: 20 + 0 * x)}, [1e6, 2e6], [0.0, 5000])}, "no value of salinity around any"),
    ("land alone", {"salinity": write("land.nc", {"so": ("1", lambda x, y, z, n: np.nan * x)}, [0.0, 5000], [0.0, 5000])}, "no value anywhere"),
    ("degrees on a plane", {"salinity": globe}, "its coordinates are in"),
    ("unit", {"temperature_C": write("unit.nc", {"temp": ("m", warm)}, [0.0, 5000], [0.0, 5000])}, "cannot be converted to C"),
    ("limits", {"temperature_C": write("hot.nc", {"temp": ("C", lambda x, y, z, n: 500 + 0 * x)}, [0.0, 5000], [0.0, 5000])}, "temp is 500 C at"),
    ("profile", {"salinity": {"file": f"{Path.cwd()}/profile.nc"}}, "variable so has the dimensions (z = 3); it needs z, y, x"),
    ("variable", {"salinity": {**globe, "column": "salt"}}, 'looked for a variable "salt"'),
):
    # mpirun takes a second to end after a refusal
    refused = run({"salinity": 0, "temperature_C": 0, **initial}, may_fail=True, ranks=2 if name in ("another sea", "limits") else 0)
    cases.equal(f"{name}: refused", (refused.code, words in refused.message), (2, True))
# ---- which temperature and salinity: files say it by their CF names ----


def called(name, standard_name, value):
    file = write(f"{standard_name}.nc", {name: ("1", lambda x, y, z, n: value)}, [0, 4000], [0, 3000])
    with netCDF4.Dataset(file["file"], "a") as data:
        data[name].standard_name = standard_name
        data[name].units = "degree_C" if "temp" in standard_name else "1"
    return file


POTENTIAL, CONSERVATIVE = "sea_water_potential_temperature", "sea_water_conservative_temperature"
PRACTICAL, ABSOLUTE, ANY = "sea_water_practical_salinity", "sea_water_absolute_salinity", "sea_water_salinity"
for equation, temperature, salinity, words in (
    ("teos10", POTENTIAL, ABSOLUTE, "teos10-practical"), ("teos10", CONSERVATIVE, PRACTICAL, "teos10-practical"),
    ("teos10", CONSERVATIVE, ANY, "teos10-practical"), ("teos10", "sea_water_temperature", ABSOLUTE, "teos10-practical"),
    ("eos80", CONSERVATIVE, PRACTICAL, '"teos10"'), ("teos10-practical", POTENTIAL, ABSOLUTE, '"teos10"'),
    ("teos10", CONSERVATIVE, ABSOLUTE, None), ("teos10-practical", POTENTIAL, PRACTICAL, None), ("eos80", POTENTIAL, ANY, None),
    ("constant", CONSERVATIVE, PRACTICAL, None)):
    initial = {"temperature_C": called("thetao", temperature, 12), "salinity": called("so", salinity, 20)}
    done = run(initial, ranks=0 if words else 2, may_fail=True, equation=equation)
    name = f"{equation} with {temperature}, {salinity}"
    if words:
        cases.equal(f"{name}: refused", (done.code, words in done.message), (2, True))
        continue
    cases.equal(f"{name}: taken", done.code, 0)
    if equation == "constant":
        continue
    with netCDF4.Dataset(next(done.folder.glob("**/all.nc"))) as data:
        names = (data["temperature"].standard_name, data["salinity"].standard_name, data["salinity"].units)
    cases.equal(f"{name}: names in the results", names, (temperature, PRACTICAL if salinity == ANY else salinity, "g kg-1" if equation == "teos10" else "1"))
cases.finish()
