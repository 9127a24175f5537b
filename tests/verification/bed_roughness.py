# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""A bed whose roughness varies from place to place: two uniform channels side by side, each with its own exact velocity, for
every law and momentum scheme; the same map as a formula and as each kind of file; refusals with their places."""

import json
import subprocess
from pathlib import Path

import cases
import netCDF4
import numpy as np

KAPPA, GRAVITY = 0.4, 9.81
STRESS, DEPTH = 5e-4, 10.0  # of the wind over the density [m2/s2], of the water [m]
SINGLE = 1.2e-7  # fields are written in single precision; the start is forgotten to less than that
CHANNELS = {"/constants": {"low": 1, "high": 2}}
LAWS = {"constant": ("cd", 2e-3, 5e-3, lambda p: p), "manning": ("n", 0.02, 0.04, lambda p: GRAVITY * p**2 / DEPTH ** (1 / 3)),
        "chezy": ("c", 70, 40, lambda p: GRAVITY / p**2), "log": ("z0_m", 1e-3, 2e-2, lambda p: (KAPPA / np.log(1 + 0.5 * DEPTH / p)) ** 2)}


def halves(low, high, along="y", middle=2000):
    """Of the southern and the northern half, by named constants."""
    return {"/constants": {"south": low, "north": high}, "/parameter": f"{along} < {middle} ? south : north"}


def drag(law, value, settings=None):
    return {"/physics/drag": {"law": law, LAWS[law][0]: value}, **(settings or {})}


def run(law, value, settings=None, **more):
    return cases.run("verification/uniform_flow", {"/output/0/variables": ["u", "v", "bed_roughness"], **drag(law, value, settings)}, **more)


# ---- two channels ----

for law, (key, low, high, coefficient) in LAWS.items():
    parts = halves(low, high)
    fields = run(law, parts["/parameter"], {"/constants": parts["/constants"]}).fields()
    for name, rows, parameter in (("south", slice(0, 2), low), ("north", slice(2, 4), high)):
        exact = np.sqrt(STRESS / coefficient(parameter))
        cases.below(f"{law}, {name}: velocity", np.max(np.abs(fields["u"][-1, 0, rows] / exact - 1)), SINGLE)
        cases.below(f"{law}, {name}: parameter in the output", np.max(np.abs(fields["bed_roughness"][-1, rows] / parameter - 1)), SINGLE)
    cases.equal(f"{law}: nothing across", float(np.nanmax(np.abs(fields["v"]))), 0.0)

# along y, and with the other schemes
low, high, manning = LAWS["manning"][1:]
for scheme, tolerance in (("matm", 1e-6), ("split", SINGLE)):
    fields = run("manning", f"y < 2000 ? {low} : {high}", {"/physics/momentum/scheme": scheme}).fields()
    exact = np.sqrt(STRESS / manning(np.array([low, low, high, high])))
    cases.below(f"{scheme}: velocity", np.max(np.abs(fields["u"][-1, 0, :, :8] / exact[:, None] - 1)), tolerance)
fields = run("manning", f"x < 4000 ? {low} : {high}", {"/forcing/wind/stress_x_Pa": 0, "/forcing/wind/stress_y_Pa": 0.5}).fields()
exact = np.sqrt(STRESS / manning(np.where(np.arange(8) < 4, low, high)))
cases.below("along y: velocity", np.max(np.abs(fields["v"][-1, 0, :4] / exact - 1)), SINGLE)

# a face between the channels has the mean of both: one step across them, as over the uniform bed of that mean, beside a surface
# that hardly answers yet
ACROSS = {"/forcing/wind/stress_x_Pa": 0, "/time/step_s": 1, "/time/duration_s": 1, "/output/0/every_s": 1, "/initial/v_m_s": 1}
found = run("constant", "y < 2000 ? 0.2 : 0.6", ACROSS).fields()["v"][-1, 0, :4, 0]
alike = np.array([run("constant", cd, ACROSS).fields()["v"][-1, 0, 0, 0] for cd in (0.4, 0.2, 0.4, 0.6)])
cases.below("faces between: velocity", np.max(np.abs(found - alike)), 1e-5)
cases.between("faces between: braked", 1 - alike[1], 0.015, 0.025)

# turbulence that knows the roughness: each channel is the uniform sea of its own
deep = {"/grid/levels/dz_m": 2, "/physics/turbulence": {"closure": "k-epsilon"}, "/time/duration_s": 20000, "/output/0/every_s": 20000}
both = run("log", "y < 2000 ? 0.001 : 0.05", deep).fields()
for rows, z0 in ((slice(0, 2), 0.001), (slice(2, 4), 0.05)):
    alone = run("log", z0, deep).fields()
    cases.below(f"k-epsilon, z0 of {z0} m: velocity of the uniform sea", np.max(np.abs(both["u"][-1, :, rows] - alone["u"][-1, :, rows])), 1e-7)

# ---- files ----


def write_netcdf(name, x, y, values, units=("m", "m"), missing=None, value_units="s m-1/3"):
    with netCDF4.Dataset(name, "w") as data:
        for axis, at, unit in (("y", y, units[1]), ("x", x, units[0])):
            data.createDimension(axis, len(at))
            variable = data.createVariable(axis, "f8", (axis,))
            variable.units, variable[:] = unit, at
        variable = data.createVariable("manning", "f8", ("y", "x"), fill_value=-9999.0)
        variable.units, variable[:] = value_units, np.where(np.isnan(values), -9999.0, values)
    return {"file": str(Path.cwd() / name)}


def write_text(name, x, y, values):
    step = x[1] - x[0]
    if name.endswith(".asc"):
        head = f"ncols {len(x)}\nnrows {len(y)}\nxllcenter {x[0]}\nyllcenter {y[0]}\ncellsize {step}\nNODATA_value -9999\n"
        Path(name).write_text(head + "\n".join(" ".join(map(repr, map(float, row))) for row in values[::-1]) + "\n")
    else:
        Path(name).write_text("".join(f"{a} {b} {values[j, i]!r}\n" for j, b in enumerate(y) for i, a in enumerate(x)).replace("np.float64(", "").replace(")", ""))
    return {"file": str(Path.cwd() / name)}


def two(x, y):
    return np.where(np.asarray(y)[:, None] < 2000, low, high) + 0 * np.asarray(x)[None, :]


SHORT = {"/time/duration_s": 40000, "/output/0/every_s": 40000}
x, y = np.arange(500.0, 8000, 1000), np.arange(500.0, 4000, 1000)
fine_x, fine_y = np.arange(125.0, 8000, 250), np.arange(125.0, 4000, 250)
wide_x, wide_y = np.arange(-3500.0, 12000, 1000), np.arange(-2500.0, 8000, 1000)
by_formula = run("manning", f"y < 2000 ? {low} : {high}", SHORT)
for name, file in {
    "NetCDF": write_netcdf("same.nc", x, y, two(x, y)),
    "NetCDF from north to south": write_netcdf("falling.nc", x, y[::-1], two(x, y[::-1])),
    "NetCDF, finer": write_netcdf("fine.nc", fine_x, fine_y, two(fine_x, fine_y)),
    "NetCDF, larger": {**write_netcdf("wide.nc", wide_x, wide_y, two(wide_x, wide_y)), "column": "manning"},
    "ESRI ASCII": write_text("same.asc", x, y, two(x, y)),
    "XYZ": write_text("same.xyz", x, y, two(x, y)),
    "classes": {**write_netcdf("classes.nc", fine_x, fine_y, np.where(two(fine_x, fine_y) == low, 11, 42)), "classes": {"42": high, "11": low, "5": 1}},
}.items():
    cases.equal(f"{name}: the bits of the formula", run("manning", file, SHORT).digest, by_formula.digest)

# coarser: bilinear between its points, constant beyond them; where one is missing, by the others
coarse_x, coarse_y = np.array([1000.0, 5000, 9000]), np.array([0.0, 4000])
plane = 0.02 + coarse_x[None, :] * 1e-6 + coarse_y[:, None] * 2e-6
coarse = run("manning", write_netcdf("coarse.nc", coarse_x, coarse_y, plane), SHORT).fields()["bed_roughness"][-1]
expected = 0.02 + np.maximum(x, 1000)[None, :] * 1e-6 + y[:, None] * 2e-6
cases.below("coarser: bilinear", np.max(np.abs(coarse - expected)), 1e-8)
holed = two(fine_x, fine_y)
holed[::2, ::2] = np.nan
digest = run("manning", write_netcdf("holes.nc", fine_x, fine_y, holed), SHORT).digest
cases.equal("holes smaller than cells: the bits of the formula", digest, by_formula.digest)

# lengths have units
rough = halves(1e-3, 2e-2)
z0 = write_netcdf("z0.nc", x, y, np.where(y[:, None] < 2000, 0.1, 2.0) + 0 * x[None, :], value_units="cm")
found = run("log", z0, SHORT).fields()["bed_roughness"][-1]
cases.below("z0 in cm", np.max(np.abs(found / np.where(y[:, None] < 2000, 1e-3, 2e-2) - 1)), SINGLE)

# on a sphere, a file from 0 to 360 degrees
SPHERE = {"grid": {"kind": "spherical", "west": -2, "east": 2, "south": 44, "north": 47, "dlon_deg": 0.25, "dlat_deg": 0.25,
                   "levels": {"bottom_m": -12, "dz_m": 6}}, "bathymetry": {"bed_m": "lon > 1.5 && lat > 46 ? 5 : -10"},
          "initial": {"u_m_s": 0.3}, "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 600, "step_s": 100},
          "output": [{"every_s": 600, "variables": ["bed_roughness"]}]}
Path("sphere.json").write_text(json.dumps(SPHERE))
lon, lat = np.arange(0, 360, 0.25) + 0.125, np.arange(60, 30, -0.25) - 0.125
turned = 0.02 + 0.001 * (lon - 360 * (lon > 180))[None, :] + 0.001 * (lat - 45)[:, None]
turned[(lat[:, None] > 46) & (lon[None, :] > 1.5) & (lon[None, :] < 2)] = np.nan  # land needs none
globe = write_netcdf("globe.nc", lon, lat, turned, ("degrees_east", "degrees_north"))
maps = [cases.run(Path.cwd() / "sphere.json", {"/physics/drag/n": n}).fields()["bed_roughness"][-1] for n in (globe, "0.02 + 0.001*lon + 0.001*(lat - 45)")]
cases.equal("sphere: land", int(np.sum(np.isnan(maps[0]))), 8)
cases.below("sphere: file and formula", np.nanmax(np.abs(maps[0] - maps[1])), 1e-8)

# the same bits on ranks, the emulated GPU, across a restart
MARSH = {"/physics/drag": {"law": "manning", "n": {"file": "patches.nc"}}, "/output": []}
patch_x, patch_y = np.arange(-25.0, 14100, 500), np.arange(-25.0, 9600, 500)
patches = 0.02 + 0.02 * (np.sin(patch_x[None, :] / 1500) * np.cos(patch_y[:, None] / 1100) > 0)
MARSH["/physics/drag"]["n"] = write_netcdf("patches.nc", patch_x, patch_y, patches)
one = cases.run("verification/everything", MARSH, 0, ["--steps", "8"])
alone = one.column("digest").tolist()
for ranks, options in ((2, []), (3, []), (0, ["--device", "emu"])):
    more = cases.run("verification/everything", MARSH, ranks, ["--steps", "8", *options])
    cases.equal(f"{ranks or 1} ranks {' '.join(options)}: digests", more.column("digest").tolist() == alone, True)
first = cases.run("verification/everything", {**MARSH, "/restart/at_end": True}, 2, ["--steps", "4"])
restart = str(next(first.folder.glob("**/restart_*.nc")))
again = cases.run("verification/everything", MARSH, 0, ["--steps", "8", "--restart", restart])
cases.equal("restart: digests", again.column("digest").tolist() == alone[4:], True)
write_netcdf("patches.nc", patch_x, patch_y, patches + 0.001)
changed = cases.run("verification/everything", MARSH, 0, ["--steps", "8", "--restart", restart], may_fail=True)
cases.equal("restart with another map: refused", (changed.code, "patches.nc has changed" in changed.message), (2, True))
patches[9:12, 19:22] = np.nan
write_netcdf("patches.nc", patch_x, patch_y, patches)
refused = cases.run("verification/everything", MARSH, 3, ["--steps", "8"], may_fail=True)
cases.equal("missing, on 3 ranks: refused", (refused.code, "at the wet cell at (" in refused.message), (2, True))

# check tells
told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/verification/uniform_flow.json"), "--set",
                       "/physics/drag=" + json.dumps({"law": "manning", "n": "y < 1000 ? 0.02 : 0.04"})], capture_output=True, text=True)
line = next((line for line in told.stdout.splitlines() if line.startswith("bed drag")), "")
cases.equal("check tells least, most and mean", [word in line for word in ("manning", "0.02 to 0.04", "mean 0.035", "y < 1000")], [True] * 4)

# ---- refusals, and doubts ----

hole = two(x, y)
hole[2, 3:5] = np.nan
for name, law, value, words in (
    ("missing", "manning", write_netcdf("hole.nc", x, y, hole), ("no value of Manning's n at the wet cell at (3500, 2500), and at 1 other",)),
    ("limits in a file", "manning", write_netcdf("strickler.nc", x, y, 1 / two(x, y)), ("Manning's n is 50 at the wet cell at (500, 500)", "from 0 to 1")),
    ("limits of a formula", "log", "0.01*(x - 500)", ("roughness length is 0 at the wet cell at (500, 500)", "above 0")),
    ("constant formula", "chezy", "65 - 65", ("must be above 0",)),
    ("no formula", "manning", "0.02 + z", ("uses z",)),
    ("time", "manning", "0.02 + t/1e9", ("uses t",)),
    ("too small", "manning", write_netcdf("small.nc", x[:5], y, two(x[:5], y)), ("the requested area is",)),
    ("degrees", "manning", globe, ("the requested area is",)),
    ("several maps", "manning", {"file": str(Path.cwd() / "none.nc")}, ("cannot be found",)),
    ("variable", "manning", {"file": str(Path.cwd() / "same.nc"), "column": "n"}, ("has no variable n",)),
    ("class", "manning", {"file": str(Path.cwd() / "classes.nc"), "classes": {"11": 0.02}}, ("has the class 42 at (", "no number of Manning's n")),
    ("no class", "manning", {"file": str(Path.cwd() / "classes.nc"), "classes": {"road": 0.02}}, ('"road" is not a class',)),
    ("a class twice", "manning", {"file": str(Path.cwd() / "classes.nc"), "classes": {"11": 0.02, "11.0": 0.03}}, ("the class 11 is given twice",)),
    ("number of a class", "manning", {"file": str(Path.cwd() / "classes.nc"), "classes": {"11": 2}}, ("at least 0 and at most 1",)),
    ("another key", "manning", {"file": str(Path.cwd() / "same.nc"), "variable": "n"}, ("there are file, column",)),
):
    refused = run(law, value, SHORT, may_fail=True)
    cases.equal(f"{name}: refused", (refused.code, [word in refused.message for word in words]), (2, [True] * len(words)))
cases.equal("doubt: told", "ranges from 0.4 to 0.6; beds have values" in run("manning", "0.4 + 0.2*(y > 2000)", SHORT).message, True)
cases.equal("no doubt: silent", "beds have values" in by_formula.message, False)
nothing = cases.run("verification/uniform_flow", {"/physics/drag": {"law": "none"}, "/output/0/variables": ["bed_roughness"], **SHORT}, may_fail=True)
cases.equal("no law, no parameter", (nothing.code, '"bed_roughness" is requested' in nothing.message), (2, True))
cases.finish()
