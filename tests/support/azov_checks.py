# SPDX-License-Identifier: Apache-2.0
"""The Azov Sea's free seiche and its set-up by a steady wind, on a grid of the given size."""

import cases
import numpy as np

STRESS_PA = 0.1


def decaying_wave(time, values, first_guess):
    """Period, decay rate and amplitude of mean + exp(-g t) (a cos + b sin)."""
    best = None
    for omega in 2 * np.pi / np.linspace(0.8 * first_guess, 1.25 * first_guess, 181):
        for rate in np.linspace(0, 0.04, 17) / 3600:
            fading = np.exp(-rate * time)
            matrix = np.stack([np.ones_like(time), fading * np.cos(omega * time), fading * np.sin(omega * time)], axis=1)
            solution, *_ = np.linalg.lstsq(matrix, values, rcond=None)
            misfit = np.sum((matrix @ solution - values) ** 2)
            if best is None or misfit < best[0]:
                best = (misfit, 2 * np.pi / omega, rate, float(np.hypot(*solution[1:])))
    return best[1:]


def seiche(dx):
    run = cases.run("azov_seiche", {"/grid/dx_m": dx})
    cases.conserves(run)
    series = run.stations()
    late = series["time"] > 72000
    found = {}
    for n, name in enumerate(series["names"]):
        period, rate, amplitude = decaying_wave(series["time"][late], series["eta"][late, n], 23 * 3600)
        found[name] = amplitude
        if name in ("Don", "Taganrog", "Yeisk"):
            cases.between(f"seiche at {dx} m, {name}: period [h]", period / 3600, 22, 24)
            cases.between(f"seiche at {dx} m, {name}: decay [1/h]", rate * 3600, 0, 0.03)
    for name, low, high in (("Taganrog", 0.8, 1.0), ("Yeisk", 0.36, 0.6), ("Mariupol", 0.18, 0.4), ("Henichesk", 0.08, 0.26)):
        cases.between(f"seiche at {dx} m, {name}: amplitude, of that at the Don", found[name] / found["Don"], low, high)


def steady_wind(dx, layer, low, high):
    run = cases.run("azov_steady_wind", {"/grid/dx_m": dx, "/grid/levels/dz_m": layer, "/time/duration_s": 432000})
    cases.conserves(run)
    series = run.stations()
    levels = dict(zip(series["names"], series["eta"][-24:].mean(axis=0)))
    found = (levels["Don"] - levels["Henichesk"]) / STRESS_PA
    cases.between(f"steady wind at {dx} m, layers of {layer} m: range of the level [m/Pa]", found, low, high)
    still = np.max(np.ptp(series["eta"][-24:], axis=0))
    cases.below(f"steady wind at {dx} m, layers of {layer} m: change in the last day [m]", still, 2e-3)
