# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
# ctest: timeout 1200
"""The same bits on any number of ranks, any shape of the cut, on the emulated GPU, and across a restart.
`ranks.py [SEA...]`: of all seas, or of those named, a few steps on 2 ranks and, after a restart, cut the other way; with
`--all` more steps and every number and shape."""

import math
import os
import sys

import cases

STORM = {"/time/start": "2014-09-24T10:00:00Z", "/output": [],
         "/forcing/tidal_potential": {"constituents": ["M2", "K1", "Mf"], "ramp_s": 3600, "self_attraction": 0.03}}
PERIODIC = {"/output": [], "/solver/patch": 16, "/physics/momentum/advection": "tvd", "/physics/momentum/rayleigh_1_s": 1e-4, "/physics/momentum/horizontal_viscosity_m2_s": 50,
            "/grid/levels": {"bottom_m": -10, "dz_m": 2}, "/physics/drag": {"law": "manning"}, "/physics/turbulence": {"closure": "k-epsilon"}}
OPEN = {"/output": [], "/physics/momentum/advection": "tvd", "/grid/length_y_m": 24000, "/grid/levels": {"bottom_m": -10, "dz_m": 5},
        "/bathymetry/bed_m": "-10 + 3*sin(x/9000)*cos(y/5000)", "/physics/coriolis": {"f_s": 1e-4},
        "/physics/turbulence": {"closure": "mixing-length"}}
STRUCTURES = {"/structures": [
    {"name": "groyne", "kind": "dam", "line": [[9000, 26000], [9000, 15000]]},
    {"name": "levee", "kind": "weir", "line": [[30000, 0], [55000, 25000]], "crest_m": "-0.5 + x/1e5", "coefficients": {"drowned": 0.8},
     "breach": {"at": [42000, 12000], "width_m": 6000, "lowest_m": -5, "growth_s": 300, "start_s": 1000, "above_m": 0.05}},
    {"name": "by rule", "kind": "gate", "line": [[80000, -1], [84000, 26000]], "rule": {"station": [75000, 9000], "close_above_m": 1e-9, "open_below_m": 0, "close_s": 600}},
    {"name": "barrier", "kind": "gate", "line": [[62000, 26000], [66000, -1]], "crest_m": -8, "opening": "sin(t/200)^2"},
    {"name": "under", "kind": "gate", "line": [[70000, -1], [72000, 26000]], "opening": "0.5 + 0.4*sin(t/300)", "leaf_m": 8},
    {"name": "culvert", "kind": "culvert", "line": [[5000, 5000], [15000, 15000]], "culvert": {"size_m": [900, 4], "barrels": 9}},
    {"name": "pump", "kind": "pump", "line": [[90000, 5000], [5000, 5000]], "pump": {"capacity_m3_s": "20000 + t", "start_above_m": 0}}]}
SOAKING = {"/forcing/rain": {"mm_h": 50}, "/infiltration": {"law": "green-ampt", "rate_mm_h": "5 + x/1000", "suction_mm": 100, "deficit": 0.3, "interception_mm": 1,
                                                       "drains_mm_h": 4, "above_m": -2}}
ROUND = {**OPEN, "/grid/length_x_m": 24000, "/initial/eta_m": "0.3*exp(-((x-9000)/4000)^2-((y-20000)/4000)^2)", "/initial/u_m_s": 0,
         "/boundaries": [{"name": edge, "edge": edge, "kind": kind, "eta_m": "0.2*sin(t/300+x/9000+y/7000)"}
                         for edge, kind in (("west", "flather"), ("east", "elevation"), ("south", "flather"), ("north", "elevation"))]}
TRACERS = {"/output": [], "/solver/tracers/column_blocks": 3, "/tracers": [
    {"name": "east", "initial": "x > 12000"}, {"name": "everywhere", "initial": 1},
    {"name": "mud", "kind": "suspended", "initial": 0.05, "initial_bed_kg_m2": "5*(x > 12000)", "settling_m_s": 5e-4,
     "erosion_kg_m2_s": 1e-3, "critical_erosion_Pa": 0.3, "critical_deposition_Pa": 1}],
           "/physics/tracers/horizontal_diffusivity_m2_s": 300}
