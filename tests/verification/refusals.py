# SPDX-License-Identifier: Apache-2.0
"""Broken scenarios through the program: `check` and `run` end with code 2, say what is wrong, and write nothing.

A row: a name, what is changed in the scenario (or its whole text), a part of the message, more words for the command.
"""

import json
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import cases
import netCDF4
import numpy as np

HERE = Path.cwd() / "refusals"
ABSENT = object()


def scenario(**changes):
    """A small basin; `time__step_s=0` is {"time": {"step_s": 0}}."""
    result = {
        "grid": {"kind": "cartesian", "length_x_m": 1000, "length_y_m": 500, "dx_m": 100, "levels": {"bottom_m": -10, "dz_m": 5}},
        "bathymetry": {"bed_m": -10},
        "time": {"start": "2020-01-01T00:00:00Z", "duration_s": 100, "step_s": 10},
        "output": [{"file": "fields.nc", "every_s": 10, "variables": ["eta", "u"]}],
        "output_folder": "out",
    }
    for key, value in changes.items():
        *sections, last = key.split("__")
        place = result
        for section in sections:
            place = place[int(section)] if isinstance(place, list) else place.setdefault(section, {})
        if value is ABSENT:
            del place[last]
        else:
            place[last] = value
    return result


def spherical(**changes):
    return scenario(grid={"kind": "spherical", "west": 30, "east": 31, "south": 45, "north": 46, "dlon_deg": 0.1, "dlat_deg": 0.1,
                          "levels": {"bottom_m": -10, "dz_m": 5}}, **changes)


def river(**changes):
    return [{"name": "r", "x_m": 50, "y_m": 250, "discharge_m3_s": 1, **changes}]


def boundary(**changes):
    return {"name": "b", "edge": "west", "kind": "elevation", "eta_m": 0, **changes}


def output(**changes):
    return [{"file": "fields.nc", "every_s": 10, "variables": ["eta"], **changes}]


def write_map(path, form, extent=(29, 32, 44, 47), n=100):
    with netCDF4.Dataset(path, "w", format=form) as data:
        for name, unit, low, high in (("lat", "degrees_north", *extent[2:]), ("lon", "degrees_east", *extent[:2])):
            data.createDimension(name, n)
            variable = data.createVariable(name, "f8", (name,))
            variable.units = unit
            variable[:] = np.linspace(low, high, n)
        elevation = data.createVariable("elevation", "f4", ("lat", "lon"))
        elevation.positive = "up"
        elevation[:] = -8


def write_wind(path, hours, form="NETCDF4", units="m s-1", pressure="Pa"):
    with netCDF4.Dataset(path, "w", format=form) as data:
        for name, unit, values in (("time", "hours since 2020-01-01 00:00:00", np.arange(hours)),
                                   ("latitude", "degrees_north", np.linspace(47, 44, 13)), ("longitude", "degrees_east", np.linspace(29, 32, 13))):
            data.createDimension(name, len(values))
            variable = data.createVariable(name, "f8", (name,))
            variable.units = unit
            variable[:] = values
        for name, unit, value in (("u10", units, 5), ("v10", units, -3), ("msl", pressure, 101300)):
            variable = data.createVariable(name, "f4", ("time", "latitude", "longitude"))
            variable.units = unit
            variable[:] = value + np.zeros((hours, 13, 13))


def cut(path, part):
    data = Path(path).read_bytes()
    Path(path).write_bytes(data[: int(part * len(data))])


shutil.rmtree(HERE, ignore_errors=True)
HERE.mkdir()
os.chdir(HERE)
for name, form in (("cut4", "NETCDF4"), ("cut3", "NETCDF3_CLASSIC"), ("cut5", "NETCDF3_64BIT_DATA")):
    write_map(f"{name}.nc", form)
    cut(f"{name}.nc", 0.6)
    write_wind(f"wind_{name}.nc", 50, form)
    cut(f"wind_{name}.nc", 0.6)
write_map("count3.nc", "NETCDF3_CLASSIC")
with open("count3.nc", "r+b") as data:
    data.seek(12)
    data.write(b"\x40")
