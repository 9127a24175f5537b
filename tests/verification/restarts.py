# SPDX-License-Identifier: Apache-2.0
"""A run that was stopped after any number of steps, odd or even, goes on with the same bits.

Two buffers take turns in a step: what only one of them holds shows after an odd number of steps.
"""
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
cases.finish()