KINDS = {**ROUND, "/physics/drag": {"law": "chezy", "c": "50 + 10*sin(x/3000 + y/2000)"}, "/initial/salinity": "30+x/9000+z/10", "/boundaries": [
    {"name": "w", "edge": "west", "range": [1000, 24000], "kind": "discharge", "discharge_m3_s": "9000*sin(t/200)", "salinity": 3},
    {"name": "e", "edge": "east", "range": [1000, 24000], "kind": "velocity", "velocity_m_s": "0.1*cos(y/3000)",
     "tide_ramp_s": 0, "tide": [{"constituent": "M2", "velocity_amplitude_m_s": 0.1}]},
    {"name": "s", "edge": "all", "box": [0, 24000, 0, 900], "kind": "flather", "sponge": {"width_m": 8000, "time_s": 200},
     "tide_ramp_s": 300, "tide": [{"constituent": "O1", "amplitude_m": "0.1+x/1e6", "phase_deg": "x/100"}]},
    {"name": "n", "edge": "north", "range": [0, 8000], "kind": "elevation", "tide_ramp_s": 0, "tide": [{"period_s": 900, "amplitude_m": 0.2}],
     "salinity": 20, "inflow_relaxation_s": 300, "sponge": {"width_m": 6000, "time_s": 90}},
    {"name": "chapman", "edge": "north", "range": [8000, 16000], "kind": "chapman", "eta_m": "0.1*sin(t/200)", "relaxation": {"out_s": 1000}},
    {"name": "radiation", "edge": "north", "range": [16000, 24000], "kind": "radiation", "relaxation": {"in_s": 500, "out_s": 9000}}],
    "/rivers": [{"name": "in the sponge", "x_m": 9000, "y_m": 3000, "discharge_m3_s": 50, "salinity": 1}]}
# the same kinds along a ring of lines inside the grid: staircases whose corners have one ghost for two faces
RING = [[12000 + 10300 * math.cos(n * math.pi / 6 + 0.1), 12000 + 10300 * math.sin(n * math.pi / 6 + 0.1)] for n in range(12)]
LINES = {**KINDS, "/physics/density": {"equation": "linear"}, "/grid/levels": {"bottom_m": -12, "dz_m": 2}, "/boundaries": [
    {"salinity": 25, **{key: value for key, value in b.items() if key not in ("range", "box")}, "edge": "line", "line": [RING[2 * n], RING[2 * n + 1], RING[(2 * n + 2) % 12]]}
    for n, b in enumerate(KINDS["/boundaries"])]}
# a line where the cut of two processes is: its ghosts are cells of the other one
BETWEEN = {**KINDS, "/rivers": [], "/grid/levels": {"bottom_m": -12, "dz_m": 2}, "/bathymetry/bed_m": "x > 11000 && x < 11500 ? 5 : -10 + 3*sin(x/9000)*cos(y/5000)",
           "/bathymetry/keep": "all", "/boundaries": [{**{key: value for key, value in KINDS["/boundaries"][n].items() if key != "range"}, **place} for n, place in (
               (4, {"edge": "west"}), (5, {"edge": "line", "line": [[12000, 25000], [12000, -1000]]}))]}
# wind over a thermocline, with islands, banks and an open edge: density at work
SECOND_ORDER = {} if "matm" in os.environ.get("MAEOTIS_SETTINGS", "") else {"/physics/momentum/order": 2}  # which matm has not
INSIDE = {**ROUND, **SECOND_ORDER, "/grid/flood_to_m": 3, "/grid/levels": {"kind": "bed-following", "bottom_m": -10, "layers": 3, "thinnest_m": 0}, "/physics/turbulence": {"closure": "k-epsilon"},
          "/bathymetry": {"bed_m": "-1 + 3*sin(x/900)*cos(y/700)", "keep": "all", "subgrid": True}, "/forcing/wind": {"speed_m_s": 20, "from_deg": 45},
          **SOAKING, "/structures": [
              {"name": "levee", "kind": "weir", "line": [[5000, 0], [7000, 24000]], "crest_m": "0.1 + y/1e5", "breach": {"at": [6000, 12000], "width_m": 5000, "lowest_m": -1, "growth_s": 300, "start_s": 100}},
              {"name": "under", "kind": "gate", "line": [[15000, 0], [16000, 24000]], "crest_m": -1.5, "opening": "0.5 + 0.4*sin(t/300)", "leaf_m": 1},
              {"name": "culvert", "kind": "culvert", "line": [[10000, 9000], [20000, 15000]], "culvert": {"size_m": [90, 1], "barrels": 9, "invert_m": [-2, -2]}},
              {"name": "pump", "kind": "pump", "line": [[11000, 20000], [2000, 4000]], "pump": {"capacity_m3_s": "2000 + t"}}]}