write_map("far.nc", "NETCDF4", (100, 103, 0, 3))
write_wind("short.nc", 1)
write_wind("hectopascal.nc", 5, pressure="hPa")
with netCDF4.Dataset("plain.nc", "w") as data:
    data.createDimension("a", 5)
    data.createVariable("q", "f4", ("a", "a"))[:] = 0
Path("empty").write_text("")
Path("noise").write_bytes(bytes(range(256)) * 20)
Path("file").write_text("")
Path("out_taken").mkdir()
Path("out_taken/fields.nc").mkdir()
Path("short.csv").write_text("time,u_m_s,v_m_s\n2020-01-01T00:00:00Z,1,2\n2020-01-01T00:00:30Z,1,2\n")
Path("zone.csv").write_text("time,u,v\n2020-01-01T00:00:00,1,2\n2020-01-02T00:00:00,1,2\n")
Path("gap.csv").write_text("time,u,v\n2020-01-01T00:00:00Z,1,2\n2020-01-02T00:00:00Z,nan,2\n")
Path("flood.csv").write_text("time,q\n2020-01-01T00:00:00Z,1\n2020-01-02T00:00:00Z,1e30\n")

wind = "forcing__wind"
long = "x" * 100
rows = [
    ("unknown key", scenario(grid__dxx_m=5), 'did you mean "dx_m"'),
    ("unit", scenario(time__step_min=1), 'with its unit it is "step_s"'),
    ("key twice", json.dumps(scenario()).replace('"time":', '"time": {}, "time":'), 'the key "time" is given twice'),
    ("nothing", "", "found the end of the text"),
    ("no text", bytes(range(256)), "zero byte"),
    ("not UTF-8", b"\xa0{}", "is not UTF-8"),
    ("nested", "[" * 100000, "nested deeper"),
    ("large", b" " * (65 << 20), "larger than"),
    ("end before start", scenario(time__duration_s=ABSENT, time__end="2019-01-01T00:00:00Z"), "must be later than the start"),
    ("date without zone", scenario(time__start="2020-01-01T00:00:00"), "the time zone is missing"),
    ("step 0", scenario(time__step_s=0), "must be above 0"),
    ("step 1e308", scenario(time__step_s=1e308), "at most 86400"),
    ("step 1e-320", scenario(time__step_s=1e-320), "at most 1e+12"),
    ("output for 3000 years", scenario(time__duration_s=1e11), "the output needs about"),
    ("layers of 0", scenario(grid__levels__dz_m=0), "must be above 0"),
    ("1000 layers", scenario(grid__levels__dz_m=0.01), "are more than 200 layers"),
    ("1e12 columns", scenario(grid__length_x_m=1e8, grid__length_y_m=1e8), "at most 200000"),
    ("more memory than there is", scenario(grid__length_x_m=4e6, grid__length_y_m=4e6, grid__levels__dz_m=0.05), "bytes"),
    ("no water", scenario(bathymetry__bed_m=10), "no cell of the grid can be wet"),
    ("lines that are not there", scenario(solver__lines__method="decoupled"), "there are no lines to decouple"),
    ("lines of a diffusivity without tracers", scenario(solver__lines__method="decoupled", physics__tracers__horizontal_diffusivity_m2_s=1),
     "there are no lines to decouple"),
    ("tolerance of lines", scenario(solver__lines={"method": "decoupled", "tolerance": 0}), "1e-15"),
    ("variant", scenario(solver__pressure__variant="papers"), 'did you mean "paper"'),
    ("too many ranks", scenario(solver__processes=[3, 1]), "use -n 3"),
    ("no file", scenario(bathymetry={"file": "nothing.nc"}), 'the file "nothing.nc" cannot be found'),
    ("folder", scenario(bathymetry={"file": "out_taken"}), "is a folder, not a file"),
    ("map cut off, NetCDF-4", spherical(bathymetry={"file": "cut4.nc"}), "is cut off: it has"),
    ("map cut off, NetCDF-3", spherical(bathymetry={"file": "cut3.nc"}), "is cut off: it has"),
    ("map cut off, CDF-5", spherical(bathymetry={"file": "cut5.nc"}), "is cut off: it has"),
    ("map without coordinates", spherical(bathymetry={"file": "plain.nc"}), "has no map over longitude and latitude"),
    ("map of another sea", spherical(bathymetry={"file": "far.nc"}), "take a smaller grid or a larger file"),
    ("empty map", spherical(bathymetry={"file": "empty"}), "it is empty"),
    ("noise for a map", spherical(bathymetry={"file": "noise"}), "neither NetCDF nor text"),
    ("wind too short", scenario(**{wind: {"file": "short.csv"}}), "use a file that covers the run"),
    ("wind without zone", scenario(**{wind: {"file": "zone.csv"}}), "the time zone is missing"),
    ("wind with a gap", scenario(**{wind: {"file": "gap.csv"}}), "fill the gap"),
    ("gridded wind too short", spherical(**{wind: {"file": "short.nc"}}), "use a file that covers the run"),
    ("gridded wind cut off, NetCDF-4", spherical(**{wind: {"file": "wind_cut4.nc"}}), "is cut off: it has"),
    ("gridded wind cut off, NetCDF-3", spherical(**{wind: {"file": "wind_cut3.nc"}}), "is cut off: it has"),
    ("gridded wind without wind", spherical(**{wind: {"file": "plain.nc"}}), 'looked for a variable "u10"'),
    ("wind that ends in no number", scenario(**{wind: {"u_m_s": "sqrt(45-t)", "v_m_s": 0}}), "s after the start, but it must be a finite number"),
    ("wind of 1000 m/s", scenario(**{wind: {"u_m_s": "10*t", "v_m_s": 0}}), "s after the start, but it must be a finite number from -150 to 150"),
    ("wind of 1000 m/s in places", scenario(**{wind: {"u_m_s": "x*t/100", "v_m_s": 0}}), "s after the start, must be a finite number from -150 to 150"),
    ("pressure in hPa", scenario(forcing__air_pressure={"Pa": "1013+0.001*x"}), "that is hPa"),
    ("pressure said to be in hPa", spherical(forcing__air_pressure={"file": "hectopascal.nc"}), "this is outside the range ever observed"),
    ("level of 5e301 m", scenario(initial__eta_m="1e300*x"), "a finite number from -12000 to 100"),
    ("level without a number", scenario(initial__eta_m="sqrt(x-500)"), "must be a finite number"),
    ("current of 1e12 m/s", scenario(initial__u_m_s="1e10*x"), "a finite number from -20 to 20"),
    ("bed of -1e302 m", scenario(bathymetry__bed_m="-1e300*x"), "a finite number of at least -12000"),
    ("tracer called like a field of restarts", scenario(tracers=[{"name": "q"}]), "is already the name of another"),
    ("tracer called like a diagnostic", scenario(tracers=[{"name": "chlorophyll"}], kinetics={"module": "npzd"}), "the name of a diagnostic"),
    ("tracer called like an axis", scenario(tracers=[{"name": "x_u"}]), "is already the name of another"),
    *((f"tracer called {name}, like a number of restarts", scenario(tracers=[{"name": name}]), "is already the name of another")
      for name in ("last_step_s", "next_step_s", "held_fields_since", "flux_gain_u")),
    ("order 2 in the step, implicit", scenario(physics={"momentum": {"order": 2, "scheme": "matm"}}), "order 2 needs the scheme"),
    ("order 2 in the step, not hydrostatic", scenario(physics={"momentum": {"order": 2}, "pressure": "nonhydrostatic"}), "order 2 needs hydrostatic pressure"),
    ("title with an escape code", scenario(title="\x1b[31mred"), "contains a control character (code 27 at position 1)"),
    ("river on land, some cells from the sea", scenario(rivers=river(), bathymetry__bed_m="x < 700 ? 5 : -10"), "more than a few cells"),
    ("station on land, some cells from the sea", scenario(output=[{"stations": {"a": [50, 250]}, "every_s": 10}], bathymetry__bed_m="x < 700 ? 5 : -10"),
     "more than a few cells"),
    ("map with a damaged header", spherical(bathymetry={"file": "count3.nc"}), "damaged at byte 12 of its header"),
    ("gridded wind with a damaged header", spherical(**{wind: {"file": "count3.nc"}}), "damaged at byte 12 of its header"),
    ("initial level with a damaged header", spherical(initial__eta_m={"file": "count3.nc", "column": "elevation"}), "damaged at byte 12 of its header"),
    ("river far away", scenario(rivers=river(x_m=1e6)), "lies outside the grid"),
    ("river that ends in no number", scenario(rivers=river(discharge_m3_s="sqrt(45-t)")), "must be a finite number"),
    ("river of 1e32 m3/s", scenario(rivers=river(discharge_m3_s="1e30*t")), "from -1000000 to 1000000"),
    ("river of 1e30 m3/s in a file", scenario(rivers=river(discharge_m3_s={"file": "flood.csv"})), "from -1000000 to 1000000"),
    ("boundary that ends in no number", scenario(boundaries=[boundary(eta_m="sqrt(45-t)")]), "must be a finite number"),
    ("an incoming wave with its velocity", scenario(boundaries=[boundary(kind="flather", eta_m=0, incoming_wave=True, tide=[
        {"constituent": "M2", "amplitude_m": 0.1, "velocity_amplitude_m_s": 0.1}])]), "which determines the velocity: leave one of the two out"),
    ("boundaries that overlap", scenario(boundaries=[boundary(), boundary(name="c")]), "overlap"),
    ("boundary on land", scenario(boundaries=[boundary()], bathymetry__bed_m="x < 300 ? 5 : -10"), "meets no wet cell"),
    ("boundary on a periodic edge", scenario(boundaries=[boundary()], grid__periodic=["x"]), "the grid is periodic there"),
    ("station outside", scenario(output=[{"stations": {"a": [5000, 5]}, "every_s": 10}]), "lies outside the grid"),
    ("every 1 s of 10", scenario(output__0__every_s=1), "is less than one step"),
    ("a variable that nothing makes", scenario(output__0__variables=["wave_height"]), "the scenario has none"),
    ("layer twice", scenario(output__0__levels=[0, 0]), "layer 0 is requested twice"),
    ("box without a cell", scenario(output__0__box=[210, 211, 0, 100]), "no cell has its centre in the box"),
    ("file twice", scenario(output=output() + output()), "two outputs would write"),
    ("file of a part twice", scenario(output=[{**output()[0], "file": "sea.nc", "cut": "day"}, {**output()[0], "file": "sea_20200101.nc"}]),
     "two outputs would write"),
    ("file twice, spelled differently", scenario(output=output() + output(file="./fields.nc")), "must be a name inside"),
    ("file above the folder", scenario(output__0__file="a/../../b.nc"), "must be a name inside"),
    ("file without a name", scenario(output__0__file="a/"), "must be a name inside"),
    ("file called like a restart", scenario(output__0__file="restart_20200101T000140Z.nc"), "the files of every run"),
    ("file called like a folder", scenario(output_folder="out_taken"), "is not a file"),
    ("long name", scenario(output__0__file=3 * long), "MPI cannot open more than 200"),
    ("long folder", scenario(output_folder="/".join(5 * [long])), "MPI cannot open files in one of more than"),
    *((f"a prescribed flow with {what}", scenario(physics={"momentum": {"scheme": "prescribed", "streamfunction_m3_s": 0}},
                                                  initial={"temperature_C": 10}, forcing=forcing), f"excludes {what}")
      for what, forcing in (("rain", {"rain": {"mm_h": 1}}), ("evaporation", {"evaporation": {"mm_h": 1}}),
                            ("evaporation (", {"heat": {"air_temperature_C": 20, "humidity": 0.5}}))),
    ("a prandtl number of nothing", scenario(physics={"momentum": {"viscosity_law": "smagorinsky"}, "tracers": {"prandtl": 1e-300}}),
     "at least 0.001"),
    ("cells that do not touch", scenario(bathymetry__bed_m="abs(x - 450) < 1 && abs(y - 250) < 1 ? -5 : 10"), "no two wet cells are neighbours"),
    ("a tracer beyond all amounts", scenario(tracers=[{"name": "dye", "initial": 1e308}]), "at most 1e+30"),
    ("folder that is a file", scenario(output_folder="file/out"), '"file" is not a folder'),
]
for number, (name, text, _) in enumerate(rows):
    content = json.dumps(text) if isinstance(text, dict) else text
    Path(f"{number}.json").write_bytes(content if isinstance(content, bytes) else content.encode())
