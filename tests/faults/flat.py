# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
# ctest: timeout 7200
"""A month of a tiny sea with everything on, a restart file every six hours: memory and open files stay as they are after a day."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import cases

DAYS = float(os.environ.get("MAEOTIS_FAULTS_DAYS", 30))
OUTPUT = """[{"file": "fields.nc", "every_s": 7200, "variables": ["eta", "u_east", "v_north", "temperature", "salinity", "dye", "mud", "age"]},
             {"file": "means.nc", "every_s": 86400, "variables": ["eta", "temperature"], "mean": true},
             {"file": "stations.nc", "stations": {"a": [2000, 2000], "b": [7000, 5000]}, "every_s": 600},
             {"file": "extremes.nc", "extremes": ["max_eta", "max_speed", "inundation_duration"], "every_s": 86400}]"""
# Twice as coarse as the sea of everything.json, with steps of 150 s.
SETTINGS = {"/grid/dx_m": 1000, "/grid/length_y_m": 9000, "/grid/levels/dz_m": 2, "/time/step_s": 150, "/time/duration_s": DAYS * 86400,
            "/restart/every_s": 21600, "/output": OUTPUT, "/output_folder": "month"}
if "MAEOTIS_SANITIZE:BOOL=ON" in (Path(os.environ["MAEOTIS_BUILD_DIR"]) / "CMakeCache.txt").read_text():
    print("sanitizers keep freed memory: skipped")
    sys.exit(77)


def held(pid):
    """Resident memory [KiB] and open descriptors; None when it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmRSS"))), len(os.listdir(f"/proc/{pid}/fd"))
    except (OSError, StopIteration):
        return None


def samples(ranks):
    """(restart files written so far, memory, descriptors) of each process of a run."""
    shutil.rmtree("month", ignore_errors=True)
    words = [cases.PROGRAM, "run", str(cases.SOURCE / "scenarios/verification/everything.json"), "--quiet", "--log-json", "month.jsonl"]
    for name, value in SETTINGS.items():
        words += ["--set", f"{name}={value}"]
    if ranks:
        words = [cases.MPIRUN, "-q", "-n", str(ranks), *words]
    found = {}
    with open("said", "w+") as said:
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=said)
        while process.poll() is None:
            said_so_far = Path("said").read_text().count("restart file: ")
            for entry in Path("/proc").iterdir():
                try:
                    arguments = (entry / "cmdline").read_bytes().split(b"\0")
                except OSError:
                    continue
                if arguments[0].endswith(b"/maeotis") and b"/output_folder=month" in arguments and (now := held(entry.name)):
                    found.setdefault(entry.name, []).append((said_so_far, *now))
            time.sleep(0.2)
    cases.equal(f"{ranks or 1} ranks: code", process.returncode, 0)
    if process.returncode != 0:
        print(Path("said").read_text()[-1000:])
    return list(found.values())


for ranks in (0, 2):
    for number, series in enumerate(samples(ranks)):
        early = [sample for sample in series if 4 <= sample[0] < 12] or series[:1]  # the second and third day
        late = series[-max(1, len(series) // 10):-1] or series[-1:]
        name = f"{ranks or 1} ranks, rank {number}, {len(series)} samples"
        cases.below(f"{name}: memory grows by, of {early[0][1]} KiB", max(s[1] for s in late) / max(s[1] for s in early) - 1, 0.02)
        # the fewest: a file that is being written is open for a moment, one that is never closed for ever
        cases.below(f"{name}: more descriptors", min(s[2] for s in late) - min(s[2] for s in early), 0)
cases.finish()
