# SPDX-License-Identifier: Apache-2.0
"""Short waves as the discrete equations have them."""

import numpy as np


def period(k, depth, layers, dx, step, gravity=9.81):
    """Of a standing wave of wavenumber k on equal layers, theta 0.5: that of the least energy for a rise of the surface. u of a layer
    is (w_below - w) / (k h); w has the masses of model/pressure/vertical_inertia.h."""
    h, k = depth / layers, 2 / dx * np.sin(k * dx / 2)
    rise = np.eye(layers) - np.eye(layers, k=-1)
    mass = h * np.eye(layers)
    if layers > 1:
        mass[-2:, -2:] = [[0.75 * h, 0.25 * h], [0.25 * h, 0.25 * h]]
    else:
        mass[0, 0] = 0.3 * h
    omega = np.sqrt(gravity * np.linalg.inv(rise.T @ rise / (k**2 * h) + mass)[-1, -1])
    return np.pi * step / np.arctan(omega * step / 2)
