# SPDX-License-Identifier: Apache-2.0
"""Thacker's water in a paraboloid, b = D0 (r^2/L^2 - 1): levels of the exact solutions (scenarios/verification/thacker_*.json)."""

import numpy as np

D0, L, GRAVITY = 50.0, 430620.0, 9.81
PERIOD = 2 * np.pi * L / np.sqrt(8 * GRAVITY * D0)


def curved(x, y, time):
    a = (1.04**2 - 1) / (1.04**2 + 1)
    part = 1 - a * np.cos(2 * np.pi * time / PERIOD)
    return D0 * (np.sqrt(1 - a * a) / part - 1 - (x**2 + y**2) / L**2 * ((1 - a * a) / part**2 - 1))


def planar(x, y, time):
    omega, a = np.sqrt(2 * GRAVITY * D0) / L, 0.1 * L
    return a * D0 / L**2 * (2 * x * np.cos(omega * time) + 2 * y * np.sin(omega * time) - a)
