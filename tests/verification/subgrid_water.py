# SPDX-License-Identifier: Apache-2.0
"""What water carries over ground inside cells: exchange of salt and fresh water in a channel narrower than a cell, internal waves in one with
the section of a V, stratified water at rest over rough ground, heat and light, mud, what reacts."""

import cases
import numpy as np
from math import pi

LINEAR = {"equation": "linear", "reference_temperature_C": 10, "reference_salinity": 20}
BED_FOLLOWING = {"bottom_m": -5, "kind": "bed-following", "thinnest_m": 0}
CHANNEL = {"/grid": {"kind": "cartesian", "length_x_m": 1600, "length_y_m": 300, "dx_m": 100, "flood_to_m": 3, "levels": {**BED_FOLLOWING, "layers": 5}},
           "/time/duration_s": 3600, "/time/step_s": 30, "/physics/turbulence": {"closure": "k-epsilon"}, "/physics/density": LINEAR,
           "/physics/drag": {"law": "log", "z0_m": 0.002}, "/physics/free_surface/theta": 0.6}
PLAIN = {"bed_m": -5, "keep": "all"}
NOTCH = {"bed_m": "sin(2*pi*y/100) > 0 ? -5 : 2", "keep": "all", "subgrid": True, "pixels": 4}


def budget(run, name):
    """Worst error of a tracer's account, relative to its content."""
    accounts = [line["tracers"][name] for line in run.log]
    return max(abs(a["error"]) / (abs(a["content"]) + abs(a["bed"])) for a in accounts)


def beside_plain(what, settings, limits, parts={}, without={}):
    """A notch of half a cell's width between banks that could be wet, beside a sea of the notch's depth."""
    fields = []
    for bed in (NOTCH, PLAIN):
        run = cases.run("verification/thacker_curved", {**CHANNEL, **settings, **(without if bed is PLAIN else {}), "/bathymetry": bed}, label="notch" if bed is NOTCH else "plain")
        fields.append(run.fields())
        if bed is NOTCH:
            cases.conserves(run)
            for name in set(run.log[-1]["tracers"]):
                cases.below(f"{what}: account of {name}", budget(run, name), 1e-13)
    for name, limit in limits.items():
        cases.below(f"{what}: {name} in a notch beside a sea without banks", np.nanmax(np.abs(fields[0][name] - fields[1][name])), limit)
    for name, part in parts.items():
        cases.below(f"{what}: {name} of the cells of a notch", np.nanmax(np.abs(fields[0][name][-1] / fields[1][name][-1] - part)), 1e-4)
    return fields[1]


LOCK = {"/initial": {"eta_m": 0, "salinity": "20 - 5*cos(pi*x/Lx)"}, "/output": [{"every_s": 3600, "velocities": "faces", "variables": ["eta", "u", "salinity"]}]}
plain = beside_plain("lock exchange", LOCK, {"eta": 1e-4, "u": 1e-4, "salinity": 5e-4})
cases.below("the exchange [m/s] (more than 0.15)", 0.15 / np.nanmax(np.ptp(plain["u"][-1], axis=0)), 1)
for kind, limits in (("elevation", {"eta": 1e-4, "u": 0.002, "salinity": 0.01}), ("flather", {"eta": 2e-4, "u": 0.02, "salinity": 0.1})):
    beside_plain(f"TEOS-10, an open edge of the kind {kind}", {**LOCK, "/initial/salinity": "20 + 3*cos(pi*x/Lx)", "/physics/density": {"equation": "teos10"}, "/boundaries": [
        {"name": "sea", "edge": "west", "kind": kind, "tide_ramp_s": 0, "tide": [{"period_s": 3600, "amplitude_m": 0.3}], "salinity": 22}]}, limits)

