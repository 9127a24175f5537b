# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
# ctest: thorough
"""Layers at fixed heights over ground inside cells: cells of even ground, a notch, rest over rough ground, internal waves in a V."""

from math import pi

import cases
import numpy as np

LINEAR = {"equation": "linear", "reference_temperature_C": 10, "reference_salinity": 20}
LEVELS = {"bottom_m": -5, "dz_m": 1}
CHANNEL = {"/grid": {"kind": "cartesian", "length_x_m": 1600, "length_y_m": 300, "dx_m": 100, "flood_to_m": 3, "levels": LEVELS},
           "/time/duration_s": 3600, "/time/step_s": 30, "/physics/turbulence": {"closure": "k-epsilon"}, "/physics/density": LINEAR,
           "/physics/drag": {"law": "log", "z0_m": 0.002}, "/physics/free_surface/theta": 0.6}


def run(label, settings):
    return cases.run("verification/thacker_curved", settings, label=label)


def budget(run_, name):
    """Worst error of a tracer's account, relative to its content."""
    accounts = [line["tracers"][name] for line in run_.log]
    return max(abs(a["error"]) / (abs(a["content"]) + abs(a["bed"])) for a in accounts)


def differences(what, settings, beds, limits):
    """Largest differences of the last fields over two beds."""
    found = [run(f"{what}_{n}", {**CHANNEL, **settings, "/bathymetry": bed}) for n, bed in enumerate(beds)]
    fields = [r.fields() for r in found]
    for name, limit in limits.items():
        cases.below(f"{what}: {name}", np.nanmax(np.abs(fields[0][name] - fields[1][name])), limit)
    return found


# cells of even ground are those of a sea without ground inside cells; a notch of half a cell's width is one of the notch's depth
EVEN, NOTCH = ({"bed_m": bed, "keep": "all", "subgrid": True, "pixels": 4} for bed in ("-4.7", "sin(2*pi*y/100) > 0 ? -4.7 : 2"))
TIDE = {"/initial": {"eta_m": "0.5*cos(pi*x/Lx)", "temperature_C": "15 + z + x/400"}, "/physics/density": {"equation": "constant"},
        "/output": [{"every_s": 3600, "velocities": "faces", "variables": ["eta", "u", "temperature"]}]}
differences("even cells", TIDE, (EVEN, {"bed_m": "-4.7", "keep": "all"}), {"eta": 1e-12, "u": 1e-12, "temperature": 1e-12})
HYBRID = {"/grid/levels": {**LEVELS, "kind": "hybrid", "fixed_above_m": -2}}
differences("even cells, Manning's drag", {**TIDE, "/physics/drag": {"law": "manning", "n": 0.03}, "/physics/turbulence": {"closure": "parabolic"}}, (EVEN, {"bed_m": "-4.7", "keep": "all"}),
            {"eta": 1e-12, "u": 1e-12, "temperature": 1e-12})
differences("even cells, hybrid layers", {**TIDE, **HYBRID}, (EVEN, {"bed_m": "-4.7", "keep": "all"}), {"eta": 1e-12, "u": 1e-12, "temperature": 1e-12})
LOCK = {"/initial": {"eta_m": 0, "salinity": "20 - 5*cos(pi*x/Lx)"}, "/boundaries": [
    {"name": "sea", "edge": "east", "kind": "elevation", "tide_ramp_s": 0, "tide": [{"period_s": 3600, "amplitude_m": 0.3}], "salinity": 25}], "/output": [{"every_s": 3600, "velocities": "faces", "variables": ["eta", "u", "salinity"]}]}
for notch in differences("exchange in a notch", LOCK, (NOTCH, EVEN), {"eta": 2e-4, "u": 0.002, "salinity": 0.03}):
    cases.conserves(notch)
    cases.below("account of its salt", budget(notch, "salinity"), 1e-13)

# a pit with less than a hundredth of the volume of the layer above is none of its cells', nor of the face that crosses it
PIT = {"bed_m": "-2 - 1*(abs(x - 400) < 7)*(abs(y - 150) < 7)", "keep": "all", "subgrid": True, "pixels": 16}
pit = run("pit", {**CHANNEL, **TIDE, "/bathymetry": PIT, "/time/duration_s": 1200, "/output": []})
cases.conserves(pit)
cases.below("heat over a pit: account", budget(pit, "temperature"), 1e-13)

