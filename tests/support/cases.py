# SPDX-License-Identifier: Apache-2.0
"""Verification cases: run a scenario of scenarios/ with the program itself, read what it wrote, compare numbers.

    run = cases.run("verification/seiche", {"/time/step_s": 40})
    cases.close("period", found, exact=2019.3, tolerance=0.005)   # relative
    cases.below("speed", found, 1e-12)
    cases.finish()
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import netCDF4
import numpy as np

SOURCE = Path(os.environ.get("MAEOTIS_SOURCE_DIR", Path(__file__).resolve().parents[2]))
PROGRAM = os.environ.get("MAEOTIS", str(SOURCE / "build" / "maeotis"))
MPIRUN = os.environ.get("MAEOTIS_MPIRUN", "mpirun")
THOROUGH = "MAEOTIS_THOROUGH" in os.environ  # among the long tests: the variants that a merge does without
SETTINGS = json.loads(os.environ.get("MAEOTIS_SETTINGS", "{}"))  # of every run, below what a case sets itself

os.environ.setdefault("MALLOC_PERTURB_", "165")  # what is used after it was freed shows
os.environ["XDG_CACHE_HOME"] = str(Path.cwd() / "cache")  # the user's calibration stays as it is, and does not matter

_failures = []
_runs = 0


class Run:
    """A finished run: `log` has one dict per step, fields() and stations() the variables of its files."""

    def __init__(self, folder, process):
        self.folder = folder
        self.code = process.returncode
        self.message = process.stderr
        self.log = []
        if (folder / "log.jsonl").exists():
            self.log = [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]

    def read(self, pattern):
        files = sorted(self.folder.glob(f"**/{pattern}"))
        if len(files) != 1:
            raise SystemExit(f"{self.folder}: {len(files)} files match {pattern}")
        with netCDF4.Dataset(files[0]) as data:
            result = {}
            data.set_auto_chartostring(False)  # which stumbles over letters of several bytes
            for name, variable in data.variables.items():
                values = variable[:]
                if np.issubdtype(values.dtype, np.floating):
                    values = np.ma.filled(values.astype(float), np.nan)
                result[name] = values
            if "station" in result:
                result["names"] = [b"".join(row).rstrip(b"\0").decode() for row in np.ma.filled(result["station"], b"")]
        return result

    def fields(self, pattern="*[!s].nc"):
        return self.read(pattern)

    def stations(self, pattern="*_stations.nc"):
        return self.read(pattern)

    def column(self, name):
        return np.array([line[name] for line in self.log])

    @property
    def digest(self):
        return self.log[-1]["digest"]

    @property
    def volume_error(self):
        """Largest imbalance of the volume's account, relative to the volume."""
        return np.max(np.abs(self.column("volume_error_m3")) / self.column("volume_m3"))


def run(scenario, settings=None, ranks=0, options=(), label=None, may_fail=False, program=PROGRAM):
    """Runs a scenario in a fresh folder. `ranks` 0: without mpirun. Lists and objects become JSON."""
    global _runs
    _runs += 1
    folder = Path.cwd() / (label or f"run{_runs:03d}")
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    folder.mkdir(parents=True)
    path = Path(scenario) if str(scenario).endswith(".json") else SOURCE / "scenarios" / f"{scenario}.json"
    command = [program, "run", str(path), "--quiet", "--log-json", "log.jsonl", *options]
    for pointer, value in {**SETTINGS, **(settings or {})}.items():
        command += ["--set", f"{pointer}={value if isinstance(value, str) else json.dumps(value)}"]
    if ranks:
        command = [MPIRUN, "-n", str(ranks), *command]
    process = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    (folder / "stderr.txt").write_text(process.stderr)
    if process.returncode != 0 and not may_fail:
        print(process.stdout, process.stderr)
        raise SystemExit(f"exit code {process.returncode}: {' '.join(command)}")
    return Run(folder, process)


def _report(name, good, text):
    print(f"{'ok  ' if good else 'FAIL'}  {name}: {text}", flush=True)
    if not good:
        _failures.append(name)
    return good


def close(name, found, exact, tolerance):
    """Relative difference."""
    error = abs(found / exact - 1)
    return _report(name, error <= tolerance, f"{found:.6g}, exact {exact:.6g}: off by {error:.2e} (at most {tolerance:g})")


def below(name, found, limit):
    return _report(name, found <= limit, f"{found:.3g} (at most {limit:g})")


def between(name, found, low, high):
    return _report(name, low <= found <= high, f"{found:.4g} ({low:g} to {high:g})")


def equal(name, found, expected):
    return _report(name, found == expected, f"{found}" if found == expected else f"{found}, not {expected}")


def orders(errors, ratio=2.0):
    """Observed orders of convergence between neighbours of a list of errors, each `ratio` times finer."""
    errors = np.asarray(errors, float)
    return np.log(errors[:-1] / errors[1:]) / np.log(ratio)


def conserves(run_, limit=1e-12):
    below("volume's account", run_.volume_error, limit)


def finish():
    if _failures:
        raise SystemExit(f"failed: {', '.join(_failures)}")
    sys.exit(0)


def fit_wave(time, values, omega):
    """Least squares of mean + a cos + b sin near `omega`: (omega, amplitude, phase) with values ~ amplitude cos(omega t - phase)."""
    time, values = np.asarray(time, float), np.asarray(values, float)

    def misfit(w):
        matrix = np.stack([np.ones_like(time), np.cos(w * time), np.sin(w * time)], axis=1)
        solution, *_ = np.linalg.lstsq(matrix, values, rcond=None)
        return np.sum((matrix @ solution - values) ** 2), solution

    low, high = 0.8 * omega, 1.2 * omega
    for _ in range(12):
        trial = np.linspace(low, high, 41)
        best = trial[int(np.argmin([misfit(w)[0] for w in trial]))]
        width = (high - low) / 20
        low, high = best - width, best + width
    _, (_, a, b) = misfit(best)
    return best, float(np.hypot(a, b)), float(np.arctan2(b, a))