INSIDE.update({"/physics/density": {"equation": "teos10"}, "/initial/salinity": "20 + x/3000 - z", "/initial/temperature_C": 18, "/forcing/evaporation": {"mm_h": 3},
               "/forcing/heat": {"air_temperature_C": "12 + x/4000", "humidity": 0.6, "shortwave_W_m2": 400}, "/kinetics": {"module": "oxygen", "initial": {"pom_bed": "40*(x > 9000)"}},
               "/tracers": [{"name": "mud", "kind": "suspended", "initial": 0.05, "initial_bed_kg_m2": "0.1*(y > 9000)", "settling_m_s": 5e-4, "erosion_kg_m2_s": 1e-3,
                             "critical_erosion_Pa": 0.3, "critical_deposition_Pa": 1}]})
LAYERED = {"/output": [], **SECOND_ORDER, "/physics/turbulence/viscosity_m2_s": 1e-3, "/forcing/wind": {"speed_m_s": 12, "from_deg": 240},
           "/boundaries": [{"name": "west", "edge": "west", "kind": "elevation", "eta_m": "0.2*sin(t/2000)"}]}
ALONG_BED = {**LAYERED, "/grid/levels": {"kind": "bed-following", "bottom_m": -10, "layers": 9, "towards_bed": 1, "thinnest_m": 0.5},
             "/initial/temperature_C": "16 + 8*tanh((z+4.2)/1.1) + x/9000",
             "/physics/tracers/horizontal_diffusivity_m2_s": 80, "/physics/tracers/mix_along": "density"}
HYBRID = {**ALONG_BED, "/physics/tracers/mix_along": "heights", "/grid/levels": {"kind": "hybrid", "bottom_m": -10, "dz_m": 1, "fixed_above_m": -4}}
ADAPTIVE = {**ALONG_BED, "/physics/tracers/mix_along": "layers", "/physics/turbulence": {"closure": "k-epsilon"}, "/grid/levels": {
    "kind": "adaptive", "bottom_m": -10, "layers": 9, "thinnest_m": 0.5, "adapt": {"bed": 0.1, "zone_m": 1, "relaxation_s": 900, "every_s": 0}}}
# open edges within blocks, eddies that grow from rest, and momentum implicit in all directions
IMPLICIT = {**ROUND, "/grid/length_x_m": 12500, "/grid/levels": {"bottom_m": -10, "dz_m": 1}, "/physics/turbulence": {"closure": "k-epsilon"},
            "/physics/momentum/scheme": "matm", "/physics/momentum/rayleigh_1_s": 1e-4, "/physics/momentum/horizontal_viscosity_m2_s": 100,
            "/physics/momentum/viscosity_law": "smagorinsky", "/physics/vegetation": {"stems_m2": "20 + x/1000", "height_m": 4},
            "/forcing/wind": {"speed_m_s": 40, "from_deg": 45}}
# all that the model has, and the other choices where it has several
OTHERWISE = {"/output": [], "/physics/pressure": "nonhydrostatic", "/solver/momentum/column_blocks": 3, "/physics/tracers/scheme": "van-leer", "/physics/momentum/scheme": "split",
             "/physics/density/equation": "eos80", "/physics/turbulence/stability": "cheng", "/physics/drag/law": "manning",
             "/physics/vegetation": {"stems_m2": "30*(x > 6000)", "height_m": "1 + y/4000"},
             "/forcing/heat/bulk": "kondo", "/forcing/wind/drag/law": "large-pond", "/forcing/waves": {"from_wind": True}}
SHORT = {**ROUND, "/physics/pressure": "nonhydrostatic", "/solver/patch": 8, "/time/step_s": 0.1, "/grid/dx_m": 2, "/grid/length_x_m": 96, "/grid/length_y_m": 64,
         "/grid/levels": {"bottom_m": -8, "dz_m": 1}, "/grid/flood_to_m": 2, "/physics/momentum/horizontal_viscosity_m2_s": 20, "/physics/momentum/viscosity_law": "smagorinsky",
         "/physics/turbulence/viscosity_m2_s": 0.001,
         "/bathymetry/bed_m": "-6 + 2*sin(x/9)*cos(y/7) + 8*exp(-((x-60)/9)^2-((y-30)/9)^2)",
         "/initial/eta_m": "0.4*exp(-((x-30)/5)^2-((y-30)/5)^2)"}

# all that reacts: ten variables, events, oxygen with a bed, gas exchange; reactions once in three steps
REACTING = {"/output": [], "/initial/salinity": 11, "/kinetics/every_steps": 3,
            "/events": [{"name": "a", "variable": "chlorophyll", "when": "above", "threshold": 1, "at": "surface"}]}
PLANKTON = {**REACTING, "/kinetics/module": "azov-plankton", "/kinetics/initial": {"nitrate": "2 + sin(x/3000)"},
            "/rivers/0/tracers": {"nitrate": 30, "dye": 30}}