# stratified water at rest over rough ground, known to the program and hidden from it; even salt while ground floods and falls dry
ROUGH = {"bed_m": "-2 + 2*sin(x/37)*cos(y/53) + 1.2*sin(x/11 + y/17)", "keep": "all", "subgrid": True, "pixels": 8}
REST = {**CHANNEL, "/grid": {**CHANNEL["/grid"], "length_y_m": 800, "flood_to_m": 9}, "/output": [], "/bathymetry": ROUGH,
        "/physics/turbulence": {"closure": "constant", "viscosity_m2_s": 0}, "/physics/drag": {"law": "none"}}
FRONT = "20 - 3*tanh(2*(z + 2))"
for name, salinity, settings, limit in (("known", FRONT, {}, 1e-12), ("hidden", f"{FRONT} + 1e-12*x", {}, 1e-4), ("known, hybrid layers", FRONT, HYBRID, 1e-12)):
    rest = run("rest", {**REST, **settings, "/initial": {"eta_m": 0, "salinity": salinity}})
    cases.below(f"a front at rest over rough ground, {name}: speed [m/s]", np.max(rest.column("max_speed_m_s")), limit)
SWASH = {**REST, "/initial": {"eta_m": "1.2*cos(pi*x/Lx)", "salinity": 30}, "/output": [{"every_s": 600, "variables": ["salinity"]}]}
swash = run("swash", SWASH)
cases.below("even salt while ground floods and falls dry", np.nanmax(np.abs(swash.fields()["salinity"] - 30)), 0 + 1e-300)
cases.below("its account", budget(swash, "salinity"), 1e-13)
two, emulated = (cases.run("verification/thacker_curved", SWASH, ranks, ["--steps", "20", *options], label="same").column("digest").tolist() for ranks, options in ((2, []), (0, ["--device", "emu"])))
cases.equal("digests of two processes and of the emulated GPU", (two, emulated), (swash.column("digest")[:20].tolist(),) * 2)

# the section of a V, in layers of 2 m: light through their sides, mud that sinks onto the bed of each
VALLEYS = {"bed_m": "-10 + 12*abs(1 - 2*(y/100 - (y >= 100) - (y >= 200)))", "keep": "all", "subgrid": True, "pixels": 64}
DEEP = {**REST, "/grid": {**CHANNEL["/grid"], "length_x_m": 800, "levels": {"bottom_m": -10, "dz_m": 2}}, "/bathymetry": VALLEYS, "/physics/density": {"equation": "constant"}}
SUN, RHO_C, up = 500.0, 1008 * 3991.86795711963, np.arange(0, 11, 2.0)
lit = run("light", {**DEEP, "/time/duration_s": 6000, "/time/step_s": 600, "/initial": {"eta_m": 0, "temperature_C": 15},
                    "/forcing/heat": {"net_W_m2": 0, "shortwave_W_m2": SUN, "albedo": 0, "water_type": "II"}, "/output": [{"every_s": 6000, "variables": ["temperature"]}]})
passes = SUN * (0.77 * np.exp(-(10 - up) / 1.5) + 0.23 * np.exp(-(10 - up) / 14)) * up
warmed = lit.fields()["temperature"][-1, :, 1, 3] - 15
lowest = lit.fields()["bed"][1, 3]
cases.below("heights of layers in files", np.max(np.abs(lit.fields()["layer_height_share"][:, 1, 3] - np.diff(np.maximum(up - 10, lowest)) / -lowest)), 1e-6)
cases.below("their volumes", np.max(np.abs(lit.fields()["layer_share"][:, 1, 3] - np.diff(up**2) / 100)), 5e-4)
cases.below("light in the section of a V: layers beside theory, relative", np.max(np.abs(warmed / (np.diff(passes) * 6000 / (RHO_C * np.diff(up**2) / 2)) - 1)), 0.002)
sinking = run("sinking", {**DEEP, "/time/duration_s": 600, "/time/step_s": 10, "/initial": {"eta_m": 0, "salinity": 20}, "/nudging": [{"variable": "salinity", "to": "20 - z", "time_s": 1e-4}],
                          "/output": [{"every_s": 600, "variables": ["mud", "salinity"]}],
                          "/tracers": [{"name": "mud", "kind": "suspended", "settling_m_s": 1e-3, "initial": 1}]})
c, area = np.ones(5), up / 12
for _ in range(60):  # from the top down, implicit in the step as the model; first onto the bed of all but the lowest layer
    height = np.diff(up**2) / 24
    c[1:] /= 1 + 0.01 * np.diff(area)[1:] / height[1:]
    for k in range(4, -1, -1):
        c[k] = (c[k] * height[k] + (0.01 * area[k + 1] * c[k + 1] if k < 4 else 0)) / (height[k] + 0.01 * (area[k] if k > 0 else area[1]))