# Internal seiche in channels with the section of a V, one in each row of cells: w of the mode is J1(k d) at the height d above the lowest
# ground, k = N/c, with J1(k H) = 0, so c = N H/3.8317 (N H/pi between upright walls).
DEPTH, LENGTH, PER_METRE = 10.0, 2000.0, 1.0
FREQUENCY = np.sqrt(9.81 * 0.78e-3 * PER_METRE)
PERIOD = 2 * LENGTH * 3.831706 / (FREQUENCY * DEPTH)
ARGUMENT = "(0.3831706*(z + 10))"
BESSEL = " + ".join(f"({c:.10g})*{ARGUMENT}^{n}" for n, c in ((1, 1 / 2), (3, -1 / 16), (5, 1 / 384), (7, -1 / 18432), (9, 1 / 1474560), (11, -1 / 176947200)))


VALLEYS = {"bed_m": "-10 + 12*abs(1 - 2*(y/100 - (y >= 100) - (y >= 200)))", "keep": "all", "subgrid": True, "pixels": 64}


def seiche(layers):
    run = cases.run("verification/thacker_curved", {
        "/grid": {"kind": "cartesian", "length_x_m": LENGTH, "length_y_m": 300, "dx_m": 100, "flood_to_m": 2, "levels": {"bottom_m": -10, "kind": "bed-following", "thinnest_m": 0, "layers": layers}},
        "/bathymetry": VALLEYS,
        "/physics/density": {**LINEAR, "contraction_kg_g": 7.8e-4}, "/physics/momentum": {"advection": "none"}, "/time/duration_s": 1.5 * PERIOD // 100 * 100, "/time/step_s": 100,
        "/initial": {"eta_m": 0, "salinity": f"20 - {PER_METRE}*(z - 0.2*({BESSEL})*cos(pi*x/{LENGTH}))"},
        "/output": [{"every_s": 100, "stations": {"middle": [1050, 150]}, "variables": ["u"]}]}, label=f"seiche_{layers}")
    stations = run.stations()
    flow = stations["u"].reshape(len(stations["time"]), -1)
    return 2 * pi / cases.fit_wave(stations["time"], flow[:, -1] - flow[:, 0], 2 * pi / PERIOD)[0]


errors = [seiche(layers) / PERIOD - 1 for layers in (5, 10)]
cases.below("error of the period of an internal seiche in a channel with the section of a V, 10 layers", errors[1], 0.02)
cases.between("its order in the layers", cases.orders(errors)[0], 1.8, 2.4)

# Salt by height at rest over rough ground: nothing moves where it is a formula of height, little where x in it hides that
REST = {**CHANNEL, "/grid": {**CHANNEL["/grid"], "length_y_m": 800, "flood_to_m": 9}, "/output": [], "/time/duration_s": 3600,
        "/bathymetry": {"bed_m": "-2 + 2*sin(x/37)*cos(y/53) + 1.2*sin(x/11 + y/17)", "keep": "all", "subgrid": True, "pixels": 8},
        "/physics/turbulence": {"closure": "constant", "viscosity_m2_s": 0}, "/physics/drag": {"law": "none"}}
FRONT = "20 - 3*tanh(2*(z + 2))"
for name, salinity, layers, limit in (("one density", "20 + 0*x", 5, 1e-12), ("a front", FRONT, 5, 1e-12), ("an even growth, hidden", "20 - z + 1e-12*x", 5, 1e-9),
                                      ("a front, hidden", f"{FRONT} + 1e-12*x", 5, 2e-3), ("a front, hidden", f"{FRONT} + 1e-12*x", 20, 1e-5)):
    run = cases.run("verification/thacker_curved", {**REST, "/grid/levels/layers": layers, "/initial": {"eta_m": 0, "salinity": salinity}}, label="rest")
    cases.below(f"salt at rest over rough ground, {name}, {layers} layers: speed [m/s]", np.max(run.column("max_speed_m_s")), limit)

