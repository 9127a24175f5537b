# SPDX-License-Identifier: Apache-2.0
"""The Python package: a sea stepped from Python has the bits of the command line, also after a restart and with several views open; a
tracer source of one's own enters the budgets; forcing from outside, also after a restart; runs, results and refusals."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path

import netCDF4
import numpy as np

import cases

if "MAEOTIS_SANITIZE:BOOL=ON" in (Path(os.environ["MAEOTIS_BUILD_DIR"]) / "CMakeCache.txt").read_text():
    print("python3 cannot load a library with sanitizers: not checked")
    raise SystemExit(77)
sys.path.insert(0, str(cases.SOURCE / "python"))
try:
    import maeotis
    import xarray  # noqa: F401
except ImportError as missing:
    print(f"{missing}: not checked")
    raise SystemExit(77)

LAGOON = cases.SOURCE / "scenarios" / "lagoon.json"
DYE = {"/tracers": [{"name": "dye", "units": "kg m-3", "initial": "1+x/Lx"}], "/output_folder": "sea"}
for old in ("sea", "changed", "results"):
    shutil.rmtree(old, ignore_errors=True)

# the command line, through the package
seen = []
scenario = maeotis.scenario(LAGOON, DYE)
scenario["output"] = [{"every_s": 600, "variables": ["eta", "dye", "u", "v"]}, {"every_s": 60, "stations": {"head": [29000, 5000]}}]
run = maeotis.run(scenario, name="lagoon", steps=30, progress=lambda part, line: seen.append(part))
cases.equal("progress", seen[-1:], [1.0])
cases.equal("the run's folder", run.folder, Path("sea"))

# currents for Parcels, which wants the corners of cells on a C grid, and takes velocities at centres as they are
def currents(x_of_u, y_of_v):
    sizes = {"time": 2, "level": 3, "lon": 4, "lat": 5, "lon_u": 5, "lat_v": 6}
    parts = {name: xarray.DataArray(np.random.default_rng(1).random([sizes[dim] for dim in dims]), dims=dims)
             for name, dims in (("u", ("time", "level", "lat", x_of_u)), ("v", ("time", "level", y_of_v, "lon")))}
    return xarray.Dataset(parts, coords={"lon": np.arange(4) + 0.5, "lat": np.arange(5) + 0.5, "lon_u": np.arange(5), "lat_v": np.arange(6)})


for (x, y), nodes in ((("lon_u", "lat_v"), "face"), (("lon", "lat"), "node")):
    data = currents(x, y).drop_vars([] if nodes == "face" else ["lon_u", "lat_v"])
    found = maeotis.parcels_dataset(data)
    cases.equal(f"currents for Parcels, {x}: places", (found.U.dims, found.V.dims), (("time", f"y_{nodes}", "x_node"), ("time", "y_node", f"x_{nodes}")))
    cases.equal(f"currents for Parcels, {x}: lon, U, V", [bool(np.array_equal(a, b)) for a, b in (
        (found.lon, data[x]), (found.lat, data[y]), (found.U, data.u[:, -1]), (found.V, data.v[:, -1]))], [True] * 4)
    cases.equal(f"currents for Parcels, {x}: the lowest layer", bool(np.array_equal(maeotis.parcels_dataset(data, 0).U, data.u[:, 0])), True)
try:
    maeotis.parcels_dataset(currents("lon", "lat").drop_vars("v"))
    cases.equal("currents without one of two", "taken", "refused")
except maeotis.Refused as refused:
    cases.equal("currents without one of two", "add u and v" in str(refused), True)

# the same, stepped: digest, files, restart
with maeotis.Simulation(scenario, steps=30, set={"/output_folder": "stepped"}, name="lagoon", overwrite=True) as sim:
    sim.step(10)
    restart = sim.write_restart()
    level = sim.view("eta")
    sim.run("2024-03-01T00:20:00Z")
    cases.equal("a run to a date", (sim.steps, str(sim.date)[:16]), (20, "2024-03-01T00:20"))
    while not sim.done:
        sim.step()
    cases.equal("digest", sim.digest, run.digest)
    cases.equal("a view has no halo", sim.view("eta").shape, sim["eta"].shape)
    wet = np.isfinite(sim["dye"])
    cases.equal("a view looks into the same sea", bool((sim.view("dye")[wet] == sim["dye"][wet]).all()), True)
    cases.equal("a map's places", sim.data("eta").dims, ("y", "x"))
    cases.equal("units and places", (sim.data("u").dims, sim.data("u").attrs["units"]), (("level", "y", "x_u"), "m s-1"))
process = subprocess.run([cases.PROGRAM, "diff", "sea/lagoon.nc", "stepped/lagoon.nc"], capture_output=True, text=True)
cases.equal("files of both", process.returncode, 0)
cases.equal("the record", json.loads(Path("stepped/run_record.json").read_text())["digest"], run.digest)
# dated by the restart file, with a pattern of files
dated = {**scenario, "time": {key: value for key, value in scenario["time"].items() if key != "start"}}
dated["forcing"] = {**scenario["forcing"], "wind": {"file": scenario["forcing"]["wind"]["file"].replace("lagoon.csv", "lago*.csv")}}
sim = maeotis.Simulation(dated, steps=30, restart=restart, force="files", files=False, name="lagoon")
while not sim.done:
    sim.step()
cases.equal("digest after a restart", sim.digest, run.digest)
sim.close()

# what comes in after the last step, and after a restart file of it, is in the final restart file, with which its results go on
changed = {"/output_folder": "changed", "/restart": {"at_end": True}, "/output": [{"every_s": 60, "variables": ["dye"]}]}
for way in ("pointer", "value"):
    with maeotis.Simulation(scenario, steps=3, set=changed, name="lagoon", overwrite=True) as sim:
        sim.run()
        restart = sim.write_restart()
        wanted = sim["dye"] + 1
        if way == "value":
            sim["dye"] = wanted
        else:
            sim._bmi.get_value_ptr("dye")[...] = wanted.ravel()
    with maeotis.Simulation(scenario, steps=4, set=changed, restart=restart, name="lagoon") as sim:
        cases.equal(f"the final restart file by {way}", np.array_equal(sim["dye"], wanted, equal_nan=True), True)

# one's own source of a tracer, a little in every step, through memory and by values
for way in ("view", "value"):
    with maeotis.Simulation(scenario, steps=10, files=False, log_json=f"{way}.jsonl", set={"/tracers/0/initial": 0}) as sim:
        added = 0.0
        while not sim.done:
            added += 0.5 * 500**2 * sim["thickness"][-1, 9:11, 30].sum()
            if way == "view":
                sim.view("dye", writable=True)[-1, 9:11, 30] += 0.5
            else:
                dye = sim["dye"]
                dye[-1, 9:11, 30] += 0.5
                sim["dye"] = dye
            sim.step()
        content = float(np.nansum(sim["dye"] * sim["thickness"]) * 500**2)
    last = json.loads(Path(f"{way}.jsonl").read_text().splitlines()[-1])["tracers"]["dye"]
    cases.close(f"content by {way}", content, exact=last["content"], tolerance=1e-12)
    cases.close(f"the budget knows the source by {way}", last["sources"], exact=added, tolerance=1e-12)
    cases.below(f"error of the budget by {way}", abs(last["error"]) / last["content"], 1e-12)


def refused(action):
    try:
        action()
    except (maeotis.MaeotisError, IndexError, TypeError) as error:
        return str(error)
    return "taken"


# values that no scenario may have, and numbers of elements that an int does not hold
ABSURD = {"eta": 1e5, "u": 1e3, "v": -1e3, "temperature": 1e4, "salinity": -5, "river_discharge": -1e30}
with maeotis.Simulation(LAGOON, set={"/initial": {"temperature_C": 15, "salinity": 5}}, files=False) as sim:
    bmi, before = sim._bmi, sim.digest
    for name, value in ABSURD.items():
        sim[name] = sim[name] # what it has, it may have
        cases.equal(f"{value:g} for {name}", f"is {value:g}" in refused(lambda: sim.__setitem__(name, value)), True)
        cases.equal(f"one {value:g} for {name}", f"is {value:g}" in refused(lambda: bmi.set_value_at_indices(name, np.array([0]), np.array([float(value)]))), True)
    for bad, words in ((np.array([2**32 + 100]), "4294967396"), (np.array([-1]), "-1"), (np.array([1.5]), "whole numbers")):
        cases.equal(f"index {bad[0]}: set", words in refused(lambda: bmi.set_value_at_indices("eta", bad, np.zeros(1))), True)
        cases.equal(f"index {bad[0]}: get", words in refused(lambda: bmi.get_value_at_indices("eta", np.zeros(1), bad)), True)
    cases.equal("nothing was taken", sim.digest, before)
    salinity, place = sim.view("salinity", writable=True), np.unravel_index(np.nanargmax(sim["salinity"]), sim["salinity"].shape)
    for bad in (np.nan, 1e3):
        kept, salinity[place] = salinity[place], bad
        cases.equal(f"{bad} through a view", "but it must be" in refused(sim.step), True)
        salinity[place] = kept
    sim.step()

# wind, heat, rain and a river from a coupled program: the bits of a scenario that says the same
AIR = {"air_temperature_C": 5, "dew_point_C": 2, "shortwave_W_m2": 100, "cloudiness": 0.5}
BAY = {"/initial": {"temperature_C": 15, "salinity": 5}, "/output_folder": "driven", "/restart": {"every_s": 600}}
said = BAY | {"/forcing": {"wind": {"u_m_s": 8, "v_m_s": -3}, "heat": AIR, "rain": {"mm_h": 3}}, "/rivers/0/discharge_m3_s": 300}
unsaid = BAY | {"/forcing": {"heat": AIR | {"air_temperature_C": 25, "cloudiness": 0}, "rain": {"mm_h": 0}}}
coupler = {"wind_u": 8, "wind_v": -3, "air_temperature": 5, "cloudiness": 0.5, "rain": 3, "river_discharge": [300]}


def couple(sim, steps, device=None):
    for name, values in coupler.items():
        sim[name] = values
    sim.step(steps)
    return sim.digest


with maeotis.Simulation(LAGOON, set=said, files=False) as sim:
    sim.step(20)
    wanted = sim.digest
with maeotis.Simulation(LAGOON, set=unsaid, files=False, device="emu") as sim:
    cases.equal("digest of a sea that is driven", couple(sim, 20), wanted)
    cases.equal("what drives it", (float(sim["wind_u"][9, 30]), sim["river_discharge"].tolist()), (8.0, [300.0]))
    cases.equal("places of rivers", (sim.data("river_discharge").x.values.tolist(), sim.variables["rain"].units), ([29750.0], "mm h-1"))
with maeotis.Simulation(LAGOON, set=unsaid, overwrite=True, name="lagoon") as sim:
    couple(sim, 10)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        restart = sim.checkpoint()
    cases.equal("a former name says the new one", "write_restart" in str(said[0].message), True)
with maeotis.Simulation(LAGOON, set=unsaid, files=False, restart=restart) as sim:
    try:
        sim.step()
    except maeotis.MaeotisError as error:
        cases.equal("a restart waits for what was given", "a program that drove the run set wind_u" in str(error), True)
    cases.equal("digest after such a restart", couple(sim, 10), wanted)
alone = subprocess.run([cases.PROGRAM, "run", str(LAGOON), "--restart", str(restart), "--no-files", "--quiet"]
                       + [word for key, value in unsaid.items() for word in ("--set", f"{key}={json.dumps(value)}")], capture_output=True, text=True)
cases.equal("the command alone refuses it", (alone.returncode, "a program that drove the run set wind_u" in alone.stderr), (2, True))

# results
with run.open() as fields:
    cases.equal("fields", (fields["eta"].dims, fields.sizes["time"]), (("time", "y", "x"), 4))
    with run.open("stations") as stations:
        series = stations["eta"].isel(station=0)
        found = maeotis.compare(stations, {"head": (series["time"].values, series.values + 0.1)})["head"]
        about = maeotis.compare(stations, {"head": (series["time"].values, series.values + 0.1)}, bias=False)["head"]
cases.close("bias beside a gauge", found["bias"], exact=-0.1, tolerance=1e-6)
cases.below("error about the bias", found["rmse_about_bias"], 1e-7)
cases.below("bias of means that are made equal", abs(about["bias"]), 1e-9)
cases.equal("check", "Courant" in maeotis.check(scenario), True)


def refusal(call, *arguments, **words):
    try:
        call(*arguments, **words)
    except (maeotis.Refused, maeotis.MaeotisError) as error:
        return str(error)
    return ""


cases.equal("results stay", "overwrite" in refusal(maeotis.run, scenario, name="lagoon", steps=1, progress=False)
            or bool(os.environ.get("MAEOTIS_OVERWRITE")), True)
cases.equal("a mistake in the scenario", "/physics/drag/n" in refusal(maeotis.Simulation, LAGOON, set={"/physics/drag/n": -3}), True)
cases.equal("a mistake in a dict is told by its keys", refusal(maeotis.check, {**scenario, "physics": {"drag": {"n": -3}}}).split(":")[0],
            'scenario["physics"]["drag"]["n"]')
cases.equal("a mistake in an argument by its name", [refusal(maeotis.run, scenario, progress=False, **words).split(" ")[0] for words in
                                                     ({"steps": -3}, {"until": "soon"}, {"set": {"drag": 3}})], ["steps", "until", "set"])
Path("locked/.maeotis.lock").mkdir(parents=True, exist_ok=True)
try:
    maeotis.Simulation(LAGOON, steps=1, set={"/output_folder": "locked"})
except maeotis.MaeotisError as error:  # not refused: nothing is wrong with the scenario
    cases.equal("a folder that cannot be written", "cannot write into" in str(error), True)
cases.equal("a mistake in a run", "/physics/drag/n" in refusal(maeotis.run, LAGOON, set={"/physics/drag/n": -3}), True)
full = maeotis.MaeotisBmi()
full.initialize(str(LAGOON), ["--quiet", "--no-files", "--overwrite", "--steps", "1", "--log-json", "/dev/full"])
full.update()
cases.equal("a full disk at the end", "not everything could be written" in refusal(full.finalize), True)
cases.equal("no such file", "no files of extremes" in refusal(run.open, "extremes"), True)
sim = maeotis.Simulation(scenario, files=False)
sim["dye"] = -5
wet = np.isfinite(sim["dye"])
cases.equal("one value for all", bool((np.abs(sim["dye"][wet] + 5) < 1e-12).all()), True)
sim.view("dye", writable=True)[-1, 9, 30] = np.nan
cases.equal("no number", "is nan, but it must be a finite number" in refusal(sim.step), True)
refusal(sim.close)
# two threads take turns; an interrupt is heard after a step, and the sea goes on
digests = []


def stepped():
    with maeotis.Simulation(LAGOON, files=False) as other:
        other.step(5)
        digests.append(other.digest)


threads = [threading.Thread(target=stepped) for _ in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
cases.equal("seas of two threads", (len(digests), len(set(digests))), (2, 1))
with maeotis.Simulation(LAGOON, files=False) as long:
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    try:
        long.run()
        heard = False
    except KeyboardInterrupt:
        heard = True
    before = long.steps
    cases.equal("an interrupt: heard, not at the end", (heard, long.done), (True, False))
    long.step()
    cases.equal("the sea goes on", long.steps, before + 1)
# the example of the README, as it stands
readme = (cases.SOURCE / "python" / "README.md").read_text()
code = readme.split("<!-- run by tests/verification/python_package.py -->\n```python\n")[1].split("```")[0]
if not Path("scenarios").exists():
    Path("scenarios").symlink_to(cases.SOURCE / "scenarios")
example = {}
exec(code, example)
cases.equal("the README's example", example["sim"].steps, 60)
cases.between("its highest level", float(np.nanmax(example["highest"])), 0.1, 0.6)
# nothing is said of MPI's own affairs, by a sea in this process and by a run that it starts on two
said = subprocess.run([sys.executable, "-c", f"""import maeotis
with maeotis.Simulation({str(LAGOON)!r}, steps=3, set={{"/output_folder": "silent"}}, overwrite=True) as sim:
    sim.run()
