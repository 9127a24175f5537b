# SPDX-License-Identifier: Apache-2.0
"""Layers along the bed where friction acts over a slope: Ekman layers, and a tide with k-epsilon, beside layers at fixed heights."""

import cases
import numpy as np

RHO, NU, F, TAU = 1027.0, 0.01, 1e-4, 0.02054
FIXED = {"/grid/levels/kind": "fixed-heights"}


def ekman(depth, z):
    """u + i v at heights above the datum, exact."""
    alpha = (1 + 1j) / np.sqrt(2 * NU / F)
    wind = lambda z: 1j * TAU / (RHO * NU * alpha) * np.sinh(alpha * (z + depth)) / np.cosh(alpha * depth)
    slope = lambda z: 1j / F * (1 - np.cosh(alpha * z) / np.cosh(alpha * depth))
    fine = -depth * (np.arange(2000) + 0.5) / 2000
    return wind(z) - slope(z) * np.mean(wind(fine).real) / np.mean(slope(fine).real)


def middles(shares, depth):
    """Heights of the middles of a column's layers, below the surface; bottom up, as in files."""
    thick = np.nan_to_num(shares) * depth
    return -(np.cumsum(thick[::-1])[::-1] - thick / 2), thick


def of_slope(settings):
    fields = cases.run("verification/ekman_slope", settings).fields()
    off = size = 0
    for i in range(3, fields["bed"].shape[1] - 3):  # away from the walls
        z, thick = middles(fields["layer_share"][:, 1, i], -fields["bed"][1, i])
        found = 0.5 * (fields["u"][-1, :, 1, i] + fields["u"][-1, :, 1, i + 1]) + 1j * fields["v"][-1, :, 1, i]
        exact, wet = ekman(-fields["bed"][1, i], z), thick > 0
        off += np.sum(thick[wet] * np.abs(np.nan_to_num(found[wet]) - exact[wet]) ** 2)
        size += np.sum(thick[wet] * np.abs(exact[wet]) ** 2)
    return np.sqrt(off / size)


errors = [of_slope({"/grid/levels/layers": layers}) for layers in (12, 24)]
cases.below("Ekman layers, 12 layers along the bed", errors[0], 0.006)
cases.between("order in the layers", cases.orders(errors)[0], 1.9, 2.1)
cases.between("24 at fixed heights, where steps of the bed block the flow", of_slope({**FIXED, "/grid/levels/layers": 24}), 4 * errors[1], 0.011)


def tide(settings):
    """Depths of the columns; of each the heights of its layers, their thickness, and the current."""
    fields = cases.run("verification/tidal_slope", settings).fields()
    columns = range(fields["bed"].shape[1])
    return -fields["bed"][1], [middles(fields["layer_share"][:, 1, i], -fields["bed"][1, i]) + (fields["v"][-1, :, 1, i],) for i in columns]


depth, along = tide({})
for i in (2, 17):
    deep = float(depth[i])
    flat = tide({"/constants/shallow": deep, "/constants/deep": deep, "/grid/levels/bottom_m": -deep})[1][4][2]
    cases.equal(f"tide: column of {deep} m beside a flat channel", bool(np.array_equal(along[i][2], flat)), True)


def above_bed(run):
    """Currents one metre above the bed."""
    return np.array([np.interp(1 - deep, z[thick > 0], v[thick > 0]) for deep, (z, thick, v) in zip(depth, run)])


exact = above_bed(tide({"/grid/levels/layers": 96})[1])
for name, run, off, jump in (("along the bed", along, 0.033, 0.0052), ("fixed heights", tide(FIXED)[1], 0.047, 0.036)):
    error = above_bed(run) - exact
    cases.below(f"tide, {name}: current 1 m above the bed, of that on 96 layers", np.sqrt(np.mean((error / exact) ** 2)), off)
    cases.below(f"tide, {name}: jumps of the error from column to column, of the mean current", np.max(np.abs(np.diff(error))) / np.mean(np.abs(exact)), jump)
cases.finish()