# the same salt everywhere stays so while rough ground floods and falls dry
run = cases.run("verification/thacker_curved", {**REST, "/initial": {"eta_m": "1.2*cos(pi*x/Lx)", "salinity": 30}, "/output": [{"every_s": 600, "variables": ["salinity"]}]}, label="swash")
cases.below("salt that is the same everywhere, while ground floods", np.nanmax(np.abs(run.fields()["salinity"] - 30)), 1e-5)
cases.below("its account", budget(run, "salinity"), 1e-13)
# Heat and evaporation by the bulk formulas, and light into the depth: on the wet part alone
AIR = {"/forcing/wind": {"speed_m_s": 8, "from_deg": 270}, "/forcing/heat": {"air_temperature_C": 12, "humidity": 0.6, "cloudiness": 0.5, "shortwave_W_m2": 400}}
beside_plain("heat", {**AIR, "/initial": {"eta_m": "0.3*cos(pi*x/Lx)", "temperature_C": "18 + z"}, "/output": [{"every_s": 3600, "variables": ["eta", "temperature", "heat_flux"]}]},
             {"eta": 1e-5, "temperature": 1e-4}, parts={"heat_flux": 0.5})

# light in still water with the section of a V: through the side of a layer at the depth d passes I(d) A(d)
LAYERS, SUN, STEPS, RHO_C = 5, 500.0, 10, 1008 * 3991.86795711963
STILL = {
    **CHANNEL, "/grid": {**CHANNEL["/grid"], "length_x_m": 800, "levels": {"bottom_m": -10, "kind": "bed-following", "thinnest_m": 0, "layers": LAYERS}}, "/bathymetry": VALLEYS,
    "/physics/density": {"equation": "constant"}, "/physics/turbulence": {"closure": "constant", "viscosity_m2_s": 0}, "/time/duration_s": 600 * STEPS, "/time/step_s": 600,
    "/initial": {"eta_m": 0, "temperature_C": 15}}
still = cases.run("verification/thacker_curved", {**STILL, "/forcing/heat": {"net_W_m2": 0, "shortwave_W_m2": SUN, "albedo": 0, "water_type": "II"}, "/output": [{"every_s": 600 * STEPS, "variables": ["temperature"]}]}, label="light")
up = 10 * np.sqrt(np.arange(LAYERS + 1) / LAYERS)
passes = SUN * (0.77 * np.exp(-(10 - up) / 1.5) + 0.23 * np.exp(-(10 - up) / 14)) * up
warmed = still.fields()["temperature"][-1, :, 1, 3] - 15
capacity = RHO_C * np.diff(up**2) / 2
cases.below("light in the section of a V: layers beside theory, relative", np.max(np.abs(warmed / (np.diff(passes) * 600 * STEPS / capacity) - 1)), 0.003)
cases.below("its account", budget(still, "temperature"), 1e-13)

# on a slope that is wet in its lowest third, under 0.5 m in the mean: heat and evaporation act on that third
third = cases.run("verification/thacker_curved", {
    **REST, "/grid/levels/layers": 3, "/grid/length_y_m": 300, "/bathymetry": {**VALLEYS, "bed_m": "-1 + 3*(y/100 - (y >= 100) - (y >= 200))", "pixels": 64}, "/physics/density": {"equation": "constant"},
    "/time/step_s": 600, "/forcing/heat": {"net_W_m2": 100}, "/initial": {"eta_m": 0, "temperature_C": 15}, "/output": [{"every_s": 3600, "variables": ["temperature"]}]}, label="third")
cases.close("heat on water that covers a third of a cell", np.mean(third.fields()["temperature"][-1, :, 1, 3]) - 15, 100 * 3600 / (RHO_C * 0.5), 0.005)
dried = cases.run("verification/thacker_curved", {
    **REST, "/grid/length_y_m": 300, "/bathymetry": {**VALLEYS, "bed_m": "-1 + 3*(y/100 - (y >= 100) - (y >= 200))", "pixels": 64}, "/physics/density": {"equation": "constant"},
    "/time/duration_s": 60, "/forcing/evaporation": {"mm_h": 3}, "/initial/eta_m": 0}, label="dried")
cases.close("evaporation from a third of a cell", (dried.column("volume_m3")[0] - dried.column("volume_m3")[1]) / 480000, 3e-3 * 30 / 3600 / 3, 0.01)