Path("good.json").write_text(json.dumps(scenario()))


def files():
    return sorted(str(path) for path in HERE.rglob("*"))


def run(words, program=cases.PROGRAM):
    with TemporaryDirectory() as folder: # of its own: one MPI process that ends can take away what another has just made
        return subprocess.run([program, *words], capture_output=True, text=True, timeout=120, env={**os.environ, "TMPDIR": folder})


def refused(calls, program=cases.PROGRAM):
    """Calls are (name, words, message). Most of a call's time is waiting for MPI to begin: many wait together."""
    before = files()
    with ThreadPoolExecutor(8) as pool:
        processes = list(pool.map(lambda call: run(call[1], program), calls))
    for (name, _, message), process in zip(calls, processes):
        good = process.returncode == 2 and message in process.stderr
        cases.equal(name, "refused" if good else f"code {process.returncode}, said: {process.stderr[:600]}", "refused")
    cases.equal("written by refused calls", [path for path in files() if path not in before], [])


refused([(f"{command}: {name}", [command, f"{number}.json"], message)
         for number, (name, _, message) in enumerate(rows) for command in ("check", "run")])

process = subprocess.run([cases.PROGRAM, "check", "good.json", "--set", "/solver/ranks=[1,1]"], capture_output=True, text=True)
cases.equal("a former name: understood, noted once", (process.returncode, (process.stdout + process.stderr).count("called /solver/processes since")), (0, 1))
process = subprocess.run([cases.PROGRAM, "check", "good.json", "--set", "/solver/ranks=[1,1]", "--set", "/solver/processes=[1,1]"], capture_output=True, text=True)
cases.equal("both names of a key", (process.returncode, "former name of /solver/processes, which is given as well" in process.stderr), (2, True))
process = subprocess.run([cases.MPIRUN, "-n", "7", cases.PROGRAM, "run", "good.json", "--set", "/grid/length_y_m=600"], capture_output=True, text=True)
cases.equal("7 ranks, 2 would do", "use -n 2" in process.stderr and not Path("out").exists(), True)
refused([(f"run: {name}", ["run", "good.json", *words], message) for name, words, message in [
    ("unknown option", ["--nothing"], "unknown option --nothing (see"),
    ("beginning of an option", ["--step", "3"], "unknown option --step; did you mean --steps?"),
    ("beginning of an option, with its value", ["--step=3"], "unknown option --step; did you mean --steps?"),
    ("option without a value", ["--steps"], "--steps needs a value"),
    ("step count", ["--steps", "-5"], "a whole number"),
    ("end before start", ["--until", "2019-01-01T00:00:00Z"], "is not after the scenario's start"),
    ("change of nothing", ["--set", "/physics/drag/nn=3"], 'did you mean "n"'),
    ("a device that no rank takes", ["--device", "cpu,nothing"], 'there is no device "nothing"'),
    ("log in no folder", ["--log-json", "nothing/log"], "cannot write"),
    ("no restart file", ["--restart", "nothing.nc"], "cannot open nothing.nc"),
    ("a folder for a restart", ["--restart", "out_taken"], "it is not a file"),
    ("an empty restart", ["--restart", "empty"], "it is empty"),
    ("a wind for a restart", ["--restart", "short.nc"], "is not a restart file"),
    ("a cut file for a restart", ["--restart", "cut5.nc"], "is cut off"),
    ("a damaged header for a restart", ["--restart", "count3.nc"], "damaged at byte 12 of its header"),
]])
refused([(" ".join(words), words, message) for words, message in [
    (["schema", "--foo"], "schema: unknown option --foo"),
    (["schema", "--keys", "wind", "drag"], "not also drag"),
    (["check", "good.json", "--gird", "x.nc"], "did you mean --grid?"),
    (["bathymetry", "import", "x.nc", "--out", "y.nc"], "did you mean --output?"),
]])
refused([(f"bench: {' '.join(words)}", words, message) for words, message in [
    (["wings"], "name a benchmark"),
    (["sweeps", "twice"], '"twice" is not a benchmark'),
    (["lines", "block"], '"block" is not a benchmark'),
    (["step", "--variants"], "--variants applies only to solvers"),
    (["step", "--peak-gb-s", "10"], "--peak-gb-s applies only to lines"),
]], cases.PROGRAM + "-bench")

