# SPDX-License-Identifier: Apache-2.0
"""Rain that soaks away: run-off from a plane by kinematic waves, the laws of infiltration beside their closed forms, interception
and drains, budgets of water and tracers, refusals."""

import cases
import numpy as np

HOUR, MM = 3600.0, 1e-3
AREA = 120 * 6.0
LAND = {"/bathymetry/bed_m": 1, "/infiltration/law": "none", "/output": []}
PLANE = "verification/soaking_plane"


def lost(settings, way="infiltrated"):
    """[m] on all of a flat basin at the end of each step."""
    run = cases.run(PLANE, {**LAND, **settings})
    cases.below("volume's account [m]", np.max(np.abs(run.column("volume_error_m3"))) / AREA, 1e-15)
    return run.column(f"{way}_m3") / AREA


# ---- a plane ----
run = cases.run(PLANE)
cases.conserves(run)
fields = run.fields()
time, net, alpha = fields["time"], 24 * MM / HOUR, np.sqrt(0.01) / 0.03
rises = (100 / alpha / net ** (2 / 3)) ** 0.6
ran = np.where(time < rises, 3 / 8 * alpha * net ** (5 / 3) * np.minimum(time, rises) ** (8 / 3),
               3 / 8 * net * 100 * rises + net * 100 * (time - rises))
pool = (fields["eta"][:, 1, 50:] + 0.5).sum(axis=1) * 2 - 20 * 36 * MM / HOUR * time
for second, bound in ((600, 0.07), (1200, 0.02), (1800, 0.01)):  # the edge, over which water falls, draws it down
    cases.close(f"plane: what has run off after {second} s [m2]", pool[time == second][0], ran[time == second][0], bound)
cases.close("plane: run-off at last [m2/s]", (pool[-1] - pool[-6]) / 300, net * 100, 2e-3)
cases.close("plane: taken by its ground [m]", fields["infiltrated"][-1, 1, 49], 12 * MM / 2, 1e-6)
cases.equal("plane: taken by the pool [m]", fields["infiltrated"][-1, 1, 50:].max(), 0)

# ---- laws ----
t = 5.0 * np.arange(1, 361)
cases.close("constant, weaker rain: all of it [m]", lost({"/infiltration/law": "constant", "/infiltration/rate_mm_h": 50})[-1], 18 * MM, 1e-12)
horton = {"/infiltration": {"law": "horton", "rate_mm_h": 6, "first_mm_h": 60, "decay_1_h": 4}, "/initial/eta_m": 1.5}
cases.close("Horton, ponded [m]", lost(horton)[-1], MM * (6 * 0.5 + 54 / 4 * (1 - np.exp(-2))), 1e-11)
slow = {"/infiltration": {"law": "horton", "rate_mm_h": 6, "first_mm_h": 60, "decay_1_h": 1e-9}, "/initial/eta_m": 1.5, "/time/duration_s": 100}
cases.close("Horton, a rate that hardly falls [m]", lost(slow)[-1], MM * 60 * 100 / HOUR, 1e-9)
storm = {"/forcing/rain/mm_h": "t < 600 ? 0 : 80"}
green = {"/infiltration": {"law": "green-ampt", "rate_mm_h": 10, "suction_mm": 110, "deficit": 0.3}}
rain, rate, suction = 80 * MM / HOUR, 10 * MM / HOUR, 33 * MM
fp = rate * suction / (rain - rate)
taken = lost({**green, **storm})  # the step that ends after 600 s is the first with rain
ponds = t[np.argmax(taken < rain * (t - 595) * (1 - 1e-9) - 1e-12)]
cases.between("Green and Ampt: when water begins to pond, beside K S/(P - K)/P [s]", ponds - 595 - fp / rain, -5, 5)
depth, total = 0.0, fp  # with the head of the water that stands on the ground
for _ in range(20000):
    flow = rate * (1 + (suction + 0.3 * depth) / total)
    step = (1800 - 595 - fp / rain) / 20000
    total, depth = total + step * flow, depth + step * (rain - flow)
