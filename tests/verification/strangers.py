# SPDX-License-Identifier: Apache-2.0
"""What befalls a newcomer: a log over other files, a module that ends or holds up the program, output that has no room, a scenario
of a stranger's, two files that are compared by time."""

import json
import os
import re
import shlex
import signal
import subprocess
import time
from pathlib import Path

import netCDF4
import numpy as np

import cases

LAGOON = str(cases.SOURCE / "scenarios/lagoon.json")
CC = os.environ.get("MAEOTIS_CC", "cc")


def maeotis(*words, **more):
    return subprocess.run([cases.PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=100, **more)


def library(name, source):
    Path(f"{name}.c").write_text(source)
    subprocess.run([CC, "-shared", "-fPIC", f"-I{cases.SOURCE}/kinetics", f"{name}.c", "-o", f"{name}.so"], check=True)
    return str(Path(f"{name}.so").resolve())


# the log of steps goes into a file of its own
def logged(path):
    return maeotis("run", LAGOON, "--quiet", "--steps", "1", "--no-files", "--log-json", path)


for name in ("link", "nowhere", "log"):
    Path(name).unlink(missing_ok=True)
Path("precious").write_text("precious")
Path("link").symlink_to("precious")
Path("nowhere").symlink_to("not_there")
cases.equal("log over another file: exit code, file", (logged("precious").returncode, Path("precious").read_text()), (2, "precious"))
cases.equal("log through links: exit codes", [logged(link).returncode for link in ("link", "nowhere")], [2, 2])
cases.equal("what they lead to", (Path("precious").read_text(), Path("not_there").exists()), ("precious", False))
cases.equal("a log, and again over it", [logged("log").returncode for _ in range(2)], [0, 0])
cases.equal("a log to where nothing is kept", logged("/dev/null").returncode, 0)

# names with spaces, and those that are none: what a message says can be pasted into a shell
Path("my sea.json").write_text(Path(LAGOON).read_text().replace('"wind/lagoon.csv"', json.dumps(str(cases.SOURCE / "scenarios/wind/lagoon.csv"))))
said = maeotis("run", "my sea.json", "--steps", "1", "--overwrite", "--set", "/output_folder=its results").stderr
pasted = re.search("look at it: ./maeotis report (.*) \\(one page\\), ./maeotis plot (.*) \\(pictures\\)", said).groups()
cases.equal("names with spaces", [shlex.split(word) for word in pasted], [["its results"], ["its results/my sea.nc"]])
cases.equal("and in check", shlex.split(maeotis("check", "my sea.json").stdout.splitlines()[-1].split("./maeotis ")[1]), ["run", "my sea.json"])
cases.equal("a scenario's name for its file", "./maeotis list names the scenarios" in maeotis("run", "lagoon").stderr, True)

# a stranger's scenario executes nothing before its run
EXECUTED = Path("EXECUTED")
library("stranger", '#include <stdlib.h>\n__attribute__((constructor)) static void go(void) { if (system("echo here > EXECUTED")) return; }\n')
Path("stranger.json").write_text('{"kinetics": {"module": "./stranger.so"}}')
for why, words, trusted, executed in (("", [], "", False), (", a path that only begins alike", [], str(Path.cwd())[:-1], False),
                                      (", its folder trusted", [], f"/nowhere:{Path.cwd()}", True), (", by the option", ["--trust"], "", True)):  # fmt: skip
    EXECUTED.unlink(missing_ok=True)
    code = maeotis("check", "stranger.json", *words, env={**os.environ, "MAEOTIS_TRUST": trusted}).returncode
    cases.equal(f"check of a stranger's scenario{why}: code, executed", (code, EXECUTED.exists()), (2, executed))

Path("named.json").write_text('{"kinetics": {"module": "./stranger.so"}, "output": [{"every_s": 60, "variables": ["solute"]}], "rivers": [{"name": "Don", "tracers": {"solute": 5}}]}')
said = maeotis("check", "named.json").stderr
cases.equal("its names, unknown then, are no errors", ("solute" in said, "add --trust" in said), (False, True))

Path("cluster.json").write_text('{"nodes": [{"count": 1, "devices": [{"kind": "cpu", "count": 1, "ns": [10, 2, 2]}]}], "links": {}}')
for command in ("plan", "calibrate"):
    for words, executed in (([], False), (["--trust"], True)):
        EXECUTED.unlink(missing_ok=True)
        code = maeotis(command, "stranger.json", *words).returncode
        cases.equal(f"{command} {' '.join(words)}: code, executed", (code, EXECUTED.exists()), (2, executed))
EXECUTED.unlink(missing_ok=True)
maeotis("run", "stranger.json")
cases.equal("a run executes it", EXECUTED.exists(), True)

# modules that end the program at once, or never come back
MODULE = """#include "maeotis_kinetics.h"
#include <unistd.h>
static void water(const MaeotisEnvironment *e, const double *a, const double *const *c, double *const *rate) { %s }
static const MaeotisVariable variables[] = {{.name = "stuff", .units = "1", .long_name = "stuff", .initial = 1, .most = 10}};
static const MaeotisProcess processes[] = {{.name = "decay", .place = MAEOTIS_WATER, .terms = {{"stuff", -1}}}};
static const MaeotisKinetics kinetics = {.abi = MAEOTIS_KINETICS_ABI, .name = "trial", .what = "a trial", .n_variables = 1,
    .variables = variables, .n_processes = 1, .processes = processes, .water = water};
const MaeotisKinetics *maeotis_kinetics(void) { return &kinetics; }
"""
for name, body, told in (("quits", "_exit(0);", "ended the program"), ("hangs", "for (;;) usleep(1000);", "does not return")):
    words = [cases.PROGRAM, "run", LAGOON, "--quiet", "--steps", "2", "--no-files", "--set", f'/kinetics={{"module": "{library(name, MODULE % body)}"}}']
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if name == "hangs":
        time.sleep(3)
        process.send_signal(signal.SIGTERM)
    said = process.communicate(timeout=60)[1]
    cases.equal(f"a module that {name}: code, told", (process.returncode, told in said), (1, True))

# output without room
with open("/dev/full", "w") as full:
    for words in (["schema"], ["tides", "M2"], ["--version"]):
        cases.equal(f"{words[0]} to /dev/full", subprocess.run([cases.PROGRAM, *words], stdout=full, stderr=subprocess.DEVNULL).returncode, 1)

# what a run takes is what check says, also beside a wind of 100 MB, whose checksum is found
with netCDF4.Dataset("wind.nc", "w", format="NETCDF3_64BIT_OFFSET") as file:
    for name, values, units in (("time", np.arange(250), "hours since 2014-09-22 00:00:00"), ("latitude", np.linspace(44, 48.5, 220), "degrees_north"),
                                ("longitude", np.linspace(33.5, 40.5, 220), "degrees_east")):  # fmt: skip
        file.createDimension(name, values.size)
        file.createVariable(name, "f8", (name,))[:] = values
        file[name].setncatts({"units": units, "standard_name": name})
    for name in ("eastward_wind", "northward_wind"):
        file.createVariable(name, "f4", ("time", "latitude", "longitude"))[:] = 3
        file[name].setncatts({"units": "m s-1", "standard_name": name})
sets = {"/forcing/wind": {"file": str(Path("wind.nc").resolve())}, "/grid/dx_m": 8000, "/time/end": "2014-09-23T02:00:00Z", "/output_folder": "storm"}
words = [str(cases.SOURCE / "scenarios/azov_storm_2014.json"), *(word for key, value in sets.items() for word in ("--set", f"{key}={json.dumps(value)}"))]
told = maeotis("check", *words).stdout
forecast = [float(re.search(form, told)[1]) for form in (r"all arrays included; (\d+) MB with libraries", r"output +about (\S+) MB")]
process = subprocess.Popen([cases.PROGRAM, "run", *words, "--quiet", "--overwrite"], stderr=subprocess.DEVNULL)
code, used = os.wait4(process.pid, 0)[1:]
process.returncode = code
cases.equal("a run in this wind", code, 0)
if "MAEOTIS_SANITIZE:BOOL=ON" not in (Path(os.environ["MAEOTIS_BUILD_DIR"]) / "CMakeCache.txt").read_text():
    cases.between("memory beyond the forecast [MB]", used.ru_maxrss * 1024e-6 - forecast[0], -20, 50)
written = sum(path.stat().st_size for path in Path("storm").glob("*.nc")) * 1e-6
cases.between("files of the forecast size", written / forecast[1], 0.9, 1.1)
os.remove("wind.nc")

# files whose records are those of the same times
EVERY = {"/output": [{"file": "sea.nc", "every_s": 600, "variables": ["eta", "u_east"]}], "/restart": {"at_end": True}}


def sea(label, until, *more, settings=EVERY):
    run = cases.run("lagoon", settings, options=("--until", f"2024-03-01T{until}:00Z", *more), label=label)
    return [next(run.folder.glob(f"**/{name}")) for name in ("restart_*.nc", "sea.nc")]


whole = sea("whole", "02:00")[1]
restart = sea("first", "01:00")[0]
later = sea("later", "02:00", "--restart", str(restart))[1]
other = sea("other", "02:00", settings={**EVERY, "/initial/eta_m": 0.01})[1]
told = maeotis("diff", whole, later)
cases.equal("a run and its continuation: code, values differ, by time", (told.returncode, "values differ" in told.stdout, "with times that both have" in told.stdout),
            (1, False, True))  # fmt: skip
told = maeotis("diff", other, later).stdout
cases.equal("another sea and the continuation", [word in told for word in ("eta: ", "first at time[", "2024-03-01T01:")], [True] * 3)
cases.finish()