cases.below("mud that sinks in the section of a V, by layers", np.max(np.abs(sinking.fields()["mud"][-1, :, 1, 3] - c)), 1e-4)
cases.below("nudging at the heights of layers", np.max(np.abs(sinking.fields()["salinity"][-1, :, 1, 3] - 20 - np.array([10 - 0.5 * (2 + 10 + lowest), 7, 5, 3, 1]))), 1e-4)

# its internal seiche: w of the mode is J1(k d) at the height d above the lowest ground, J1(k H) = 0, so c = N H/3.8317
DEPTH, LENGTH = 10.0, 2000.0
PERIOD = 2 * LENGTH * 3.831706 / (np.sqrt(9.81 * 0.78e-3) * DEPTH)
ARGUMENT = "(0.3831706*(z + 10))"
BESSEL = " + ".join(f"({c:.10g})*{ARGUMENT}^{n}" for n, c in ((1, 1 / 2), (3, -1 / 16), (5, 1 / 384), (7, -1 / 18432), (9, 1 / 1474560), (11, -1 / 176947200)))


def seiche(layers):
    """Error of its period."""
    stations = run(f"seiche_{layers}", {
        **REST, "/grid": {**DEEP["/grid"], "length_x_m": LENGTH, "levels": {"bottom_m": -10, "layers": layers}}, "/bathymetry": VALLEYS,
        "/physics/density": {**LINEAR, "contraction_kg_g": 7.8e-4}, "/physics/momentum": {"advection": "none"}, "/time/duration_s": 1.5 * PERIOD // 100 * 100, "/time/step_s": 100,
        "/initial": {"eta_m": 0, "salinity": f"20 - (z - 0.2*({BESSEL})*cos(pi*x/{LENGTH}))"},
        "/output": [{"every_s": 100, "stations": {"middle": [1050, 150]}, "variables": ["u"]}]}).stations()
    flow = stations["u"].reshape(len(stations["time"]), -1)
    return 2 * pi / cases.fit_wave(stations["time"], flow[:, -1] - flow[:, 0], 2 * pi / PERIOD)[0] / PERIOD - 1


# a current through a trench with the section of a V, whose lowest layers hold little: no value beyond what its water had, though elsewhere there is
trench = run("trench", {
    "/grid": {**CHANNEL["/grid"], "length_x_m": 1800, "levels": {"bottom_m": -8, "dz_m": 1}}, "/initial": {"eta_m": 0},
    "/bathymetry": {"bed_m": "x > 1400 && x < 1500 ? 5 : x > 500 && x < 1100 ? min(-3, -8 + abs(y - 150)/4) : -3", "keep": "all", "subgrid": True, "pixels": 16},
    "/physics/drag": {"law": "manning", "n": 0.02}, "/physics/turbulence": {"closure": "constant", "viscosity_m2_s": 1e-3, "diffusivity_m2_s": 0},
    "/forcing/wind": {"stress_x_Pa": 0.3}, "/time/step_s": 20, "/time/duration_s": 7200,
    "/tracers": [{"name": "height", "initial": "x > 1450 ? 0 : 20 + z"}], "/output": [{"every_s": 1800, "variables": ["height"]}]})
values = trench.fields()["height"][..., :14]
cases.below("a tracer of a trench below what it was at the start (0.5 if a pit's line counts)", np.nanmin(values[0]) - np.nanmin(values), 1e-6)

# a river in the section of a V, 10 m deep, between two levels: the discharge of Manning's law, S R^(2/3) of each pixel, in one layer and in several
def river(levels, law={"law": "manning", "n": 0.02}, **more):
    slope = 4e-4
    fields = run("river", {"/grid": {**CHANNEL["/grid"], "length_x_m": 1600, "flood_to_m": 2, "levels": levels}, "/initial": {"eta_m": f"-{slope}*x", "u_m_s": 3.5}, "/forcing": {},
                           "/bathymetry": {"bed_m": f"min(abs(y - 50), min(abs(y - 150), abs(y - 250)))/5 - 10 - {slope}*x", "keep": "all", "subgrid": True, "pixels": 32},
                           "/physics/drag": law, "/physics/turbulence": {"closure": "k-epsilon"}, "/time/step_s": 20, "/time/duration_s": 3600, "/output": [{"every_s": 3600, "variables": ["ubar", "depth"]}],
                           "/boundaries": [{"name": edge, "edge": edge, "kind": "elevation", "eta_m": -slope * x} for edge, x in (("west", -50), ("east", 1650))], **more}).fields()
    return np.mean((fields["ubar"] * fields["depth"])[-1, 1, 6:10]) * 100 / (100 * 3 / 8 * 10**(5 / 3) * np.sqrt(slope) / 0.02)