refused([(f"{words[0]} of a damaged header", [*words, "count3.nc"], "damaged at byte 12 of its header")
         for words in (["info"], ["info", "--quick"], ["digest"], ["diff", "far.nc"], ["bathymetry", "inspect"])])

# One mistake, one message; and the check says what it could not look at.
Path("typo.json").write_text(json.dumps(scenario(grid__levels={"botom_m": -10, "dz_m": 5})))
said = run(["check", "typo.json"]).stderr
cases.equal("a misspelt key of the levels", [said.count("error:"), 'did you mean "bottom_m"' in said, said.strip().splitlines()[-1].split(":")[0]],
            [1, True, "not checked until this is corrected"])
told = run(["check", "good.json"])
cases.equal("a good scenario leaves nothing out", "not checked" in told.stderr, False)
cases.equal("no rotation is said", "rotation   none" in told.stdout, True)
Path("told.json").write_text(json.dumps(scenario(initial={"salinity": 30}, rivers=river(x_m=500, discharge_m3_s=-5), boundaries=[boundary()],
                                                 forcing={"wind": {"speed_m_s": 8, "from_deg": 90}})))
told = run(["check", "told.json"]).stdout
told += run(["check", "good.json", "--set", '/forcing/waves={"height_m": 0.5, "peak_period_s": "3 + x/1e6", "from_deg": 270}']).stdout
for words in ("waves: 0.5 m;", 'waves: "3 + x/1e6" s;', "waves come from: 270 deg;", "the same behind headlands and islands", "wind: 8 m/s from 90 degrees", "discharge -5 m3/s (withdrawn from the sea)", "salinity 0 (none given)", "salinity as in the sea there"):
    cases.equal(f"check tells: {words}", words in told, True)

