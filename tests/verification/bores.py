# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 600
"""Bores and breaking waves with non-hydrostatic pressure: they run through at any step, and shorter steps change them less and
less; behind a front, level and velocity are those of the shallow-water jump, and so is its speed; momentum is what the ends of
the flume push. Solitary waves of up to 0.7 of the depth run up walls and slopes. Thin layers do not cost iterations.
long_bores.py does all of it, this test a part."""

import cases
import numpy as np

GRAVITY = 9.81
ALL = globals().get("ALL", False)
MIDDLE = 10  # long enough that neither wave has felt an end after two seconds


def jump(left, right):
    """Depth and velocity between the rarefaction and the bore, and the speed of the bore (J. Stoker, 1957)."""
    low, high = right, left
    for _ in range(100):
        h = 0.5 * (low + high)
        faster = 2 * (np.sqrt(GRAVITY * left) - np.sqrt(GRAVITY * h)) > (h - right) * np.sqrt(0.5 * GRAVITY * (h + right) / (h * right))
        low, high = (h, high) if faster else (low, h)
    u = 2 * (np.sqrt(GRAVITY * left) - np.sqrt(GRAVITY * h))
    return h, u, h * u / (h - right)


def bore(left, step, settings=None, dx=0.04, right=0.2):
    """Mean depth and velocity behind the front and its place, of those of the jump; momentum, of what the ends push; the depths."""
    run = cases.run("verification/bore", {
        "/grid": {"kind": "cartesian", "length_x_m": 2 * MIDDLE, "length_y_m": dx, "dx_m": dx, "levels": {"bottom_m": -right, "dz_m": right / 5}},
        "/bathymetry/bed_m": -right, "/time/step_s": step, "/initial/eta_m": f"x<{MIDDLE} ? {left - right} : 0", **(settings or {})})
    cases.conserves(run, 1e-14)
    fields = run.fields()
    depth, u, x = fields["depth"][-1, 0], np.mean(fields["u"][-1][:, 0], axis=0), fields["x"] - MIDDLE
    u = 0.5 * (u[1:] + u[:-1]) if len(u) > len(depth) else u
    h, speed, front = jump(left, right)
    behind = (x > 0.3 * front * 2) & (x < 0.7 * front * 2)
    momentum = dx * np.nansum(depth * u) / (0.5 * GRAVITY * (left**2 - right**2) * 2)
    last = np.max(np.nonzero(depth > 0.5 * (h + right)))
    place = (x[last] + dx * (depth[last] - 0.5 * (h + right)) / (depth[last] - depth[last + 1])) / (front * 2)
    return np.mean(depth[behind]) / h, np.mean(u[behind]) / speed, place, momentum, depth


# Limits for depth and velocity, the front's place, and what the shortest step still changes, of the dam. The last front would cross
# a cell in a step of 0.01 s.
for left, right, steps, within, place_within, settled in (
    (0.35, 0.2, (0.01, 0.005, 0.0025, 0.00125), 0.02, 0.0301, 0.001),
    (0.6, 0.2, (0.01, 0.005, 0.0025, 0.00125), 0.02, 0.04, 0.003),
    (0.8, 0.1, (0.005, 0.0025, 0.00125), 0.025, 0.06, 0.005),
):
    depths = []
    if not ALL:  # the middle steps of the two lower dams
        steps = steps[1:3] if right == 0.2 else ()
    for step in steps:
        name = f"{left} over {right} m, step {step} s"
        level, speed, place, momentum, depth = bore(left, step, right=right)
        depths.append(depth)
        cases.close(f"{name}: depth behind the front, of the jump's", level, 1, within)
        cases.close(f"{name}: velocity", speed, 1, within)
        cases.close(f"{name}: the front's place", place, 1, place_within)
        cases.below(f"{name}: lack of momentum", abs(momentum - 1), 0.002 + 2 * step)
    if not ALL:
        continue
    changes = [np.mean(np.abs(a - b)) for a, b in zip(depths, depths[1:])]
    cases.below(f"{left} over {right} m: last change of the depth by a shorter step, of the dam", changes[-1] / left, settled)
depths = []
for step in (0.01, 0.005, 0.0025, 0.00125) if ALL else (0.01, 0.005, 0.0025):
    _, _, _, momentum, depth = bore(0.35, step, {"/physics/breaking": 0})
    depths.append(depth)
    cases.close(f"without breaking, step {step} s: momentum", momentum, 1, 0.0025)
