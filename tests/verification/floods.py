# SPDX-License-Identifier: Apache-2.0
"""A dam breaks over rough, dry ground: columns whose water is less than the solver's error are neither wet nor dry for sure, and
no reason to say that the solver failed, nor to shorten automatic steps."""

import json
from pathlib import Path

import cases

SEA = {
    "grid": {"kind": "cartesian", "length_x_m": 4000, "length_y_m": 1000, "dx_m": 20, "levels": {"bottom_m": -1, "dz_m": 1},
             "flood_to_m": 60},
    "bathymetry": {"bed_m": "40 - 0.01*x + 0.0001*(y-500)*(y-500) + 3*sin(x/37)*cos(y/29) + 2*sin(x/91+y/53)", "keep": "all"},
    "time": {"start": "2020-01-01T00:00:00Z", "duration_s": 1200, "step_s": 1},
    "physics": {"coriolis": "none", "drag": {"law": "manning", "n": 0.03}},
    "initial": {"eta_m": "x < 1000 ? 55 : -60"},
}  # fmt: skip
Path("flood.json").write_text(json.dumps(SEA))
for step, settings in ((1, {}), ("auto", {"/time/step_bounds_s": [0.1, 5]})):
    run = cases.run(Path.cwd() / "flood.json", {"/time/step_s": step, "/output": [], **settings}, options=("--steps", "60"))
    cases.equal(f"steps {step}: warnings of the solver", run.message.count("stopped at a residual"), 0)
    cases.conserves(run)
cases.finish()
