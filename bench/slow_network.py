#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Two networks made on this machine, and on each of them the cuts and messages that were chosen for either.

    bench/slow_network.py [--processes N] [--steps N] [--networks NAME,NAME] [--on NAME] [--set /POINTER=VALUE ...]

A library between program and MPI lets each message take T = a + b V longer, V in bytes, while its sender waits. The storm of
the Azov Sea runs on that network with the cluster file of each network in turn; the least mean time of a step in three turns,
which alternate, counts; all are printed. Digests are compared. Needs as many idle cores as processes."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"):
    os.environ.setdefault(name, "1")  # as the launcher does

ROOT = Path(__file__).resolve().parents[1]
NETWORKS = {"fast": (0.5, 0.1), "slow": (50.0, 1.0), "very slow": (1000.0, 1.0)}  # [us], [ns a byte]
CALCULATOR = {"step": 90, "sweep": 1}  # [ns a cell]
LIBRARY = r"""
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>
int MPI_Isend(const void *x, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request) {
    int size;
    MPI_Type_size(type, &size);
    const double until = MPI_Wtime() + 1e-6 * atof(getenv("SLOW_US")) + 1e-9 * atof(getenv("SLOW_NS")) * size * count;
    while (MPI_Wtime() < until)
        if (until - MPI_Wtime() > 3e-4) usleep(100); /* leaves the core to others */
    return PMPI_Isend(x, count, type, to, tag, comm, request);
}
"""


def cluster(folder, name, processes):
    latency, per_byte = NETWORKS[name]
    path = folder / f"{name.replace(' ', '_')}.json"
    path.write_text(json.dumps({"nodes": [{"devices": [{"kind": "cpu", "cores": processes, "ns_per_node": CALCULATOR}]}],
                                "links": {"in_node": {"latency_us": latency, "ns_per_byte": per_byte}}}))
    return path


def run(words, processes, file, network, library):
    latency, per_byte = NETWORKS[network]
    slow = [] if network == "fast" else ["-x", f"LD_PRELOAD={library}", "-x", f"SLOW_US={latency}", "-x", f"SLOW_NS={per_byte}"]
    program = os.environ.get("MAEOTIS", str(ROOT / "build" / "maeotis"))
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.run(["mpirun", "--oversubscribe", "-mca", "mpi_yield_when_idle", "1", *slow, "-n", str(processes), program, "run", str(ROOT / "scenarios/azov_storm_2014.json"),
                                  *words, "--quiet", "--set", f"/output_folder={folder}/out", "--cluster", str(file)],
                                 capture_output=True, text=True, check=False)
        if process.returncode:
            sys.exit(process.stderr)
        record = json.loads((Path(folder) / "out" / "run_record.json").read_text())
    grid = next(line for line in process.stderr.splitlines() if "wet columns" in line)
    return record, grid.split("; ")[-1]


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--processes", type=int, default=2)
    arguments.add_argument("--steps", type=int, default=30)
    arguments.add_argument("--turns", type=int, default=3)
    arguments.add_argument("--networks", default="fast,slow")
    arguments.add_argument("--on", help="only on these networks")
    arguments.add_argument("--set", action="append", default=[])
    o = arguments.parse_args()
    words = ["--steps", str(o.steps), "--set", "/output=[]"] + [word for value in o.set for word in ("--set", value)]
    names = o.networks.split(",")
    digests = set()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "slow.c").write_text(LIBRARY)
        library = folder / "slow.so"
        subprocess.run(["mpicc", "-O2", "-shared", "-fPIC", "-o", library, folder / "slow.c"], check=True)
        files = {name: cluster(folder, name, o.processes) for name in names}
        print(f"{'network':>10} {'chosen for':>10}  {'cuts':<24} ms a step")
        for network in o.on.split(",") if o.on else names:
            times, cuts = {chosen: [] for chosen in names}, {}
            for _ in range(o.turns):  # in turn, as a machine is not the same for long
                for chosen in names:
                    record, cuts[chosen] = run(words, o.processes, files[chosen], network, library)
                    digests.add(record["digest"])
                    times[chosen].append(1e3 * record["seconds_of_steps"] / record["steps"])
            for chosen in names:
                turns = ", ".join(f"{time:.3g}" for time in times[chosen])
                print(f"{network:>10} {chosen:>10}  {cuts[chosen]:<24} {min(times[chosen]):9.3g}  ({turns})", flush=True)
    if len(digests) != 1:
        sys.exit(f"the digests differ: {digests}")


if __name__ == "__main__":
    main()
