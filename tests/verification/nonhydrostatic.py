# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
# ctest: timeout 900
"""Non-hydrostatic pressure: waves that are short beside their depth, a solitary wave, and where it must not matter."""

import subprocess

import cases
import numpy as np
import short_waves

NONHYDROSTATIC = {"/physics/pressure": "nonhydrostatic"}
GRAVITY, LENGTH, DEPTH = 9.81, 20.0, 8.0
K = 2 * np.pi / LENGTH

# ---- a standing wave ----

exact = 2 * np.pi / np.sqrt(GRAVITY * K * np.tanh(K * DEPTH))


def standing(dx, dz, step, settings=None, near=None):
    series = {"stations": {"west": [dx / 2, dx / 2]}, "every_s": step, "variables": ["eta"]}
    run = cases.run("verification/standing_wave", {"/grid/dx_m": dx, "/grid/length_y_m": dx, "/grid/levels/dz_m": dz,
                                                   "/time/step_s": step, "/output": [series], **(settings or {})})
    cases.conserves(run, 1e-14)
    found = run.stations()
    omega, amplitude, _ = cases.fit_wave(found["time"], found["eta"][:, 0], 2 * np.pi / (near or exact))
    return 2 * np.pi / omega, amplitude, run


period, amplitude, run = standing(0.5, 0.4, 0.03)
cases.close("standing wave: period", period, exact, 0.003)
cases.close("standing wave: amplitude in ten periods", amplitude, 0.1 * np.cos(K * 0.25), 0.01)
cases.below("standing wave: residual of the pressure", np.max(run.column("residual_pressure")), 1e-5)
cases.between("standing wave: iterations", np.max(run.column("iterations_pressure")), 1, 50)
cases.below("standing wave: iterations from the pressure of the last steps, in the mean", np.mean(run.column("iterations_pressure")), 9.5)
small, errors = {"/initial/eta_m": "0.001*cos(pi*x/10)"}, []
for n in (1, 2, 4) if cases.THOROUGH else (1, 2):
    found, _, _ = standing(1 / n, 0.8 / n, 0.06 / n, small)
    cases.close(f"period of the scheme, {10 * n} layers", found, short_waves.period(K, DEPTH, 10 * n, 1 / n, 0.06 / n), 3e-6)
    errors.append(abs(found - exact))
cases.below("error of 10 layers", errors[0] / exact, 0.0056)
for order in cases.orders(errors):  # the topmost layer has an error of third order, against the others' of second
    cases.between("order in space and time", order, 1.8, 2.05)
found, _, _ = standing(0.5, 0.4, 0.03, {"/grid/length_y_m": 20, "/grid/length_x_m": 0.5, "/initial/eta_m": "0.1*cos(pi*y/10)"})
cases.close("the same along y", found, period, 1e-9)
found, _, _ = standing(0.5, 0.4, 0.03, {"/physics/pressure": "hydrostatic"}, near=LENGTH / np.sqrt(GRAVITY * DEPTH))
cases.close("hydrostatic, for comparison", found, LENGTH / np.sqrt(GRAVITY * DEPTH), 0.02)

# in long steps rotation takes a theta of its own (0.52 at f dt 0.4): then the pressure has the same
ROTATING = {"/grid": {"kind": "cartesian", "length_x_m": 3200, "length_y_m": 160, "dx_m": 80, "levels": {"bottom_m": -1280, "dz_m": 64}},
            "/bathymetry/bed_m": -1280, "/initial/eta_m": "10*cos(pi*x/1600)", "/time": {"start": "2000-01-01T00:00:00Z", "duration_s": 80, "step_s": 4},
            "/physics/coriolis": {"f_s": 0.1}, "/output": []}
digests = [cases.run("verification/standing_wave", {**ROTATING, "/physics/free_surface/theta": theta}).log[-1]["digest"] for theta in (0.5, 0.52)]
cases.equal("rotation in long steps: theta of the pressure", digests[0], digests[1])

# ---- short waves on few layers: the error of the speed, and what it is by the scheme ----

