# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
"""Run-up of a solitary wave on a steep slope: the highest bed that falls wet, against a plain finite-volume scheme; with
non-hydrostatic pressure against potential flow. No water becomes faster than a fall from the highest one to the bed."""

import cases
import numpy as np
import shallow_water

DEPTH, HEIGHT, FILM = 0.32, 0.05792, 1e-3
WEST, LENGTH, DURATION = -5.7, 8.5, 4.0
POTENTIAL = 0.200  # of a third-order wave [m], by boundary elements (90 and 160 nodes on the surface: within 0.2 %), where 1 mm deep
SHIFTS = (0, 0.25, 0.5, 0.75)  # of the grid, in cells: at 5 cm the bed rises by 7 % of the run-up from cell to cell


def reference(dx, shift):
    x = WEST + dx * (np.arange(round(LENGTH / dx)) + 0.5 + shift)
    bed = np.where(x < 0, -DEPTH, -DEPTH + x / 4)
    eta = HEIGHT / np.cosh(1.1514 * (x + 1.89)) ** 2
    velocity = np.where(x < 0, 2 * (np.sqrt(9.81 * (DEPTH + eta)) - np.sqrt(9.81 * DEPTH)), 0)
    flows = shallow_water.run(np.maximum(0, eta - bed), velocity, bed, dx, DURATION)
    return max(np.max(bed[h > FILM]) for h, _ in flows)


def found(dx, shift, settings=None):
    run = cases.run("verification/run_up", {"/grid/x0_m": WEST + shift * dx, "/grid/dx_m": dx, "/grid/length_y_m": dx,
                                            "/time/step_s": dx / 10, **(settings or {})})
    cases.conserves(run)
    fields = run.fields()
    depth, bed = fields["depth"][:, 0], fields["bed"][0]
    cases.below("most negative depth [m]", -np.nanmin(depth), 0.0)
    up = max(np.max(bed[np.nan_to_num(h) > FILM]) for h in depth)
    cases.below("fastest, of a free fall", np.max(run.column("max_speed_m_s")) / np.sqrt(2 * 9.81 * (DEPTH + up)), 1)
    return up


def third_order():
    """A solitary wave that keeps its form (R. Grimshaw, J. Fluid Mech. 46 (1971) 611-622): level, mean velocity."""
    e = HEIGHT / DEPTH
    k, c = np.sqrt(0.75 * e) * (1 - 5 / 8 * e + 71 / 128 * e**2) / DEPTH, np.sqrt(9.81 * DEPTH * (1 + e - e**2 / 20 - 3 / 70 * e**3))
    s, t = f"(cosh({k}*(x+1.89))^-2)", f"(tanh({k}*(x+1.89))^2)"
    eta = f"({DEPTH}*{s}*({e} - {0.75 * e**2}*{t} + {e**3}*{t}*({5 / 8} - {101 / 80}*{s})))"
    return {"/initial/eta_m": eta, "/initial/u_m_s": f"x < 0 ? {c}*{eta}/({DEPTH} + {eta}) : 0"}


for dx in (0.05, 0.025, 0.0125) if cases.THOROUGH else (0.05, 0.025):
    ours, theirs = (np.mean([of(dx, shift) for shift in SHIFTS]) for of in (found, reference))
    cases.close(f"run-up on 1:4, dx {100 * dx:g} cm [m]", ours, theirs, 0.03)
wave = {"/physics/pressure": "nonhydrostatic", "/grid/levels/dz_m": DEPTH / 4, **third_order()}
cases.close("non-hydrostatic, dx 2.5 cm [m]", found(0.025, 0, wave), POTENTIAL, 0.09)
cases.finish()
