# SPDX-License-Identifier: Apache-2.0
"""Events of a scenario beside the fields that they are made of: duration, area and volume, below and above, near the bed and at the
surface, in a sea that floods and dries; the same bits on ranks, devices and across restarts. Diagnostics and budgets of a kinetics
module beside its variables and processes."""

import cases
import numpy as np

SEA = "verification/kinetics_marsh"
STEP, STEPS = 900, 8
CHLOROPHYLL = 106 / 16 * 12.011 / 50  # [mg per mmol of nitrogen]
EVENTS = [
    {"name": "poor", "variable": "nutrient", "threshold": 1.9},
    {"name": "rich", "variable": "nutrient", "when": "above", "threshold": 2.05},
    {"name": "bloom", "variable": "chlorophyll", "when": "above", "threshold": 0.16, "at": "surface"},
    {"name": "dyed", "variable": "dye", "when": "above", "threshold": 2.5},
    {"name": "cool", "variable": "temperature", "threshold": 17.2, "at": "surface"},
]
SETTINGS = {"/events": EVENTS, "/kinetics/budgets": True, "/time/duration_s": STEP * STEPS, "/output": [
    {"every_s": STEP, "variables": ["dye", "nutrient", "phytoplankton", "chlorophyll", "temperature", "thickness",
                                    *(f"{event['name']}_duration" for event in EVENTS)]}]}

one = cases.run(SEA, SETTINGS)
data = one.fields()
cases.close("chlorophyll per phytoplankton", np.nansum(data["chlorophyll"]) / np.nansum(data["phytoplankton"]), CHLOROPHYLL, 1e-6)

area = np.broadcast_to(np.ma.filled(data["cell_area"], 0) * np.ma.filled(data["wet_fraction"], 0), data["dye"].shape[-2:])
wet = ~np.isnan(data["dye"])
lowest = np.argmax(wet, axis=1)
for event in EVENTS:
    name, values = event["name"], np.asarray(data[event["variable"]])
    holds = wet & (values > event["threshold"] if event.get("when") == "above" else values < event["threshold"])
    layer = np.full_like(lowest, values.shape[1] - 1) if event.get("at") == "surface" else lowest
    here = np.take_along_axis(holds, layer[:, None], 1)[:, 0]
    whole = np.sum(wet[-1] * data["thickness"][-1] * area, where=wet[-1])
    cases.between(f"{name}: some of the sea, but not all", data[f"{name}_volume"][-1] / whole, 0.005, 0.995)
    cases.close(f"{name}: area", data[f"{name}_area"].sum(), np.sum(here * area), 1e-12)
    cases.close(f"{name}: volume", data[f"{name}_volume"].sum(), np.sum(holds * data["thickness"] * area, where=holds), 1e-6)
    duration = np.nan_to_num(data[f"{name}_duration"][-1])
    cases.equal(f"{name}: duration", np.array_equal(duration, STEP * here[1:].sum(axis=0)), True)
    cases.equal(f"{name}: log", [line["events"][name]["area_m2"] for line in one.log], data[f"{name}_area"][1:].tolist())

names = [b"".join(np.ma.filled(name, b"")).decode() for name in data["process_name"]]
did = one.log[-1]["processes"]
cases.equal("names of processes", names, list(did))
gains = data["nutrient_by_process"][-1]
for process, sign in (("uptake", -1), ("exudation", 1), ("grazing", 0)):
    cases.equal(f"nutrient by {process}", gains[names.index(process)], sign * did[process])
account = one.log[-1]["tracers"]["nutrient"]
cases.close("all processes together", gains.sum(), account["reactions"], 1e-12)
budget = sum(data[f"nutrient_from_{part}"][-1] for part in ("sources", "air", "boundaries", "reactions")) + data["nutrient_content"][0]
cases.close("the budget in the file", data["nutrient_content"][-1], budget, 1e-12)

settings = {**SETTINGS, "/restart/at_end": True}
for label, ranks, options in (("two ranks", 2, ()), ("emulated device", 0, ("--device", "emu"))):
    other = cases.run(SEA, SETTINGS, ranks, options).fields()
    for event in EVENTS:
        for part in ("area", "volume", "duration"):
            name = f"{event['name']}_{part}"
            cases.equal(f"{label}: {name}", np.array_equal(other[name], data[name], equal_nan=True), True)
half = cases.run(SEA, {**settings, "/time/duration_s": STEP * STEPS // 2}, label="half")
restart = next(half.folder.glob("**/restart_*.nc"))
rest = cases.run(SEA, settings, options=["--restart", str(restart)])
cases.equal("restart: areas", [line["events"] for line in rest.log], [line["events"] for line in one.log[STEPS // 2:]])
cases.equal("restart: duration", np.array_equal(rest.fields("kinetics_marsh.nc")["poor_duration"][-1], data["poor_duration"][-1], equal_nan=True), True)

for label, event, words in (
        ("variable", {"name": "a", "variable": "oxigen", "threshold": 1}, 'there is no variable "oxigen"'),
        ("name", {"name": "volume", "variable": "dye", "threshold": 1}, '"volume" cannot be the name of an event'),
        ("side", {"name": "a", "variable": "dye", "threshold": 1, "when": "under"}, "below"),
):
    failed = cases.run(SEA, {"/events": [event]}, may_fail=True)
    cases.equal(f"refused: {label}", (failed.code, words in failed.message), (2, True))
cases.finish()
