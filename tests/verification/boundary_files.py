# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""Open boundaries from NetCDF files: the same as by formulas and constituents, whatever the file's order and packing; refusals."""

import json
import subprocess
import sys
from pathlib import Path

import cases
import netCDF4
import numpy as np

START = "seconds since 2000-01-01"
ALL = "--all" in sys.argv  # long_boundary_files.py; else a part of each


def write(name, fields, x, y, times, z=None, units=("m", "m"), order="tzyx", packed=None, hole=None, sigma=None, vertical="z", flat=("zos", "uo", "vo"), stretch=None):
    """fields: name -> (units, function of t, z, y, x); `z`: heights, or shares of the depth `sigma`."""
    path = Path.cwd() / name
    axes = {"t": ("time", times, START), "z": (vertical, z, "m" if vertical != "s" else "1"),
            "y": ("y" if units[1] == "m" else "lat", y, units[1]), "x": ("x" if units[0] == "m" else "lon", x, units[0])}
    with netCDF4.Dataset(path, "w") as data:
        for letter, (axis, values, unit) in axes.items():
            if values is None:
                continue
            data.createDimension(axis, len(values))
            variable = data.createVariable(axis, "f8", (axis,))
            variable.units = unit
            variable[:] = values
        if vertical == "depth":
            data["depth"].positive = "down"
        if vertical == "s":
            data["s"].setncatts({"standard_name": "ocean_sigma_coordinate", "formula_terms": "sigma: s eta: zeta depth: h", "positive": "up"})
            h = data.createVariable("h", "f8", ("y", "x"))
            h[:] = sigma
            if stretch is not None:
                data["s"].setncatts({"standard_name": "ocean_s_coordinate" + stretch, "formula_terms": f"s: s {'C: Cs' if stretch else 'a: theta b: mix'} eta: zeta depth: h depth_c: hc"})
                for name, value in (("hc", CRITICAL), ("theta", 4.0), ("mix", 0.3)):
                    data.createVariable(name, "f8", ())[:] = value
                data.createVariable("Cs", "f8", ("s",))[:] = -np.asarray(z) ** 2
        for key, (unit, function) in fields.items():
            letters = [c for c in order if axes[c][1] is not None and not (c == "z" and key in flat)]
            height = np.zeros(1) if "z" not in letters else {"depth": -1, "z": 1, "s": 1}[vertical] * np.asarray(z, float)
            grid = np.meshgrid(np.asarray(times, float), height, np.asarray(y, float), np.asarray(x, float), indexing="ij")
            if vertical == "s" and "z" in letters:
                grid[1] = rest_height(grid[1], np.asarray(sigma)[None, None], stretch)
            values = function(*grid) + 0 * grid[0]
            if "z" not in letters:
                values = values[:, 0]
            inner = [c for c in "tzyx" if c in letters]
            values = np.transpose(values, [inner.index(c) for c in letters])
            kind = "i4" if packed else "f8"
            variable = data.createVariable(key, kind, [axes[c][0] for c in letters], fill_value=-2000000000 if packed else 1e20)
            variable.units = unit
            if packed:
                variable.scale_factor, variable.add_offset = packed, 1.0
            if hole is not None:
                values = np.ma.masked_where(hole(dict(zip(inner, np.meshgrid(*[axes[c][1] for c in inner], indexing="ij"))))
                                            .transpose([inner.index(c) for c in letters]), values)
            variable[:] = values
    return str(path)


CRITICAL = 3.0


def rest_height(s, depth, stretch):
    """At rest, by CF's appendix D; C = -s^2, or by Song and Haidvogel."""
    if stretch is None:
        return s * depth
    if stretch == "_g2":
        return depth * (CRITICAL * s - depth * s**2) / (CRITICAL + depth)
    c = -(s**2) if stretch else 0.7 * np.sinh(4 * s) / np.sinh(4) + 0.3 * (np.tanh(4 * (s + 0.5)) / (2 * np.tanh(2)) - 0.5)
    return CRITICAL * s + (depth - CRITICAL) * c


