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


def cell_levels(level, x, dx, points=32):
    """Of the start, with the exact volume in each cell; of dry cells below their ground."""
    aside = dx * ((np.arange(points) + 0.5) / points - 0.5)
    found = []
    for north in x:
        east, north = x[:, None, None] + aside, north + aside[:, None]
        ground = (D0 * ((east**2 + north**2) / L**2 - 1)).reshape(len(x), -1)
        volume = np.maximum(level(east, north, 0).reshape(len(x), -1) - ground, 0).mean(axis=1)
        low, high = ground.min(axis=1), ground.max(axis=1) + volume
        for _ in range(50):
            middle = 0.5 * (low + high)
            less = np.maximum(middle[:, None] - ground, 0).mean(axis=1) < volume
            low, high = np.where(less, middle, low), np.where(less, high, middle)
        found.append(np.where(volume > 0, high, np.minimum(ground.min(axis=1) - 0.1, 30)))
    return np.array(found)
