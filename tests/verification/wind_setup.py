# SPDX-License-Identifier: Apache-2.0
"""Wind set-up in a closed channel: without friction, and over a no-slip bed with constant viscosity."""

import cases
import numpy as np

RHO, GRAVITY, LENGTH, DEPTH, NU = 1023.6, 9.81, 20e3, 10.0, 0.02


def section(fields, name, along_x):
    values = fields[name][-1]
    return values[..., 1, :] if along_x else values[..., :, 1]


def frictionless(along_x):
    turned = {} if along_x else {
        "/grid/length_x_m": 1500, "/grid/length_y_m": LENGTH,
        "/forcing/wind/stress_x_Pa": 0, "/forcing/wind/stress_y_Pa": 1}
    run = cases.run("verification/wind_setup", turned)
    cases.conserves(run)
    fields = run.fields()
    x, eta = fields["x" if along_x else "y"], section(fields, "eta", along_x)
    found = np.polyfit(x, (DEPTH + eta) ** 2, 1)[0] / 2
    cases.close("without friction: H eta_x", found, 1 / (RHO * GRAVITY), 1e-4)
    cases.close("without friction: slope in the middle", np.interp(LENGTH / 2 + 500, x, eta) - np.interp(LENGTH / 2 - 500, x, eta),
                1000 / (RHO * GRAVITY * DEPTH), 1e-3)


def no_slip(layers):
    run = cases.run("verification/wind_setup_no_slip", {"/grid/levels/dz_m": DEPTH / layers})
    cases.conserves(run)
    fields = run.fields()
    x, eta = fields["x"], section(fields, "eta", True)
    inner = (x > 0.25 * LENGTH) & (x < 0.75 * LENGTH)
    slope = np.polyfit(x[inner], (DEPTH + eta[inner]) ** 2, 1)[0] / 2
    face = len(x) // 2
    u = fields["u"][-1, :, 1, face]
    depth = DEPTH + 0.5 * (eta[face] + eta[face - 1])
    s = (np.arange(layers) + 0.5) / layers
    exact = 0.5 * depth / (4 * RHO * NU) * (3 * s * s - 2 * s)
    return slope / (1.5 * 0.5 / (RHO * GRAVITY)), np.sqrt(np.mean((u - exact) ** 2) / np.mean(exact**2))


frictionless(True)
frictionless(False)
results = np.array([no_slip(layers) for layers in (5, 10, 20)])
cases.close("no slip, 20 layers: slope", results[-1, 0], 1, 0.01)
cases.below("no slip, 20 layers: error of the profile", results[-1, 1], 0.01)
for order in cases.orders(np.abs(results[:, 0] - 1)):
    cases.between("order of the slope in the layers", order, 1.6, 2.4)
for order in cases.orders(results[:, 1]):
    cases.between("order of the profile in the layers", order, 1.6, 2.4)
cases.finish()
