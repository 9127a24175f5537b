# SPDX-License-Identifier: Apache-2.0
"""An initial level from a file."""

from pathlib import Path

import netCDF4
import numpy as np


def write(name, x, y, level):
    """`level` [m] at the places x and y [m], or the same for all y; returns what /initial/eta_m takes."""
    path = Path.cwd() / name
    with netCDF4.Dataset(path, "w") as data:
        for axis, values in (("y", y), ("x", x)):
            data.createDimension(axis, len(values))
            variable = data.createVariable(axis, "f8", (axis,))
            variable.units, variable[:] = "m", values
        eta = data.createVariable("eta", "f8", ("y", "x"))
        eta.units, eta[:] = "m", np.broadcast_to(level, (len(y), len(x)))
    return {"file": str(path)}
