# SPDX-License-Identifier: Apache-2.0
"""The first steps of a scenario with kernels of one lane, whose columns come in a mixed order: the same bits as eight columns at once."""

import os
import sys

import cases

ONE_LANE = os.environ.get("MAEOTIS_ONE_LANE")
if not ONE_LANE:
    print("there is no program with kernels of one lane in this build")
    sys.exit(77)


def compare(scenario, steps, settings=None):
    settings = {"/output": [], **(settings or {})}
    digests = []
    for program in (cases.PROGRAM, ONE_LANE):
        run = cases.run(scenario, settings, options=["--steps", str(steps)], label="run", program=program)
        digests.append(run.column("digest").tolist())
    cases.equal(f"{scenario}: steps", len(digests[0]), steps)
    cases.equal(f"{scenario}: one lane", digests[0] == digests[1], True)
