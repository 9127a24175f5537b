# SPDX-License-Identifier: Apache-2.0
"""Weirs, gates and dams: the laws of free and drowned flow at steps of any length, both ways; walls that keep water; no volume,
salt or constant lost; the same bits after a restart; refusals."""

import cases
import numpy as np

G = 9.81


def heads(settings, back=False):
    """Levels before and behind the weir at the end, when 1 m2/s flows."""
    run = cases.run("verification/weir", settings)
    cases.conserves(run)
    return run.fields()["eta"][-1, 1, [20, 19] if back else [19, 20]]


mirrored = {"/boundaries/0/edge": "east", "/boundaries/1/edge": "west", "/initial/eta_m": "x > 200 ? -1 : -1.5"}
for step in (5, 50):
    up, _ = heads({"/time/step_s": step})
    cases.close(f"free weir, steps of {step} s: level above the crest", up + 1, (1 / (np.sqrt(G) * (2 / 3) ** 1.5)) ** (2 / 3), 1e-6)
    up, down = heads({"/time/step_s": step, "/boundaries/1/eta_m": 0, "/initial/eta_m": 0})
    loss = up - down + (1 / (up + 2)) ** 2 / 2 / G - (1 / (down + 2)) ** 2 / 2 / G
    cases.close(f"drowned weir, steps of {step} s: loss of head", loss, (1 / (down + 1) - 1 / (down + 2)) ** 2 / 2 / G, 0.02)
up, _ = heads({**mirrored, "/structures/0/coefficients": {"free": 2, "free_back": 0.5}}, back=True)
cases.close("free weir, backwards, with a coefficient", up + 1, (2 / (np.sqrt(G) * (2 / 3) ** 1.5)) ** (2 / 3), 1e-6)

# a high wall, drowned: the law of textbooks, with a coefficient
high = {"/bathymetry/bed_m": -40, "/grid/levels/bottom_m": -40, "/grid/levels/dz_m": 40, "/boundaries/1/eta_m": 0, "/initial/eta_m": 0}
up, down = heads({**high, "/structures/0/coefficients": {"drowned": 0.8}})
cases.close("drowned weir on a high wall: discharge", 0.8 * (down + 1) * np.sqrt(2 * G * (up - down)) / (1 - 1 / 40), 1, 0.002)
# deep under water it is not there, and as a sill of no height it is nothing at all
bare = cases.run("verification/weir", {"/boundaries/1/eta_m": 0, "/initial/eta_m": 0, "/structures": []}).digest
cases.equal("a crest at the bed: digest", cases.run("verification/weir", {"/boundaries/1/eta_m": 0, "/initial/eta_m": 0, "/structures/0/crest_m": -2}).digest, bare)
# a gap in a dam, by the later of the structures on its faces; a level that the rounding of depth leaves just above the crest
dam, higher, gap = ({"name": kind + str(end), "kind": kind, "line": [[200, start], [200, end]], **crest}
                    for kind, start, end, crest in (("dam", 0, 30, {}), ("weir", 0, 20, {"crest_m": 3}), ("weir", 0, 10, {"crest_m": -1})))
over, apart = (cases.run("verification/weir", {"/structures": all}, options=["--steps", "20"]).digest
               for all in ([dam, higher, gap], [{**dam, "line": [[200, 20], [200, 30]]}, {**higher, "line": [[200, 10], [200, 20]]}, gap]))
cases.equal("a weir on faces of a dam and a higher weir: digest", over, apart)
full = {**high, "/boundaries/1/eta_m": -0.5, "/boundaries/0/discharge_m3_s": 0, "/structures/0/crest_m": 0.7, "/initial/eta_m": "x < 200 ? 0.7 : -0.5"}
cases.equal("a basin full to the crest", cases.run("verification/weir", full, options=["--steps", "3"], may_fail=True).code, 0)
# two basins, in steps in which each gains the difference many times over: what overshoots is the momentum in the gap
run = cases.run("verification/weir", {"/boundaries": [], "/time/step_s": 600, "/time/duration_s": 36000, "/output/0/every_s": 600,
                                      "/initial/eta_m": "x < 200 ? 1 : -0.5"})
