# SPDX-License-Identifier: Apache-2.0
"""Inertial circle: radius, period, order in the step."""

import cases
import numpy as np

F = 1e-4


def measure(step):
    series = cases.run("verification/inertial_circle", {"/time/step_s": step}).stations()
    flow = series["u"][:, 0, -1] + 1j * series["v"][:, 0, -1]
    rate = -np.polyfit(series["time"], np.unwrap(np.angle(flow)), 1)[0]
    exact = 0.3 * np.exp(-1j * F * series["time"])
    return rate, np.abs(flow), np.max(np.abs(flow - exact)) / 0.3


rate, speed, _ = measure(600)
cases.close("period", 1 / rate, 1 / F, 0.005)
cases.close("speed after three turns", speed[-1], 0.3, 0.004)
for order in cases.orders([measure(step)[2] for step in (1200, 600, 300)]):
    cases.between("order in the step", order, 1.8, 2.2)
cases.finish()
