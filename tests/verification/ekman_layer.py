# SPDX-License-Identifier: Apache-2.0
"""Ekman layer of finite depth: profile and order over the layers, wind along x and along y."""

import cases
import numpy as np

DEPTH, RHO, NU, F, TAU = 20.0, 1027.0, 0.01, 1e-4, 0.1027


def error(layers, along_x=True):
    forcing = {"/forcing/wind/stress_x_Pa": TAU if along_x else 0, "/forcing/wind/stress_y_Pa": 0 if along_x else TAU}
    fields = cases.run("verification/ekman_layer", {"/grid/levels/dz_m": DEPTH / layers, **forcing}).fields()
    u, v = fields["u"][-1, :, 1, 1], fields["v"][-1, :, 1, 1]
    cases.below("difference between columns [m/s]", np.max(np.ptp(fields["u"][-1], axis=(1, 2))), 1e-7)
    found = (u + 1j * v) * (1 if along_x else -1j)
    alpha = (1 + 1j) / np.sqrt(2 * NU / F)
    above_bed = DEPTH * (np.arange(layers) + 0.5) / layers
    exact = TAU / (RHO * NU * alpha) * np.sinh(alpha * above_bed) / np.cosh(alpha * DEPTH)
    return np.sqrt(np.sum(np.abs(found - exact) ** 2) / np.sum(np.abs(exact) ** 2))


errors = [error(layers) for layers in (10, 20, 40)]
cases.below("error of the profile, 10 layers", errors[0], 0.02)
cases.below("error of the profile, 40 layers", errors[-1], 0.002)
for order in cases.orders(errors):
    cases.between("order in the layers", order, 1.8, 2.2)
cases.below("error with wind along y", error(40, along_x=False), 0.002)
cases.finish()