ALONG = {"kind": "bed-following", "bottom_m": -12, "thinnest_m": 0}
for name, levels, tolerance in (("one layer", {**ALONG, "layers": 1}, 0.005), ("10 layers along the bed", {**ALONG, "layers": 10}, 0.02), ("layers of 1 m", {"bottom_m": -12, "dz_m": 1}, 0.02)):
    cases.close(f"river in the section of a V, {name}: discharge over Manning's", river(levels), 1, tolerance)
# 1445 m3/s in cells of an eighth and layers of 1 m; in one cell whose lowest layer feels all of the bed 1321
for name, levels in (("layers of 1 m", {}), ("hybrid ones", {"kind": "hybrid", "fixed_above_m": -4})):
    found = river({"bottom_m": -12, "dz_m": 1, **levels}, {"law": "log", "z0_m": 0.002})
    cases.close(f"river, logarithmic law, {name}: discharge [m3/s]", found * 100 * 3 / 8 * 10**(5 / 3), 1445, 0.01)

errors = [seiche(layers) for layers in (5, 10)]
cases.below("error of the period of an internal seiche in the section of a V, 10 layers", errors[1], 0.02)
cases.between("its order in the layers", cases.orders(errors)[0], 1.7, 2.4)
# an estuary whose channel winds through wide flats, along the bed: when the tide reaches the flats, also beside the sea, turbulence has no more energy than its currents of 0.8 m/s can give
CHANNEL_BED = "-12 + 8*x/Lx + max(0, abs(y - 600 - 150*sin(x/1500))/12 - 6)"
ESTUARY = {
    "/bathymetry": {"bed_m": f"{CHANNEL_BED} > -1.5 ? -0.5 + 1.5*abs(y - 600)/600 : {CHANNEL_BED}", "keep": "all", "subgrid": True, "pixels": 10}, "/initial": {"eta_m": 0, "salinity": "30 - 5*tanh(z + 4) - 10*x/Lx", "temperature_C": 15},
    "/physics/density": {"equation": "teos10"}, "/physics/turbulence": {"closure": "k-epsilon"}, "/physics/drag": {"law": "manning"}, "/physics/free_surface": {},
    "/boundaries": [{"name": "sea", "edge": "west", "kind": "elevation", "tide_ramp_s": 3600, "tide": [{"period_s": 44700, "amplitude_m": 0.8}], "salinity": 34}],
    "/rivers": [{"name": "river", "x_m": 11900, "y_m": 600, "discharge_m3_s": 60, "salinity": 0}],
    "/time/duration_s": 90000, "/time/step_s": 60, "/output": [{"every_s": 7200, "variables": ["salinity", "thickness"]}]}
ALONG_BED = {"kind": "bed-following", "layers": 12, "thinnest_m": 0}


def estuary(levels, **more):
    return run("estuary", {**ESTUARY, "/grid": {"kind": "cartesian", "length_x_m": 12000, "length_y_m": 1200, "dx_m": 200, "flood_to_m": 2, "levels": {"bottom_m": -12, **levels}}, **more})


flooding = estuary(ALONG_BED, **{"/time/duration_s": 3000, "/output": [], "/restart/every_s": 120, "/restart/keep": 25})
energies = [np.max(flooding.read(path.name)["tke"]) for path in flooding.folder.glob("results/*/restart_*.nc")]
cases.below("energy of turbulence while flats flood [m2/s2]", max(energies), 0.03)
if cases.THOROUGH:
    cases.below("20 layers", seiche(20), 0.006)
    # variance of its salinity at three times, over that of even cells of 40 m with layers of 1 m
    kept = []
    for levels in ({"dz_m": 1}, ALONG_BED):
        fields = estuary(levels).fields()
        salt, water = np.nan_to_num(fields["salinity"]), np.nan_to_num(fields["thickness"])
        variance = [np.average((salt[n] - np.average(salt[n], weights=water[n]))**2, weights=water[n]) for n in (6, 9, 12)]
        kept.append(np.mean(np.array(variance) / (89.5, 122.5, 101.7)))
    cases.close("variance of the salinity in an estuary", kept[0], 1, 0.1)
    cases.between("with layers along the bed", kept[1], 0.7, 0.8)
cases.finish()
