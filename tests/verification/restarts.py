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
# they and the log stay as they are. The scenario in them tells; where it is the same, or --force, the digest of the
# record at the time of the restart.
results = Path.cwd() / "results"


def seiche(what, steps, height, *options):
    settings = {"/output": [{"every_s": 40, **what}], "/output_folder": str(results), "/restart": {"at_end": True}, "/initial/eta_m": height}
    log = ("--log-json", str(results / "log.jsonl"))
    return cases.run("verification/seiche", settings, 0, ("--steps", str(steps), *options, *log), may_fail=True)


fields, stations = {"file": "sea.nc", "variables": ["eta"]}, {"file": "sea.nc", "stations": {"a": [1000, 200]}}
for name, what, steps, force in (("fields", fields, 3, ()), ("stations", stations, 4, ()), ("fields, by force", fields, 4, ("--force=scenario",))):
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir()
    seiche(what, steps, 0.01, "--overwrite")
    (written,) = results.glob("restart_*.nc")
    restart = written.rename(Path.cwd() / "ours.nc")
    seiche(what, 8, 0.02, "--overwrite")
    theirs = [(results / file).read_bytes() for file in ("sea.nc", "log.jsonl")]
    refused = seiche(what, 8, 0.01, "--restart", str(restart), *force)
    cases.equal(f"{name} of another run", (refused.code, "is from another run" in refused.message, "the scenario differs" in refused.message), (2, True, not force))
    cases.equal(f"{name} of another run stay, and the log", theirs == [(results / file).read_bytes() for file in ("sea.nc", "log.jsonl")], True)
    (results / "sea.nc").unlink()
    cases.equal(f"{name}: without them it goes on", seiche(what, 8, 0.01, "--restart", str(restart)).code, 0)
    cases.equal(f"{name}: twice", seiche(what, 8, 0.01, "--restart", str(restart)).code, 0)
cases.finish()