PLANE = {"kind": "cartesian", "length_x_m": 6000, "length_y_m": 5000, "dx_m": 500, "levels": {"bottom_m": -12, "dz_m": 2}}
SEA = {"grid": PLANE, "bathymetry": {"bed_m": "-10 + 3*sin(x/900)*cos(y/700)"},
       "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 600, "step_s": 20},
       "initial": {"temperature_C": 12, "salinity": 20}, "tracers": [{"name": "dye"}],
       # files give the current along the edges, too, which formulas do not (along_edges.py): here nothing brings it in
       "physics": {"momentum": {"advection": "none"}}}


def run(boundaries, ranks=0, label=None, may_fail=False, options=(), **changes):
    scenario = {**SEA, "boundaries": boundaries, **changes,
                "output": [{"file": "all.nc", "every_s": 200, "velocities": "faces", "variables": ["eta", "u", "v", "salinity", "temperature", "dye"]}]}
    path = Path.cwd() / "case.json"
    path.write_text(json.dumps(scenario))
    return cases.run(path, ranks=ranks, label=label, may_fail=may_fail, options=options)


def difference(one, other, name):
    a, b = one.read("all.nc")[name], other.read("all.nc")[name]
    return np.nanmax(np.abs(a - b))


# what is linear in space and time comes in as by formulas; any order, packing, holes below the bed and on land far from the places
SPONGE = {"width_m": 1500, "time_s": 400}
FORMULA = {"eta_m": "0.01*x/6000 - 0.02*y/5000 + t/60000", "temperature_C": "10 + x/3000 + t/300", "salinity": "25 - y/1000 + x/6000",
           "tracers": {"dye": "1 + t/600"}}
currents = {name: {"name": name, "edge": name, "kind": "flather", **FORMULA, "velocity_m_s": f"{sign}({along})"}
            for name, sign, along in (("west", "", "0.02 + y/1e6"), ("east", "-", "0.02 + y/1e6"), ("south", "", "0.01 - x/1e6"),
                                      ("north", "-", "0.01 - x/1e6"))}
by_words = run(list(currents.values()))
fields = {"zos": ("cm", lambda t, z, y, x: x / 6000 - 2 * y / 5000 + t / 600), "uo": ("m s-1", lambda t, z, y, x: 0.02 + y / 1e6),
          "vo": ("cm s-1", lambda t, z, y, x: 1 - x / 1e4), "thetao": ("K", lambda t, z, y, x: 283.15 + x / 3000 + t / 300),
          "so": ("1e-3", lambda t, z, y, x: 25 - y / 1000 + x / 6000), "dye": ("1", lambda t, z, y, x: 1 + t / 600)}
x, y, z, times = np.linspace(-1000, 7000, 9), np.linspace(-800, 6000, 8), np.array([-20.0, -8, -3, 1]), np.arange(-100.0, 1000, 200)
seam = [{"name": edge, "edge": edge, "kind": "flather"} for edge in currents]
soft = [{**b, "sponge": SPONGE, "relaxation_zone": {"cells": cells}} for b, cells in zip(seam, (0, 2, 3, 0))]
SHARES = np.linspace(-0.95, -0.05, 10)
deep = np.broadcast_to(8 + 0.001 * x, (len(y), len(x)))
layouts = {"plain": {"z": z}, "reversed": {"x": x[::-1], "y": y[::-1], "z": z[::-1]}, "depths": {"z": -z[::-1], "vertical": "depth"},
           "flat": {}, "other order": {"z": z, "order": "xyzt"}, "packed": {"z": z, "packed": 1e-6},
           "sigma": {"z": np.array([-0.9, -0.5, -0.1]), "vertical": "s", "sigma": deep},
           "s, g1": {"z": SHARES, "vertical": "s", "sigma": deep, "stretch": "_g1"}, "s, g2": {"z": SHARES, "vertical": "s", "sigma": deep, "stretch": "_g2"},
           "s": {"z": SHARES, "vertical": "s", "sigma": deep, "stretch": ""},
           "holes": {"z": z, "hole": lambda at: (at["x"] > 1500) & (at["x"] < 4500) & (at["y"] > 1500) & (at["y"] < 3500)}}
