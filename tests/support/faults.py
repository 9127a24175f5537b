# SPDX-License-Identifier: Apache-2.0
"""Runs of a tiny sea that something befalls: a call that fails, a signal, memory that is not there (tests/faults/break.c).

What is asked of each: it ends as the undisturbed run, or with a message and an exit code that say so; whatever it leaves
behind, a run that continues from its newest restart file (or from the start, if there is none) ends with the same files, bit by bit.
"""

import atexit
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import cases
import netCDF4

SEA = {
    "title": "Tiny sea",
    "grid": {"kind": "cartesian", "length_x_m": 9600, "length_y_m": 4800, "dx_m": 600, "levels": {"bottom_m": -12, "dz_m": 4}, "flood_to_m": 2},
    "bathymetry": {"bed_m": "-7 + x/1500 + 2*sin(x/1900)*cos(y/1300)", "keep": "all"},
    "time": {"start": "2020-06-01T00:00:00Z", "duration_s": 1200, "step_s": 60},
    "physics": {"turbulence": {"closure": "k-epsilon"}},
    "initial": {"temperature_C": "16 + z/5", "salinity": "18 - 5*x/14000 - z/6", "eta_m": "0.3*cos(pi*x/9600)"},
    "tracers": [{"name": "dye", "initial": "y > 2000"}],
    "forcing": {"wind": {"speed_m_s": "14 + 4*sin(t/600)", "from_deg": 240}},
    "rivers": [{"name": "river", "x_m": 9000, "y_m": 2200, "discharge_m3_s": 150}],
    "restart": {"every_s": 300},
    "output": [{"file": "fields.nc", "every_s": 120, "velocities": "faces", "variables": ["eta", "u", "v", "temperature"]},
               {"file": "means.nc", "every_s": 420, "variables": ["eta", "u", "dye"], "mean": True},
               {"file": "stations.nc", "stations": {"a": [2000, 2000], "b": [6000, 3000]}, "every_s": 60},
               {"file": "extremes.nc", "extremes": ["max_eta", "max_speed"], "every_s": 600}],
}
FILES = sorted(entry["file"] for entry in SEA["output"])

# Thousands of runs that flush their files to the disk: in memory, where there is such a folder.
if os.access("/dev/shm", os.W_OK):
    os.chdir(tempfile.mkdtemp(prefix="maeotis-faults-", dir="/dev/shm"))
    atexit.register(shutil.rmtree, os.getcwd(), ignore_errors=True)
Path("sea.json").write_text(json.dumps(SEA))
NETCDF = threading.Lock()  # the library is not made for threads


def breaker():
    """Builds tests/faults/break.c for LD_PRELOAD; ends the test as skipped where it would stand in the way."""
    if (Path(os.environ["MAEOTIS_BUILD_DIR"]) / "CMakeCache.txt").read_text().count("MAEOTIS_SANITIZE:BOOL=ON"):
        print("sanitizers and this library replace the same calls: skipped")
        sys.exit(77)
    path = Path("break.so").resolve()
    subprocess.run([os.environ.get("MAEOTIS_CC", "cc"), "-std=c17", "-D_GNU_SOURCE", "-O1", "-shared", "-fPIC", "-o", path,
                    cases.SOURCE / "tests/faults/break.c", "-ldl"], check=True)
    return path


def command(folder, ranks, *options):
    words = [cases.PROGRAM, "run", "sea.json", "--quiet", "--set", f"/output_folder={folder}", *options]
    return [cases.MPIRUN, "-q", "-n", str(ranks), *words] if ranks else words


class Ended:
    """Exit code (negative: the signal), what it said, and whether it had to be killed because it did not end."""

    def __init__(self, words, timeout=60, environment=None, **how):
        self.hung = False
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                              env={**os.environ, **(environment or {})}, start_new_session=True, **how) as process:
            try:
                self.said = process.communicate(timeout=timeout)[1]
            except subprocess.TimeoutExpired:
                self.hung = True
                os.killpg(process.pid, signal.SIGKILL)
                self.said = process.communicate()[1]
        self.code = process.returncode


