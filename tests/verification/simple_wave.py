# SPDX-License-Identifier: Apache-2.0
"""Order 2 in the step: a wave that steepens, beside its exact solution, and the growth of a wave on a shear layer."""

import cases
import numpy as np

GRAVITY, DEPTH, HEIGHT, LENGTH, TIME = 9.81, 10.0, 0.5, 4000.0, 120.0


def exact(x):
    """Depth after TIME: constant along dx/dt = 3 c - 2 c0."""
    start = x.copy()
    for _ in range(60):
        depth = DEPTH + HEIGHT * np.cos(2 * np.pi * start / LENGTH)
        start = x - (3 * np.sqrt(GRAVITY * depth) - 2 * np.sqrt(GRAVITY * DEPTH)) * TIME
    return depth


def rms(difference):
    return np.sqrt(np.mean(difference**2)) / HEIGHT


def wave(step, settings=None):
    run = cases.run("verification/simple_wave", {"/time/step_s": step, "/physics/momentum/order": 2, **(settings or {})})
    cases.conserves(run, 1e-14)
    fields = run.fields()
    return fields["x"], fields["eta"][-1, 1], fields["u"][-1, -1, 1]


found = [wave(step) for step in (0.4, 0.2, 0.1)]
x, level, current = found[0]
cases.below("error of the level, step 0.4 s, of the wave's height", rms(level + DEPTH - exact(x)), 2.1e-5)
for name, values in (("level", [one[1] for one in found]), ("current", [one[2] for one in found])):
    changes = [rms(a - b) for a, b in zip(values, values[1:])]
    cases.between(f"order of the {name} in the step", cases.orders(changes)[0], 1.8, 2.3)


def growth(step, order):
    """Of the second hour, over the exact one."""
    fields = cases.run("verification/shear_layer", {"/time/step_s": step, "/physics/momentum/order": order}).fields()
    wave = np.fft.fft(fields["v"][1:, 0], axis=-1)[:, :, 1]
    energy = np.nansum(np.abs(wave) ** 2, axis=1)
    return 0.5 * np.log(energy[1] / energy[0]) / 3600 / (0.1897 * 0.5 / 200)


cases.close("growth of a wave on a shear layer, step 60 s", growth(60, 2), 1, 0.02)
cases.close("growth of a wave on a shear layer, step 30 s", growth(30, 2), 1, 0.002)
cases.finish()
