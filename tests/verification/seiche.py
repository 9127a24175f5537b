# SPDX-License-Identifier: Apache-2.0
"""Linear seiche: period, order in the step, damping by theta, the same along y and on a sphere."""

import cases
import numpy as np

LENGTH, DEPTH, GRAVITY, DX, AMPLITUDE = 10e3, 10.0, 9.81, 100.0, 0.01
WAVENUMBER = np.pi / LENGTH
OMEGA = WAVENUMBER * np.sqrt(GRAVITY * DEPTH)


def period(step, settings=None, theta=0.5):
    settings = {"/time/step_s": step, "/time/duration_s": 20160, "/physics/free_surface/theta": theta, **(settings or {})}
    if "/output" not in settings:
        settings["/output"] = [{"stations": {"west": [50, 200]}, "every_s": step, "variables": ["eta"]}]
    run = cases.run("verification/seiche", settings)
    cases.conserves(run)
    series = run.stations()
    omega, amplitude, _ = cases.fit_wave(series["time"], series["eta"][:, 0], OMEGA)
    return 2 * np.pi / omega, amplitude, series


exact = 2 * np.pi / OMEGA
shown, amplitude, along_x = period(20)
cases.close("period", shown, exact, 0.005)
cases.close("amplitude after 10 periods", amplitude, AMPLITUDE * np.cos(WAVENUMBER * 50), 2e-3)

# what the discrete equations must give: omega_s in space, tan(omega dt / 2) = omega_s dt / 2 in time
in_space = 2 / DX * np.sqrt(GRAVITY * DEPTH) * np.sin(WAVENUMBER * DX / 2)
steps, errors = [160, 80, 40], []
for step in steps:
    found, _, _ = period(step)
    cases.close(f"period of the scheme, step {step} s", found, np.pi * step / np.arctan(in_space * step / 2), 2e-5)
    errors.append(abs(found - 2 * np.pi / in_space))
for order in cases.orders(errors):
    cases.between("order in the step", order, 1.9, 2.1)

# theta: amplitude falls by exp(-(theta - 1/2) omega^2 dt t)
_, _, damped = period(20, theta=0.6)
eta, time = damped["eta"][:, 0], damped["time"]
first, last = time <= exact, time >= time[-1] - exact
decay = np.log(np.max(np.abs(eta[first])) / np.max(np.abs(eta[last]))) / (time[-1] - exact)
cases.close("damping with theta 0.6", decay, 0.1 * OMEGA**2 * 20, 0.1)

_, _, along_y = period(20, {
    "/grid/length_x_m": 400, "/grid/length_y_m": LENGTH,
    "/initial/eta_m": "0.01*cos(pi*y/10000)",
    "/output": [{"stations": {"south": [200, 50]}, "every_s": 20, "variables": ["eta"]}],
})
cases.below("difference between x and y", np.max(np.abs(along_x["eta"] - along_y["eta"])), 1e-9)

# along a meridian, 0.09 degrees long
sphere = 6371e3 * np.radians(0.09)
found, _, _ = period(20, {
    "/grid": {"kind": "spherical", "west": 37, "east": 37.01, "south": 45, "north": 45.09,
              "dlon_deg": 0.0025, "dlat_deg": 0.0009, "levels": {"bottom_m": -10, "dz_m": 10}},
    "/initial/eta_m": "0.01*cos(pi*(lat-45)/0.09)",
    "/output": [{"stations": {"south": [37.005, 45.0004]}, "every_s": 20, "variables": ["eta"]}],
})
cases.close("period along a meridian", found, 2 * sphere / np.sqrt(GRAVITY * DEPTH), 0.001)
cases.finish()