cases.close("Green and Ampt: taken at the end [m]", taken[-1], total, 2e-3)
s = (110 * MM + 1) * 0.3  # under a metre of water
deep = lost({**green, "/initial/eta_m": 2, "/forcing/rain/mm_h": 0})[0]
cases.close("Green and Ampt, ponded: K t of its closed form [m]", deep - s * np.log(1 + deep / s), rate * 5, 1e-9)
storage = 25.4 * MM * (1000 / 75 - 10)
number = lost({"/infiltration": {"law": "curve-number", "curve_number": 75}, "/forcing/rain/mm_h": "100 + 50*sin(t/100)", "/output": []})
fell = np.cumsum(100 + 50 * np.sin(t / 100)) * 5 * MM / HOUR
cases.close("curve number: run-off [m]", fell[-1] - number[-1], (fell[-1] - 0.2 * storage) ** 2 / (fell[-1] + 0.8 * storage), 1e-11)
cases.close("curve number: taken before anything runs off [m]", number[60], fell[60], 1e-12)

# ---- interception, drains, tracers ----
kept = {"/infiltration": {"law": "constant", "rate_mm_h": 9, "interception_mm": 2, "drains_mm_h": 7}, "/initial/salinity": 5,
        "/initial/temperature_C": 12, "/tracers": [{"name": "dye", "initial": 1}], "/initial/eta_m": 1.001, "/forcing/heat/net_W_m2": 100}
run = cases.run(PLANE, {**LAND, **kept})
cases.conserves(run, 1e-13)
last = run.log[-1]
for way, value in (("intercepted", 2 * MM), ("infiltrated", 4.5 * MM), ("drained", 3.5 * MM)):
    cases.close(f"together: {way} [m]", last[f"{way}_m3"] / AREA, value, 1e-9)
for tracer in ("dye", "salinity", "temperature"):
    cases.below(f"together: account of {tracer}", max(abs(line["tracers"][tracer]["error"]) for line in run.log) / run.log[0]["tracers"][tracer]["content"], 1e-12)

kept["/infiltration"] = {**kept["/infiltration"], "law": "green-ampt", "suction_mm": 100, "deficit": 0.3}
run = cases.run(PLANE, {**kept, "/output": [], "/restart/at_end": True}, options=["--steps", "100"])
again = cases.run(PLANE, {**kept, "/output": []}, options=["--restart", str(next(run.folder.glob("**/restart_*.nc")))])
straight = cases.run(PLANE, {**kept, "/output": []})
cases.equal("after a restart: digest and ledger", [again.log[-1][key] for key in ("digest", "intercepted_m3", "infiltrated_m3", "drained_m3")],
            [straight.log[-1][key] for key in ("digest", "intercepted_m3", "infiltrated_m3", "drained_m3")])

for words, settings in (("Horton's law needs \"decay_1_h\"", {"/infiltration": {"law": "horton", "rate_mm_h": 1, "first_mm_h": 2}}),
                        ("must not be below the final one", {"/infiltration": {"law": "horton", "rate_mm_h": 9, "first_mm_h": 2, "decay_1_h": 1}}),
                        ("exceeds it somewhere by 4 mm/h", {"/infiltration": {"law": "horton", "rate_mm_h": "x > 60 ? 9 : 1", "first_mm_h": 5, "decay_1_h": 1}}),
                        ("takes rain alone", {"/infiltration": {"law": "curve-number", "curve_number": 80}, "/forcing": {}}),
                        ("suction_mm", {"/infiltration/suction_mm": 3})):
    run = cases.run(PLANE, settings, may_fail=True)
    cases.equal(f"refused: {words}", (run.code, words in run.message), (2, True))
high = cases.run(PLANE, {"/infiltration/above_m": 100}, options=["--steps", "1"])
cases.equal("no ground so high is told", high.message.count("no ground is as high as 100 m"), 1)
wrong = cases.run(PLANE, {"/infiltration": {"law": "curve-number", "curve_number": 80}, "/forcing": {"rain": {"mmh": 3}}}, may_fail=True).message
cases.equal("a misspelt rain: its own error alone", ("there is no key" in wrong, "takes rain alone" in wrong), (True, False))
cases.finish()
