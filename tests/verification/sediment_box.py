# SPDX-License-Identifier: Apache-2.0
"""Suspended matter against exact solutions of deposition and erosion at a constant stress, and in a storm over a marsh."""

import cases
import numpy as np

AREA, DEPTH, STEP, RATE, SINKS, BALANCES = 800 * 300, 2.0, 60.0, 1e-3, 0.001, 0.002


def account(run, name, key):
    return np.array([line["tracers"][name][key] for line in run.log])


def check(what, run, names):
    for name in names:
        total = np.max(account(run, name, "content") + account(run, name, "bed"))
        through = np.max(np.abs(account(run, name, "sources")) + np.abs(account(run, name, "boundaries")))
        cases.below(f"{what}: account of {name}", np.max(np.abs(account(run, name, "error"))) / max(total, through), 1e-13)
        cases.below(f"{what}: {name} below nothing", -np.min(account(run, name, "least")), 0)


def decays(found, step, speed):
    """Against the steps' own solution, and the differential equation's."""
    steps = np.arange(1, len(found) + 1)
    return np.max(np.abs(found * (1 + speed * step / DEPTH) ** steps - 1)), np.max(np.abs(found - np.exp(-speed * step * steps / DEPTH)))


NAMES = ("sinks", "washed", "balance", "grains")
errors = []
for step in (60, 30):
    run = cases.run("verification/sediment_box", {"/time/step_s": step})
    check(f"step of {step} s", run, NAMES)
    time = step * np.arange(1, len(run.log) + 1)
    discrete, exact = decays(account(run, "sinks", "most") / 0.8, step, SINKS / 2)
    cases.below("deposition: the steps' own decay", discrete, 1e-12)
    errors.append(exact)
    level = RATE / BALANCES
    discrete, exact = decays(1 - account(run, "balance", "most") / level, step, BALANCES)
    cases.below("on the way to balance: the steps' own", np.max(np.abs(account(run, "balance", "most") / level
                                                                       - 1 + (1 + BALANCES * step / DEPTH) ** (-time / step))), 1e-12)
    cases.below("washed: what lies there", np.max(np.abs(account(run, "washed", "bed") / AREA - np.maximum(0, 2 - RATE * time))), 1e-11)
    cases.below("washed: what floats", np.max(np.abs(account(run, "washed", "content") / AREA - np.minimum(2, RATE * time))), 1e-11)
    cases.equal("washed: empty in the end", account(run, "washed", "bed")[-1], 0)
    cases.equal("grains: all is up", np.max(account(run, "grains", "bed")), 0)
    cases.close("grains: all is in the water", account(run, "grains", "most")[-1], 0.1 + 0.3 / DEPTH, 1e-13)
    fields = run.fields()
    beds = fields["sinks_bed"][-1] + DEPTH * fields["sinks"][-1, 0]
    cases.below("sinks: in the file, bed and water", np.max(np.abs(beds / 1.6 - 1)), 1e-6)
    cases.below("balance: the bed keeps its form", np.max(np.abs(np.diff(fields["balance_bed"][-1], axis=1) - 1)), 1e-4)
cases.below("deposition: exp(-w t / 2 H)", errors[1], 0.006)
cases.between("deposition: order", cases.orders(errors)[0], 0.95, 1.05)

# layers that mix: in balance neighbours differ by exp(w h / K), and the lowest is at E / w
layers = cases.run("verification/sediment_box", {"/grid/levels": {"bottom_m": -2, "dz_m": 0.25}, "/time/duration_s": 86400, "/time/step_s": 600,
                                                 "/output": []})
check("layers", layers, NAMES)
cases.close("layers: at the bed", account(layers, "balance", "most")[-1], RATE / BALANCES, 1e-9)
cases.close("layers: surface against bed", account(layers, "balance", "most")[-1] / account(layers, "balance", "least")[-1],
            np.exp(7 * BALANCES * 0.25 / 0.01), 1e-9)
cases.below("layers: nothing left of what sinks", account(layers, "sinks", "content")[-1] / account(layers, "sinks", "bed")[-1], 1e-9)

# the flow's own drag: a still sea lays everything down
still = cases.run("verification/sediment_box", {"/physics/momentum/streamfunction_m3_s": 0, "/output": []})
check("still", still, NAMES)
discrete, exact = decays(account(still, "grains", "most") / 0.1, STEP, 0.01)
cases.below("still: nothing is taken up", discrete, 1e-11)

MUD = [{"name": "mud", "kind": "suspended", "initial": 0.05, "initial_bed_kg_m2": "5*(x > 12000)", "settling_m_s": 5e-4,
        "erosion_kg_m2_s": 1e-3, "critical_erosion_Pa": 0.3, "critical_deposition_Pa": 1},
       {"name": "sand", "kind": "suspended", "initial_bed_kg_m2": 2, "settling_m_s": 0.02, "erosion_kg_m2_s": 0.01, "decay_1_s": 1e-6}]
for step, scheme in ((900, "fct"), (3600, "upwind"), (300, "fct")):
    marsh = cases.run("verification/tracers_marsh", {
        "/tracers": MUD, "/rivers/0/tracers": {"mud": 0.2}, "/rivers/1/tracers": {}, "/time/step_s": step, "/time/duration_s": 43200,
        "/physics/tracers/scheme": scheme, "/output": [{"every_s": 21600, "variables": ["mud", "mud_bed", "sand_bed", "depth"]}]})
    check(f"marsh, {step} s", marsh, ("mud", "sand"))
    fields = marsh.fields()
    for name in ("mud_bed", "sand_bed"):
        values = fields[name][np.isfinite(fields[name])]
        cases.below(f"marsh, {step} s: {name} below nothing", -np.min(values), 0)
        cases.between(f"marsh, {step} s: {name} moves", np.nanmean(np.abs(fields[name][-1] - fields[name][0])), 0.01, 10)
cases.finish()
