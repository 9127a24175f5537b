# SPDX-License-Identifier: Apache-2.0
"""A town on ground inside cells: rain that soaks away."""

import cases
import numpy as np

HOUR, MM = 3600.0, 1e-3
POND = "verification/soaking_plane"
INSIDE = {"/grid": {"kind": "cartesian", "length_x_m": 160, "length_y_m": 60, "dx_m": 20, "flood_to_m": 5, "levels": {"bottom_m": -3, "dz_m": 3}}}
AREA = 160 * 60.0


def ground(bed, subgrid=True):
    return {"/bathymetry": {"bed_m": bed, "keep": "all", **({"subgrid": True, "pixels": 8} if subgrid else {})}}


def soak(bed, law, settings, subgrid=True, label=None):
    run = cases.run(POND, {**INSIDE, **ground(bed, subgrid), "/infiltration": law, "/forcing/rain/mm_h": 0, "/time/duration_s": 1800, "/time/step_s": 10,
                           "/output": [{"every_s": 1800, "variables": ["eta", "infiltrated"]}], **settings}, label=label)
    cases.below(f"{label}: volume's account [m]", np.max(np.abs(run.column("volume_error_m3"))) / AREA, 1e-15)
    return run


def lost(run, way="infiltrated"):
    """Over the area that can be wet. [m]"""
    return run.column(f"{way}_m3")[-1] / AREA


# ---- a box notch of half a cell between walls is an even cell ----
BOX, BANKS, VALLEY = "sin(pi*y/10) > 0 ? 1 : 9", "sin(pi*y/10) > 0 ? 1 : 3", "1 + 2*sin(pi*y/20)^2"
for law in ({"law": "constant", "rate_mm_h": 50, "drains_mm_h": 20, "interception_mm": 2}, {"law": "horton", "rate_mm_h": 6, "first_mm_h": 60, "decay_1_h": 4},
            {"law": "green-ampt", "rate_mm_h": 10, "suction_mm": 110, "deficit": 0.3}, {"law": "curve-number", "curve_number": 75}):
    rain = {"/forcing/rain/mm_h": "t < 900 ? 80 : 0"}
    name = law["law"]
    inside, even = soak(BOX, law, rain, label=f"{name}, notch"), soak("1", law, rain, False, label=f"{name}, even")
    for way in ("infiltrated", "drained", "intercepted"):
        cases.below(f"{name}: {way} in a notch beside even ground [m]", abs(2 * lost(inside, way) - lost(even, way)), 1e-14)

# ---- banks that lie dry beside it take of their rain, the rest runs to the notch; later only the notch takes ----
law = {"law": "constant", "rate_mm_h": 12, "drains_mm_h": 8, "interception_mm": 1}
run = soak(BANKS, law, {"/forcing/rain/mm_h": "t <= 900 ? 80 : 0"}, label="banks")
cases.close("banks: intercepted [m]", lost(run, "intercepted"), 1 * MM, 1e-9)
wets = 1 * MM / (80 * MM / HOUR)  # until leaves hold no more
cases.close("banks: infiltrated [m]", lost(run), 12 * MM / HOUR * (900 - wets + 900 / 2), 6e-3)
cases.close("banks: drained [m]", lost(run, "drained"), 8 * MM / HOUR * (900 - wets + 900 / 2), 6e-3)
cases.close("banks: level of the notch [m]", run.fields()["eta"][-1].mean(), 1 + 2 * (20 * MM - lost(run, "intercepted") - lost(run) - lost(run, "drained")), 1e-7)

# ---- above a valley the level falls by the rate, whatever its shape, and never below its bottom ----
pond = soak(VALLEY, {"law": "constant", "rate_mm_h": 1000}, {"/initial/eta_m": 2.2}, label="valley")
cases.close("valley: level, which falls by the rate [m]", 2.2 - pond.fields()["eta"][-1].mean(), 0.5, 1e-7)
dry = soak(VALLEY, {"law": "constant", "rate_mm_h": 1000}, {"/initial/eta_m": 1.3}, label="valley, emptied")
cases.equal("valley: what is left [m3]", dry.column("volume_m3")[-1], 0)

# ---- of a cell that is sea in part its land takes alone, to its foot ----
SHORE = "sin(pi*y/10) > 0 ? -2 : {}"
for foot, rate, above, taken in ((0.5, 2000, 0.15, 0.15), (0, 400, 1, 0.1)):
    shore = soak(SHORE.format(foot), {"law": "constant", "rate_mm_h": rate}, {"/initial/eta_m": foot + above}, label=f"shore at {foot} m")
    cases.close(f"shore at {foot} m: taken [m]", lost(shore), taken, 1e-9)
cases.finish()