# A station on a cell that stands out from those around it, in water and on dry land; not one on a slope, or on a shelf of many cells.
STREET = {"bathymetry__bed_m": "abs(x-350) < 50 && abs(y-250) < 50 ? -2 : (abs(x-750) < 50 && abs(y-250) < 50 ? 5 : (x > 600 ? 2+x/100 : -10))",
          "grid__flood_to_m": 20, "output": [{"stations": {"pile": [350, 250], "yard": [750, 250], "slope": [750, 450], "sea": [150, 250]}, "every_s": 10}]}
Path("street.json").write_text(json.dumps(scenario(**STREET)))
told = [line.split('"')[1] for line in run(["check", "street.json"]).stdout.splitlines() if "the mean of its neighbours" in line]
cases.equal("stations that stand out", told, ["pile", "yard"])
with netCDF4.Dataset("displaced.nc", "w") as data:
    for name, count in (("y", 5), ("x", 10)):
        data.createDimension(name, count)
        data.createVariable(name, "f8", (name,))[:] = 50 + 100 * np.arange(count)
        data[name].units = "m"
    data.createVariable("eta", "f8", ("y", "x"))[:] = 0.001
    data["eta"].units = "m"
said = [[line for line in run(["check", "street.json", "--set", f"/time/step_s={step}", "--set", f"/initial/eta_m={level}"]).stdout.splitlines() if line.startswith("run-up")]
        for step, level in ((10, "x < 100 ? 0.001 : 0"), (2, "x < 100 ? 0.001 : 0"), (10, '{"file": "displaced.nc"}'), (10, 0))]