maeotis.run({str(LAGOON)!r}, steps=3, ranks=2, set={{"/output_folder": "silent_run"}}, overwrite=True)"""], capture_output=True, text=True,
                      env={**os.environ, "PYTHONPATH": str(cases.SOURCE / "python")})
cases.equal("a silent sea", (said.returncode, "sharedfp" in said.stderr), (0, False))

# one of several files of the wind is replaced while the run goes on: refused, not taken by the numbers of its records
def wind(name, first):
    with netCDF4.Dataset(name, "w") as data:
        for axis, values, unit in (("time", first + np.arange(0, 600, 60), "seconds since 2024-03-01"), ("y", [0, 1e5], "m"), ("x", [0, 1e5], "m")):
            data.createDimension(axis, len(values))
            data.createVariable(axis, "f8", (axis,)).units = unit
            data[axis][:] = values
        for key in ("u10", "v10"):
            data.createVariable(key, "f8", ("time", "y", "x")).units = "m s-1"
            data[key][:] = 5


for name, first in (("gust_1.nc", 0), ("gust_2.nc", 600), ("gust_3.nc", 1200), ("other.nc", 540)):
    wind(name, first)
with maeotis.Simulation(LAGOON, set={"/forcing": {"wind": {"file": str(Path("gust_*.nc").absolute())}}, "/time/end": "2024-03-01T00:25:00Z"}, files=False) as sim:
    sim.run("2024-03-01T00:05:00Z")
    Path("other.nc").rename("gust_2.nc")
    cases.equal("a file of the wind is replaced while the run goes on", "gust_2.nc have changed since the run began" in refused(lambda: sim.run("2024-03-01T00:20:00Z")), True)

cases.finish()
