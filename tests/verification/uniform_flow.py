# SPDX-License-Identifier: Apache-2.0
"""Each drag law in uniform flow: the velocity at which bed stress balances the wind, and the normal depth on a slope."""

import cases
import numpy as np

KAPPA, GRAVITY = 0.4, 9.81
STRESS, DEPTH, NU = 5e-4, 10.0, 0.02  # of the wind over the density [m2/s2], of the water [m], [m2/s]
FRICTION = np.sqrt(STRESS)
SINGLE = 1.2e-7  # fields are written in single precision; the start is forgotten to less than that


def manning(n, depth):
    return GRAVITY * n**2 / depth ** (1 / 3)


def log_law(z0, height):
    return (KAPPA / np.log(1 + height / z0)) ** 2


def lowest(cd, share, thick=1.0, depth=DEPTH, nu=NU, bend=0.0, difference=False):
    """Cd for the lowest layer of several, from that for the depth's mean velocity (model/momentum/bed_profile.h), the next one
    `thick` times as thick; nu: the least viscosity."""
    mean = KAPPA / np.sqrt(cd)
    thick = min(2, thick)
    change = (1 + thick) / 2 - np.log(2 + thick) + np.log(3) - 1 if difference else 0
    turbulent = (1 - share) * (change - bend) - np.log(share)
    laminar = (1 - share) * (2 - share) / 6 * KAPPA * 0.2 * np.sqrt(cd * GRAVITY * depth) * depth / nu
    return cd * (mean / max(mean - turbulent * laminar / (turbulent + laminar), share * mean))**2 if share < 1 else cd


def columns(settings, layers=1, angle=0.0):
    """Speed of the layers from the bed up, and the direction of the flow."""
    run = cases.run("verification/uniform_flow", {
        **({} if "/grid/levels" in settings else {"/grid/levels/dz_m": DEPTH / layers}), "/forcing/wind/stress_x_Pa": 0.5 * np.cos(angle),
        "/forcing/wind/stress_y_Pa": 0.5 * np.sin(angle), **settings})
    fields = run.fields()
    u, v = fields["u"][-1, :, 1, 1], fields["v"][-1, :, 1, 1]
    return np.hypot(u, v), np.arctan2(v, u)


def profile(name, found, at_bed, exchange):
    """Against the velocity of the lowest layer and, from there up, steps of u*^2 / (nu / dz)."""
    exact = at_bed + np.concatenate([[0], np.cumsum(STRESS / np.broadcast_to(exchange, len(found) - 1))])
    cases.below(f"{name}: velocity, {len(found)} layers", np.max(np.abs(found / exact - 1)), SINGLE)


def under_wind(name, drag, at_bed):
    """`at_bed`: U_b from the height of the lowest layer's middle."""
    for layers in (1, 5):
        dz = DEPTH / layers
        found, _ = columns({"/physics/drag": drag}, layers)
        profile(name, found, at_bed(0.5 * dz), NU / dz)
    # at any angle to the grid: the bed brakes the speed, not the components
    for layers, angle in ((1, 0.5 * np.pi), (1, 0.7), (5, -2.5)):
        dz = DEPTH / layers
        found, direction = columns({"/physics/drag": drag}, layers, angle)
        profile(f"{name}, wind towards {angle:.1f}", found, at_bed(0.5 * dz), NU / dz)
        cases.below(f"{name}, wind towards {angle:.1f}: direction", np.max(np.abs(direction - angle)), SINGLE)


under_wind("constant", {"law": "constant", "cd": 2e-3}, lambda _: FRICTION / np.sqrt(2e-3))
under_wind("manning", {"law": "manning", "n": 0.03}, lambda height: FRICTION / np.sqrt(lowest(manning(0.03, DEPTH), 2 * height / DEPTH)))
under_wind("chezy", {"law": "chezy", "c": 50}, lambda height: FRICTION / np.sqrt(lowest(GRAVITY / 50**2, 2 * height / DEPTH)))
under_wind("log", {"law": "log", "z0_m": 5e-3}, lambda height: FRICTION / np.sqrt(log_law(5e-3, height)))
under_wind("no-slip", {"law": "no-slip"}, lambda height: STRESS / NU * height)

# the same of the other schemes, and with a damping that takes half of the stress
for scheme in ("split", "matm"):
    found, direction = columns({"/physics/drag": {"law": "constant", "cd": 2e-3}, "/physics/momentum/scheme": scheme,
                                "/physics/momentum/horizontal_viscosity_m2_s": 10, "/solver/momentum/tolerance": 1e-12}, 5, 0.7)
    profile(scheme, found, FRICTION / np.sqrt(2e-3), NU / 2)
    cases.below(f"{scheme}: direction", np.max(np.abs(direction - 0.7)), SINGLE)
