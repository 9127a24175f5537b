# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""Runs that are stopped, killed, gone on with on other ranks: their files end up as those of a run in one go, bit by bit.
A restart file that is damaged is refused."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import cases
import netCDF4
import numpy as np

HOURS = 27
with netCDF4.Dataset("weather.nc", "w") as data:
    random = np.random.default_rng(1)
    for name, unit, values in (("time", "hours since 2020-01-01 00:00:00", np.arange(HOURS)),
                               ("latitude", "degrees_north", np.linspace(47, 44, 13)), ("longitude", "degrees_east", np.linspace(29, 32, 13))):
        data.createDimension(name, len(values))
        variable = data.createVariable(name, "f8", (name,))
        variable.units = unit
        variable[:] = values
    for name, unit, value, noise in (("u10", "m s-1", 12, 3), ("v10", "m s-1", -3, 3), ("msl", "Pa", 101300, 300)):
        variable = data.createVariable(name, "f4", ("time", "latitude", "longitude"))
        variable.units = unit
        variable[:] = value + noise * random.normal(size=(HOURS, 13, 13))

means = {"every_s": 7200, "variables": ["eta", "u", "depth"], "mean": True}
Path("sea.json").write_text(json.dumps({
    "grid": {"kind": "spherical", "west": 30, "east": 31, "south": 45, "north": 46, "dlon_deg": 0.04, "dlat_deg": 0.04,
             "levels": {"bottom_m": -12, "dz_m": 2}, "flood_to_m": 2},
    "bathymetry": {"bed_m": "-6+7*sin(lon*12)*cos(lat*9)"},
    "time": {"start": "2020-01-01T00:00:00Z", "duration_s": 36000, "step_s": 120},
    "forcing": {"wind": {"file": "weather.nc"}, "air_pressure": {"file": "weather.nc"}, "ramp_s": 3000},
    "rivers": [{"name": "r", "lon": 30.5, "lat": 45.5, "discharge_m3_s": "500+100*sin(t/500)"}],
    "boundaries": [{"name": "w", "edge": "west", "kind": "flather", "eta_m": "0.3*sin(t/600)"},
                   {"name": "s", "edge": "south", "kind": "elevation", "eta_m": "0.2*sin(t/900)"}],
    "output": [{"file": "fields.nc", "every_s": 3000, "velocities": "faces", "variables": ["eta", "u", "v", "w"]},
               {"file": "mean-1.nc", **means}, {"file": "mean_1.nc", **means},  # names that differ in a sign
               {"stations": {"a": [30.3, 45.3], "b": [30.8, 45.9]}, "every_s": 120},
               {"extremes": ["max_eta", "min_eta", "max_speed", "time_of_max_eta", "inundation_duration"], "every_s": 3000}],
}))


def command(folder, ranks, *options):
    words = [cases.PROGRAM, "run", "sea.json", "--quiet", "--set", f"/output_folder={folder}", *options]
    return [cases.MPIRUN, "-n", str(ranks), *words] if ranks else words


def run(folder, ranks, *options):
    return subprocess.run(command(folder, ranks, *options), capture_output=True, text=True)


def digests(folder):
    files = sorted(path for path in Path(folder).glob("*.nc") if not path.name.startswith("restart"))
    lines = subprocess.run([cases.PROGRAM, "digest", *files], capture_output=True, text=True, check=True).stdout.splitlines()
    return {path.name: line.split()[0] for path, line in zip(files, lines)}


def newest_restart(folder):
    return str(sorted(Path(folder).glob("restart_*.nc"))[-1])


subprocess.run("rm -rf whole stopped* killed* asked* shared", shell=True, check=True)
cases.equal("in one go", run("whole", 0).returncode, 0)
whole = digests("whole")
cases.equal("files", len(whole), 5)

for first, then, steps in ((3, 0, 37), (2, 0, 121), (0, 3, 299)):  # within means, and one step before the end
    folder = f"stopped{steps}"
    cases.equal(f"{steps} steps", run(folder, first, "--steps", str(steps), "--set", "/restart/at_end=true").returncode, 0)
    cases.equal(f"{steps} steps: goes on", run(folder, then, "--restart", newest_restart(folder)).returncode, 0)
    cases.equal(f"{steps} steps on {first or 1} ranks, the others on {then or 1}", digests(folder) == whole, True)

