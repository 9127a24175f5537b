# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2, ctest: long
"""The steps of MATM's paper, and least residual, in place of what is fastest: the exact solutions all the same, on any
ranks and after a restart, for the surface, the pressure, momentum and tracers."""

import subprocess

import cases
import numpy as np
import short_waves

VARIANTS = ("paper", "least-residual")
SYSTEMS = ("surface", "momentum", "pressure", "tracers")


def all_of(variant):
    return {**{f"/solver/{system}/variant": variant for system in SYSTEMS}, "/solver/pressure/tolerance": 1e-7}


# ---- all at once: a short wave, with a dye that follows it ----

K, DEPTH, DX, STEP = 2 * np.pi / 20, 8.0, 0.5, 0.03
exact = 2 * np.pi / np.sqrt(9.81 * K * np.tanh(K * DEPTH))
of_the_scheme = short_waves.period(K, DEPTH, 20, DX, STEP)

digests = set()
for variant in VARIANTS:
    run = cases.run("verification/adaptive_wave", all_of(variant))
    cases.conserves(run, 1e-14)
    cases.equal(f"{variant}: every system is solved", "stopped at a residual" in run.message, False)
    found = run.stations()
    period = 2 * np.pi / cases.fit_wave(found["time"], found["eta"][:, 0], 2 * np.pi / exact)[0]
    cases.close(f"{variant}: period", period, exact, 0.003)
    cases.close(f"{variant}: period of the scheme", period, of_the_scheme, 2e-5)
    cases.below(f"{variant}: residual of the pressure", np.max(run.column("residual_pressure")), 1e-7)
    one, dye = (run.log[-1]["tracers"][name] for name in ("one", "dye"))
    cases.equal(f"{variant}: 1 stays 1", (one["least"], one["most"]), (1, 1))
    cases.below(f"{variant}: account of the dye", abs(dye["error"]) / dye["content"], 1e-14)
    digests.add(run.digest)
cases.equal("the variants are not the same", len(digests), 2)

SHORT = ["--steps", "8"]
for variant in VARIANTS:
    whole = cases.run("verification/adaptive_wave", all_of(variant), options=SHORT)
    ranks = {cases.run("verification/adaptive_wave", all_of(variant), ranks=n, options=SHORT).digest for n in (2, 3)}
    cases.equal(f"{variant}: digest on 2 and 3 ranks", ranks, {whole.digest})
    half = cases.run("verification/adaptive_wave", {**all_of(variant), "/restart/at_end": True}, options=["--steps", "4"])
    again = cases.run("verification/adaptive_wave", all_of(variant), options=[*SHORT, "--restart", str(next(half.folder.glob("**/restart*.nc")))])
    cases.equal(f"{variant}: digest after a restart", again.digest, whole.digest)
    emulated = cases.run("verification/adaptive_wave", all_of(variant), options=["--steps", "2", "--device", "emu"])
    cases.equal(f"{variant}: digest on the emulated device", emulated.digest, whole.log[1]["digest"])

# ---- momentum with viscosity of two hundred times the explicit step: the decay of a cosine ----

VISCOUS = {"/physics/momentum": {"scheme": "matm", "horizontal_viscosity_m2_s": 2000}, "/solver": {"momentum": {"tolerance": 1e-12}},
           "/tracers": [], "/restart/at_end": True, "/output": []}
decay = (1 + 60 * 2000 * (2 / 25 * np.sin(np.pi / 6400 * 12.5)) ** 2) ** -4
cosine = np.cos(np.pi / 6400 * 25 * (np.arange(256) + 0.5))
for variant in VARIANTS:
    run = cases.run("verification/decoupled_lines", {**VISCOUS, "/solver/momentum/variant": variant}, options=["--steps", "4"])
    v = run.read("restart*.nc")["v"][:, :16]
    cases.below(f"{variant}: viscous decay", np.max(np.abs(v / 0.1 - decay * cosine)), 1e-9)
    cases.between(f"{variant}: iterations", np.max(run.column("iterations_v")), 10, 900)

# ---- tracers in a flow that turns, at Courant numbers of 30 ----

TURN = {"/physics/tracers/scheme": "matm", "/time/step_s": 5, "/output": [], "/restart/at_end": True}
fields = {variant: cases.run("verification/slotted_disc", {**TURN, "/solver/tracers/variant": variant}, options=["--steps", "10"])
          for variant in ("auto", *VARIANTS)}
names = list(fields["auto"].log[-1]["tracers"])
values = {variant: run.read("restart*.nc") for variant, run in fields.items()}
for variant in VARIANTS:
    apart = max(np.max(np.abs(values[variant][name] - values["auto"][name])) for name in names)
    cases.below(f"{variant}: tracers, difference to auto", apart, 1e-8)
    account = fields[variant].log[-1]["tracers"]
    cases.below(f"{variant}: accounts", max(abs(account[name]["error"]) / account[name]["content"] for name in names), 1e-13)

# ---- check says what each takes ----

scenario = str(cases.SOURCE / "scenarios/verification/adaptive_wave.json")
told = subprocess.run([cases.PROGRAM, "check", scenario], capture_output=True, text=True).stdout
taken = {system: line for system in SYSTEMS for line in told.splitlines() if line.startswith(f"solver     {system}")}
cases.equal("check: each system", sorted(taken), sorted(SYSTEMS))
paper, auto = (int(taken["pressure"].split(f'"{word}" takes up to ')[1].split()[0]) for word in ("paper", "auto"))
# of the pressure the variant is that of the preconditioner alone, inside conjugate gradients
cases.between("check: iterations of the pressure, paper over auto", paper / auto, 1.2, 3)
cases.finish()
