# SPDX-License-Identifier: Apache-2.0
"""Run-up of a solitary wave on a steep slope: the highest bed that falls wet, against a plain finite-volume scheme."""

import cases
import numpy as np
import shallow_water

DEPTH, HEIGHT, FILM = 0.32, 0.05792, 1e-3
WEST, LENGTH, DURATION = -5.7, 8.5, 4.0
SHIFTS = (0, 0.25, 0.5, 0.75)  # of the grid, in cells: at 5 cm the bed rises by 7 % of the run-up from cell to cell


def reference(dx, shift):
    x = WEST + dx * (np.arange(round(LENGTH / dx)) + 0.5 + shift)
    bed = np.where(x < 0, -DEPTH, -DEPTH + x / 4)
    eta = HEIGHT / np.cosh(1.1514 * (x + 1.89)) ** 2
    velocity = np.where(x < 0, 2 * (np.sqrt(9.81 * (DEPTH + eta)) - np.sqrt(9.81 * DEPTH)), 0)
    flows = shallow_water.run(np.maximum(0, eta - bed), velocity, bed, dx, DURATION)
    return max(np.max(bed[h > FILM]) for h, _ in flows)


def found(dx, shift):
    run = cases.run("verification/run_up", {"/grid/x0_m": WEST + shift * dx, "/grid/dx_m": dx, "/grid/length_y_m": dx,
                                            "/time/step_s": dx / 10})
    cases.conserves(run)
    fields = run.fields()
    depth, bed = fields["depth"][:, 0], fields["bed"][0]
    cases.below("most negative depth [m]", -np.nanmin(depth), 0.0)
    return max(np.max(bed[np.nan_to_num(h) > FILM]) for h in depth)


for dx in (0.05, 0.025, 0.0125):
    ours, theirs = (np.mean([of(dx, shift) for shift in SHIFTS]) for of in (found, reference))
    cases.close(f"run-up on 1:4, dx {100 * dx:g} cm [m]", ours, theirs, 0.03)
cases.finish()
