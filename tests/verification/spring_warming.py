# SPDX-License-Identifier: Apache-2.0
"""A basin that the sun warms under a light wind: no chessboard in temperature or vertical viscosity, whatever the closure."""

import cases
import numpy as np


def two_cells(field):
    """What remains of a field without all that is smoother than a chessboard."""
    beside = field[:-2, 1:-1] + field[2:, 1:-1] + field[1:-1, :-2] + field[1:-1, 2:]
    corners = field[:-2, :-2] + field[:-2, 2:] + field[2:, :-2] + field[2:, 2:]
    return (4 * field[1:-1, 1:-1] - 2 * beside + corners) / 16


def rms(values):
    return np.sqrt(np.nanmean(values**2))


# stronger drag lets the bed, cut into layers, show in the temperature: a law of the lowest layer's velocity, so that the closures alone decide
DRAG = {"/physics/drag": {"law": "constant", "cd": 0.003}}
for closure, settings, of_temperature, of_viscosity in (
        ("k-epsilon", {}, 0.0012, 0.002), ("k-epsilon", {"/physics/turbulence/stability": "cheng"}, 0.0012, 0.002), ("mixing-length", {}, 0.0065, 0.0135),
        ("azov", {"/physics/turbulence/cs": 1}, 0.007, 0.017), ("parabolic", {}, 0.0005, 1e-5)):
    fields = cases.run("verification/spring_warming", {**DRAG, "/physics/turbulence/closure": closure, **settings}).fields()
    deep = (fields["bed"] < -5)[1:-1, 1:-1]
    temperature, viscosity = fields["temperature"][1:, -1], fields["vertical_viscosity"][1:, -2]
    what = ", ".join([closure, *(str(value) for value in settings.values())])
    cases.below(f"{what}: chessboard in the surface temperature [K]", max(rms(two_cells(t)[deep]) for t in temperature), of_temperature)
    cases.below(f"{what}: chessboard in the viscosity, of its mean", max(rms(two_cells(v)[deep]) / np.nanmean(v[1:-1, 1:-1][deep]) for v in viscosity), of_viscosity)
    cases.between(f"{what}: warming [K]", np.nanmean(temperature[-1]) - 8, 1.5, 4)
cases.finish()