for name, layout in layouts.items():
    if not ALL and name not in ("packed", "s, g2"):
        continue
    file = write(f"{name.replace(' ', '_')}.nc", fields, **{"x": x, "y": y, "times": times, **layout})
    by_file = run([{**b, "file": file} for b in seam])
    for variable, size in (("eta", 1e-8), ("u", 1e-8), ("v", 1e-8), ("salinity", 3e-6), ("temperature", 3e-6), ("dye", 3e-7)):
        size = max(size, 2e-6) if "packed" in layout else size
        cases.below(f"{name}, {variable}: file and formulas", difference(by_words, by_file, variable), size)
cases.conserves(by_file, 1e-12)
if ALL:
    key_by_key = run([{**currents[edge], "velocity_m_s": {"file": file, "column": "uo, vo"}, "eta_m": {"file": file, "column": "zos"},
                       "salinity": {"file": file}, "temperature_C": 20, "tracers": {}} for edge in currents])
    cases.below("key by key, level", difference(by_file, key_by_key, "eta"), 1e-8)
    cases.below("key by key, salinity", difference(by_file, key_by_key, "salinity"), 3e-6)
    cases.below("a key of its own stands above the file", -np.nanmax(key_by_key.read("all.nc")["temperature"][-1]), -12.05)

# a file that holds its bed gives a transport: the mean over its own depth, times that over the mean one of the faces (8 and 12 m) that
# share one of its own; no flow comes through its land
shear = write("bed.nc", {"uo": ("m/s", lambda t, z, y, x: 0.2 + z / 100), "vo": ("m/s", lambda t, z, y, x: 0 * z)}, x + 250, y, times, z=np.array([-20.0, 0]), flat=())
with netCDF4.Dataset(shear, "a") as data:
    variable = data.createVariable("bed", "f8", ("y", "x"), fill_value=1e20)
    variable.units = "m"
    variable[:] = np.ma.masked_where(np.broadcast_to(y[:, None] < 1500, (len(y), len(x))), np.broadcast_to(np.where(x < 0, -10, np.where(x < 5000, -8.0, np.where(x < 6000, -6.0, -8.0))), (len(y), len(x))))
flow = np.nanmean(run([{"name": edge, "edge": edge, "kind": "velocity", "file": shear} for edge in ("west", "east")], bathymetry={"bed_m": "-10 - 2*sign(sin(pi*y/500))"}).read("all.nc")["u"][-1], axis=0)
for label, column, depth in (("west", 0, 8.0), ("east", -1, 6.0)):
    cases.below(f"bed of the file, {label}: transport [m2/s]", np.abs(10 * flow[3:9, column] - depth * (0.2 - depth / 200)).max(), 1e-7)
    cases.below(f"bed of the file, {label}: velocity where it has land", np.abs(flow[:3, column]).max(), 0)

# a curvilinear grid, turned and bent: places are two-dimensional variables
rows, columns = np.meshgrid(np.arange(9.0), np.arange(11.0), indexing="ij")
xx = -1500 + 900 * columns + 200 * rows - 15 * columns * rows
yy = -2500 + 1100 * rows + 250 * columns - 12 * columns**2


