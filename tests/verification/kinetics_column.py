# SPDX-License-Identifier: Apache-2.0
"""A year of plankton in a column, beside a second solution: the equations of Burchard et al. (2006) written here once more, in
the same layers, by the method of lines and RK4, without any splitting. The rest is the error of the steps.

ctest: long
ctest: timeout 600
"""

import cases
import numpy as np

DAY, YEAR = 86400.0, 31536000.0
LAYERS, DZ, K = 10, 2.0, 5e-5
BLUE, BLUE_M, SHADE = 0.22, 7.9, 0.03  # type III; [m], [m2/mmol]
SINK = np.array([0, 1, 0, 5]) / DAY  # of N, P, Z, D [m/s]
MIXED = np.where(SINK > 0, SINK / np.expm1(np.maximum(SINK, 1e-12) * DZ / K), K / DZ)  # in balance with sinking, K/dz P/(exp(P) - 1) [m/s]


def sun(t):
    return 0.94 * BLUE * (180 - 120 * np.cos(2 * np.pi * t / YEAR))


def change(t, c):
    """c[N, P, Z, D][layer from the surface down]; the rates of change."""
    n, p, z, d = c
    per_metre = 1 / BLUE_M + SHADE * (p + d)
    down = np.concatenate(([0], np.cumsum(per_metre * DZ)))
    light = sun(t) * (np.exp(-down[:-1]) - np.exp(-down[1:])) / (per_metre * DZ)
    best = max(0.25 * sun(t), 25)
    uptake = 1.0 * light / best * np.exp(1 - light / best) * n / (0.3 + n) * (p + 0.0225)
    grazing = 0.5 * (1 - np.exp(-((1.1 * p) ** 2))) * (z + 0.0225)
    out = np.array([
        -uptake + 0.01 * p + 0.01 * z + 0.02 * d,
        uptake - grazing - 0.01 * p - 0.02 * p,
        grazing - 0.01 * z - 0.02 * z,
        0.02 * p + 0.02 * z - 0.02 * d,
    ]) / DAY
    flux = (MIXED + SINK)[:, None] * c[:, :-1] - MIXED[:, None] * c[:, 1:]  # downwards, between layers
    out[:, :-1] -= flux / DZ
    out[:, 1:] += flux / DZ
    return out


def solve(steps, records):
    c = np.array([5, 0.1, 0.1, 0.1])[:, None] * np.ones(LAYERS)
    dt, kept = YEAR / steps, [c]
    for n in range(steps):
        t = n * dt
        a = change(t, c)
        b = change(t + dt / 2, c + dt / 2 * a)
        e = change(t + dt / 2, c + dt / 2 * b)
        f = change(t + dt, c + dt * e)
        c = c + dt / 6 * (a + 2 * b + 2 * e + f)
        if (n + 1) % (steps // records) == 0:
            kept.append(c)
    return np.array(kept)


exact = solve(8760, 12)
errors = []
for step in (600, 300):
    run = cases.run("verification/kinetics_column", {"/time/step_s": step})
    fields = run.fields()
    names = ("nutrient", "phytoplankton", "zooplankton", "detritus")
    found = np.stack([fields[name][:, ::-1, 1, 4] for name in names], axis=1)
    scale = np.abs(exact).max(axis=(0, 2), keepdims=True)
    error = np.abs(found - exact) / scale
    errors.append(error.max())
    for n, name in enumerate(names):
        cases.below(f"{name}, steps of {step} s: of its largest value", error[:, n].max(), 2e-3 if step == 600 else 1e-3)
cases.between("halving the step divides the error by", errors[0] / errors[1], 1.8, 2.2)
cases.between("phytoplankton's range, of the mean", np.ptp(exact[1:, 1]) / exact[1:, 1].mean(), 1, 100)
cases.finish()
