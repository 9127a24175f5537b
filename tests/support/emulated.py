# SPDX-License-Identifier: Apache-2.0
"""The first steps of a scenario, computed elsewhere than on a processor: the same bits."""

import cases


def digests(scenario, steps, ranks, device, settings):
    run = cases.run(scenario, {"/output": [], **settings}, ranks, ["--steps", str(steps), "--device", device], label="run")
    return run.column("digest").tolist()


def compare(scenario, steps, devices, settings=None):
    """`devices`: pairs of a number of ranks (0: without mpirun) and what --device takes."""
    settings = settings or {}
    known = digests(scenario, steps, 0, "cpu", settings)
    cases.equal(f"{scenario}: steps", len(known), steps)
    for ranks, device in devices:
        cases.equal(f"{scenario}: {ranks or 1} x {device}", digests(scenario, steps, ranks, device, settings) == known, True)
