# SPDX-License-Identifier: Apache-2.0
"""Carrier and Greenspan's wave on a plane beach, with a moving shore, against the exact solution; also with the ground inside cells."""

from functools import cache

import cases
import level_file
import numpy as np

EPSILON, SLOPE, LENGTH = 0.2, 0.02, 20.0
RISE, TIME = SLOPE * LENGTH, np.sqrt(LENGTH / (SLOPE * 9.81))
A = 1.5 * np.sqrt(1 + 0.9 * EPSILON)


def along_parameters(sigma, lag):
    """Velocity, level, place and time, all without units."""
    z = 1 - 1j * lag
    root = z * z + sigma * sigma
    u = 8 * EPSILON / A * np.imag(root**-1.5 - 0.75 * z * root**-2.5)
    eta = -u * u / 2 + EPSILON * np.real(1 - 2 * (1.25 - 1j * lag) * root**-1.5 + 1.5 * z * z * root**-2.5)
    return u, eta, eta - (A * sigma) ** 2 / 16, A * lag / 2 - u


@cache
def exact_level(time):
    """At places from the shore out, without units."""
    sigma = np.concatenate([np.linspace(0, 3, 3000), np.linspace(3, 14, 3001)[1:]])
    lag = np.full(sigma.shape, 2 * time / TIME / A)
    for _ in range(200):
        lag += (time / TIME - along_parameters(sigma, lag)[3]) / A
    _, eta, place, _ = along_parameters(sigma, lag)
    return place[::-1], eta[::-1]


def exact_depth(x, time):
    return np.maximum(0, RISE * np.interp(x / LENGTH, *exact_level(float(time)), right=-9) - SLOPE * x)


def around(x, dx, pixels):
    """The middles of each cell's pixels."""
    return x[:, None] + dx * ((np.arange(pixels) + 0.5) / pixels - 0.5)


def mean_level(x, dx, pixels):
    """Of what is wet of each cell; in dry ones below the ground."""
    places = around(x, dx, pixels)
    depth = exact_depth(places.ravel(), 0).reshape(places.shape)
    count = np.sum(depth > 0, axis=1)
    return np.where(count > 0, np.sum(np.where(depth > 0, depth + SLOPE * places, 0), axis=1) / np.maximum(count, 1), SLOPE * (x - dx))


def initial_file(dx, pixels):
    x = -240 + dx * (np.arange(round(260 / dx)) + 0.5)
    return level_file.write(f"level_{dx:g}.nc", x, [0, 1], mean_level(x, dx, pixels))


def error(dx, pixels=1):
    """Largest of the records' root mean square errors, over what was initially wet by less than 1.2 m, by the wave's height."""
    run = cases.run("verification/carrier_greenspan", {"/grid/dx_m": dx, "/grid/length_y_m": dx, "/time/step_s": 0.05 * dx,
                                                       "/initial/eta_m": initial_file(dx, pixels),
                                                       **({"/bathymetry/subgrid": True, "/bathymetry/pixels": pixels} if pixels > 1 else {})})
    cases.conserves(run)
    fields = run.fields()
    x, found = fields["x"], []
    for time, depth in zip(fields["time"], np.nan_to_num(fields["depth"][:, 0])):
        wanted = exact_depth(around(x, dx, pixels).ravel(), time).reshape(-1, pixels).mean(axis=1)
        part = (x > -60) & ((wanted > 0) | (depth > 1e-4))
        found.append(np.sqrt(np.mean((depth - wanted)[part] ** 2)) / (EPSILON * RISE))
    return max(found[1:])


errors = [error(dx) for dx in (2, 1, 0.5)]
for dx, found, limit in zip((2, 1, 0.5), errors, (0.034, 0.012, 0.005)):
    cases.below(f"dx {dx:g} m: error by the height of the wave", found, limit)
for dx, limit in ((2, 0.006), (1, 0.0026), (0.5, 0.0015)):
    cases.below(f"dx {dx:g} m, ground of 8 pixels inside: error by the height of the wave", error(dx, 8), limit)
cases.between("order", cases.orders(errors)[-1], 1.2, 2.5)
cases.finish()
