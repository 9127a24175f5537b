# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
"""Order 2 in the step with ground inside cells: a standing wave of a tenth of the depth over troughs narrower than cells, with friction and rotation,
and Thacker's curved surface in one dimension, whose shores move by a sixth of the basin's width."""

import cases
import level_file
import numpy as np

TROUGHS = "-3 + 1.5*cos(2*pi*y/100)*(1 + 0.3*cos(pi*x/3000))"


def basin(step):
    """Level and current after 320 s."""
    run = cases.run("verification/thacker_curved", {
        "/grid": {"kind": "cartesian", "length_x_m": 3000, "length_y_m": 2000, "dx_m": 100, "flood_to_m": 2, "levels": {"bottom_m": -7, "dz_m": 7}},
        "/bathymetry": {"bed_m": TROUGHS, "keep": "all", "subgrid": True, "pixels": 8}, "/physics/coriolis": {"f_s": 1e-4}, "/physics/drag": {"law": "manning", "n": 0.03},
        "/initial/eta_m": "0.3*cos(pi*x/3000)*cos(pi*y/2000)", "/physics/momentum/order": 2, "/time/duration_s": 320, "/time/step_s": step,
        "/output": [{"every_s": 320, "velocities": "faces", "variables": ["eta", "u"]}]})
    cases.conserves(run, 1e-14)
    fields = run.fields()
    return fields["eta"][-1], np.nan_to_num(fields["u"][-1, -1])


found = [basin(step) for step in (4, 2, 1)]
for name, values in (("level", [one[0] for one in found]), ("current", [one[1] for one in found])):
    changes = [np.sqrt(np.mean((a - b) ** 2)) for a, b in zip(values, values[1:])]
    cases.below(f"change of the {name} from steps of 2 s to 1 s", changes[1], {"level": 1e-5, "current": 2e-5}[name])
    cases.between(f"order of the {name} in the step", cases.orders(changes)[0], 1.8, 2.3)


def widths(times, y=0.85, step=1e-3):
    """Of Thacker's water over that at rest: y'' = 4 g / L^2 (1/y^2 - y) with a half width L of 100 m, 2 m deep at rest."""
    rate, speed, time, found = 4 * 9.81 / 1e4, 0.0, 0.0, []
    for until in times:
        for _ in range(round((until - time) / step)):
            speed += 0.5 * step * rate * (y**-2 - y)
            y += step * speed
            speed += 0.5 * step * rate * (y**-2 - y)
        time = until
        found.append(y)
    return found


def initial_file(dx, points):
    """The mean level of what is wet of each cell; in dry ones below the ground."""
    ground = 2 * (points / 100) ** 2
    level = 2 / 0.85 * (1 - (points / 85) ** 2) + ground
    wet = level > ground
    mean = np.where(wet.any(axis=1), (level * wet).sum(axis=1) / np.maximum(wet.sum(axis=1), 1), ground.min(axis=1) - 0.1)
    return level_file.write(f"level_{dx}.nc", points.mean(axis=1), [0, 3 * dx], mean)


def moving_shores(dx, step, order):
    """Mean errors of the depth, where the water is, every 4 s of a period."""
    points = dx * np.arange(0.5, 280 / dx)[:, None] - 140 + dx * ((np.arange(64) + 0.5) / 64 - 0.5)
    run = cases.run("verification/thacker_curved", {
        "/grid": {"kind": "cartesian", "x0_m": -140, "length_x_m": 280, "length_y_m": 3 * dx, "dx_m": dx, "levels": {"bottom_m": -2, "dz_m": 2}, "flood_to_m": 3.9},
        "/bathymetry": {"bed_m": "2*(x/100)^2", "keep": "all", "subgrid": True, "pixels": 8}, "/initial/eta_m": initial_file(dx, points),
        "/physics/momentum/order": order, "/time/duration_s": 56, "/time/step_s": step, "/output": [{"every_s": 4, "variables": ["depth"]}]})
    cases.conserves(run, 1e-14)
    fields, errors = run.fields(), []
    for depth, y in zip(np.nan_to_num(fields["depth"][:, 1]), widths(fields["time"])):
        exact = np.maximum(2 / y * (1 - (points / (100 * y)) ** 2), 0).mean(axis=1)
        errors.append(np.abs(depth - exact)[(exact > 0) | (depth > 1e-4)].mean())
    return errors


errors = moving_shores(1, 0.05, 2)
cases.below("moving shores: mean error of the depth until the last ebb [m]", max(errors[:12]), 1.7e-4)
cases.below("moving shores: mean error of the depth [m]", max(errors), 2.2e-4)

# the order in the cell, the step falling with its square, and with both halved
SHORES = [((0.2, 0.05, 0.0125), 1, (0.00302, 0.00069, 0.000191), (2.1, 1.8)),
          ((0.1, 0.025, 0.00625), 2, (0.00162, 0.000362, 0.000102), (2.1, 1.75)),
          ((0.2, 0.1, 0.05), 1, (0.00302, 0.00112, 0.000592), (1.35, 0.92)),
          ((0.2, 0.1, 0.05), 2, (0.00187, 0.00059, 0.000215), (1.6, 1.4))]
for steps, order, limits, least in SHORES if cases.THOROUGH else []:
    errors = [max(moving_shores(dx, step, order)) for dx, step in zip((4, 2, 1), steps)]
    for dx, step, error, limit in zip((4, 2, 1), steps, errors, limits):
        cases.below(f"moving shores, order {order}: mean error of the depth with cells of {dx} m and steps of {step} s [m]", error, limit)
    for dx, found, low in zip((2, 1), cases.orders(errors), least):
        cases.between(f"order to cells of {dx} m", found, low, 2.5)
cases.finish()
