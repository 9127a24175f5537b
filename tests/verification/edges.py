# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""What lies on an edge: stations between two cells, more processes than a small grid takes, environment variables that are no
numbers, files with escape codes, what restart files take, a process that is killed, a folder that is deleted."""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import cases
import netCDF4

HERE = Path.cwd() / "edges"
shutil.rmtree(HERE, ignore_errors=True)
HERE.mkdir()
os.chdir(HERE)
LAUNCHER = str(cases.SOURCE / "maeotis")
BUILD = Path(cases.PROGRAM).parent.name
ENVIRONMENT = {**os.environ, "MAEOTIS_PRESET": "release" if BUILD == "build" else BUILD.removeprefix("build-")}
GRID = {"kind": "spherical", "west": 30, "east": 31, "south": 45, "north": 46, "dlon_deg": 0.1, "dlat_deg": 0.1, "levels": {"bottom_m": -10, "dz_m": 5}}


def write(name, **changes):
    Path(name).write_text(json.dumps({
        "grid": GRID, "bathymetry": {"bed_m": -10}, "output": [{"file": "fields.nc", "every_s": 600, "variables": ["eta"]}],
        "time": {"start": "2020-01-01T00:00:00Z", "duration_s": 600, "step_s": 60}, "output_folder": "out", **changes}))


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, timeout=120, env={**ENVIRONMENT, **more})


# A station on the edge of two wet cells is in one of them, whatever its coordinates round to.
stations = {f"{i} {j}": [round(30 + 0.1 * i, 1), round(45 + 0.1 * j, 1)] for i in range(1, 10) for j in range(1, 10)}
write("stations.json", output=[{"file": "s.nc", "every_s": 600, "stations": stations}])
process = run(cases.PROGRAM, "check", "stations.json")
cases.equal("stations on edges: code", process.returncode, 0)
cases.equal("stations on edges that move", process.stdout.count("lies on land"), 0)

# Check names what it read, each with its kind.
told = run(cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/azov_storm_2014_stratified.json"), "--set", "/grid/dx_m=10000").stdout
boundary = re.search(r'^boundary +"Black Sea": flather, edge south, (\d+) open faces, level 0 m, .*salinity 17.8$', told, re.M)
cases.equal("check: the boundary and its faces", bool(boundary) and int(boundary[1]) > 0, True)
cases.equal("check: rivers", re.findall(r'^river +"(\w+)" at .*discharge (\d+) m3/s', told, re.M), [("Don", "735"), ("Kuban", "425")])
cases.equal("check: tracers", re.findall(r"^tracers +(.*)$", told, re.M), ["temperature, salinity"])
cases.equal("check: stations", "; 6 stations: Don delta, Taganrog," in told, True)
cases.equal("check: its verdict stands there, too", told.splitlines()[-1].startswith("ready to run: "), True)

# What check says of restart files is what they take: one more than are kept, for a moment.
write("restarts.json", grid={**GRID, "dlon_deg": 0.01, "dlat_deg": 0.01}, restart={"every_s": 60, "keep": 3})
told = float(re.search("([0-9.]+) MB of restart files", run(cases.PROGRAM, "check", "restarts.json").stdout)[1])
run(cases.PROGRAM, "run", "restarts.json", "--steps", "4", "--quiet")
files = list(Path("out").glob("restart_*.nc"))
cases.equal("restart files", len(files), 3)
cases.close("their size", 4 * sum(file.stat().st_size for file in files) / 3 / 1e6, told, 0.2)

# Texts of files cannot command a terminal.
with netCDF4.Dataset("red.nc", "w", format="NETCDF3_CLASSIC") as data:
    data.title = "\x1b[31mred"
    data.createVariable("a", "f8", ())[:] = 1
cases.equal("escape codes in info", "\x1b" in run(cases.PROGRAM, "info", "red.nc").stdout, False)
process = run(cases.PROGRAM, "run", "\x1b[31mred.json")
cases.equal("escape codes in messages", (process.returncode, "\x1b" in process.stderr), (2, False))

# As many processes as the launcher starts of itself, on a grid that two can share.
write("small.json", grid={**GRID, "north": 45.5})
process = run(cases.PROGRAM, "run", "small.json", "--quiet")
digest = re.search("digest ([0-9a-f]{16})", process.stderr)[1]
process = run(LAUNCHER, "run", "small.json", "--quiet", SLURM_NTASKS="7")
cases.equal("7 processes by default: code", process.returncode, 0)
cases.equal("7 processes by default: said", "of 7 processes compute" in process.stderr, True)
cases.equal("7 processes by default: digest", re.findall("digest ([0-9a-f]{16})", process.stderr), [digest])
process = run(LAUNCHER, "run", "small.json", "--quiet", "-n", "7")
cases.equal("7 processes that were asked for: code", process.returncode, 2)
process = run(LAUNCHER, "run", "small.json", "--quiet", "-n", "99999")
cases.equal("99999 processes: none starts", (process.returncode, "at most" in process.stderr), (2, True))
process = run(LAUNCHER, "run", "small.json", SLURM_NTASKS="a[$(touch owned)]")
cases.equal("SLURM_NTASKS that is a command", (process.returncode, Path("owned").exists()), (2, False))

# A rank that is killed: the launcher says with which command the run goes on, and it does.
write("long.json", grid={**GRID, "dlon_deg": 0.01, "dlat_deg": 0.01}, restart={"every_s": 600, "keep": 2},
      time={"start": "2020-01-01T00:00:00Z", "duration_s": 8640000, "step_s": 60}, output_folder="killed")


def start(folder, ranks):
    process = subprocess.Popen([LAUNCHER, "run", "long.json", "-n", str(ranks), "--quiet", "--set", f"/output_folder={folder}"],
                               stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    for _ in range(600):
        if list(Path(folder).glob("restart_*Z.nc")):
            return process
        time.sleep(0.1)
    raise SystemExit("no restart file within a minute")


def ranks_of(folder):
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[0] == cases.PROGRAM.encode() and f"/output_folder={folder}".encode() in words:
            found.append(int(entry.name))
    return found


process = start("killed", 2)
os.kill(ranks_of("killed")[0], signal.SIGKILL)
said = process.communicate(timeout=60)[1]
command = re.search("continue with: (./maeotis run .*)", said)
cases.equal("after a kill", (process.returncode, command is not None, Path("killed/.maeotis.lock").exists()), (1, True, False))
if command:
    again = run("bash", "-c", command[1].replace("./maeotis", LAUNCHER, 1) + " --steps 3")
    cases.equal("the command that was said: code", again.returncode, 0)

# A results folder that is deleted ends the run with words that name it.
process = start("deleted", 1)
shutil.rmtree("deleted", ignore_errors=True)
said = process.communicate(timeout=100)[1]
cases.equal("folder deleted: code", process.returncode, 1)
cases.equal("folder deleted: said", "deleted" in said and "disk full" not in said, True)
cases.finish()