def bend(name, east="u_eastward", beyond=0.0):
    path = Path.cwd() / name
    with netCDF4.Dataset(path, "w") as data:
        for axis, size in (("ocean_time", len(times)), ("s_rho", 3), ("eta_rho", 9), ("xi_rho", 11)):
            data.createDimension(axis, size)
        for key, values, unit, shape in (("ocean_time", times, START, ("ocean_time",)), ("x_rho", xx + beyond, "meter", ("eta_rho", "xi_rho")),
                                         ("y_rho", yy, "meter", ("eta_rho", "xi_rho")),
                                         ("h", 9 + 0 * xx, "m", ("eta_rho", "xi_rho")), ("s_rho", np.array([-0.8, -0.5, -0.1]), "1", ("s_rho",))):
            variable = data.createVariable(key, "f8", shape)
            variable.units = unit
            variable[:] = values
        data["s_rho"].setncatts({"standard_name": "ocean_sigma_coordinate", "formula_terms": "sigma: s_rho eta: zeta depth: h"})
        data["x_rho"].standard_name, data["y_rho"].standard_name = "projection_x_coordinate", "projection_y_coordinate"
        for key, source in (("zeta", "zos"), (east, "uo"), (east.replace("u", "v").replace("east", "north"), "vo"), ("temp", "thetao"), ("salt", "so"), ("dye", "dye")):
            layered = source in ("thetao", "so", "dye")
            variable = data.createVariable(key, "f8", ("ocean_time", "s_rho", "eta_rho", "xi_rho") if layered else ("ocean_time", "eta_rho", "xi_rho"))
            variable.units, variable.coordinates = fields[source][0], "x_rho y_rho ocean_time"
            t = times[:, None, None] + 0 * xx
            flat = fields[source][1](t, 0 * t, yy + 0 * t, xx + 0 * t) + 0 * t
            variable[:] = flat[:, None] + np.zeros((1, 3, 1, 1)) if layered else flat
    return str(path)


bent = run([{**b, "file": bend("bent.nc")} for b in seam])
for variable, size in (("eta", 1e-8), ("u", 1e-8), ("v", 1e-8), ("salinity", 3e-6), ("temperature", 3e-6), ("dye", 3e-7)):
    cases.below(f"curvilinear, {variable}: file and formulas", difference(by_words, bent, variable), size)

# heights: what is linear in height comes from s levels as from z levels (all cells between the file's highest and lowest)
tall = {**fields, "so": ("1e-3", lambda t, z, y, x: 25 - z / 2)}
reach = np.linspace(-0.9995, -0.0005, 60)
by_z = run([{**b, "file": write("by_z.nc", tall, x, y, times, z=np.linspace(-30, 0, 4))} for b in seam])
for label, stretch in (("sigma", None), ("s", ""), ("s, g1", "_g1"), ("s, g2", "_g2"))[0 if ALL else 3:]:
    file = write("by_s.nc", tall, x, y, times, z=reach, vertical="s", sigma=np.broadcast_to(14 + 0.001 * x, (len(y), len(x))), stretch=stretch)
    cases.below(f"heights, {label} levels", difference(by_z, run([{**b, "file": file} for b in seam]), "salinity"), 1e-5)

# bits on any number of ranks, on a shuffled device, after a restart
layered = {**fields, "uo": ("m s-1", lambda t, z, y, x: 0.02 + y / 1e6 + 0.01 * np.cos(z)), "so": ("1e-3", lambda t, z, y, x: 25 - z / 4 + np.sin(t / 90 + x))}
file = write("layered.nc", layered, x, y, times, z=np.linspace(-11, 0, 7), flat=("zos",), hole=lambda at: at["x"] < -500)
one = run([{**b, "file": file} for b in soft], time={**SEA["time"], "duration_s": 200})
for ranks, options in ((2, ()), (0, ("--set", "/solver/device=emu")))[:2 if ALL else 1]:
    other = run([{**b, "file": file} for b in soft], ranks=ranks, options=options, time={**SEA["time"], "duration_s": 200})
    cases.equal(f"digest, {ranks} ranks {options}", other.digest, one.digest)
if ALL:
    first = run([{**b, "file": file} for b in soft], time={**SEA["time"], "duration_s": 200}, options=("--steps", "5"), label="first", restart={"at_end": True})
    restart = sorted(first.folder.glob("**/*restart*.nc"))[-1]
    second = run([{**b, "file": file} for b in soft], time={**SEA["time"], "duration_s": 200}, options=("--restart", str(restart)), restart={"at_end": True})
    cases.equal("digest after a restart", second.digest, one.digest)

# layers: the edge has those of the file
at_edge = one.read("all.nc")["u"][-1][:, 4, 0]
cases.below("layers at the edge deviate as in the file", np.nanmax(np.abs(np.diff(at_edge) - np.diff(0.01 * np.interp(
    np.arange(-11.0, 0, 2), np.linspace(-11, 0, 7), np.cos(np.linspace(-11, 0, 7)))))[2:]), 1e-4)

