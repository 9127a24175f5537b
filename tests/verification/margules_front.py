# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""What two inertial periods leave of a balanced front that comes to the surface: with a sharp interface the current beside the outcrop
is too weak on any grid; with a half-width of two layers it stays."""

import cases
import numpy as np

CASE = "verification/margules_front"
SPEED, RADIUS = 0.38868, 3885.0


def surface(run):
    """y and the current in the top layer, mean over the second period."""
    cases.conserves(run, 1e-13)
    fields = run.fields()
    return fields["y"], fields["u"][1, -1, :, 2]


def sharp(dx, dz, step, settings={}):
    """Its largest current over the exact one's at cell centres, and its error over the front, of the exact rms there."""
    y, found = surface(cases.run(CASE, {"/grid/dx_m": dx, "/grid/length_x_m": 8 * dx, "/grid/levels/dz_m": dz, "/time/step_s": step, **settings}))
    exact = np.where(y > 0, -SPEED * np.exp(-y / RADIUS), 0)
    return np.min(found) / np.min(exact), np.sqrt(np.mean((found - exact) ** 2) / np.mean(exact**2))


coarse, medium, fine = (sharp(*grid) for grid in ((1000, 1, 400), (500, 1, 200), (250, 0.5, 100)))
cases.between("sharp front, 1000 m: part of the jet that stays", coarse[0], 0.66, 1)
cases.between("sharp front, 500 m", medium[0], 0.7, 1)
cases.between("sharp front, 250 m", fine[0], 0.75, 1)
cases.below("its error over the front, 250 m", fine[1], 0.22)
upwind = sharp(500, 1, 200, {"/physics/momentum/advection": "upwind"})
cases.below("sharp front, momentum advected upwind: less stays", upwind[0], medium[0] - 0.05)


def smooth(dx, dz, step, thickness=2):
    """A front as steep, with h = 10 m tanh(y/R) and an interface of tanh shape: the largest error, of the largest current."""
    h = f"10*tanh(y/{RADIUS:g})"
    fields = {"/grid/dx_m": dx, "/grid/length_x_m": 8 * dx, "/grid/levels/dz_m": dz, "/time/step_s": step,
              "/grid/y0_m": -20000, "/grid/length_y_m": 40000, "/initial": {
        "salinity": f"15 - tanh((z + {h})/{thickness})",
        "eta_m": f"7.7e-4*({h} - {thickness}*log((1 + exp(-2*(20 - {h})/{thickness}))/(1 + exp(-2*{h}/{thickness}))) - (20 - {h}))",
        "u_m_s": f"-9.81*7.7*(10/{RADIUS:g})*(1 - tanh(y/{RADIUS:g})^2)*(tanh((z + {h})/{thickness}) + tanh((20 - {h})/{thickness}))"}}
    y, found = surface(cases.run(CASE, fields))
    interface, slope = 10 * np.tanh(y / RADIUS), 10 / RADIUS / np.cosh(y / RADIUS) ** 2
    exact = -9.81 * 7.7 * slope * (np.tanh((interface - dz / 2) / thickness) + np.tanh((20 - interface) / thickness))
    return np.max(np.abs(found - exact)) / np.max(np.abs(exact))


errors = [smooth(500, 1, 200), smooth(250, 0.5, 100)]
cases.below("interface with a half-width of two layers, 500 m: largest error", errors[0], 0.012)
cases.between("its order", cases.orders(errors)[0], 1.3, 2.5)
cases.finish()
