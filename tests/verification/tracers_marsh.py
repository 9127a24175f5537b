# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
"""Tracers in a storm that floods and dries a marsh, with rivers and a pump, at steps much longer than the water needs to
cross a cell: constants stay, nothing is lost, nothing leaves its bounds."""

import cases
import numpy as np

BOUNDS = {"temperature": (17, 17), "everywhere": (1, 1), "east": (0, 1), "salinity": (0, 27)}
OPEN = {"/boundaries": [{"name": "west", "edge": "west", "kind": "elevation", "eta_m": "0.3+0.4*sin(t/3000)", "salinity": 18,
                         "tracers": {"everywhere": 1}},
                        {"name": "east", "edge": "east", "kind": "flather", "eta_m": 0.3, "tracers": {"everywhere": 1}}],
        "/bathymetry/bed_m": "-1.5 + 3.5*sin(x/1300)*sin(y/1100) + 1.1*sin(x/430+y/390)*cos(y/510)"}

variants = {
    "a step of 900 s": {},
    "a step of 3600 s": {"/time/step_s": 3600},
    "a step of 60 s": {"/time/step_s": 60, "/time/duration_s": 21600},
    "mixing along the layers": {"/physics/tracers/horizontal_diffusivity_m2_s": 100},
    "much mixing along the layers": {"/physics/tracers/horizontal_diffusivity_m2_s": 1e5, "/time/step_s": 3600},
    "mixing at equal height, open edges": {**OPEN, "/physics/tracers/horizontal_diffusivity_m2_s": 100, "/physics/tracers/mix_along": "heights"},
    "van Leer": {"/physics/tracers/scheme": "van-leer"},
    "van Leer, a step of 60 s": {"/physics/tracers/scheme": "van-leer", "/time/step_s": 60, "/time/duration_s": 21600},
    "implicit, a step of 3600 s, open edges": {**OPEN, "/physics/tracers/scheme": "matm", "/time/step_s": 3600},
    "implicit, a coarse solver": {"/physics/tracers/scheme": "matm", "/solver/tracers/tolerance": 1e-5},
    "one layer": {"/grid/levels/dz_m": 6},
    "a coarse solver": {"/solver/surface/tolerance": 1e-3},
    "open edges": OPEN,
    "open edges, mixing along the layers": {**OPEN, "/physics/tracers/horizontal_diffusivity_m2_s": 2000},
}
QUICK = ("a step of 3600 s", "much mixing along the layers", "mixing at equal height, open edges", "van Leer", "implicit, a step of 3600 s, open edges",
         "open edges, mixing along the layers")
for name, settings in variants.items():
    if not cases.THOROUGH and name not in QUICK:
        continue
    if not cases.THOROUGH:
        settings = {"/time/duration_s": 43200, **settings}
    run = cases.run("verification/tracers_marsh", settings)
    for tracer, (least, most) in BOUNDS.items():
        accounts = [line["tracers"][tracer] for line in run.log]
        beyond = max(max(least - a["least"], a["most"] - most) for a in accounts)
        cases.below(f"{name}: {tracer} beyond its bounds", beyond, 0 if least == most else 1e-12)
        if settings.get("/physics/tracers/scheme") != "matm":  # which ends at its solver's tolerance
            cases.below(f"{name}: {tracer} below nothing", -min(a["least"] for a in accounts), 0)
        cases.below(f"{name}: account of {tracer}", max(abs(a["error"]) / abs(a["content"]) for a in accounts), 1e-13)
    fields = run.fields()
    wet = fields["depth"][-1] > 0.01
    cases.equal(f"{name}: temperature in the file", np.all(fields["temperature"][-1, -1][wet] == 17), True)
    east = fields["east"][-1, -1][wet]
    cases.between(f"{name}: part of the water where east and west mix", np.mean((east > 0.01) & (east < 0.99)), 0.3, 1)
cases.finish()
