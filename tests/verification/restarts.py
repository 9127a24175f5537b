# SPDX-License-Identifier: Apache-2.0
"""A run that was stopped after any number of steps, odd or even, goes on with the same bits.

Two buffers take turns in a step: what only one of them holds shows after an odd number of steps.
"""
import shutil
from pathlib import Path

import cases

STEPS = 4
SEAS = ["kerch_exchange", "lagoon", "tidal_bay", "verification/estuary", "verification/everything",
        "verification/submerged_bar", "verification/open_channel"]  # fmt: skip


def go(sea, until, *more):
    settings = {"/output": [], "/restart": {"at_end": True}}
    return cases.run(sea, settings, 0, ("--steps", str(until), "--overwrite", *more), label=f"{until}_{len(more)}")


for sea in SEAS:
    expected = go(sea, STEPS).digest
    for stop in range(1, STEPS):
        (file,) = go(sea, stop).folder.glob("**/restart_*.nc")
        cases.equal(f"{sea}, stopped after {stop}", go(sea, STEPS, "--restart", str(file)).digest, expected)

# The folder holds results of another run under the same names: a restart file of this one does not continue them, and
# they stay as they are.
results = Path.cwd() / "results"
shutil.rmtree(results, ignore_errors=True)
shared = {"/output": [{"file": "sea.nc", "every_s": 40, "variables": ["eta"]}], "/output_folder": str(results), "/restart": {"at_end": True}}


def seiche(steps, height, *options):
    return cases.run("verification/seiche", {**shared, "/initial/eta_m": height}, 0, ("--steps", str(steps), *options), may_fail=True)


seiche(4, 0.01, "--overwrite")
(written,) = results.glob("restart_*.nc")
restart = written.rename(Path.cwd() / "ours.nc")
seiche(8, 0.02, "--overwrite")
theirs = (results / "sea.nc").read_bytes()
refused = seiche(8, 0.01, "--restart", str(restart))
cases.equal("another run's results", (refused.code, "is of another run" in refused.message), (2, True))
cases.equal("another run's results stay", (results / "sea.nc").read_bytes() == theirs, True)
(results / "sea.nc").unlink()
cases.equal("without them it goes on", seiche(8, 0.01, "--restart", str(restart)).code, 0)
cases.finish()
