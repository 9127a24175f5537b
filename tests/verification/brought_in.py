# SPDX-License-Identifier: Apache-2.0
"""What open boundaries and rivers bring: in a steady channel each reach holds the mixture of what has entered above it."""

import json
from pathlib import Path

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

# two rivers in one cell add up; what is withdrawn elsewhere takes what is there, whatever the scenario says of its water
pond = {"title": "A pond", "grid": {"kind": "cartesian", "length_x_m": 1000, "length_y_m": 500, "dx_m": 100, "levels": {"bottom_m": -4, "dz_m": 2}},
        "bathymetry": {"bed_m": -4}, "time": {"start": "2020-06-01T00:00:00Z", "duration_s": 60, "step_s": 60}, "tracers": [{"name": "mark", "initial": 1}],
        "rivers": [{"name": name, "x_m": x, "y_m": 250, "discharge_m3_s": flow, "tracers": {"mark": mark}}
                   for name, x, flow, mark in (("a", 110, 10, 2), ("b", 190, 30, 7), ("out", 850, -5, 9))]}
Path("pond.json").write_text(json.dumps(pond))
run = cases.run(Path("pond.json").resolve(), {"/output": []})
last = run.log[-1]
cases.close("two rivers and a withdrawal: volume", last["volume_m3"], 1000 * 500 * 4 + 35 * 60, 1e-13)
cases.close("and content", last["tracers"]["mark"]["content"], 1000 * 500 * 4 + (10 * 2 + 30 * 7 - 5 * 1) * 60, 1e-13)
# wells that draw cells dry for an hour: what is left of them stays a number
wells = [{"name": f"{i} {j}", "x_m": 100 * i + 50, "y_m": 100 * j + 50, "discharge_m3_s": -3} for i in range(0, 16, 2) for j in range(0, 8, 2)]
run = cases.run("verification/thacker_curved", {
    "/grid": {"kind": "cartesian", "length_x_m": 1600, "length_y_m": 800, "dx_m": 100, "flood_to_m": 9, "levels": {"kind": "bed-following", "bottom_m": -5, "layers": 4}},
    "/bathymetry": {"bed_m": "-1 + 2*sin(x/37)*cos(y/53) + 1.2*sin(x/11 + y/17)", "keep": "all"}, "/physics/density": {"equation": "linear"}, "/output": [],
    "/initial": {"eta_m": "-1.5+0.5*cos(pi*x/Lx)", "salinity": 20}, "/rivers": wells, "/time/step_s": 60, "/time/duration_s": 3600})
cases.equal("cells drawn dry: steps", len(run.log), 60)
cases.below("cells drawn dry: account of salt, of what there was", max(abs(line["tracers"]["salinity"]["error"]) for line in run.log)
            / run.log[0]["tracers"]["salinity"]["content"], 1e-12)
cases.finish()