cases.equal("a step for run-up, where a wave may run up", [len(one) for one in said] + ["take steps of 2.5 s" in said[0][0]], [1, 0, 1, 0, True])

# Keys that another choice makes idle are told, each where it stands, unless they are at their defaults; nothing else is.
IDLE = {"physics": {"turbulence": {"closure": "constant", "stability": "cheng", "cs": 0.2}, "momentum": {"filter": 0.3},
                    "density": {"reference_salinity": 12}, "drag": {"law": "log", "n": 0.03, "z0_m": 0.002}},
        "boundaries": [boundary(sponge={"time_s": 60}, nodal_corrections=False)], "time__step_courant": 0.5,
        "tracers": [{"name": "dye", "critical_erosion_Pa": 1}],
        "solver": {"lines": {"tolerance": 1e-9}, "pressure": {"variant": "paper"}, "surface": {"variant": "paper"}}}
Path("idle.json").write_text(json.dumps(scenario(**IDLE)))
process = run(["check", "idle.json"])
told = [line.split("(")[1].split(")")[0] for line in process.stderr.splitlines() if "has no effect here" in line]
cases.equal("idle keys: code", process.returncode, 0)
cases.equal("idle keys", sorted(told), sorted([
    "/physics/turbulence/stability", "/physics/momentum/filter", "/physics/density/reference_salinity", "/physics/drag/n",
    "/boundaries/0/sponge/time_s", "/boundaries/0/nodal_corrections", "/time/step_courant", "/tracers/0/critical_erosion_Pa",
    "/solver/lines/tolerance", "/solver/pressure/variant"]))