for layers, kh, within in ((1, 1.5, 0.009), (2, 2, 0.006), (2, 4, 0.004), (3, 4, 0.007)):
    if not cases.THOROUGH and kh == 4:
        continue
    k = kh / DEPTH
    exact, dx = 2 * np.pi / np.sqrt(GRAVITY * k * np.tanh(kh)), np.pi / k / 20
    step = exact / 100
    wave = {**small, "/initial/eta_m": f"0.001*cos({k}*x)", "/grid/length_x_m": 20 * dx, "/time/duration_s": 5 * exact}
    found, _, _ = standing(dx, DEPTH / layers, step, wave, near=exact)
    cases.close(f"k H {kh} on {layers} layers: period of the scheme", found, short_waves.period(k, DEPTH, layers, dx, step), 5e-6)
    cases.close(f"k H {kh} on {layers} layers: period", found, exact, within)

# ---- a solitary wave ----


def crests(fields):
    """Place and height of the crest in each record, by a parabola."""
    x, result = fields["x"], []
    for eta in fields["eta"][:, 0, :]:
        i = int(np.argmax(eta))
        a, b, c = np.polyfit(x[i - 2 : i + 3] - x[i], eta[i - 2 : i + 3], 2)
        result.append((x[i] - b / 2 / a, c - b * b / 4 / a))
    return np.array(result)


for dz, speed_within, height_within in ((1, 0.0015, 0.003), (2.5, 0.002, 0.005), (5, 0.002, 0.006), (10, 0.004, 0.008)):
    if not cases.THOROUGH and dz < 5:
        continue
    run = cases.run("verification/solitary_wave", {"/grid/levels/dz_m": dz})
    cases.conserves(run, 1e-14)
    fields = run.fields()
    crest = crests(fields)
    cases.close(f"solitary wave, {10 / dz:.0f} layers: speed [m/s]", (crest[-1, 0] - crest[2, 0]) / 40, 10.84, speed_within)
    # The profile that is let in is of third order in H/d = 0.2: the wave settles at a height of its own, up to (H/d)^3 from 2 m.
    cases.close(f"solitary wave, {10 / dz:.0f} layers: height after 25 s [m]", crest[5, 1], 2.0, max(0.2**3, height_within))
    cases.close(f"solitary wave, {10 / dz:.0f} layers: height after 50 s [m]", crest[-1, 1], crest[5, 1], height_within)
    behind = fields["eta"][-1, 0, fields["x"] < crest[-1, 0] - 200]
    cases.below(f"solitary wave, {10 / dz:.0f} layers: what it leaves behind [m]", np.max(np.abs(behind)), 0.01 * dz)

# ---- where it must not matter ----

for west, east in ((0, 1.7), (2.3, -0.9)):
    run = cases.run("verification/lake_at_rest", {**NONHYDROSTATIC, "/initial/eta_m": f"x < 15250 ? {west} : {east}"})
    cases.below(f"lake at rest, levels {west} and {east} m: speed", np.max(run.column("max_speed_m_s")), 1e-12)
    cases.conserves(run, 1e-15)

two_layers = {"/grid/levels/dz_m": 5, "/time/step_s": 5, "/output": [{"stations": {"west": [50, 200]}, "every_s": 20, "variables": ["eta"]}]}
eta = [cases.run("verification/seiche", {**two_layers, **kind}).stations()["eta"] for kind in ({}, NONHYDROSTATIC)]
cases.below("long wave: difference to hydrostatic [m]", np.max(np.abs(eta[1] - eta[0])), 2e-6)

marsh = cases.run("verification/stormy_marsh", NONHYDROSTATIC)
cases.conserves(marsh, 1e-13)
cases.below("marsh: most negative depth [m]", -np.nanmin(marsh.fields()["depth"]), 0.0)
cases.below("marsh: fastest [m/s]", np.max(marsh.column("max_speed_m_s")), 30)

# ---- what is said ----

asked = cases.run("verification/seiche", {"/output": [{"every_s": 20, "variables": ["nonhydrostatic_pressure"]}]}, may_fail=True)
cases.equal("a pressure that is not computed is refused", asked.code == 2 and "nonhydrostatic_pressure" in asked.message, True)
stopped = cases.run("verification/standing_wave", {"/solver/pressure/max_iterations": 2}, options=["--steps", "5"])
cases.equal("a solver that stops early is told of", "the solver of the non-hydrostatic pressure stopped" in stopped.message, True)
told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/verification/submerged_bar.json"), "--set", "/grid/levels/dz_m=0.2"],
                      capture_output=True, text=True).stdout
cases.equal("check names the water of one layer", "less than 0.2 m below the datum" in told and " % of the wet area" in told, True)
cases.finish()