eta = run.fields()["eta"][:, 1]
above = eta[:, :20].mean(axis=1) - eta[:, 20:].mean(axis=1)
cases.below("basins that even out in steps of 600 s: the lower one above the higher one, of 1.5 m [m]", -np.min(above), 2e-3)
cases.below("basins that even out in steps of 600 s: difference at the end [m]", above[-1], 1e-3)

mixed = {"/physics/tracers/horizontal_diffusivity_m2_s": 10, "/physics/tracers/mix_along": "heights"}
closed = cases.run("verification/barrier", {**mixed, "/structures/0/opening": 0}).fields()
run = cases.run("verification/barrier", {**mixed, "/structures/0": {"name": "wall", "kind": "dam", "line": [[1500, 0], [2700, 2400]]}})
for name in ("eta", "u", "v", "salinity"):
    cases.equal(f"closed gate beside a dam: {name}", np.nanmax(np.abs(closed[name] - run.fields()[name])), 0)
x, y = np.meshgrid(closed["x"], closed["y"])
west = x < 1500 + y / 2
cases.equal("dam: what passes", run.fields()["west"][..., ~west].max(), 0)
run = cases.run("verification/barrier")
cases.conserves(run)
for tracer in ("one", "west", "salinity", "temperature"):
    cases.below(f"barrier: account of {tracer}", max(abs(line["tracers"][tracer]["error"] / line["tracers"][tracer]["content"]) for line in run.log), 1e-12)
fields = run.fields()
cases.below("barrier: change of a constant", np.nanmax(np.abs(fields["one"] - 1)), 1e-12)
volume = fields["eta"][:, west].sum(axis=1)
cases.below("barrier: what passes after it has closed [m3]", np.ptp(volume[6:]) * 200**2, 1e-1)
cases.between("barrier: what has passed [1000 m3]", (volume[0] - volume[-1]) * 40, 1000, 1e5)
# in steps so long that rotation turns what the level drives (f dt 0.1), a gate that closes
run = cases.run("verification/barrier", {"/physics/coriolis/f_s": 1.2e-4, "/time/step_s": 900, "/time/duration_s": 9000, "/output/0/every_s": 900,
                                         "/structures/0/opening": "t < 4000 ? 0.5 : 0"})
volume = run.fields()["eta"][:, west].sum(axis=1)
cases.below("barrier in long steps: what passes after it has closed [m3]", np.ptp(volume[4:]) * 200**2, 0.1)
run = cases.run("verification/barrier", {"/restart/at_end": True, "/output": []}, options=["--steps", "40"])
again = cases.run("verification/barrier", {"/output": []}, options=["--restart", str(next(run.folder.glob("**/restart_*.nc")))])
cases.equal("barrier: digest after a restart", again.digest, cases.run("verification/barrier", {"/output": []}).digest)

# a levee that breaks by a level: what it lost is the sum of its discharges
levee = {"name": "levee", "kind": "weir", "line": [[1500, 0], [2700, 2400]], "crest_m": 1.5,
         "breach": {"at": [2100, 1200], "width_m": 500, "lowest_m": -3, "growth_s": 900, "above_m": 0.95, "start_s": 1e9}}
run = cases.run("verification/barrier", {"/structures/0": levee, "/time/duration_s": 1200, "/output": [
    {"every_s": 30, "variables": ["eta"]}, {"every_s": 30, "structures": True, "file": "flows.nc"}]})
fields, flows = run.fields(), run.fields("flows.nc")
for name in ("structure_discharge", "structure_level_left", "structure_crest"):
    cases.equal(f"a file of structures alone: {name}", np.max(np.abs(flows[name] - np.float32(fields[name]))), 0)
cases.equal("its places", (flows["x"][0], flows["y"][0], flows["station"][0].tobytes().decode().rstrip("\0")), (2100, 1200, "levee"))
lost = (fields["eta"][0, west].sum() - fields["eta"][-1, west].sum()) * 200**2
cases.close("breach: volume lost beside its discharge [m3]", 30 * fields["structure_discharge"][1:, 0].sum(), lost, 1e-6)
cases.close("breach: crest half an hour on [m]", fields["structure_crest"][15, 0], 1.5 - 4.5 * 450 / 900, 1e-12)
whole = {**levee, "breach": {**levee["breach"], "above_m": 1.4}}
run = cases.run("verification/barrier", {"/structures/0": whole, "/time/duration_s": 120, "/output": [{"every_s": 30, "variables": ["eta"]}]})
cases.equal("a breach that the level does not reach: crests [m]", np.unique(run.fields()["structure_crest"]).tolist(), [1.5])