cases.equal("restart file at the end", run("stopped", 0, "--set", "/restart/at_end=true").returncode, 0)
again = run("stopped", 0, "--restart", newest_restart("stopped"))
cases.equal("nothing left: code", again.returncode, 0)
cases.equal("nothing left: said", "nothing to do" in again.stderr, True)
cases.equal("nothing left: files", digests("stopped") == whole, True)

for name, number, code in (("asked", signal.SIGTERM, 3), ("asked", signal.SIGINT, 3), ("killed", signal.SIGKILL, -9)):
    folder = f"{name}{number.value}"
    process = subprocess.Popen(command(folder, 0, "--set", "/restart/every_s=3000"), stderr=subprocess.DEVNULL)
    while process.poll() is None and not list(Path(folder).glob("restart_*.nc")):
        time.sleep(0.02)
    process.send_signal(number)
    ended = process.wait(timeout=60)
    cases.equal(f"{number.name}: code", ended in (code, 0), True)  # 0: it was quicker
    cases.equal(f"{number.name}: goes on", run(folder, 2, "--restart", newest_restart(folder)).returncode, 0)
    cases.equal(f"{number.name}: files", digests(folder) == whole, True)

# two runs in one folder: the second is refused, and nothing of the first is touched; a killed one is in nobody's way
first = subprocess.Popen(command("shared", 0, "--set", "/time/step_s=0.5", "--set", "/output=[]"), stderr=subprocess.DEVNULL)
while first.poll() is None and not Path("shared/.maeotis.lock").exists():
    time.sleep(0.02)
time.sleep(0.2)
second = run("shared", 2)
cases.equal("second run in one folder: code", second.returncode, 2)
cases.equal("second run in one folder: said", f"another run (process {first.pid} on " in second.stderr, True)
cases.equal("second run in one folder: files", sorted(os.listdir("shared")), [".maeotis.lock", "run_record.json"])
first.kill()
first.wait()
cases.equal("after a killed run: code", run("shared", 0, "--steps", "3").returncode, 0)
cases.equal("after a killed run: no lock is left", Path("shared/.maeotis.lock").exists(), False)

# a wind that has changed since the restart file was written
weather = Path("weather.nc").read_bytes()
with netCDF4.Dataset("weather.nc", "a") as data:
    data["u10"][20] += 1
process = run("stopped37", 0, "--steps", "200", "--restart", sorted(str(p) for p in Path("stopped121").glob("restart_*.nc"))[0])
cases.equal("another wind: said", (process.returncode, "changed since the restart file was written: weather.nc" in process.stderr), (0, True))
Path("weather.nc").write_bytes(weather)

good = Path(newest_restart("stopped37")).read_bytes()
for name, data in (("cut", good[: len(good) // 2]), ("a bit over", good[: len(good) // 2] + bytes([good[len(good) // 2] ^ 1]) + good[len(good) // 2 + 1:]),
                   ("without its end", good[:-100])):
    Path("damaged.nc").write_bytes(data)
    process = run("damaged", 0, "--restart", "damaged.nc")
    cases.equal(f"damaged, {name}: code", process.returncode, 2)
    cases.equal(f"damaged, {name}: said", "damaged" in process.stderr or "cut off" in process.stderr, True)
    cases.equal(f"damaged, {name}: nothing written", os.path.exists("damaged"), False)

# a restart of what the scenario has more of, by force
process = run("more", 0, "--restart", newest_restart("stopped37"), "--force", "--set", "/tracers=[{\"name\": \"dye\"}]")
cases.equal("a tracer more than the restart has: code", process.returncode, 2)
cases.equal("a tracer more than the restart has: said", "the run that wrote it had none" in process.stderr, True)

# files that a shorter run has written anew: the gap is told, and the records after it stand where they belong
late = newest_restart("stopped121")
cases.equal("a shorter run in the same folder", run("stopped121", 0, "--steps", "1").returncode, 0)
process = run("stopped121", 0, "--restart", late)
cases.equal("after a shorter run: code", process.returncode, 0)
cases.equal("after a shorter run: files told of", process.stderr.count("the records in between are missing"), 4)
with netCDF4.Dataset("stopped121/fields.nc") as data:
    cases.equal("after a shorter run: records", list(data["time"][:] % 3000), [0] * len(data["time"]))
cases.finish()
