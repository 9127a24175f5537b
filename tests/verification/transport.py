# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
"""Tracers in flows that are given: forms that come back to where they were, order, bounds and accounts at any Courant number."""

import cases
import numpy as np


def difference(run, name):
    values = run.fields()[name][:, -1]
    return np.mean(np.abs(values[-1] - values[0])) / np.mean(values[0])


def check(name, run, bounds):
    for tracer, (least, most) in bounds.items():
        accounts = [line["tracers"][tracer] for line in run.log]
        cases.below(f"{name}: {tracer} beyond its bounds", max(max(least - a["least"], a["most"] - most) for a in accounts), 1e-12)
        cases.below(f"{name}: account of {tracer}", max(abs(a["error"]) / abs(a["content"]) for a in accounts), 1e-13)


FORMS = {"disc": (0, 1), "cone": (0, 1), "hill": (0, 1)}
turn = cases.run("verification/slotted_disc")
check("one turn", turn, FORMS)
for form, limit in (("disc", 0.40), ("cone", 0.045), ("hill", 0.030)):
    cases.below(f"one turn: L1 of the {form}", difference(turn, form), limit)
cases.between("one turn: top of the hill", turn.log[-1]["tracers"]["hill"]["most"], 0.95, 1)

# the cheap scheme stands between the two others, the nearer to the best the shorter the step
cheap = {scheme: cases.run("verification/slotted_disc", {"/physics/tracers/scheme": scheme}) for scheme in ("van-leer", "upwind")}
check("van Leer, one turn", cheap["van-leer"], FORMS)
for form, limit in (("disc", 0.51), ("cone", 0.14), ("hill", 0.15)):
    cases.below(f"van Leer, one turn: L1 of the {form}", difference(cheap["van-leer"], form), limit)
    cases.below(f"van Leer against first order: L1 of the {form}", difference(cheap["van-leer"], form) / difference(cheap["upwind"], form), 0.45)

# implicit in all directions, water crosses one and a half cells in a step: more smeared than in small steps, less than of first order
implicit = cases.run("verification/slotted_disc", {"/physics/tracers/scheme": "matm", "/time/step_s": 5})
check("implicit, one turn in steps of 5 s", implicit, FORMS)
for form, limit in (("disc", 0.8), ("cone", 0.32), ("hill", 0.35)):
    cases.below(f"implicit, one turn in steps of 5 s: L1 of the {form}", difference(implicit, form), limit)

# the fastest flow crosses 0.1, 1, 10 and 30 cells in a step: beyond 1 in small steps, beyond 12 implicit in part
for scheme in "fct", "upwind", "van-leer", "matm":
    for step, steps in ((0.33, 30), (3.3, 20), (33, 6), (100, 2 if cases.THOROUGH else 1)):
        settings = {"/time/step_s": step, "/time/duration_s": step * 100, "/physics/tracers/scheme": scheme, "/output": []}
        if step == 100 and scheme in ("fct", "upwind") and not cases.THOROUGH:  # as "van-leer"
            continue
        if step < 1:
            settings["/time/duration_s"] = 33
        run = cases.run("verification/slotted_disc", settings, options=["--steps", str(steps)])
        check(f"{scheme}, Courant number {run.log[0]['advective_courant']:.2g}", run, FORMS)

BOUNDS = {"hill": (0, 1), "block": (0, 1), "everywhere": (1, 1)}
for scheme, most_hill, most_block in (("fct", 0.014, 0.22), ("matm", 0.012, 0.24)):
    errors = []
    for cells in (50, 100) if cases.THOROUGH or scheme == "fct" else ():
        swirl = cases.run("verification/swirl", {"/grid/dx_m": 1000 / cells, "/time/step_s": 500 / cells, "/physics/tracers/scheme": scheme})
        check(f"swirl, {scheme}, {cells} cells", swirl, BOUNDS)
        errors.append(difference(swirl, "hill"))
        block = difference(swirl, "block")
    if not errors:
        continue
    cases.below(f"swirl, {scheme}: L1 of the hill", errors[-1], most_hill)
    cases.below(f"swirl, {scheme}: L1 of the block", block, most_block)
    cases.between(f"swirl, {scheme}: order", cases.orders(errors)[0], 2.2, 3.2)
    cases.equal(f"swirl, {scheme}: constant", swirl.log[-1]["tracers"]["everywhere"]["most"], 1)

errors = []
for cells in (32, 64, 128) if cases.THOROUGH else (32, 64):
    across = cases.run("verification/swirl", {
        "/grid/periodic": ["x", "y"], "/grid/dx_m": 1000 / cells, "/time/duration_s": 1000, "/time/step_s": 500 / cells,
        "/physics/momentum/streamfunction_m3_s": "x - y", "/physics/momentum/streamfunction_factor": 1,
        "/tracers": [{"name": "wave", "initial": "2 + sin(2*pi*x/1000)*cos(2*pi*y/1000)"}],
        "/output": [{"every_s": 1000, "variables": ["wave"]}]})
    check(f"across, {cells} cells", across, {"wave": (1, 3)})
    errors.append(difference(across, "wave"))
for order in cases.orders(errors):
    cases.between("across the cells: order", order, 1.8, 2.3)
cases.finish()