# the first water over a crest, in four layers: none below it
over = cases.run("verification/barrier", {
    "/structures/0": {"name": "levee", "kind": "weir", "line": [[2000, 0], [2000, 2400]], "crest_m": -0.2}, "/initial/eta_m": "x < 2000 ? -0.21 : -0.6",
    "/initial/u_m_s": "x < 2000 ? 0.5 : 0", "/time/step_s": 10, "/output/0": {"every_s": 10, "variables": ["u"], "velocities": "faces"}},
    options=["--steps", "30"]).fields()
flow, below = over["structure_discharge"][:, 0], over["u"][:, :-1, 3, 10]
first = int(np.argmax(flow > 0))
cases.equal("first water over a crest: speed below it", (first > 0, float(np.nanmax(np.abs(np.nan_to_num(below[1:first + 2]))))), (True, 0.0))

# a gate by rule, at the sea's tide
rule = {"station": [3500, 1200], "close_above_m": 1, "open_below_m": 0.2, "close_s": 900, "open_s": 600}
run = cases.run("verification/barrier", {
    "/structures/0": {"name": "gate", "kind": "gate", "line": [[1500, 0], [2700, 2400]], "rule": rule}, "/initial/eta_m": 0,
    "/boundaries": [{"name": "sea", "edge": "east", "kind": "elevation", "eta_m": "2*sin(t/7000)"}],
    "/time/duration_s": 25200, "/time/step_s": 60, "/output/0": {"every_s": 300, "variables": ["eta"]}})
fields = run.fields()
opening, level = fields["structure_opening"][:, 0], fields["structure_level_right"][:, 0]
first = np.argmax(opening < 1)
cases.equal("gate by rule: closed within 900 s of 1 m", (opening[first + 3], bool(level[first - 2] < 1.02 and level[first] > 1)), (0, True))
again = first + 3 + np.argmax(opening[first + 3:] > 0)
cases.equal("gate by rule: opens below 0.2 m, within 600 s", (opening[again + 2], bool(0.1 < level[again - 1] < 0.3)), (1, True))
cases.below("gate by rule: inside, highest level [m]", np.nanmax(fields["structure_level_left"]), 1.2)

# under a leaf: free, and drowned by deep water, which the jet of 0.611 a enters
sluice = {"name": "sluice", "kind": "gate", "line": [[200, 0], [200, 30]], "opening": 0.25, "leaf_m": 1.2}
leaf = {"/structures/0": sluice, "/grid/flood_to_m": 5, "/initial/eta_m": "x < 200 ? 1 : -1.5", "/time/step_s": 10}
up, down = heads(leaf)
jet = 0.611 * 0.3
cases.close("under a leaf, free: level above the sill", up + 2, jet + (1 / jet) ** 2 / 2 / G, 3e-3)
up, down = heads({**leaf, "/boundaries/1/eta_m": 1.5, "/initial/eta_m": 1.5})
cases.close("under a leaf, drowned: loss of head", up - down + (1 / (up + 2)) ** 2 / 2 / G - (1 / (down + 2)) ** 2 / 2 / G,
            (1 / jet - 1 / (down + 2)) ** 2 / 2 / G, 0.02)

# in four layers: none of it above the leaf's edge, at -3 m
under = cases.run("verification/barrier", {
    "/structures/0": {"name": "leaf", "kind": "gate", "line": [[2000, 0], [2000, 2400]], "crest_m": -5, "opening": 0.5, "leaf_m": 4},
    "/output/0": {"every_s": 300, "variables": ["u"], "velocities": "faces"}}, options=["--steps", "40"]).fields()["u"][1:, :, 3, 10]
cases.equal("under a leaf: speed above its edge, and below it", (float(np.abs(under[:, 3]).max()), bool(under[0, 2] > 0.1)), (0.0, True))

