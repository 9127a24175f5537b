# SPDX-License-Identifier: Apache-2.0
"""Horizontal viscosity acts in full at any step, and never makes noise grow: decay of a shear wave, noise in a flow, a wake, waves with w."""

import json
import subprocess

import cases
import netCDF4
import numpy as np

DX, STEP, STEPS = 10.0, 12.0, 25
A = "/physics/momentum/horizontal_viscosity_m2_s"
SQUARE = {"/grid/length_x_m": 32 * DX, "/grid/length_y_m": 32 * DX, "/grid/dx_m": DX, "/grid/levels/dz_m": 20, "/physics/momentum/advection": "tvd",
          "/initial/u_m_s": 0, "/output/0/variables": ["u", "v"]}
AUTO = {"step_s": "auto", "step_bounds_s": [0.1, 300], "step_wave_courant": 0, "step_courant": 0.7, "start": "2000-01-01T00:00:00Z"}


def share(weights, settings):
    """Of the decay that viscosity makes in theory, for 4 A dt / dx^2."""
    viscosity, k = weights * DX**2 / (4 * STEP), 2 * np.pi / (32 * DX)
    time = {"/time/step_s": STEP, "/time/duration_s": STEPS * STEP, "/output/0/every_s": STEPS * STEP}
    run = cases.run("verification/shear_wave", {**SQUARE, **time, "/initial/v_m_s": f"0.1*sin({k}*x)", A: viscosity, **settings})
    wave = np.abs(np.fft.fft(run.fields()["v"][:, 0, 1], axis=-1)[:, 1])
    return np.log(wave[0] / wave[-1]) / (viscosity * k**2 * STEPS * STEP)


for weights, bound in ((0.1, 0.003), (0.5, 0.001), (1, 0.001), (2, 0.0005), (4, 0.002), (16, 0.012)):
    cases.close(f"4 A dt/dx2 = {weights}: share that acts", share(weights, {}), 1, bound)
cases.close("the same, 4, across a flow at a Courant number of 0.9", share(4, {"/initial/u_m_s": 0.75}), 1, 0.002)
cases.close("the same, 4, split", share(4, {"/physics/momentum/scheme": "split"}), 1, 0.022)


def noise(*fields):
    """rms of what changes its sign from cell to cell in both directions."""
    found = []
    for a in fields:
        for kernel in ([1, -2, 1],) * 2:
            a = np.apply_along_axis(np.convolve, 0, a, kernel, "valid").T / 4
        found.append(a)
    return np.sqrt(np.mean(np.square(found[0])) + sum(np.mean(np.square(a)) for a in found[1:]))


# Noise of 1 mm/s in a uniform flow that automatic steps follow, straight and along the diagonal.
for across, weights, bound in ((0, 0.1, 1e-11), (0, 0.5, 2e-3), (0.5, 0.1, 1e-11), (0.5, 0.5, 1e-3), (0.5, 4, 1e-11)):
    step = 0.7 * DX / 0.5
    start = {"/initial/u_m_s": f"0.5+0.001*cos(pi*x/{DX})*sin(pi*y/{DX})", "/initial/v_m_s": f"{across}+0.001*cos(pi*y/{DX})*sin(pi*x/{DX})"}
    run = cases.run("verification/shear_wave", {**SQUARE, **start, "/time": {**AUTO, "duration_s": 100 * step}, "/output/0/every_s": 100 * step,
                                                A: weights * DX**2 / (4 * step)})
    fields = run.fields()
    cases.below(f"noise in a flow of 0.5, {across} m/s, 4 A dt/dx2 = {weights}, after 100 steps over that at first",
                noise(*(fields[name][-1, 0] for name in "uv")) / noise(*(fields[name][0, 0] for name in "uv")), bound)

# A wake at a Courant number of 0.6: noise fades with the flow.
WAKE = {**SQUARE, "/grid/length_x_m": 480, "/grid/length_y_m": 240, "/bathymetry": {"bed_m": "(x-120)^2+(y-120)^2 < 900 ? 5 : -20", "fullness": False},
        "/time": {**AUTO, "step_courant": 0.6, "duration_s": 3600}, "/initial/u_m_s": 0.5, "/initial/v_m_s": "0.01*sin(pi*x/120)", "/output/0/every_s": 360}
for weak, viscosity in (("constant", {A: 4}), ("smagorinsky", {"/physics/momentum/viscosity_law": "smagorinsky", A: 2})):
    fields = cases.run("verification/shear_wave", {**WAKE, **viscosity}).fields()
    wake = [noise(*(np.nan_to_num(fields[name][n, 0]) for name in "uv")) for n in (1, -1)]
    cases.below(f"wake, {weak}: noise at the end over that after 360 s", wake[1] / wake[0], 0.4)

# A standing wave, not hydrostatic: with A u_xx and A w_xx it decays as exp(-A k^2 t / 2); in the sum, and in stages.
K, GRAVITY = np.pi / 10, 9.81
for viscosity in (0.5, 3):
    series = {"stations": {"west": [0.25, 0.25]}, "every_s": 0.03, "variables": ["eta"]}
    run = cases.run("verification/standing_wave", {A: viscosity, "/time/duration_s": 9, "/output": [series]})
    found, best = run.stations(), (np.inf, 0)
    for acts in np.arange(0.9, 1.1, 0.0025):
        for tuning in np.arange(0.99, 1.005, 0.001): # of the period, by which the grid is off
            damping = acts * viscosity * K**2 / 2
            time, omega = found["time"], tuning * np.sqrt(GRAVITY * K * np.tanh(K * 8) - damping**2)
            exact = np.exp(-damping * time) * (np.cos(omega * time) + damping / omega * np.sin(omega * time))
            best = min(best, (np.sqrt(np.mean((found["eta"][:, 0] - 0.1 * np.cos(K * 0.25) * exact) ** 2)), acts))
    cases.close(f"standing wave with {viscosity} m2/s: share that acts", best[1], 1, 0.008)
    cases.below(f"standing wave with {viscosity} m2/s: error over its height", best[0] / 0.1, 0.012)

# what enters a velocity cell, by which the choice is made, is told per second: u/dx + v/dy
even = cases.run("verification/uniform_flow", {"/initial": {"u_m_s": 0.3, "v_m_s": -0.2}, "/forcing": {}, "/physics/drag": {"law": "none"},
                                               "/output": [], "/restart/at_end": True}, options=["--steps", "2"])
with netCDF4.Dataset(next(even.folder.glob("**/restart_*.nc"))) as data:
    cases.close("share of a velocity cell that enters in a second", float(data["entering_1_s"][...]), 0.3 / 1000 + 0.2 / 1000, 1e-12)

for viscosity, words in ((0.25, "up to a Courant number of 0.98"), (20, "0.8: 2 stages")):
    told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/verification/shear_wave.json"), "--set", f"{A}={json.dumps(viscosity)}",
                           "--set", "/physics/momentum/advection=tvd", "--set", "/time/step_s=100"], capture_output=True, text=True).stdout
    cases.equal(f"check, {viscosity} m2/s: {words}", words in told, True)
cases.finish()
