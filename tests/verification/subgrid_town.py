# SPDX-License-Identifier: Apache-2.0
"""A town on ground inside cells: rain that soaks away, weirs, gates, culverts and pumps; plants."""

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

# ---- a creek at the edge of cells of flats, more of which lie below a cell's mean than pixels of the creek: it carries water all the same ----
ACROSS = "(y/20 - rint(y/20 - 0.5))"  # of a cell, 0 to 1
FLATS = f"{ACROSS} < 0.125 ? 1.3 : 2 - 0.4*{ACROSS}"
creek = soak(FLATS, {"law": "constant", "rate_mm_h": 0}, {"/initial/eta_m": "x < 80 ? 1.55 : 1.45"}, label="creek")
eta = creek.fields()["eta"]
cases.below("creek along flats: levels after half an hour, 0.1 m apart at first [m]", np.ptp(eta[-1]), 0.02)

# ---- a weir: over even ground as without; in a notch of half the width as one of the half; over a slope by critical flow ----
G, PIXELS = 9.81, {"/bathymetry/subgrid": True, "/bathymetry/pixels": 8, "/bathymetry/keep": "all", "/grid/flood_to_m": 3}


def heads(settings, bed=None):
    """Levels before and behind a weir at the end, when 1 m2/s flows."""
    run = cases.run("verification/weir", {**settings, **({**PIXELS, "/bathymetry/bed_m": bed} if bed else {})})
    cases.conserves(run, 1e-13)
    return run.fields()["eta"][-1, 1, [19, 20]]


NOTCH = "sin(pi*y/5) > 0 ? -2 : 2.5"
DROWNED = {"/boundaries/1/eta_m": 0, "/initial/eta_m": 0, "/time/step_s": 50}
LEAF = {"/structures/0": {"name": "sluice", "kind": "gate", "line": [[200, 0], [200, 30]], "opening": 0.25, "leaf_m": 1.2}, "/grid/flood_to_m": 3,
        "/initial/eta_m": "x < 200 ? 1 : -1.5", "/time/step_s": 10}
for name, settings in (("free", {}), ("drowned", DROWNED), ("under a leaf", LEAF)):
    plain = heads(settings)
    cases.below(f"weir, {name}: levels over even ground inside cells beside plain cells [m]", np.max(np.abs(heads(settings, "-2") - plain)), 1e-9)
    half = {**settings, "/boundaries/0/discharge_m3_s": 15}
    cases.below(f"weir, {name}: levels in a notch of half the width [m]", np.max(np.abs(heads(half, NOTCH) - plain)), 2e-5)
up, _ = heads({"/initial/eta_m": "x < 200 ? -0.2 : -1.4", "/physics/drag": {"law": "manning", "n": 0.02}, "/grid/levels": {"bottom_m": -4, "dz_m": 4}}, "-4 + 4*cos(pi*y/10)^2")
beds = -4 + 4 * np.cos(np.pi * (np.arange(800) + 0.5) / 800) ** 2
level = np.linspace(-1, up, 20001)[1:]
section = np.array([np.mean(np.maximum(0, at - np.maximum(beds, -1))) for at in level])
width = np.array([np.mean(beds < at) for at in level])
critical = np.argmin(np.abs(level + section / width / 2 - up))
cases.close("weir over a slope: discharge over that of critical flow of its section", 1 / (section[critical] * np.sqrt(G * section[critical] / width[critical])), 1, 0.015)

# ---- a culvert between basins of streets, three quarters of the area; a pump that empties others between round hills ----
BASINS = {**PIXELS, "/bathymetry/bed_m": "max(sin(pi*x/5), sin(pi*y/5)) > 0 ? -4 : 1.5", "/initial/salinity": 5}
run = cases.run("verification/culvert", {**BASINS, "/time/duration_s": 300, "/output/0/every_s": 50, "/grid/levels": {"bottom_m": -4, "dz_m": 4}})
cases.conserves(run, 1e-14)
fields = run.fields()
cases.below("culvert: change of a constant", np.nanmax(np.abs(fields["one"] - 1)), 1e-6)
eta = fields["eta"].mean(axis=1)
between = eta[:, :10].mean(axis=1) - eta[:, 10:].mean(axis=1)
q = 0.5 * np.sqrt(2 * G / (1.5 + 2 * G * 0.015**2 * 30 / (0.5 / 3) ** (4 / 3)))
cases.below("culvert: difference of levels against (sqrt(d) - k t)^2 [m]", np.max(np.abs(between - (1 - q / (0.75 * 3000) * fields["time"]) ** 2)), 1e-3)
pump = {"name": "pump", "kind": "pump", "line": [[85, 15], [115, 15]], "pump": {"capacity_m3_s": 5}}
run = cases.run("verification/culvert", {**BASINS, "/bathymetry/bed_m": "-4 + 3*(cos(pi*x/10)*cos(pi*y/10))^2", "/structures/1": pump, "/initial/eta_m": -3, "/grid/levels": {"bottom_m": -4, "dz_m": 4}})
cases.conserves(run, 1e-13)
cases.below("pump: highest level that it leaves above the streets [m]", np.nanmax(run.fields()["eta"][-1, :, :10]) + 4, 0.3)

# a pump empties a valley of slopes in one long step, in cloudburst rain: what runs off is no faster than its fall of 3.3 m allows
run = cases.run("verification/culvert", {
    **BASINS, "/bathymetry/bed_m": "-4 + 0.06*abs(x - 55)", "/structures/1": {**pump, "pump": {"capacity_m3_s": 900}}, "/initial/eta_m": -2, "/forcing/rain": {"mm_h": 290},
    "/physics/drag": {"law": "manning", "n": 0.02}, "/grid/flood_to_m": 5, "/grid/levels": {"kind": "bed-following", "bottom_m": -4, "layers": 4, "thinnest_m": 0},
    "/physics/free_surface/theta": 1, "/time/step_s": 300, "/time/duration_s": 6000, "/output": []}, label="drained")
cases.conserves(run, 1e-13)
cases.below("a valley that a pump empties in a step: greatest speed [m/s]", np.max(run.column("max_speed_m_s")), np.sqrt(2 * G * 3.3))

# ---- plants up to the middle of the water, in layers: in a notch of half the width as in a sea of its depth ----
WINDY = {"/grid": {**INSIDE["/grid"], "levels": {"kind": "bed-following", "bottom_m": -3, "layers": 4, "thinnest_m": 0}}, "/forcing": {"wind": {"speed_m_s": 15, "from_deg": 270}},
         "/infiltration": {"law": "none"}, "/physics/turbulence": {"closure": "mixing-length"}, "/physics/vegetation": {"stems_m2": 30, "height_m": 1.2},
         "/initial/eta_m": 0, "/time/duration_s": 600, "/output": [{"every_s": 600, "velocities": "faces", "variables": ["eta", "u"]}]}
notch, plain, bare = (cases.run(POND, {**WINDY, **ground(bed, inside), **more}, label=label).fields()["u"][-1]
                      for bed, inside, label, more in (("sin(pi*y/10) > 0 ? -3 : 4", True, "plants_notch", {}), ("-3", False, "plants", {}),
                                                       ("-3", False, "no_plants", {"/physics/vegetation": {}})))
cases.below("plants in a notch: speeds beside those over even ground [m/s]", np.nanmax(np.abs(notch - plain)), 5e-6)
cases.between("what plants change [m/s]", np.nanmax(np.abs(bare - plain)), 0.02, 1)
cases.finish()
