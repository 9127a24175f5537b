# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""Cuts that move during a run, by the speeds of its first steps: an emulated device gets less of the sea, and digests and files
stay those of one rank, with means and extremes under way."""

import os
import re
import subprocess
from pathlib import Path

import cases

COARSE = {"/grid/dx_m": 8000, "/time/step_s": 300, "/restart": {"at_end": False}, "/output": [
    {"file": "means.nc", "every_s": 900, "mean": True, "variables": ["eta", "u"]}, {"file": "extremes.nc", "extremes": ["max_eta", "time_of_max_eta"]}]}
STEPS = 7


def run(ranks, *options, **more):
    return cases.run("azov_storm_2014", COARSE, ranks, ["--steps", str(STEPS), *options], **more)


def told(message):
    return re.search(r"cuts moved after step (\d+): speeds of the processes ([\d., e-]+);", message)


def files_of(done):
    paths = sorted(done.folder.glob("**/*.nc"))
    lines = subprocess.run([cases.PROGRAM, "digest", *paths], capture_output=True, text=True, check=True).stdout.splitlines()
    return {path.name: line.split()[0] for path, line in zip(paths, lines)}


alone = run(0)
digests, files = alone.column("digest").tolist(), files_of(alone)
cases.equal("files", sorted(files), ["extremes.nc", "means.nc"])
for ranks, devices in ((2, "cpu,emu"), (3, "emu,cpu,cpu")):
    moved = run(ranks, "--device", devices, "--rebalance", "3")
    cases.equal(f"{devices}: digests", moved.column("digest").tolist(), digests)
    words = told(moved.message)
    cases.equal(f"{devices}: moved after the third step", words is not None and words[1], "3")
    speeds = [float(speed) for speed in words[2].split(",")]
    cases.below(f"{devices}: speed of the emulated device", speeds[devices.split(",").index("emu")], 0.7)
    found = files_of(moved)
    restarts = [name for name in found if name.startswith("restart_")]
    cases.equal(f"{devices}: one restart file", len(restarts), 1)
    cases.equal(f"{devices}: the same files beside it", {name: found[name] for name in found if name not in restarts}, files)
once = run(2, "--rebalance", str(STEPS))
cases.equal("nothing to move after the last step", (once.column("digest").tolist(), told(once.message)), (digests, None))
for options, words in ((["--rebalance", "3", "--no-files"], "leave --no-files out"), (["--rebalance", "1"], "--rebalance")):
    refused = run(0, *options, may_fail=True)
    cases.equal(f"{' '.join(options)}: refused", (refused.code, words in refused.message), (2, True))
# an input that is a pipe cannot be read once more
Path("pipe").unlink(missing_ok=True)
os.mkfifo("pipe")
with subprocess.Popen(["cp", cases.SOURCE / "scenarios/wind/azov_storm_2014.csv", "pipe"]):
    refused = cases.run("azov_storm_2014", {**COARSE, "/forcing/wind/file": str(Path("pipe").resolve())}, 0, ["--rebalance", "3"], may_fail=True)
cases.equal("the wind from a pipe: refused", (refused.code, "it is not a file" in refused.message), (2, True))
cases.finish()