half = np.sqrt(0.5 * STRESS / 2e-3)
found, direction = columns({"/physics/drag": {"law": "constant", "cd": 2e-3}, "/physics/momentum/rayleigh_1_s": 0.5 * STRESS / (half * DEPTH)}, 1, 0.7)
profile("with Rayleigh damping", found, half, NU)


def left_alone(step):
    """Speed and direction of a flow that drag slows, U = U0 / (1 + Cd U0 t / H), and rotation turns, off by a complex factor."""
    start, turn, time, cd = np.exp(0.3j), 1e-3, 3000, 0.01
    run = cases.run("verification/uniform_flow", {
        "/physics/drag": {"law": "constant", "cd": cd}, "/forcing": {}, "/physics/coriolis": {"f_s": turn}, "/time/step_s": step, "/time/duration_s": time,
        "/output/0/every_s": time, "/initial": {"u_m_s": start.real, "v_m_s": start.imag}})
    fields = run.fields()
    found = fields["u"][-1, 0, 1, 1] + 1j * fields["v"][-1, 0, 1, 1]
    return abs(found / (start * np.exp(-1j * turn * time) / (1 + cd * time / DEPTH)) - 1)


errors = [left_alone(step) for step in (300, 150, 75)]
cases.below("flow left alone: off by", errors[-1], 2.2e-3)
for order in cases.orders(errors):
    cases.between("flow left alone: order in the step", order, 1.8, 2.3)

# no drag at all: what the wind gives stays
found, _ = columns({"/physics/drag": {"law": "none"}, "/time/duration_s": 4000, "/output/0/every_s": 4000})
cases.close("none: velocity after 4000 s", found[0], STRESS * 4000 / DEPTH, SINGLE)

# parabolic viscosity over a logarithmic bed: nu = kappa u* z (1 - z/H) at the interfaces of the layers
interfaces = np.arange(1, 20) * 0.5
found, _ = columns({"/physics/drag": {"law": "log", "z0_m": 5e-3}, "/physics/turbulence": {"closure": "parabolic", "viscosity_m2_s": 0}}, 20)
profile("log, parabolic viscosity", found, FRICTION / np.sqrt(log_law(5e-3, 0.25)),
        KAPPA * FRICTION * interfaces * (1 - interfaces / DEPTH) / 0.5)

# the same over a rough bed, in layers of which the lowest are thin: 0.1, 0.6, 0.9, and more
heights = np.array([0, 0.1, 0.7, 1.6, 3, 5, 7.5, 10])
found, _ = columns({"/grid/levels": {"interfaces_m": list(np.round(heights - DEPTH, 9))}, "/physics/drag": {"law": "manning", "n": 0.03},
                    "/physics/turbulence": {"closure": "parabolic", "viscosity_m2_s": 1e-4}}, 7)
cd = lowest(manning(0.03, DEPTH), 0.01, 6, nu=1e-4, bend=1 - np.euler_gamma, difference=True)
profile("manning, parabolic viscosity, thin layers", found, FRICTION / np.sqrt(cd),
        (1e-4 + KAPPA * FRICTION * heights[1:-1] * (1 - heights[1:-1] / DEPTH)) / (0.5 * (heights[2:] - heights[:-2])))


def normal_depth(name, drag, velocity, along_x=True):
    """Depth in the upper half of a channel, for the discharge that is `velocity` times a depth of 1 m.

    The depth of a face is that of the water which passes in the middle of the step: U dt S / 2 more than the cells'."""
    run = cases.run("verification/normal_depth", {
        "/physics/drag": drag, "/boundaries/0/discharge_m3_s": 300 * velocity,
        **({} if along_x else {"/grid/length_x_m": 300, "/grid/length_y_m": 3000, "/bathymetry/bed_m": "-0.001*y",
                               "/initial/eta_m": "1-0.001*y", "/boundaries/0/edge": "south", "/boundaries/1/edge": "north",
                               "/output/0/variables": ["depth", "v"]})})
    cases.conserves(run)
    depth = run.fields()["depth"][-1]
    upper = depth[1, :12] if along_x else depth[:12, 1]
    cases.below(f"{name}: normal depth, off by [m]", np.max(np.abs(upper + 0.5 * velocity * STEP * SLOPE - 1)), 2e-4)


