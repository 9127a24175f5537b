# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""A machine is calibrated, a sea planned for it and for described clusters, and run by their speeds and devices with the
digest of one rank. What cannot be planned is refused."""

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import cases

SCENARIO = str(cases.SOURCE / "scenarios" / "azov_storm_2014.json")
COARSE = {"/grid/dx_m": 8000, "/time/step_s": 300, "/output": []}
SET = [word for key, value in COARSE.items() for word in ("--set", f"{key}={json.dumps(value)}")]


def call(*words, ranks=0):
    launch = [cases.MPIRUN, "-n", str(ranks)] if ranks else []
    process = subprocess.run([*launch, cases.PROGRAM, *words], capture_output=True, text=True, check=False)
    return process.returncode, process.stdout, process.stderr


def plan(cluster, *words):
    return call("plan", SCENARIO, "--cluster", cluster, "--steps", "3", *SET, *words)


def described(name, count, each=32, **more):
    """`count` nodes of so many equal cores."""
    cores = {"kind": "cpu", "cores": each, "ns_per_node": {"step": 100, "sweep": 3}}
    Path(name).write_text(json.dumps({"nodes": [{"count": count, "memory_GB": 64, "devices": [cores]}], **more}))
    return name


def steps_of(text):
    """ranks: (step in ms, max over mean work)"""
    rows = re.findall(r"^ +(\d+) +(?:\d+-)?\d+ x \d+ +([\d.e+-]+) .* ([\d.]+)$", text, re.M)
    return {int(ranks): (float(step), float(imbalance)) for ranks, step, imbalance in rows}


# this machine
code, _, words = call("calibrate", SCENARIO, "--steps", "3", "-o", "here.json", *SET, ranks=2)
cases.equal("calibrate: exit code", code, 0)
here = json.loads(Path("here.json").read_text())
device = here["nodes"][0]["devices"][0]
for kernel in ("step", "sweep", "lines"):
    cases.equal(f"time of {kernel} is there", device["ns_per_node"][kernel] > 0, True)
cases.equal("messages took time", here["links"]["in_node"]["latency_us"] > 0, True)
schema = json.loads((cases.SOURCE / "docs" / "cluster.schema.json").read_text())
cases.equal("the schema knows the keys of a device", set(device) <= set(schema["$defs"]["device"]["properties"]), True)
cases.equal("the schema knows the keys of a cluster", set(here) <= set(schema["properties"]), True)
for example in ("k60", "ten_thousand"):
    code, words, _ = plan(str(cases.SOURCE / "docs" / "clusters" / f"{example}.json"), "--processes", "8", "--finer", "8")
    cases.equal(f"plan for docs/clusters/{example}.json: exit code", code, 0)
    even, more = re.search(r"cut by the work alone, \S+ x \S+, it would have ([\d.]+) times the mean work, and a step would take ([\d.]+ % \w+)", words).groups()
    cases.between(f"{example}: the busiest where the work alone decides, over the mean", float(even), 1, 1.06)
    cases.equal(f"{example}: which processes are GPUs", re.findall("^GPUs .*", words, re.M), ["GPUs       4 of 8 processes: 0-3"] if example == "k60" else [])
code, text, words = plan(str(cases.SOURCE / "docs" / "clusters" / "archer2.json"))
cases.equal("a cluster with more cores than the sea has columns: exit code", code, 0)
cases.between("it is planned for as many processes as can share the sea", max(steps_of(text)), 32, 128)
code, text, words = plan("here.json", "--processes", "2", "--svg", "plan.svg")
cases.equal("plan: exit code", code, 0)
cases.equal("steps for both numbers of ranks", sorted(steps_of(text)), [1, 2])


def launched(text):
    return shlex.split(next(line for line in text.splitlines() if line.startswith("launch")))[1:]


cases.equal("launch line", launched(text), ["./maeotis", "run", SCENARIO, *SET, "--cluster", "here.json", "-n", "2"])
fine = plan("here.json", "--processes", "1", "--finer", "2")[1]
cases.equal("launch line of a finer sea", launched(fine)[-8:], ["--set", "/grid/dx_m=4000", "--set", "/grid/dy_m=4000", "--cluster", "here.json", "-n", "1"])
cases.equal("what sweeps walk", re.search(r"graph +\d+ fragments in \d+ stages, \d+ messages? a sweep", text) is not None, True)
cases.equal("blocks of a GPU along z", "a GPU's blocks along z are of no account" in text, True)
shape = re.search(r"cuts +with -n 2: (\d+ x \d+) processes", call("check", SCENARIO, "-n", "2", *SET)[1])[1]
picture = Path("plan.svg").read_text()
cases.equal("the picture ends", picture.endswith("</svg>\n") and picture.count("<rect") > 10, True)

# one core, and a device that is gone
core = min(os.sched_getaffinity(0))
one_core = ["taskset", "-c", str(core), cases.PROGRAM]
process = subprocess.run([*one_core, "calibrate", SCENARIO, "--steps", "3", "-o", "one.json", *SET], capture_output=True, text=True, check=False)
cases.equal("calibrate on one core: exit code", process.returncode, 0)
cases.equal("one core: cores", json.loads(Path("one.json").read_text())["nodes"][0]["devices"][0]["cores"], 1)
cases.equal("one core: no messages were measured", "one process alone cannot measure messages" in process.stderr, True)
process = subprocess.run([*one_core, "plan", SCENARIO, "--cluster", "one.json", "--steps", "3", "--processes", "1", *SET], capture_output=True, text=True, check=False)
cases.equal("plan on one core: exit code", process.returncode, 0)
cases.equal("plan on one core: one row", sorted(steps_of(process.stdout)), [1])
code, _, words = call("calibrate", SCENARIO, "--steps", "3", "--device", "gpu", "-o", "none.json", *SET)
if code != 0:  # there is no GPU here
    cases.equal("calibrate a GPU that is gone", (code, Path("none.json").exists(), '"gpu"' in words), (2, False, True))

# a cluster that is not here, and a finer sea: more ranks are faster as long as they have something to do
links = {"in_node": {"latency_us": 1, "ns_per_byte": 0.1}, "between_nodes": {"latency_us": 2, "ns_per_byte": 0.2}}
code, text, words = plan(described("large.json", 32, links=links), "--finer", "32", "--levels", "50", "--processes", "1024")
cases.equal("plan of a described cluster: exit code", code, 0)
steps = steps_of(text)
cases.equal("32 ranks are more than 12 times as fast as one", steps[1][0] > 12 * steps[32][0], True)
cases.equal("1024 are faster than 32", steps[1024][0] < steps[32][0], True)
cases.equal("Slurm", "srun --mpi=pmix --nodes=32 --ntasks=1024 --ntasks-per-node=32" in text, True)

# on one node of equal cores, too, strips have cuts of their own where that is faster
described("node.json", 1, 64, links={**links, "in_node": {"latency_us": 0.5, "ns_per_byte": 0.1}})
chosen, straight = (steps_of(plan("node.json", "--finer", "4", "--processes", "64", *words)[1])[64] for words in ([], ["--set", "/solver/cuts=straight"]))
cases.between("the busiest of 64 cores of a node, over straight cuts", chosen[1] / straight[1], 0.7, 0.97)
cases.below("their step over that of straight cuts", chosen[0] / straight[0], 0.98)

code, text, words = plan("large.json", "--set", "/solver/processes=[2,3]")
cases.equal("the shape of the scenario is planned", "\n2 x 3 processes: a step takes" in text, True)
# the largest --finer that the refusal names is planned
code, _, words = plan("large.json", "--processes", "1", "--finer", "1000000000")
largest = re.search(r"at most (\d+)\n", words).group(1)
cases.equal("the largest sea: exit code", plan("large.json", "--processes", "1", "--finer", largest)[0], 0)

# speeds and devices of a described node, and the digest of one rank
mixed = {"nodes": [{"devices": [{"kind": "cpu", "cores": 2, "ns_per_node": {"step": 100}},
                                {"kind": "emu", "ns_per_node": {"step": 300}}]}]}
Path("mixed.json").write_text(json.dumps(mixed))
alone = cases.run("azov_storm_2014", COARSE, 0, ["--steps", "2"])
for ranks in (2, 3):
    run = cases.run("azov_storm_2014", COARSE, ranks, ["--steps", "2", "--cluster", str(Path("mixed.json").resolve())])
    cases.equal(f"digest of {ranks} unequal ranks", run.digest, alone.digest)

# what calibrate has kept tells a run without --cluster how long messages take, and is the cluster of a plan
kept = list(Path(os.environ["XDG_CACHE_HOME"]).glob("maeotis/*.json"))
cases.equal("one calibration is kept", [json.loads(path.read_text()) == here for path in kept], [True])
run = cases.run("azov_storm_2014", COARSE, 2, ["--steps", "2"])
cases.equal("a run has the cuts that check shows", f"{shape} process" in run.message, True)
cases.equal("a run says what it takes", "as calibrated on this machine" in run.message, True)
cases.equal("digest by what is kept", run.digest, alone.digest)
cases.equal("digest by a cluster that says it", "from the cluster file" in cases.run("azov_storm_2014", COARSE, 2, ["--steps", "1", "--cluster", str(Path("here.json").resolve())]).message, True)
code, text, _ = call("plan", SCENARIO, "--steps", "3", "--processes", "2", *SET)
cases.equal("plan by what is kept", (code, f"--cluster {kept[0]}" in text), (0, True))

# the steps of a zoom count: on a described core the sea and its finer grid take as long as their cells times their steps
described("one.json", 1)
bay = ["plan", str(cases.SOURCE / "scenarios" / "zoomed_bay.json"), "--cluster", "one.json", "--steps", "3", "--processes", "2"]
text = call(*bay)[1]
inside, whole = float(re.search(r"zoom       its 3 steps take ([\d.]+) ms", text)[1]), steps_of(text)[2][0]
cells = [float(number) for number in re.findall(r"^(?:sea|zoom) .* ([\d.]+) wet cells", text, re.M)]
cases.between("time of the zoom, for that of the sea around", inside / (whole - inside) / (3 * cells[1] / cells[0]), 0.8, 1.2)

# refusals
Path("broken.json").write_text('{"nodes": [{"devices": [{"kind": "cpu", "chips": 4}]}]}')
for name, words, message in [
        ("broken.json", [], 'a device has no key "chips"'), ("nowhere.json", [], 'there is no file "nowhere.json"'),
        ("mixed.json", ["--processes", "4"], "cores and GPUs for 3 processes"),
        ("large.json", ["--processes", "1000"], "at most"), ("mixed.json", ["--cores", "4"], "unknown option"),
        (cases.SOURCE / "docs/clusters/k60.json", ["--finer", "30000"], "all nodes together have 7.68e+03 GB"),
        ("large.json", ["--finer", "1000000000"], "too much for a plan"), ("large.json", ["--set", "/solver/processes=[40,3]"], "120 processes: at most"),
        ("large.json", ["--processes", "6", "--set", "/solver/processes=[2,2]"], "/solver/processes of the scenario is for 4"),
        ("mixed.json", ["--set", "/solver/processes=[2,2]"], "/solver of the scenario requests")]:
    code, _, text = plan(name, *words)
    cases.equal(f"{name} {' '.join(words)}: exit code", code, 2)
    cases.equal(f"{name} {' '.join(words)}: message", message in text, True)
refused = cases.run("azov_storm_2014", COARSE, 2, ["--steps", "1", "--cluster", str(Path("broken.json").resolve())], may_fail=True)
cases.equal("run with a broken cluster: exit code", refused.code, 2)
mixed["nodes"][0]["devices"][1]["kind"] = "gpu"
Path("gone.json").write_text(json.dumps(mixed))
refused = cases.run("azov_storm_2014", COARSE, 3, ["--steps", "1", "--cluster", str(Path("gone.json").resolve())], may_fail=True)
if refused.code != 0:  # there is no GPU here
    cases.equal("run on a GPU that is gone: exit code", refused.code, 2)
cases.finish()
