# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
# ctest: timeout 7200
"""Two steps of each scenario in a program built with sanitizers, and two more from a restart file: no complaint. Skipped in
other builds."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import cases

if "MAEOTIS_SANITIZE:BOOL=ON" not in (Path(os.environ["MAEOTIS_BUILD_DIR"]) / "CMakeCache.txt").read_text():
    print("a build without sanitizers: skipped")
    sys.exit(77)

COMPLAINT = re.compile(r"runtime error|AddressSanitizer|LeakSanitizer|UndefinedBehaviorSanitizer")


def steps(scenario, number, *options):
    words = [cases.PROGRAM, "run", str(scenario), "--quiet", "--steps", str(number), "--set", f"/output_folder={scenario.stem}",
             "--set", "/restart/at_end=true", *options]
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=1200)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(words, -1, "", f"it took longer than {late.timeout} s")


for scenario in sorted([*(cases.SOURCE / "scenarios").glob("*.json"), *(cases.SOURCE / "scenarios/verification").glob("*.json")]):
    shutil.rmtree(scenario.stem, ignore_errors=True)
    process = steps(scenario, 2)
    restarts = sorted(Path(scenario.stem).glob("restart_*.nc"))
    good = process.returncode == 0 and restarts and not COMPLAINT.search(process.stderr)
    cases.equal(f"{scenario.stem}: two steps", good or process.stderr[-1500:], True)
    if good:
        process = steps(scenario, 4, "--restart", str(restarts[-1]))
        good = process.returncode == 0 and not COMPLAINT.search(process.stderr)
        cases.equal(f"{scenario.stem}: two more", good or process.stderr[-1500:], True)
    shutil.rmtree(scenario.stem, ignore_errors=True)
cases.finish()
