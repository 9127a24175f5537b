# SPDX-License-Identifier: Apache-2.0
"""Many runs beside each other on one machine: none takes anything from another as it starts or ends."""

import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cases

SCENARIO = cases.SOURCE / "scenarios" / "verification" / "couette.json"


def run(number):
    folder = Path(f"run{number:03d}")
    folder.mkdir(exist_ok=True)
    command = [cases.PROGRAM, "run", str(SCENARIO), "--quiet", "--steps", "2", "--set", "/grid/levels/dz_m=5"]
    process = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    return process.returncode, process.stderr


with ThreadPoolExecutor(6) as pool:
    results = list(pool.map(run, range(150)))
failed = [(code, words) for code, words in results if code != 0]
for code, words in failed[:3]:
    print(code, words)
cases.equal("runs that failed beside others", len(failed), 0)
cases.finish()
