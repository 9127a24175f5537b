# SPDX-License-Identifier: Apache-2.0
"""Rayleigh damping in each scheme: decay from any speed, balance with the wind, with Coriolis, and a seiche."""

import cases
import numpy as np

GRAVITY, STRESS, DEPTH, NU = 9.81, 5e-4, 10.0, 0.02  # stress of the wind over the density [m2/s2], [m2/s]
SINGLE = 1.2e-7  # fields are written in single precision
SCHEMES = {"explicit-z": {}, "matm": {"/physics/momentum/scheme": "matm", "/solver/momentum/tolerance": 1e-12},
           "split": {"/physics/momentum/scheme": "split", "/physics/momentum/horizontal_viscosity_m2_s": 10}}


def flow(rate, step, duration, settings):
    """u + i v of the layers from the bed up, in a sea without coasts and bed drag."""
    run = cases.run("verification/uniform_flow", {
        "/physics/momentum/rayleigh_1_s": rate, "/physics/drag": {"law": "none"}, "/time/step_s": step,
        "/time/duration_s": duration, "/output/0/every_s": duration, **settings})
    fields = run.fields()
    return fields["u"][-1, :, 1, 1] + 1j * fields["v"][-1, :, 1, 1]


def away(found, exact):
    return np.max(np.abs(found / exact - 1))


for name, scheme in SCHEMES.items():
    calm = {**scheme, "/forcing/wind/stress_x_Pa": 0, "/initial": {"u_m_s": 0.3, "v_m_s": -0.4}, "/grid/levels/dz_m": DEPTH / 2}
    # what it was, divided by 1 + r dt in each step; a step of many times 1/r stops the sea and does no more
    for step, steps in ((500, 8), (40000, 2)):
        found = flow(1e-3, step, step * steps, calm)
        cases.below(f"{name}: decay in steps of {step} s", away(found, (0.3 - 0.4j) / (1 + 1e-3 * step) ** steps), SINGLE)
    errors = [away(flow(1e-3, step, 2000, calm), (0.3 - 0.4j) * np.exp(-2)) for step in (100, 50, 25)]
    for order in cases.orders(errors):
        cases.between(f"{name}: order of the decay in the step", order, 0.9, 1.1)

    # H r u = tau / rho, though a step is twice 1/r
    found = flow(1e-3, 2000, 200000, scheme)
    cases.below(f"{name}: balance with the wind", away(found, STRESS / (DEPTH * 1e-3)), SINGLE)

    # five layers: r h u = nu/h (what they exchange), and the wind on the topmost
    h, exchange = DEPTH / 5, NU / (DEPTH / 5)
    matrix = np.diag(1e-3 * h + exchange * np.array([1, 2, 2, 2, 1])) - exchange * (np.eye(5, k=1) + np.eye(5, k=-1))
    found = flow(1e-3, 2000, 200000, {**scheme, "/grid/levels/dz_m": h})
    cases.below(f"{name}: balance in five layers", away(found, np.linalg.solve(matrix, [0, 0, 0, 0, STRESS])), SINGLE)

    # H (r + i f) (u + i v) = tau / rho
    found = flow(1e-4, 1000, 300000, {**scheme, "/physics/coriolis": {"f_s": 1e-4}})
    cases.below(f"{name}: balance with wind and Coriolis", away(found, STRESS / (DEPTH * (1e-4 + 1e-4j))), SINGLE)

# a seiche so low that the equations are linear: wave by wave (1 + r dt) b' - theta g k dt a' = b + (1 - theta) g k dt a,
# a' + theta H k dt b' = a - (1 - theta) H k dt b, for the level a cos(kx) and the velocity b sin(kx) on the grid
LENGTH, DX, RATE, THETA = 10e3, 100.0, 1e-3, 0.5
k = 2 / DX * np.sin(np.pi * DX / LENGTH / 2)
for name in ("explicit-z", "matm"):
    for step in (20, 200):
        series = cases.run("verification/seiche", {
            **SCHEMES[name], "/physics/momentum/rayleigh_1_s": RATE, "/physics/free_surface/theta": THETA,
            "/initial/eta_m": "1e-5*cos(pi*x/10000)", "/time/step_s": step, "/time/duration_s": 4000,
            "/output": [{"stations": {"west": [50, 200]}, "every_s": step, "variables": ["eta"]}]}).stations()
        pull, drain = GRAVITY * k * step, DEPTH * k * step
        new = np.array([[1, THETA * drain], [-THETA * pull, 1 + RATE * step]])
        old = np.array([[1, (THETA - 1) * drain], [(1 - THETA) * pull, 1]])
        wave, level = np.array([1, 0]), []
        for _ in series["time"]:
            level.append(wave[0] * np.cos(np.pi * 50 / LENGTH))
            wave = np.linalg.solve(new, old @ wave)
        cases.below(f"{name}: seiche in steps of {step} s", np.max(np.abs(series["eta"][:, 0] / 1e-5 - level)), 2e-6)
cases.finish()
