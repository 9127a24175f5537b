# SPDX-License-Identifier: Apache-2.0
"""Drag of plants in each scheme: wind over emergent and submerged stems in layers, in steps of any length; decay; flow down a slope
through stems, also where they change from place to place."""

import cases
import netCDF4
import numpy as np

GRAVITY, DEPTH, NU, STRESS, SLOPE = 9.81, 10.0, 0.02, 5e-4, 1e-3
SINGLE = 1.2e-7  # fields are written in single precision
STEMS, WIDE, CD = 60, 0.012, 1.3
A = CD * STEMS * WIDE / 2  # [m-1]
PLANTS = {"stems_m2": STEMS, "diameter_m": WIDE, "cd": CD}
SCHEMES = {"explicit-z": {}, "matm": {"/physics/momentum/scheme": "matm", "/solver/momentum/tolerance": 1e-13},
           "split": {"/physics/momentum/scheme": "split", "/physics/momentum/horizontal_viscosity_m2_s": 10}}


def flow(plants, step, duration, settings, wind=1.0):
    """u + i v of the layers from the bed up, in a sea without coasts and bed drag."""
    run = cases.run("verification/uniform_flow", {
        "/physics/vegetation": plants, "/physics/drag": {"law": "none"}, "/time/step_s": step, "/time/duration_s": duration,
        "/output/0/every_s": duration, "/forcing/wind": {"stress_x_Pa": 1000 * STRESS * wind.real, "stress_y_Pa": 1000 * STRESS * wind.imag}, **settings})
    fields = run.fields()
    return fields["u"][-1, :, 1, 1] + 1j * fields["v"][-1, :, 1, 1]


def balance(height, layers):
    """Speeds of layers under the wind, from the bed up: a part_k h u_k^2 = what viscosity brings."""
    h = DEPTH / layers
    part = np.clip((height - h * np.arange(layers)) / h, 0, 1)
    brake, exchange = A * part * h, NU / h
    matrix = exchange * (np.diag([1.0] + [2.0] * (layers - 2) + [1.0]) - np.eye(layers, k=1) - np.eye(layers, k=-1))
    u = np.full(layers, 0.01)
    for _ in range(60):
        u = u - np.linalg.solve(matrix + np.diag(2 * brake * u), matrix @ u + brake * u**2 - STRESS * np.eye(layers)[-1])
    return u


def away(found, exact):
    return np.max(np.abs(found / exact - 1))


turn = np.exp(0.7j)
for name, scheme in SCHEMES.items():
    # emergent, in one layer: a H u^2 = tau / rho, along the wind, in steps of any length
    for step in (100, 20000):
        found = flow({**PLANTS, "height_m": 12}, step, 20 * step, scheme, turn)
        cases.below(f"{name}: emergent stems under the wind, steps of {step} s", away(found, turn * np.sqrt(STRESS / (A * DEPTH))), SINGLE)
    # submerged, with their tips within the second of five layers
    found = flow({**PLANTS, "height_m": 3.3}, 2000, 400000, {**scheme, "/grid/levels/dz_m": 2})
    cases.below(f"{name}: submerged stems in five layers", away(found, balance(3.3, 5)), 3 * SINGLE)
    # U = U0 / (1 + a U0 t), exact while a |U| dt < 1
    found = flow({**PLANTS, "height_m": 12}, 2, 20, {**scheme, "/initial": {"u_m_s": 0.3, "v_m_s": -0.4}}, 0j)
    cases.below(f"{name}: decay", away(found, (0.3 - 0.4j) / (1 + A * 0.5 * 20)), SINGLE)

# down a slope through stems that reach out of the water: g S = a u^2, one speed at any depth
u = np.sqrt(2 * GRAVITY * SLOPE / (CD * STEMS * WIDE))
for name, plants, along_x in (("along x", {"height_m": 50}, True), ("along y", {"height_m": 50}, False),
                              ("by a formula", {"stems_m2": "x < 1500 ? 60 : 90", "height_m": "0.5 + x/5000"}, True)):
    run = cases.run("verification/normal_depth", {
        "/physics/drag": {"law": "none"}, "/physics/momentum/advection": "none", "/physics/vegetation": {**PLANTS, **plants},
        "/boundaries/0/discharge_m3_s": 300 * u, "/time/duration_s": 14400, "/restart/at_end": True, "/output": [],
        **({} if along_x else {"/grid/length_x_m": 300, "/grid/length_y_m": 3000, "/bathymetry/bed_m": "-0.001*y",
                               "/initial/eta_m": "1-0.001*y", "/boundaries/0/edge": "south", "/boundaries/1/edge": "north"})})
    with netCDF4.Dataset(next(run.folder.glob("**/restart_*.nc"))) as data:
        depth, speed, thick = (np.array(data[key]) for key in (("depth", "u", "depth_u") if along_x else ("depth", "v", "depth_v")))
    depth, speed, thick = (depth[1], speed[0, 1, 1:-1], thick[1, 1:-1]) if along_x else (depth[:, 1], speed[0, 1:-1, 1], thick[1:-1, 1])
    x = 100 * np.arange(1, 30)
    fall = SLOPE - np.diff(depth) / 100
    if "stems_m2" in plants:  # at faces the mean of both columns, of which the higher stems reach above the water
        stems, height = np.where(x < 1500, 60, 90) + np.where(x == 1500, -15, 0), 0.5 + x / 5000
        expected = np.sqrt(GRAVITY * fall / (0.5 * CD * WIDE * stems * np.minimum(1, height / thick)))
    else:
        expected = np.sqrt(GRAVITY * fall / A)
        cases.below(f"slope, {name}: speed in the upper half, off by", np.max(np.abs(speed[1:12] / u - 1)), 1.6e-3)
    cases.below(f"slope, {name}: balance at faces", np.max(np.abs(speed / expected - 1)), 1.3e-5)
cases.finish()