Path("given.json").write_text(json.dumps(scenario(physics={"momentum": {"scheme": "prescribed", "streamfunction_m3_s": 0}},
                                                  initial={"u_m_s": 1, "v_m_s": "x/1000"})))
process = run(["check", "given.json"])
cases.equal("idle keys of a flow that is given", [f"{key} has no effect" in process.stderr.replace('"', "") for key in ("u_m_s", "v_m_s")], [True, True])
Path("effective.json").write_text(run(["check", "--print-effective", "good.json"]).stdout)
cases.equal("idle keys of an effective scenario", "has no effect" in run(["check", "effective.json"]).stderr, False)

# A formula without a value at one moment within the run: found when it comes, said in its own words.
for name, changes in [("river", {"rivers": river(discharge_m3_s="1/(40-t)")}),
                      ("level given", {"boundaries": [boundary(eta_m="1/(40-t)")]}),
                      ("level outside", {"boundaries": [boundary(eta_m="1/(40-t)", kind="flather")]})]:
    Path("late.json").write_text(json.dumps(scenario(**changes)))
    process = run(["run", "late.json"])
    cases.equal(f"{name}, no number after 40 s: code", process.returncode, 2)
    cases.equal(f"{name}, no number after 40 s: said", "gives inf at 40 s after the start" in process.stderr, True)

# What is noticed only while the program runs: what a log loses, numbers that mixing outgrows, an account that does not close, boiling water.
tiny = scenario(grid__length_x_m=0.01, grid__length_y_m=0.005, grid__dx_m=0.001, time={**scenario()["time"], "step_s": 43200, "duration_s": 43200},
                output=[], initial={"temperature_C": "10 + x"}, physics={"tracers": {"horizontal_diffusivity_m2_s": 1e6}})
flood = scenario(grid__length_x_m=1000, time={**scenario()["time"], "step_s": 1000, "duration_s": 3000}, output=[],
                 initial={"salinity": 30}, rivers=river(x_m=500, discharge_m3_s=1e6), allow=["scales"])
boiling = scenario(time={**scenario()["time"], "step_s": 3600, "duration_s": 864000}, output=[], initial={"temperature_C": 5},
                   forcing={"heat": {"net_W_m2": 10000}})
for name, changed, words, code, message in [
        ("a log on a full disk", scenario(), ["--log-json", "/dev/full"], 1, "--log-json: not everything could be written"),
        ("mixing beyond numbers", tiny, [], 1, "shorten the step, or lower the viscosity or diffusivity"),
        ("a river that overflows", {**flood, "allow": ["values"]}, [], 1, "in a sea whose ground lies between"),
        ("a river of 200 seas in a step", flood, [], 0, "done at"),
        ("boiling", boiling, [], 0, "outside the possible range"),
        ("a river", {**flood, "rivers": river(discharge_m3_s=10)}, [], 0, "done at")]:
    Path("run.json").write_text(json.dumps(changed))
    process = run(["run", "run.json", *words])
    cases.equal(f"{name}: code", process.returncode, code)
    cases.equal(f"{name}: said", message in process.stderr, True)
    for word in ("closes only", "outside the possible range"):
        cases.equal(f"{name}: {word}", word in process.stderr, word in message)
cases.finish()
