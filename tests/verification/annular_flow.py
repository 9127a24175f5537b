# SPDX-License-Identifier: Apache-2.0
"""Viscous flow in a ring whose walls are stairs, and with cells that are wet in part: error and order, areas."""

import cases
import netCDF4
import numpy as np

INNER, OUTER, FORCE, VISCOSITY = 200.0, 450.0, 0.04225, 10.0
half = FORCE / (2 * VISCOSITY)
A, B = np.linalg.solve([[INNER, 1 / INNER], [OUTER, 1 / OUTER]], [half * r * np.log(r) for r in (INNER, OUTER)])


def along_x(x, y):
    """At places from the middle of the ring."""
    r = np.maximum(np.hypot(x, y), 1)
    return -(A * r + B / r - half * r * np.log(r)) * y / r


def middles(x, y, spacing):
    """Of the open parts of the faces at these places, from the middle of the ring; NaN: closed."""
    chord = lambda radius: np.sqrt(np.maximum(radius**2 - x**2, 0))
    begin = np.maximum(np.abs(y) - spacing / 2, chord(INNER))
    end = np.minimum(np.abs(y) + spacing / 2, chord(OUTER))
    return np.where(begin < end, np.sign(y) * (begin + end) / 2, np.nan)


def raster(cells=2000):
    """The ring at 0.5 m: its cells move a wall by a quarter of a metre, which is what is left of the error at 80 cells."""
    middle = (np.arange(cells) + 0.5) * 1000 / cells
    r = np.hypot(middle[None] - 500, middle[:, None] - 500)
    with netCDF4.Dataset("ring.nc", "w") as file:
        for name in ("x", "y"):
            file.createDimension(name, cells)
            file.createVariable(name, "f8", (name,))[:] = middle
            file[name].units = "m"
        file.createVariable("height", "i1", ("y", "x"))[:] = np.where((r > INNER) & (r < OUTER), -10, 10)
    return {"file": f"{cases.Path.cwd()}/ring.nc", "variable": "height", "positive": "up"}


def run(cells, settings, **how):
    result = cases.run("verification/annular_flow", {"/grid/dx_m": 1000 / cells, **settings}, **how)
    cases.conserves(result, 1e-13)
    return result


def distance(cells, settings, in_part):
    fields = run(cells, settings).fields()
    x, y = np.meshgrid(fields["x_u"] - 500, fields["y"] - 500)
    found = fields["u"][-1, 0]
    place = middles(x, y, 1000 / cells) if in_part else np.where((np.hypot(x, y) > INNER) & (np.hypot(x, y) < OUTER), y, np.nan)
    wet = np.isfinite(place) & (np.isfinite(found) | (not in_part))
    wanted, found = along_x(x, place)[wet], np.nan_to_num(found[wet])
    area = np.nansum(fields["cell_area"] * fields["wet_fraction"]) if "wet_fraction" in fields else 0
    return np.sqrt(np.sum((found - wanted) ** 2) / np.sum(wanted**2)), area


RING = np.pi * (OUTER**2 - INNER**2)
IN_PART = {"/bathymetry": raster()}
CASES = (("stairs", {}, 0.08, 0.6, 1.3, 2e-2), ("cells wet in part", IN_PART, 0.003, 1.8, 2.4, 1e-3))
for name, settings, most, least_order, most_order, off in CASES:
    errors, areas = zip(*(distance(cells, settings, bool(settings)) for cells in (20, 40, 80)))
    cases.below(f"{name}: error on 80 cells", errors[-1], most)
    cases.between(f"{name}: order", cases.orders([errors[0], errors[-1]], 4)[0], least_order, most_order)
    print(f"      errors {np.round(errors, 5)}, areas off by {np.round(np.array(areas) / RING - 1, 5)}")
    cases.close(f"{name}: area", areas[-1], RING, off)
SHORT = {**IN_PART, "/time/duration_s": 200, "/output": []}
alone = run(20, SHORT).digest
for ranks in (2, 3):
    cases.equal(f"digest on {ranks} ranks", run(20, SHORT, ranks=ranks).digest, alone)
cases.equal("digest of the emulator", run(20, SHORT, options=("--device", "emu")).digest, alone)
cases.finish()