OXYGEN = {**REACTING, "/kinetics/module": "oxygen", "/kinetics/initial": {"nutrient": "2 + sin(x/3000)", "pom_bed": "40*(x > 9000)", "hydrogen_sulphide": 1},
          "/rivers/0/tracers": {"nutrient": 30, "oxygen": 300, "dye": 30}}

COMPACT = {"/output": [], "/grid/levels": {"bottom_m": -20, "dz_m": 5}, "/grid/length_y_m": 3800, "/physics/coriolis": {"f_s": 1e-4},
           "/bathymetry/bed_m": "(x-2000)^2+(y-2400)^2 < 90000 ? 5 : -20 + 8*sin(x/500)*cos(y/700)"}
ROUND_COMPACT = {"/output": [], "/grid/length_x_m": 4800, "/grid/length_y_m": 1000, "/initial/v_m_s": "0.3*sin(2*pi*x/4800)", "/initial/eta_m": "0.01*cos(2*pi*x/4800)"}

WITH_LINES = ("compact advection", "compact advection, periodic", "everything", "everything, not hydrostatic", "marsh, implicit transport",
              "marsh with tracers")  # which keep straight cuts
# only with --all: others are like them
LONG = ("all kinds along lines", "ground inside cells, fixed heights", "hybrid layers", "layered lake", "open all round", "short waves, eastern edge within a block", "compact advection, periodic",
        "marsh, implicit transport", "marsh with oxygen and its bed")
IN_STRIPS = ("storm", "short waves", "periodic channel")  # also without --all
SPEEDS = [1, 3, 2.5, 0.7, 0.3, 0.3]  # strips of 2 x 2, 2 x 3 and 3 x 2 ranks want other cuts than those beside them


def check_accounts(name, run):
    """Nothing is lost or made: volume, heat, salt, and all that is carried."""
    cases.conserves(run, 1e-12)
    for tracer in run.log[-1]["tracers"]:
        accounts = [line["tracers"][tracer] for line in run.log]
        cases.below(f"{name}: account of {tracer}", max(abs(a["error"]) / (abs(a["content"]) + abs(a["bed"])) for a in accounts), 1e-12)


def digests(scenario, settings, steps, ranks=0, options=()):
    return cases.run(scenario, settings, ranks, ["--steps", str(steps), *options]).column("digest").tolist()


