# SPDX-License-Identifier: Apache-2.0
"""Viscous flow in a ring whose walls are stairs, and with cells that are wet in part: error and order, areas."""

import cases
import numpy as np

INNER, OUTER, FORCE, VISCOSITY = 200.0, 450.0, 0.04225, 10.0
half = FORCE / (2 * VISCOSITY)
A, B = np.linalg.solve([[INNER, 1 / INNER], [OUTER, 1 / OUTER]], [half * r * np.log(r) for r in (INNER, OUTER)])


def along_x(x, y):
    r = np.maximum(np.hypot(x - 500, y - 500), 1)
    return -(A * r + B / r - half * r * np.log(r)) * (y - 500) / r, (r > INNER) & (r < OUTER)


def raster(cells=400):
    """The ring at 2.5 m."""
    middle = (np.arange(cells) + 0.5) * 1000 / cells - 500
    r = np.hypot(middle[None], middle[:, None])
    rows = "\n".join(" ".join("-10" if wet else "10" for wet in row) for row in (r > INNER) & (r < OUTER))
    with open("ring.asc", "w", encoding="ascii") as file:
        file.write(f"ncols {cells}\nnrows {cells}\nxllcorner 0\nyllcorner 0\ncellsize {1000 / cells}\nnodata_value 9999\n{rows}\n")
    return {"file": f"{cases.Path.cwd()}/ring.asc", "positive": "up"}


def distance(cells, settings):
    run = cases.run("verification/annular_flow", {"/grid/dx_m": 1000 / cells, **settings})
    cases.conserves(run, 1e-13)
    fields = run.fields()
    wanted, wet = along_x(*np.meshgrid(fields["x_u"], fields["y"]))
    found = np.nan_to_num(fields["u"][-1, 0])
    area = np.nansum(fields["cell_area"] * fields["wet_fraction"]) if "wet_fraction" in fields else 0
    return np.sqrt(np.sum((found - wanted)[wet] ** 2) / np.sum(wanted[wet] ** 2)), area


RING = np.pi * (OUTER**2 - INNER**2)
for name, settings, most, off in (("stairs", {}, 0.08, 2e-2), ("cells wet in part", {"/bathymetry": raster()}, 0.065, 2e-3)):
    errors, areas = zip(*(distance(cells, settings) for cells in (20, 40, 80)))
    cases.below(f"{name}: error on 80 cells", errors[-1], most)
    cases.between(f"{name}: order", cases.orders([errors[0], errors[-1]], 4)[0], 0.6, 1.3)
    print(f"      errors {np.round(errors, 4)}, areas off by {np.round(np.array(areas) / RING - 1, 5)}")
    cases.close(f"{name}: area", areas[-1], RING, off)
cases.finish()