changes = [np.mean(np.abs(a - b)) for a, b in zip(depths, depths[1:])]
cases.below("without breaking: change by a shorter step, of the one before", max(b / a for a, b in zip(changes, changes[1:])), 0.8)
for left, step in ((0.35, 0.002), (0.6, 0.0025)) if ALL else ():
    level, speed, place, momentum, _ = bore(left, step, dx=0.02)
    cases.close(f"{left} m, cells of 2 cm: depth behind the front, of the jump's", level, 1, 0.02)
    cases.close(f"{left} m, cells of 2 cm: velocity", speed, 1, 0.02)
    cases.close(f"{left} m, cells of 2 cm: momentum", momentum, 1, 0.01)

# ---- a front that runs onto dry, level ground: its place where the water is 1 mm deep, of Ritter's ----

for step, lag in ((0.01, 0.08), (0.0025, 0.035)):
    run = cases.run("verification/bore", {
        "/grid": {"kind": "cartesian", "length_x_m": 20, "length_y_m": 0.04, "dx_m": 0.04, "levels": {"bottom_m": -0.2, "dz_m": 0.2}, "flood_to_m": 0.5},
        "/bathymetry": {"bed_m": 0, "keep": "all"}, "/time/step_s": step, "/initial/eta_m": "x < 8 ? 0.35 : 0"})
    cases.conserves(run, 1e-14)
    fields = run.fields()
    tip = fields["x"][np.max(np.nonzero(np.nan_to_num(fields["depth"][-1, 0]) > 1e-3))] + 0.02 - 8
    cases.close(f"tip on dry ground, step {step} s", tip / (2 * (2 * np.sqrt(GRAVITY * 0.35) - 3 * np.sqrt(GRAVITY * 1e-3))), 1, lag)

# ---- solitary waves of H/d 0.3 and 0.7, d = 1 m ----

for name, bed, flood, length in (("wall", "-1", 0, 32), ("slope 1:4", "x<24 ? -1 : -1+(x-24)/4", 4, 40), ("slope 1:20", "x<14 ? -1 : -1+(x-14)/20", 3, 54)):
    for height in (0.3, 0.7):
        k, c = np.sqrt(0.75 * height), np.sqrt(GRAVITY * (1 + height))
        eta = f"{height}*cosh({k}*(x-7))^-2"
        for step in (0.02, 0.005) if ALL else (0.02,):
            run = cases.run("verification/bore", {
                "/grid": {"kind": "cartesian", "length_x_m": length, "length_y_m": 0.1, "dx_m": 0.1, "levels": {"bottom_m": -1, "dz_m": 0.2}, "flood_to_m": flood},
                "/bathymetry/bed_m": bed, "/time/step_s": step, "/time/duration_s": 10, "/initial/eta_m": f"max({eta}, {bed})" if flood else eta,
                "/initial/u_m_s": f"{c}*{eta}/(1+{eta})", "/output": [{"every_s": 0.1, "variables": ["depth", "eta"]}]})
            cases.conserves(run, 1e-14)
            highest = np.nanmax(run.fields()["eta"])
            cases.below(f"{name}, H/d {height}, step {step} s: highest water [m]", highest, 3.5 * height)
            cases.below(f"{name}, H/d {height}, step {step} s: fastest, of a free fall", np.max(run.column("max_speed_m_s")) / np.sqrt(2 * GRAVITY * (1 + highest)), 1)

# ---- thin layers ----

iterations = []
for interfaces in ([-0.218, -0.145, -0.0727, 0], [-0.218, -0.09, -0.03, 0], [-0.218, -0.03, -0.01, 0]):
    run = cases.run("verification/bore", {"/grid/levels": {"interfaces_m": interfaces}, "/bathymetry/bed_m": -0.218, "/output": [],
                                          "/initial/eta_m": "0.065*cosh(2*(x-2.5))^-2"}, options=["--steps", "40"])
    iterations.append(np.mean(run.column("iterations_pressure")))
cases.below(f"iterations with thin layers {np.round(iterations[1:], 1)}, of those with thirds", max(iterations[1:]) / iterations[0], 1.3)
cases.finish()