# two basins and a culvert between them, full and drowned: d = (sqrt(d0) - k t)^2; with a flap, and a pump
run = cases.run("verification/culvert")
cases.conserves(run, 1e-14)
for tracer in ("one", "salinity"):
    cases.below(f"culvert: account of {tracer}", max(abs(line["tracers"][tracer]["error"] / line["tracers"][tracer]["content"]) for line in run.log), 1e-13)
cases.below("culvert: change of a constant", np.nanmax(np.abs(run.fields()["one"] - 1)), 1e-6)
flows, eta = run.fields("*_structures.nc"), run.fields()["eta"].mean(axis=1)
cases.equal("culvert: fall at the first record [m]", flows["structure_level_left"][0, 1] - flows["structure_level_right"][0, 1], 1)
between = eta[:, :10].mean(axis=1) - eta[:, 10:].mean(axis=1)
radius, friction = 0.5 / 3, 2 * G * 0.015**2 * 30
q = 0.5 * np.sqrt(2 * G / (1.5 + friction / radius ** (4 / 3)))  # of a difference of 1 m
time = run.fields()["time"]
cases.below("culvert: difference of levels against (sqrt(d) - k t)^2 [m]", np.max(np.abs(between - (1 - q / 3000 * time) ** 2)), 5e-4)
cases.close("culvert: what has passed [m3]", 5 * flows["structure_discharge"][1:, 1].sum(), (eta[-1, 10:].sum() - eta[0, 10:].sum()) * 300, 1e-5)
back = {"/initial/eta_m": "x < 100 ? 0 : 1"}
run = cases.run("verification/culvert", {**back, "/structures/1/culvert/flap": True}, options=["--steps", "12"])
cases.equal("culvert with a flap: nothing back", np.abs(run.fields("*_structures.nc")["structure_discharge"]).max(), 0)
one, two = (cases.run("verification/culvert", back, ranks=ranks, options=options).digest for ranks, options in ((0, ["--steps", "12"]), (2, ["--steps", "12"])))
cases.equal("culvert, the other way: digest of two processes", two, one)
pump = {"name": "pump", "kind": "pump", "line": [[15, 15], [155, 5]], "pump": {"capacity_m3_s": 2, "start_above_m": 0.9, "stop_below_m": 0.6}}
run = cases.run("verification/culvert", {"/structures/1": pump, "/time/duration_s": 1200})
cases.conserves(run, 1e-14)
flows = run.fields("*_structures.nc")["structure_discharge"][:, 1]
eta = run.fields()["eta"][-1, 1]
cases.equal("pump: runs, then stands", (flows[1], flows[-1]), (2, 0))
cases.between("pump: level at which it has stopped [m]", eta[:10].mean(), 0.55, 0.61)
few = cases.run("verification/culvert", {"/structures/1": {**pump, "pump": {"capacity_m3_s": 900}}, "/initial/salinity": "x/10"}, options=["--steps", "9"])
cases.conserves(few, 1e-14)
cases.below("pump of more than there is: account of salinity", max(abs(line["tracers"]["salinity"]["error"] / line["tracers"]["salinity"]["content"]) for line in few.log), 1e-13)
seldom = {"/time/step_s": 600, "/time/duration_s": 12000, "/output/1/every_s": 600, "/output/0/every_s": 600}
long = cases.run("verification/culvert", {"/structures/1/culvert/size_m": [20, 3], **seldom})
eta = long.fields()["eta"][:, 1]
cases.below("wide culvert in steps of 600 s: the lower basin above the higher one, of 1 m [m]", np.max(eta[:, 10:].mean(axis=1) - eta[:, :10].mean(axis=1)), 3e-4)
minutes = {"/time/step_s": 60, "/time/duration_s": 1200, "/output/0/every_s": 60, "/output/1/every_s": 60}
eta = cases.run("verification/culvert", {"/structures/1": {**pump, "pump": {"capacity_m3_s": 2}}, **minutes}).fields()["eta"][:, :, :10]
cases.below("pump of 2 m3/s in steps of 60 s: waves in its basin [m]", np.max(np.abs(eta - eta.mean(axis=(1, 2), keepdims=True))), 3e-3)
wide = {"kind": "culvert", "line": [[85, 15], [115, 35]], "culvert": {"size_m": [100, 2], "invert_m": [0.9, 0.9]}}
both = cases.run("verification/culvert", {"/structures": [{"name": "dam", "kind": "dam", "line": [[100, 0], [100, 30]]}, {**wide, "name": "one"}, {**wide, "name": "two"}],
                                          "/initial/eta_m": "x < 100 ? 1 : -2", **minutes})