# 0 to 360 degrees
SPHERE = {"kind": "spherical", "west": -2, "east": 2, "south": 44, "north": 47, "dlon_deg": 0.25, "dlat_deg": 0.25, "levels": {"bottom_m": -12, "dz_m": 4}}
level = {"zos": ("m", lambda t, z, y, x: 0.01 * (np.where(x > 180, x - 360, x) + y - 45) + t / 1e4)}
globe = write("globe.nc", level, np.arange(0.0, 360, 1), np.arange(40.0, 50), times, units=("degrees_east", "degrees_north"))
sphere = {"grid": SPHERE, "bathymetry": {"bed_m": -10}, "time": {**SEA["time"], "duration_s": 400, "step_s": 100}}
tilted = [{"name": "sea", "edge": "all", "kind": "elevation", "eta_m": "0.01*(lon + lat - 45) + t/10000"}]
if ALL:
    cases.below("0 to 360 degrees", difference(run([{**tilted[0], "eta_m": {"file": globe}}], **sphere), run(tilted, **sphere), "eta"), 1e-8)

# a tide and a Kelvin wave: files with records of five minutes, of third order between them
words = subprocess.run([cases.PROGRAM, "tides", "M2", "--at", "2000-01-01T00:00:00Z"], capture_output=True, text=True, check=True).stdout.split()
speed, argument = (float(word) for word in words[words.index("M2") + 1:][:2])  # of M2: [degrees/h], [degrees]
C, F, LONG = np.sqrt(98.1), 1.05e-4, 400e3
turn, ahead = np.radians(speed) / 3600, np.radians(argument)
number = turn / C
channel = {"grid": {"kind": "cartesian", "length_x_m": LONG, "length_y_m": 100e3, "dx_m": 20e3, "levels": {"bottom_m": -10, "dz_m": 5}},
           "bathymetry": {"bed_m": -10}, "time": {**SEA["time"], "duration_s": 90000, "step_s": 450}, "initial": {}, "tracers": [],
           "physics": {"coriolis": {"f_s": F}, "turbulence": {"closure": "constant", "viscosity_m2_s": 0}, "drag": {"law": "none"},
                       "momentum": {"advection": "none"}}}


def compare(label, boundaries, file, **more):
    runs = []
    for given in (boundaries, [{**{k: b[k] for k in ("name", "edge", "kind")}, "file": file, **more} for b in boundaries]):
        path = Path.cwd() / "wave.json"
        path.write_text(json.dumps({**channel, "boundaries": given, "output": [{"file": "all.nc", "every_s": 9000, "velocities": "faces", "variables": ["eta", "u", "v"]}]}))
        runs.append(cases.run(path))
    return max(difference(*runs, name) / np.nanmax(np.abs(runs[0].read("all.nc")[name])) for name in ("eta", "u"))


def let_in(edge, tall, late):
    sign = 0 if edge == "west" else 180
    return {"name": edge, "edge": edge, "kind": "flather", "nodal_corrections": False, "tide_ramp_s": 0, "tide": [{
        "constituent": "M2", "amplitude_m": tall, "phase_deg": late, "velocity_amplitude_m_s": f"sqrt(0.981)*({tall})", "velocity_phase_deg": f"{late}+{sign}"}]}


