# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""Dam breaks over water and over a dry bed: plateau, shock, rarefaction, front."""

import cases
import numpy as np

IMPLICIT = cases.SETTINGS.get("/physics/momentum/scheme") == "matm"
GRAVITY, DAM, TIME = 9.81, 500.0, 30.0
C = np.sqrt(GRAVITY * 10)
MIDDLE, SPEED, SHOCK = 3.9618, 7.3412, 9.8193


def profile(run):
    fields = run.fields()
    x = fields["x"] - DAM
    u = fields["u"][:, -1, 1, :]
    return x, fields["eta"][:, 1, :], 0.5 * (u[:, 1:] + u[:, :-1]), fields


def wet(label, settings, overshoot):
    run = cases.run("verification/dam_break_wet", settings)
    cases.conserves(run)
    x, eta, u, _ = profile(run)
    depth = eta + 1
    plateau = (x > (SPEED - np.sqrt(GRAVITY * MIDDLE)) * TIME + 30) & (x < SHOCK * TIME - 30)
    cases.close(f"{label}: depth of the plateau", np.mean(depth[-1][plateau]), MIDDLE, 0.02)
    cases.close(f"{label}: speed of the plateau", np.mean(u[-1][plateau]), SPEED, 0.02)
    cases.below(f"{label}: ripples on the plateau [m]", np.ptp(depth[-1][plateau]), 0.05)
    front = [x[np.where(d > 0.5 * (MIDDLE + 1))[0][-1]] for d in depth[1:]]
    cases.close(f"{label}: speed of the shock", (front[-1] - front[0]) / 20, SHOCK, 0.02)
    cases.below(f"{label}: highest water behind the shock [m]", np.max(depth[-1][x > 50]), MIDDLE * overshoot)
    fan = (x > -C * TIME) & (x < (SPEED - np.sqrt(GRAVITY * MIDDLE)) * TIME)
    exact = (2 * C - x[fan] / TIME) ** 2 / (9 * GRAVITY)
    cases.below(f"{label}: rarefaction, mean error [m]", np.mean(np.abs(depth[-1][fan] - exact)), 0.05)
    return x, depth, u


def dry(label, settings):
    run = cases.run("verification/dam_break_dry", settings)
    cases.conserves(run)
    x, _, _, fields = profile(run)
    depth = fields["depth"][:, 1, :]
    cases.below(f"{label}: most negative depth [m]", -np.min(depth), 0.0)
    exact = np.where(x < -C * TIME, 10, np.where(x < 2 * C * TIME, (2 * C - x / TIME) ** 2 / (9 * GRAVITY), 0))
    cases.below(f"{label}: mean error of the depth [m]", np.mean(np.abs(depth[-1] - exact)), 0.01)
    cases.below(f"{label}: largest error of the depth [m]", np.max(np.abs(depth[-1] - exact)), 0.15)
    front = x[np.where(depth[-1] > 1e-3)[0][-1]]
    cases.close(f"{label}: way of the front (1 mm)", front, 2 * C * TIME, 0.12 if IMPLICIT else 0.03)
    cases.below(f"{label}: fastest water [m/s]", np.max(run.column("max_speed_m_s")), 2 * C)


def circle():
    """A column of water that falls: as symmetric as the grid, and round."""
    run = cases.run("verification/dam_break_wet", {
        "/grid/x0_m": -100, "/grid/y0_m": -100, "/grid/length_x_m": 200, "/grid/length_y_m": 200, "/grid/dx_m": 2,
        "/time/duration_s": 8, "/time/step_s": 0.05, "/initial/eta_m": "x^2 + y^2 < 2500 ? 9 : 0", "/output/0/every_s": 8})
    cases.conserves(run)
    fields = run.fields()
    eta = fields["eta"][-1]
    for name, mirrored in (("x and y", eta.T), ("east and west", eta[:, ::-1]), ("north and south", eta[::-1, :])):
        cases.below(f"circle: difference between {name} [m]", np.max(np.abs(eta - mirrored)), 1e-6)
    radius = np.hypot(*np.meshgrid(fields["x"], fields["y"]))
    slope = (radius > 15) & (radius < 45)
    shape = np.polyval(np.polyfit(radius[slope], eta[slope], 5), radius[slope])
    cases.below("circle: deviation from a circle [m]", np.sqrt(np.mean((eta[slope] - shape) ** 2)), 0.05)


circle()
wet("Courant number 0.5", {"/time/step_s": 0.05}, 1.15)
wet("Courant number 0.25", {"/time/step_s": 0.025}, 1.06)
wet("upwind", {"/time/step_s": 0.05, "/physics/momentum/advection": "upwind"}, 1.15)
dry("dry", {})
if not IMPLICIT:  # order 2: as smooth flow only where it is smooth
    SECOND = {"/physics/momentum/order": 2}
    wet("order 2, Courant number 0.25", {"/time/step_s": 0.025, **SECOND}, 1.06)
    dry("order 2, dry", SECOND)
cases.finish()