cases.equal("culvert: an end beside the grid is told", both.message.count("the outlet of \"one\" lies in no wet cell: moved"), 1)
cases.between("two wide culverts: lowest level above their floor at last [m]", both.fields()["eta"][-1, :, :10].min() - 0.9, 0, 7.5e-3)
cases.close("two wide culverts: what has passed [m3]", 60 * both.fields("*_structures.nc")["structure_discharge"][1:, 1:].sum(), (1 - both.fields()["eta"][-1, :, :10].mean()) * 3000, 1e-6)
pipes = {"/structures/1": {**pump, "pump": {**pump["pump"], "start_above_m": 0.9}}, "/structures/2": {"name": "pipe", "kind": "culvert", "line": [[15, 5], [155, 5]], "culvert": {"size_m": [1, 0.5], "invert_m": [-3, -3]}},
         "/time/step_s": 20, "/time/duration_s": 400, "/output": []}
first = cases.run("verification/culvert", {**pipes, "/restart/at_end": True}, options=["--steps", "12"])
again = cases.run("verification/culvert", pipes, options=["--restart", str(next(first.folder.glob("**/restart_*.nc")))])
cases.equal("pump and culvert: digest after a restart", again.digest, cases.run("verification/culvert", pipes).digest)

GATE = {"name": "gate", "kind": "gate", "line": [[1500, 0], [2700, 2400]]}
means = cases.run("verification/barrier", {"/structures/0": levee, "/time/duration_s": 120, "/output/0": {"every_s": 60, "variables": ["eta"], "mean": True}}).fields()
cases.equal("files of means hold no discharge of a moment", "structure_discharge" in means, False)
for words, settings in (("stands in no water", {"/structures/0/line": [[2000, 500], [2010, 500]]}),
                        ("lies outside the grid", {"/structures/0/line": [[9000, 500], [9000, 900]]}),
                        ("needs \"opening\"", {"/structures/0": GATE}),
                        ("rule needs \"open_below_m\"", {"/structures/0": {**GATE, "rule": {"station": [3500, 1200], "close_above_m": 1}}}),
                        ("breach needs \"lowest_m\"", {"/structures/0": {**levee, "breach": {"at": [2100, 1200], "width_m": 500, "start_s": 0}}}),
                        ("without \"above_m\" needs \"start_s\"", {"/structures/0": {**levee, "breach": {"at": [2100, 1200], "width_m": 500, "lowest_m": 0}}}),
                        ("a culvert needs \"size_m\"", {"/structures/0": {"name": "c", "kind": "culvert", "line": [[500, 500], [3500, 500]]}}),
                        ("lie in one cell", {"/structures/0": {"name": "p", "kind": "pump", "line": [[510, 510], [520, 520]], "pump": {"capacity_m3_s": 1}}}),
                        ("would do both between", {"/structures/0": {"name": "p", "kind": "pump", "line": [[510, 510], [3520, 520]], "pump": {
                            "capacity_m3_s": 1, "start_above_m": 0, "stop_below_m": 1}}}),
                        ("\"stop_below_m\" needs \"start_above_m\"", {"/structures/0": {"name": "p", "kind": "pump", "line": [[510, 510], [3520, 520]], "pump": {
                            "capacity_m3_s": 1, "stop_below_m": 1}}}),
                        ("not below its crest", {"/structures/0": {**levee, "breach": {**levee["breach"], "lowest_m": 2}}}),
                        ("cannot stand in a sea with non-hydrostatic", {"/physics/pressure": "nonhydrostatic"})):
    run = cases.run("verification/barrier", settings, may_fail=True)
    cases.equal(f"refused: {words}", (run.code, words in run.message), (2, True))
cases.finish()