every = "--all" in sys.argv
named = [word for word in sys.argv[1:] if word != "--all"]
for name, scenario, settings, steps, counts, shapes in (
    ("storm", "azov_storm_2014", STORM, 30, (2, 3, 4, 6), ((1, 4), (2, 3))),
    ("periodic channel", "verification/kelvin_wave", {**PERIODIC, **SECOND_ORDER}, 20, (2, 3, 4), ((1, 2), (3, 2))),
    ("open boundaries", "verification/flather_pulse", {**OPEN, **STRUCTURES}, 20, (2, 3), ((1, 3), (2, 2))),
    ("ground inside cells", "verification/flather_pulse", INSIDE, 20, (2, 3, 4), ((1, 4), (4, 1))),
    ("ground inside cells, fixed heights", "verification/flather_pulse", {**INSIDE, "/grid/levels": {"bottom_m": -4, "dz_m": 0.8}, "/initial/salinity": "30 - z + x/9000"}, 20, (2, 3, 4), ((1, 4), (4, 1))),
    ("open all round", "verification/flather_pulse", {**ROUND, **SECOND_ORDER}, 20, (2, 3, 4), ((1, 4), (4, 1))),
    ("implicit momentum", "verification/flather_pulse", IMPLICIT, 20, (2, 3), ((1, 2),)),
    ("short waves", "verification/flather_pulse", SHORT, 20, (2, 3, 4, 6), ((1, 4), (4, 1))),
    ("short waves, eastern edge within a block", "verification/flather_pulse", {**SHORT, "/grid/length_x_m": 90}, 20, (2,), ()),
    ("all kinds of boundaries", "verification/flather_pulse", KINDS, 20, (2, 3, 4, 6), ((1, 4), (4, 1))),
    ("all kinds along lines", "verification/flather_pulse", LINES, 20, (2, 3, 4, 5, 6, 7), ((1, 4), (4, 1))),
    ("a line between processes", "verification/flather_pulse", BETWEEN, 20, (2,), ((2, 1),)),
    ("compact advection", "verification/vortex_pair", COMPACT, 20, (2, 3, 4, 6), ((1, 4), (3, 2))),
    ("compact advection, periodic", "verification/shear_wave", ROUND_COMPACT, 20, (2, 3), ((2, 2),)),
    ("layered lake", "verification/lake_at_rest_stratified", LAYERED, 20, (2, 3, 4, 6), ((1, 4), (3, 2))),
    ("layers along the bed", "verification/lake_at_rest_stratified", ALONG_BED, 20, (2, 3, 4, 5, 6, 7), ((1, 4), (3, 2))),
    ("layers that move", "verification/lake_at_rest_stratified", ADAPTIVE, 20, (2, 3), ((1, 4),)),
    ("hybrid layers", "verification/lake_at_rest_stratified", HYBRID, 20, (2, 3), ((1, 4), (3, 2))),
    ("everything", "verification/everything", {"/output": []}, 20, (2, 3, 4, 6), ((1, 4), (3, 2))),
    ("everything, not hydrostatic", "verification/everything", OTHERWISE, 20, (2, 3, 4, 6), ((1, 4), (3, 2))),
    ("marsh, implicit transport", "verification/tracers_marsh", {**TRACERS, "/physics/tracers/scheme": "matm"}, 20, (3,), ((2, 2),)),
    ("marsh with plankton", "verification/kinetics_marsh", PLANKTON, 16, (2, 3, 4, 6), ((1, 4), (2, 2))),
    ("marsh with oxygen and its bed", "verification/kinetics_marsh", OXYGEN, 16, (2, 3, 4, 6), ((2, 2),)),
    ("marsh with tracers", "verification/tracers_marsh", {**TRACERS, **SOAKING}, 20, (2, 3, 4, 6), ((6, 1), (3, 2))),
):
    if (named and name not in named) or (name in LONG and not every and not named):
        continue
    if not every:
        steps = min(steps, 8)
    one = cases.run(scenario, settings, 0, ["--steps", str(steps)])
    alone = one.column("digest").tolist()
    if one.log[-1].get("tracers"):
        check_accounts(name, one)
    cases.equal(f"{name}: steps", len(alone), steps)
    cases.equal(f"{name}: the sea moves", len(set(alone)), steps)
    for count in counts if every else ():
        cases.equal(f"{name}: {count} ranks", digests(scenario, settings, steps, count) == alone, True)
    for shape in shapes if every else ():
        cut = {**settings, "/solver/processes": list(shape)}
        cases.equal(f"{name}: {shape[0]} x {shape[1]} ranks", digests(scenario, cut, steps, shape[0] * shape[1]) == alone, True)

    # the same shape with cuts of x for each strip of rows, far from each other since the ranks are of unequal speed
    for shape in shapes if every else ((2, 2),) if name in IN_STRIPS else ():
        if name in WITH_LINES or 1 in shape:
            continue
        strips = {**settings, "/solver/processes": list(shape), "/solver/cuts": "strips", "/solver/speeds": SPEEDS[:shape[0] * shape[1]]}
        cut = cases.run(scenario, strips, shape[0] * shape[1], ["--steps", str(steps)])
        cases.equal(f"{name}: {shape[0]} x {shape[1]} ranks are in strips", "processes, in strips" in cut.message, True)
        cases.equal(f"{name}: {shape[0]} x {shape[1]} ranks in strips", cut.column("digest").tolist() == alone, True)

    # and with a rank that is much faster: strips of different numbers of ranks
    if name in IN_STRIPS and name not in WITH_LINES:
        cut = cases.run(scenario, {**settings, "/solver/speeds": [9, 1, 1, 1]}, 4, ["--steps", str(steps)])
        cases.equal(f"{name}: strips of 4 unequal ranks", cut.column("digest").tolist() == alone, True)

    half = steps // 2 | 1  # odd, for fields that a step swaps
    few = half if every else 3  # of reactions the first are in the third step
    emulated = digests(scenario, settings, few, 0, ["--device", "emu"])
    cases.equal(f"{name}: emulated GPU", emulated == alone[:few], True)
    first = cases.run(scenario, {**settings, "/restart/at_end": True}, 2, ["--steps", str(half)])
    cases.equal(f"{name}: 2 ranks before the restart", first.column("digest").tolist() == alone[:half], True)
    files = sorted(first.folder.glob("**/restart_*.nc"))
    cases.equal(f"{name}: restart files", len(files), 1)
    for shape in ((), (1, 3), *shapes[:1]) if every else ((1, 3) if name == "compact advection" else (2, 1),):
        cut = {**settings, "/solver/processes": list(shape)} if shape else settings
        again = digests(scenario, cut, steps, math.prod(shape) if shape else 0, ["--restart", str(files[0])])
        cases.equal(f"{name}: restart on {' x '.join(map(str, shape)) or 1} ranks", again == alone[half:], True)
cases.finish()
