# SPDX-License-Identifier: Apache-2.0
"""What lives and reacts in a sea that floods and dries: budgets, elements, ranks, devices, restarts; a module that does not
react is a passive dye to the last bit; its shade keeps heat near the surface."""

import cases
import numpy as np

SEA = "verification/kinetics_marsh"
OWN = ("nutrient", "phytoplankton", "zooplankton", "detritus")
# no process has a rate, and nothing sinks
IDLE = {f"/kinetics/parameters/{name}": 0
        for name in ("uptake_max_1_d", "grazing_max_1_d", "exudation_1_d", "death_phytoplankton_1_d", "excretion_1_d",
                     "death_zooplankton_1_d", "remineralisation_1_d", "sinking_phytoplankton_m_d", "sinking_detritus_m_d")}


def run(settings=None, ranks=0, options=(), label=None):
    return cases.run(SEA, settings or {}, ranks, options, label=label)


def account(line, name):
    return line["tracers"][name]


one = run()
for name in OWN:
    worst = max(abs(account(line, name)["error"]) / account(line, name)["content"] for line in one.log)
    cases.below(f"budget of {name}", worst, 1e-13)
    cases.between(f"{name} reacts", abs(account(one.log[-1], name)["reactions"]), 1e3, 1e9)
reacted = [account(one.log[-1], name)["reactions"] for name in OWN]
cases.below("nitrogen made by reactions", abs(sum(reacted)) / max(map(abs, reacted)), 1e-12)
did = one.log[-1]["processes"]
by_processes = did["exudation"] + did["excretion"] + did["remineralisation"] - did["uptake"]
cases.below("nutrient's gain beside its processes'", abs(reacted[0] / by_processes - 1), 1e-13)
cases.below("least of all", -min(account(line, name)["least"] for line in one.log for name in OWN), 1e-12)

few = run({"/output": []}, options=["--steps", "3"])
cases.equal("two ranks", run({"/output": []}, 2, ["--steps", "3"]).digest == few.digest, True)
cases.equal("emulated device", run({"/output": []}, 0, ["--steps", "3", "--device", "emu"]).digest == few.digest, True)

seldom = {"/output": [], "/kinetics/every_steps": 3, "/restart/at_end": True}
whole = run({**seldom, "/time/duration_s": 7200})
half = run({**seldom, "/time/duration_s": 3600}, label="half")
restart = next(half.folder.glob("**/restart_*.nc"))
rest = run({**seldom, "/time/duration_s": 7200}, options=["--restart", str(restart)])
cases.equal("a restart between reactions", rest.digest == whole.digest, True)
cases.equal("its accounts", rest.log[-1]["tracers"] == whole.log[-1]["tracers"], True)

idle = run({**IDLE, "/kinetics/scheme": "patankar-euler"})
cases.equal("a module that does nothing is a dye", account(idle.log[-1], "nutrient")["content"],
            account(idle.log[-1], "dye")["content"])
fields = idle.fields()
cases.equal("in every cell", np.array_equal(fields["dye"], fields["nutrient"], equal_nan=True), True)

# in still water, light that algae keep warms the uppermost layers
still = {"/forcing/wind": {"u_m_s": 0}, "/rivers": [], "/bathymetry/bed_m": -6, "/initial/eta_m": 0, "/forcing/rain": {},
         "/physics/turbulence": {"closure": "constant", "viscosity_m2_s": 0},
         "/output": [{"every_s": 14400, "variables": ["temperature"]}], **IDLE}
clear = run({**still, "/kinetics/initial/phytoplankton": 0, "/kinetics/initial/detritus": 0}).fields()["temperature"][-1]
dense = run({**still, "/kinetics/initial/phytoplankton": 20, "/kinetics/initial/detritus": 0}).fields()["temperature"][-1]
gain = (clear - 17)[:, 5, 5], (dense - 17)[:, 5, 5]
k, h = 20 * 0.03, 1.0  # [1/m], [m]
depth = np.arange(6, -1, -1) * h  # of the layers' sides
through = 0.78 * np.exp(-depth / 1.4) + 0.22 * np.exp(-depth / 7.9 - k * depth)
through[0] = 0  # the bed is warmed by what reaches it
expected = 0.94 * 400 * 14400 / (1008 * 3991.87) * np.diff(through) / h
cases.below("heat kept by algae", np.max(np.abs(gain[1] - expected)), 2e-5)
cases.between("more than clear water keeps, in the uppermost layer", gain[1][-1] - gain[0][-1], 0.05, 1)
cases.finish()