decay = f"exp(-y*{F}/sqrt(98.1))"
kelvin = [let_in(edge, f"0.5*{decay}", f"{np.degrees(number):.15g}*x") for edge in ("west", "east")]
wave = lambda t, y, x: 0.5 * np.exp(-y * F / C) * np.cos(turn * t + ahead - number * x)  # noqa: E731
both = {"zos": ("m", lambda t, z, y, x: wave(t, y, x)), "uo": ("m s-1", lambda t, z, y, x: np.sqrt(0.981) * wave(t, y, x)), "vo": ("m s-1", lambda t, z, y, x: 0 * t)}
places = {"x": np.array([0.0, 10e3, LONG - 10e3, LONG]), "y": np.arange(10e3, 100e3, 20e3)}
fine, hourly = np.arange(-600.0, 91300, 300), np.arange(-3600.0, 95000, 3600)
file = write("kelvin.nc", both, **places, times=fine)
cases.below("Kelvin wave of M2 by file and by constituents", compare("kelvin", kelvin, file, time_interpolation="cubic"), 1e-6)
if ALL:
    cases.between("the same, linear in time", compare("kelvin", kelvin, file), 1e-6, 1e-3)
    file = write("hourly.nc", both, **places, times=hourly)
    by_hours = compare("kelvin", kelvin, file, time_interpolation="cubic"), compare("kelvin", kelvin, file)
    cases.below("hourly records: of third order", by_hours[0], 0.003)
    cases.between("hourly records: linear", by_hours[1], 0.01, 0.06)

tide = [{"name": "mouth", "edge": "west", "kind": "elevation", "nodal_corrections": False, "tide_ramp_s": 0, "tide": [{"constituent": "M2", "amplitude_m": 0.5, "phase_deg": 40}]}]
file = write("tide.nc", {"zos": ("m", lambda t, z, y, x: 0.5 * np.cos(turn * t + ahead - np.radians(40)))}, np.array([-10e3, 0.0]), places["y"], fine)
if ALL:
    cases.below("M2 by file and by constituents", compare("tide", tide, file, time_interpolation="cubic"), 1e-6)


# refusals name the file, the record, the value
def refused(label, words, file, seam=None, **changes):
    if not ALL and label not in ("records missing", "a level of 77 m", "a level as salinity"):
        return
    failed = run([{"name": "sea", "edge": "all", "kind": "flather", "file": file, **(seam or {})}], may_fail=True, **changes)
    for word in words:
        cases.equal(f"refused, {label}: {word}", failed.code == 2 and word in failed.message, True)


plain = {"x": x, "y": y, "times": times}
refused("ends early", ["early.nc", "covers", "the run needs"], write("early.nc", fields, **{**plain, "times": times[:3]}))
refused("records missing", ["gap.nc", "records are missing between record 2"], write("gap.nc", fields, **{**plain, "times": times[[0, 1, 4, 5]]}))
refused("too small", ["small.nc", "the boundary \"sea\""], write("small.nc", fields, **{**plain, "x": x[2:]}))
spike = {**fields, "zos": ("m", lambda t, z, y, x: np.where((t == 300) & (x == 0), 77.0, 0))}
refused("a level of 77 m", ["spike.nc", "zos is 77 m", "record 3"], write("spike.nc", spike, **plain))
refused("kelvin that does not say so", ["kelvin, which its units do not say"], write("warm.nc", {**fields, "thetao": ("degC", fields["thetao"][1])}, **plain))
refused("a level as salinity", ["zos is in \"cm\"", "g/kg"], write("plain.nc", fields, **plain), {"salinity": {"file": "plain.nc", "column": "zos"}})
refused("no level", ["looked for a variable \"eta\"", "so(time, y, x)"], write("no_level.nc", {k: v for k, v in fields.items() if k != "zos"}, **plain))
refused("no velocity", ["velocity is missing", "u_east"], write("no_flow.nc", level | {"so": fields["so"]}, **plain))
refused("no value along the edge", ["no value anywhere around the boundary"], write("land.nc", fields, **plain, hole=lambda at: at["x"] < 20000))
refused("metres of salt", ["salinity"], write("salt.nc", {**fields, "so": ("m", fields["so"][1])}, **plain))
refused("degrees", ["degrees"], write("degrees.nc", fields, **plain, units=("degrees_east", "degrees_north")))
refused("turned currents", ["velocity along the file's grid", "rotated by up to"], bend("turned.nc", "u"))
refused("curvilinear, too small", ["does not reach the boundary"], bend("beyond.nc", beyond=3000.0))
if ALL:
    cases.equal("no dye: a warning", "has no dye" in run([{**seam[0], "edge": "all", "file": write("dull.nc", {k: v for k, v in fields.items() if k != "dye"}, **plain)}]).message, True)
cases.finish()