def layers_carry(closure, levels, tolerance, slope=1e-3):
    """Manning's discharge, however many layers carry it: flow between two levels, parallel to the bed."""
    length, n, speed = 800, 0.03 * np.sqrt(slope / 1e-3), np.sqrt(1e-3) / 0.03
    run = cases.run("verification/normal_depth", {
        "/grid/length_x_m": length, "/grid/levels": levels, "/bathymetry/bed_m": f"-1-{slope}*x", "/physics/drag": {"law": "manning", "n": n},
        "/physics/turbulence/closure": closure, "/initial": {"eta_m": f"-{slope}*x", "u_m_s": speed}, "/time/step_s": 20, "/time/duration_s": 1800,
        "/boundaries": [{"name": edge, "edge": edge, "kind": "elevation", "eta_m": -slope * x} for edge, x in (("west", -50), ("east", length + 50))],
        "/output": [{"every_s": 1800, "variables": ["ubar", "depth"]}]})
    fields = run.fields()
    found = fields["ubar"][-1, 1, 3:5] / (fields["depth"][-1, 1, 3:5]**(2 / 3) * speed)
    cases.close(f"{closure}, {levels}: discharge over Manning's", np.mean(found), 1, tolerance)


def near_critical(froude, downstream, courant):
    """The same on a steep slope where the flow is nearly critical: no cell of the upper half is deeper or shallower than the others.

    A crest across the channel, there at first, must not grow where the discharge is dealt out."""
    length, dx, n, speed = 400, 10, 0.03, froude * np.sqrt(GRAVITY)
    slope, step = (n * speed) ** 2, 600 / np.ceil(600 * (speed + np.sqrt(GRAVITY)) / (courant * dx))
    along, across, edges = {"east": ("x", "y", ("west", "east")), "south": ("(400-y)", "x", ("north", "south"))}[downstream]
    sizes = {"length_x_m": length, "length_y_m": 3 * dx} if downstream == "east" else {"length_x_m": 8 * dx, "length_y_m": length}
    width = 3 * dx if downstream == "east" else 8 * dx
    run = cases.run("verification/normal_depth", {
        "/grid": {"kind": "cartesian", "dx_m": dx, **sizes, "levels": {"bottom_m": -10, "dz_m": 10}}, "/physics/drag": {"law": "manning", "n": n},
        "/bathymetry/bed_m": f"-{slope}*{along}", "/time/step_s": step, "/time/duration_s": 600,
        "/initial": {"eta_m": f"1-{slope}*{along}+0.03*cos(pi*{across}/{width})"},
        "/boundaries": [{"name": "upstream", "edge": edges[0], "kind": "discharge", "discharge_m3_s": speed * width},
                        {"name": "downstream", "edge": edges[1], "kind": "elevation", "eta_m": 1 - slope * (length + dx / 2)}],
        "/output": [{"every_s": 600, "variables": ["depth"]}]})
    depth = run.fields()["depth"][-1]
    upper = depth[:, :20] if downstream == "east" else depth[20:, :]
    cases.below(f"Froude number {froude}, to the {downstream}, Courant number {courant}: depth off by [m]",
                np.max(np.abs(upper + 0.5 * speed * step * slope - 1)), 1e-3)


STEP, SLOPE = 4, 1e-3
PULL = np.sqrt(GRAVITY * SLOPE)  # U sqrt(Cd) at a depth of 1 m
normal_depth("manning", {"law": "manning", "n": 0.03}, np.sqrt(SLOPE) / 0.03)
normal_depth("manning, along y", {"law": "manning", "n": 0.03}, np.sqrt(SLOPE) / 0.03, along_x=False)
ALONG = {"kind": "bed-following", "bottom_m": -2, "thinnest_m": 0}
for variant in (
        ("k-epsilon", {**ALONG, "layers": 3}, 0.015), ("k-epsilon", {**ALONG, "layers": 10}, 0.02), ("k-epsilon", {"bottom_m": -1.25, "dz_m": 0.25}, 0.02, 1e-4),
        ("parabolic", {**ALONG, "layers": 2}, 0.008), ("parabolic", {**ALONG, "layers": 10}, 0.009), ("parabolic", {"bottom_m": -1.25, "dz_m": 0.25}, 0.025, 1e-4),
        ("mixing-length", {**ALONG, "layers": 5}, 0.006), ("mixing-length", {**ALONG, "layers": 5, "towards_bed": 1.5}, 0.01)):
    layers_carry(*variant)
normal_depth("chezy", {"law": "chezy", "c": 32}, 32 * np.sqrt(SLOPE))
normal_depth("constant", {"law": "constant", "cd": 8e-3}, PULL / np.sqrt(8e-3))
normal_depth("log", {"law": "log", "z0_m": 5e-3}, PULL / np.sqrt(log_law(5e-3, 0.5)))
for froude, downstream, courant in ((0.6, "east", 0.5), (0.8, "south", 2), (0.95, "east", 0.5)):
    near_critical(froude, downstream, courant)
cases.finish()