# Mud: what lies on the bed of a cell lies under its water. In a notch it is moved as in a sea without banks that has twice as much of it
MUD = {"name": "mud", "kind": "suspended", "settling_m_s": 1e-3, "initial": 0.05, "erosion_kg_m2_s": 1e-4, "critical_erosion_Pa": 0.05, "critical_deposition_Pa": 0.2}
WINDY = {"/physics/density": {"equation": "constant"}, "/forcing/wind": {"speed_m_s": 12, "from_deg": 270}, "/initial": {"eta_m": "0.3*cos(pi*x/Lx)"}}
beside_plain("mud", {**WINDY, "/tracers": [{**MUD, "initial_bed_kg_m2": 0.05}], "/output": [{"every_s": 3600, "variables": ["mud", "mud_bed"]}]},
             {"mud": 1e-5}, parts={"mud_bed": 0.5}, without={"/tracers/0/initial_bed_kg_m2": 0.1})

# in still water with the section of a V mud sinks through the sides of layers and onto the bed in each of them
SINKING = {**STILL, "/initial": {"eta_m": 0}, "/tracers": [{"name": "mud", "kind": "suspended", "settling_m_s": 1e-3, "initial": 1}], "/output": [{"every_s": 600, "variables": ["mud", "mud_bed"]}]}
sinking = cases.run("verification/thacker_curved", {**SINKING, "/time/step_s": 10, "/time/duration_s": 600}, label="sinking")
c, area = np.ones(LAYERS), up / 12
for _ in range(60):  # from the top down, implicit in the step as the model; first onto the bed of all but the lowest layer
    height = np.diff(up**2) / 24
    c[1:] /= 1 + 0.01 * np.diff(area)[1:] / height[1:]
    for k in range(LAYERS - 1, -1, -1):
        c[k] = (c[k] * height[k] + (0.01 * area[k + 1] * c[k + 1] if k < LAYERS - 1 else 0)) / (height[k] + 0.01 * (area[k] if k > 0 else area[1]))
cases.below("mud that sinks in the section of a V, by layers", np.max(np.abs(sinking.fields()["mud"][-1, :, 1, 3] - c)), 0.01)
cases.below("its account", budget(sinking, "mud"), 1e-13)

# rough ground falls dry and floods
dry = cases.run("verification/thacker_curved", {**REST, **WINDY, "/time/duration_s": 7200, "/physics/drag": {"law": "log", "z0_m": 0.002}, "/initial": {"eta_m": "1.2*cos(pi*x/Lx)"},
                                                "/tracers": [{**MUD, "initial_bed_kg_m2": 0.1}], "/output": [{"every_s": 600, "variables": ["mud_bed"]}]}, label="mud_flats")
cases.below("mud where ground falls dry and floods: account", budget(dry, "mud"), 1e-13)
cases.between("its least, greatest amount on the bed [kg/m2]", np.nanmin(dry.fields()["mud_bed"]), 0, 0.09)
cases.between("greatest", np.nanmax(dry.fields()["mud_bed"]), 0.11, 9)

# What reacts, sinks, takes oxygen from the air and lies on the bed: in a notch as in a sea without banks
REACTING = {**AIR, **WINDY, "/initial": {"eta_m": "0.3*cos(pi*x/Lx)", "temperature_C": 17, "salinity": 11}, "/output": [{"every_s": 3600, "variables": ["oxygen", "nutrient", "pom", "phytoplankton", "pom_bed"]}]}
beside_plain("oxygen", {**REACTING, "/kinetics": {"module": "oxygen", "initial": {"oxygen": "200 + x/100", "pom": 5, "pom_bed": 200}}},
             {"oxygen": 1e-4, "nutrient": 1e-5, "pom": 1e-4, "phytoplankton": 1e-5}, parts={"pom_bed": 0.5}, without={"/kinetics/initial/pom_bed": 400})

