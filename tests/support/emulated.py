# SPDX-License-Identifier: Apache-2.0
"""The first steps of a scenario, computed elsewhere than on a processor: the same bits."""

import cases


def digests(scenario, steps, ranks, device, settings):
    run = cases.run(scenario, {"/output": [], **settings}, ranks, ["--steps", str(steps), "--device", device], label="run")
    return run.column("digest").tolist()


def compare(scenario, steps, devices, settings=None):
    """`devices`: pairs of a number of ranks (0: without mpirun) and what --device takes. Decoupled lines follow the cuts:
    theirs are compared with as many processors."""
    settings = settings or {}
    alone = digests(scenario, steps, 0, "cpu", settings)
    cases.equal(f"{scenario}: steps", len(alone), steps)
    for ranks, device in devices:
        known = digests(scenario, steps, ranks, "cpu", settings) if ranks and "decoupled" in str(scenario) else alone
        cases.equal(f"{scenario}: {ranks or 1} x {device}", digests(scenario, steps, ranks, device, settings) == known, True)
