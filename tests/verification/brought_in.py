# SPDX-License-Identifier: Apache-2.0
"""What open boundaries and rivers bring: in a steady channel each reach holds the mixture of what has entered above it."""

import cases
import numpy as np

UPSTREAM, RIVER = (105.41, 2.0), (10.541, 7.0)  # discharge [m3/s], content
SINGLE = 1.2e-7  # fields are written in single precision


def mixture(*entered):
    return sum(flow * content for flow, content in entered) / sum(flow for flow, _ in entered)


def contents(along_x, scheme):
    """Of the reaches above and below the river's mouth, half-way down a channel of one row of cells."""
    turned = {"/grid/length_y_m": 100} if along_x else {
        "/grid/length_x_m": 100, "/grid/length_y_m": 3000, "/bathymetry/bed_m": "-0.001*y", "/initial/eta_m": "1-0.001*y",
        "/boundaries/0/edge": "south", "/boundaries/1/edge": "north"}
    run = cases.run("verification/normal_depth", {
        **turned, "/physics/tracers/scheme": scheme, "/tracers": [{"name": "mark"}],
        "/boundaries/0/discharge_m3_s": UPSTREAM[0], "/boundaries/0/tracers": {"mark": UPSTREAM[1]},
        "/rivers": [{"name": "river", "x_m": 1450 if along_x else 50, "y_m": 50 if along_x else 1450,
                     "discharge_m3_s": RIVER[0], "tracers": {"mark": RIVER[1]}}],
        "/output/0/variables": ["mark"]})
    cases.conserves(run)
    account = run.log[-1]["tracers"]["mark"]
    cases.below(f"{scheme}: error of the account", abs(account["error"]) / account["content"], 1e-12)
    mark = run.fields()["mark"][-1, 0]
    mark = mark[0, :] if along_x else mark[:, 0]
    return mark[:14], mark[15:]


for scheme in ("fct", "upwind", "van-leer", "matm"):
    for along_x in (True, False):
        above, below = contents(along_x, scheme)
        name = f"{scheme}, along {'x' if along_x else 'y'}"
        cases.below(f"{name}: above the river", np.max(np.abs(above / UPSTREAM[1] - 1)), SINGLE)
        cases.below(f"{name}: below the river", np.max(np.abs(below / mixture(UPSTREAM, RIVER) - 1)), SINGLE)
cases.finish()