# in the section of a V nutrient comes from the bed of each layer, as much from each of its square metres
bed = cases.run("verification/thacker_curved", {
    **STILL, "/time/duration_s": 3600, "/initial": {"eta_m": 0, "temperature_C": 20, "salinity": 10}, "/output": [{"every_s": 3600, "variables": ["nutrient", "pom_bed"]}], "/forcing": {"wind": {"u_m_s": 0, "v_m_s": 0}, "heat": {"shortwave_W_m2": 0}},
    "/kinetics": {"module": "oxygen", "initial": {"oxygen": 300, "nutrient": 0, "phytoplankton": 0, "heterotrophs": 0, "pom": 0, "dom": 0, "pom_bed": 100}, "parameters": {"burial_1_d": 0}}}, label="bed").fields()
cases.equal("files claim heights of layers by shares of the depth", "sigma" in bed, False)
given = bed["nutrient"][-1, :, 1, 3] * np.diff(up**2) / 24 / (np.diff(up) / 12)
cases.below("nutrient from the bed of the layers in the section of a V, by area", np.ptp(given) / np.mean(given), 0.01)
cases.close("all of it beside what the bed has lost", np.sum(given * np.diff(up) / 12), 100 - bed["pom_bed"][-1, 1, 3], 0.001)
# rain of more than the lowest layer of a notch holds moves all layers by little: as in short steps
PIT = {"bed_m": "abs(sin(pi*y/100)) < 0.06 ? -2.4 : -1.9 + 1.8*abs(sin(pi*y/100))", "keep": "all", "subgrid": True, "pixels": 32}
RAIN = {"/grid": {"kind": "cartesian", "length_x_m": 800, "length_y_m": 800, "dx_m": 100, "flood_to_m": 3, "levels": {"bottom_m": -5, "dz_m": 1}}, "/bathymetry": PIT,
        "/initial": {"eta_m": 0, "salinity": "20 - 2*z"}, "/physics/density": {"equation": "constant"}, "/physics/turbulence": {"viscosity_m2_s": 0, "diffusivity_m2_s": 0},
        "/forcing": {"rain": {"mm_h": 80}}, "/time/duration_s": 3600, "/output": [{"every_s": 3600, "variables": ["salinity"]}]}
rains = [cases.run("verification/thacker_curved", {**RAIN, "/time/step_s": step}, label=f"rain {step}") for step in (600, 60)]
cases.below("rain in steps of 600 and of 60 s: salinity", np.nanmax(np.abs(np.subtract(*(run.fields()["salinity"][-1] for run in rains)))), 0.1)
cases.below("rain on notches: account of salt", max(budget(run, "salinity") for run in rains), 1e-13)

# films of 1e-20 m beside an open edge, which do not lift the level off the ground: the water outside has no infinite heights there
edges = cases.run("verification/flather_pulse", {
    "/grid/length_x_m": 24000, "/grid/length_y_m": 24000, "/grid/flood_to_m": 3, "/grid/levels": {"kind": "bed-following", "bottom_m": -10, "layers": 3, "thinnest_m": 0},
    "/bathymetry": {"bed_m": "-1 + 3*sin(x/900)*cos(y/700)", "keep": "all", "subgrid": True}, "/initial": {"eta_m": 0, "salinity": "20 + x/3000 - z", "temperature_C": 18},
    "/physics/momentum/advection": "tvd", "/physics/density": {"equation": "linear"}, "/physics/turbulence": {"closure": "k-epsilon"}, "/forcing/rain": {"mm_h": 50},
    "/forcing/wind": {"speed_m_s": 20, "from_deg": 45},
    "/infiltration": {"law": "green-ampt", "rate_mm_h": "5 + x/1000", "suction_mm": 100, "deficit": 0.3, "interception_mm": 1, "drains_mm_h": 4, "above_m": -2},
    "/boundaries": [{"name": edge, "edge": edge, "kind": kind, "eta_m": "0.2*sin(t/300 + x/9000 + y/7000)"} for edge, kind in (
        ("west", "flather"), ("east", "elevation"), ("south", "flather"), ("north", "elevation"))],
    "/time/step_s": 40, "/time/duration_s": 1000, "/output": []}, label="edges", may_fail=True)
cases.equal("films beside an open edge: code, steps", (edges.code, len(edges.log)), (0, 25))
cases.finish()