def run(folder, ranks=0, *options, fault=None, **how):
    """`fault`: settings of break.c without FAULT_, such as {"calls": "write", "at": 7}."""
    environment = {f"FAULT_{name.upper()}": str(value) for name, value in (fault or {}).items()}
    if fault:
        environment["LD_PRELOAD"] = str(Path("break.so").resolve())
    return Ended(command(folder, ranks, *options), environment=environment, **how)


def trials(plan, trial):
    """Calls trial(case, folder) for each case of the plan, some at a time, in a mixed order, each with a folder of its own; yields
    (case, what it returned). MAEOTIS_FAULTS_SECONDS, if set, ends it early."""
    ends = time.monotonic() + float(os.environ.get("MAEOTIS_FAULTS_SECONDS", "inf"))
    plan = list(enumerate(plan))
    random.Random(1).shuffle(plan)

    def one(number, case):
        if time.monotonic() > ends:
            return None
        folder = f"out/{number}"
        found = trial(case, folder)
        shutil.rmtree(folder, ignore_errors=True)
        return case, found

    with ThreadPoolExecutor(int(os.environ.get("MAEOTIS_FAULTS_WORKERS", 2))) as pool:
        for done in as_completed([pool.submit(one, *pair) for pair in plan]):
            if done.result():
                yield done.result()


def count(folder, ranks, fault, *options):
    """How many calls there are that may fail."""
    counted = Path("counted")
    counted.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    run(folder, ranks, *options, fault={**fault, "at": 0, "count": counted.resolve()})
    return counted.stat().st_size if counted.exists() else 0


def contents(folder):
    """All values of the files, so that two folders can be compared; without the words on who wrote them and how."""
    found = {}
    for name in FILES:
        path = Path(folder, name)
        if not path.exists():
            continue
        with netCDF4.Dataset(path) as data:
            data.set_auto_maskandscale(False)
            for key, variable in data.variables.items():
                found[name, key] = variable[...].tobytes()
    return found


def restart_files(folder):
    return sorted(path for path in Path(folder).glob("restart_*.nc") if re.fullmatch(r"restart_\d{8}T\d{6}Z\.nc", path.name))


def differences(folder, whole):
    try:
        with NETCDF:
            found = contents(folder)
    except OSError as error:
        return [str(error)]
    return sorted({f"{name}:{key}" for name, key in whole if found.get((name, key)) != whole[name, key]})


def judge(ended, folder, whole, ranks=0, codes=(1, 2), may_be_killed=False, options=()):
    """None, or what is wrong with how the run ended or with what can be made of its files."""
    if ended.hung:
        return "it did not end"
    if ended.code == 0:
        wrong = differences(folder, whole)
        return f"it ended well, but differs: {wrong[:3]}" if wrong else None
    if not may_be_killed:
        if ended.code not in codes:
            return f"exit code {ended.code}: {ended.said[-300:]}"
        if "error: " not in ended.said:
            return f"no message: {ended.said[-300:]}"
        if "*** Process received signal" in ended.said:
            return f"a crash: {ended.said[-600:]}"
    newest = restart_files(folder)
    again = run(folder, ranks, *options, *(["--restart", str(newest[-1])] if newest else ["--overwrite"]))
    if "nothing to do" in again.said and len(newest) > 1:  # it failed as it closed its files
        again = run(folder, ranks, *options, "--restart", str(newest[-2]))
    if again.hung or again.code != 0:
        return f"cannot be continued ({again.code}): {again.said[-400:]}; it had said {ended.said[-300:]}"
    wrong = differences(folder, whole)
    return f"continued, but differs: {wrong[:3]}" if wrong else None


class Tally:
    """Counts trials by how they ended; keeps the first few failures of each kind."""

    def __init__(self):
        self.trials = {}
        self.failures = []

    def add(self, kind, what, ended, wrong):
        """`wrong`: what judge found."""
        how = "hung" if ended.hung else "done" if ended.code == 0 else "refused or stopped"
        self.trials.setdefault(kind, {}).setdefault(how, 0)
        self.trials[kind][how] += 1
        if wrong:
            self.failures.append(f"{what}: {wrong}")
            print(f"FAIL  {what}: {wrong}", flush=True)

    def finish(self):
        for kind, ends in self.trials.items():
            print(f"{kind}: {sum(ends.values())} trials, " + ", ".join(f"{number} {how}" for how, number in ends.items()))
        cases.equal("trials that failed", len(self.failures), 0)
        cases.finish()
