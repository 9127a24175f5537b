# SPDX-License-Identifier: Apache-2.0
"""Initial files whose levels are heights, depths, sigma or s coordinates: salt that changes evenly with the height comes out so in every
layer, wherever the levels are. The formulas are those of the CF conventions, appendix D."""

import json
from pathlib import Path

import netCDF4
import numpy as np

import cases

X, Y = np.arange(500.0, 6000, 1000), np.arange(500.0, 3000, 1000)
DEPTH = 20 + 3 * X / 1000 + 0 * Y[:, None]
S = np.array([-1, -0.8, -0.5, -0.2, 0])  # from the bed up
C = -(np.abs(S) ** 1.7)
CRITICAL, A, B = 12.0, 3.0, 0.4
SEA = {"title": "A slope", "grid": {"kind": "cartesian", "length_x_m": 6000, "length_y_m": 3000, "dx_m": 1000, "levels": {"bottom_m": -40, "dz_m": 4}},
       "bathymetry": {"bed_m": "-20 - 3*x/1000"}, "time": {"start": "2020-06-01T00:00:00Z", "duration_s": 60, "step_s": 60},
       "physics": {"density": {"equation": "linear"}}, "initial": {"salinity": {"file": "levels.nc"}}, "output": [{"every_s": 60, "variables": ["salinity"]}]}
Path("sea.json").write_text(json.dumps(SEA))


def song_and_haidvogel(s):
    return (1 - B) * np.sinh(A * s) / np.sinh(A) + B * (np.tanh(A * (s + 0.5)) / (2 * np.tanh(0.5 * A)) - 0.5)


# name: (standard_name, attributes, heights of (level, y, x), terms)
S3, C3, H = S[:, None, None], C[:, None, None], DEPTH[None]
LAYOUTS = {
    "sigma": ("ocean_sigma_coordinate", S3 * H, "sigma: s eta: none depth: h"),
    "s": ("ocean_s_coordinate", CRITICAL * S3 + (H - CRITICAL) * song_and_haidvogel(S3), "s: s eta: none depth: h a: a b: b depth_c: hc"),
    "s, g1": ("ocean_s_coordinate_g1", CRITICAL * S3 + (H - CRITICAL) * C3, "s: s C: C eta: none depth: h depth_c: hc"),
    "s, g2": ("ocean_s_coordinate_g2", H * (CRITICAL * S3 + H * C3) / (CRITICAL + H), "s: s C: C eta: none depth: h depth_c: hc"),
    "heights": ("height", -40 * np.array([1, 0.7, 0.4, 0.1, 0])[:, None, None] + 0 * H, None),
    "depths": ("depth", -40 * np.array([0, 0.1, 0.4, 0.7, 1])[:, None, None] + 0 * H, None),
}


def salinity(z):
    return 30 - 0.25 * z


def write(standard_name, z, terms):
    with netCDF4.Dataset("levels.nc", "w") as data:
        for name, at in (("y", Y), ("x", X)):
            data.createDimension(name, len(at))
            axis = data.createVariable(name, "f8", (name,))
            axis.units, axis[:] = "m", at
        data.createDimension("s", 5)
        level = data.createVariable("s", "f8", ("s",))
        level.standard_name = standard_name
        if terms:
            level[:], level.formula_terms = S, terms
            for name, value in (("hc", CRITICAL), ("a", A), ("b", B)):
                data.createVariable(name, "f8", ())[...] = value
            data.createVariable("C", "f8", ("s",))[:] = C
            data.createVariable("h", "f8", ("y", "x"))[:] = DEPTH
        else:
            level.units, level.positive = "m", "down" if standard_name == "depth" else "up"
            level[:] = z[:, 0, 0] * (-1 if standard_name == "depth" else 1)
        salt = data.createVariable("salinity", "f8", ("s", "y", "x"))
        salt.units, salt[:] = "1e-3", salinity(z)


for name, (standard_name, z, terms) in LAYOUTS.items():
    write(standard_name, z, terms)
    fields = cases.run(Path("sea.json").resolve(), options=("--steps", "1")).fields()
    share, bed = np.nan_to_num(fields["layer_share"]), fields["bed"]
    middle = bed - (np.cumsum(share, axis=0) - 0.5 * share) * bed  # at rest, from the bed up
    found = fields["salinity"][0]
    # beyond the file's uppermost and lowest levels its last value holds
    expected = salinity(np.clip(middle, z.min(axis=0), z.max(axis=0)))
    cases.below(f"{name}: salinity off by", float(np.nanmax(np.abs(found - expected))), 1e-6)
cases.finish()
