# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
"""A child inside a parent with the same cells, driven by its hourly records: ten days of a stratified tidal sea with an
island, a headland, a plume, wind and rotation. The child should be the parent."""

import json
from pathlib import Path

import cases
import numpy as np

PERIOD, BOX = 44714, (14000, 36000, 6000, 26000)
BED = "-6 - 26*min(1, y/24000) + 20*exp(-((x - 26000)^2 + (y - 15000)^2)/2500^2) + 24*exp(-((x - 16000)/2500)^2 - ((y - 2000)/5000)^2)"
SEA = {"bathymetry": {"bed_m": BED}, "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 864000, "step_s": 120},
       "physics": {"density": {"equation": "linear"}, "turbulence": {"closure": "k-epsilon"}, "coriolis": {"f_s": 1e-4},
                   "drag": {"law": "manning", "n": 0.025}, "momentum": {"horizontal_viscosity_m2_s": 5}},
       "forcing": {"wind": {"u_m_s": "7*cos(2*pi*t/302400)", "v_m_s": "5*sin(2*pi*t/216000)"}}}
VARIABLES = ["eta", "u", "v", "w", "salinity"]


def run(label, box, every, changes, faces):
    grid = {"kind": "cartesian", "x0_m": box[0], "y0_m": box[2], "length_x_m": box[1] - box[0], "length_y_m": box[3] - box[2], "dx_m": 1000,
            "flood_to_m": 2, "levels": {"bottom_m": -32, "dz_m": 4}}
    path = Path.cwd() / f"{label}.json"
    output = {"file": f"{label}.nc", "every_s": every, "variables": VARIABLES, "velocities": "faces" if faces else "centres"}
    path.write_text(json.dumps({**SEA, "grid": grid, "output": [output], **changes}))
    return cases.run(path, label=f"{label}_run")


def tide(phase, turn):
    return [{"period_s": PERIOD, "amplitude_m": "0.7*exp(-y/170000)", "phase_deg": phase, "velocity_amplitude_m_s": "0.4*exp(-y/170000)", "velocity_phase_deg": turn}]


shared = {"kind": "flather", "eta_m": 0, "salinity": 34, "inflow_relaxation_s": 21600}
parent = run("parent", (0, 48000, 0, 32000), 3600, {
    "initial": {"salinity": "34 - 3*exp(z/8)*(1 + 0.3*sin(x/6000)*cos(y/5000)) - 4*exp(-y/4000)"},
    "rivers": [{"name": "plume", "x_m": 30500, "y_m": 500, "discharge_m3_s": 600, "salinity": 0}],
    "boundaries": [{"name": "west", "edge": "west", "tide": tide(0, 0), **shared}, {"name": "east", "edge": "east", "tide": tide(22, 202), **shared}]}, True)
there = parent.read("parent.nc")
nest = str(parent.folder / "results/parent/parent.nc")


seen_of = {}


def compare(label, changes):
    child = run(label, BOX, 172800, {"nest": nest, **changes}, False)
    cases.conserves(child, 1e-12)
    seen = seen_of[label] = child.read(f"{label}.nc")
    i, j = slice(BOX[0] // 1000, BOX[1] // 1000), slice(BOX[2] // 1000, BOX[3] // 1000)
    rows = []
    for day in (2, 6, 10):
        hour, record = 24 * day, day // 2
        u = 0.5 * (there["u"][hour, :, j, i] + there["u"][hour, :, j, slice(i.start + 1, i.stop + 1)])
        wrong = (seen["eta"][record] - there["eta"][hour, j, i], seen["u"][record] - u, seen["salinity"][record] - there["salinity"][hour, :, j, i])
        rows.append([scale * np.sqrt(np.nanmean(w**2)) for scale, w in zip((1000, 100, 1), wrong)])
    print(f"{label:12}", " | ".join("{:6.1f} mm {:6.2f} cm/s {:6.3f}".format(*row) for row in rows))
    return np.array(rows)


def rise_at_edge(label):
    """w in the first row of cells beside the edge, and what differs from that in the parent: root mean squares, of the parent's."""
    edge = np.ones((20, 22), bool)
    edge[1:-1, 1:-1] = False
    here = seen_of[label]["w"][1:6:2][..., edge]
    outside = there["w"][[48, 144, 240]][..., 6:26, 14:36][..., edge]
    return [np.sqrt(np.nanmean(w**2) / np.nanmean(outside**2)) for w in (here, here - outside)]


zone = compare("zone", {})
plain = compare("plain", {"boundaries": [{"name": "nest", "edge": "rest", "kind": "flather", "relaxation_zone": {"cells": 0}}]})
sponge = compare("sponge", {"boundaries": [{"name": "nest", "edge": "rest", "kind": "flather", "relaxation_zone": {"cells": 0}, "sponge": {"width_m": 5000, "time_s": 3600}}]})
linear = compare("linear", {"boundaries": [{"name": "nest", "edge": "rest", "kind": "flather", "relaxation_zone": {"cells": 0}, "time_interpolation": "linear"}]})
# What nests miss grows with the drag. With n 0.019: 0.54 mm, 0.087 cell by cell, without the zone 0.044 of salinity and 0.38 cm/s,
# 0.037 behind a sponge, of lines 0.254; with n 0.025: 0.575, 0.096, 0.050, 0.45, 0.045, 0.254
cases.below("nest: level [mm]", zone[:, 0].max(), 0.59)
cases.below("nest: w beside the edge, of that in the parent", abs(rise_at_edge("zone")[0] - 1), 0.011)
cases.below("nest: what differs from it, cell by cell", rise_at_edge("zone")[1], 0.098)
cases.below("nest: velocity [cm/s]", zone[:, 1].max(), 0.21)
cases.below("nest: salinity", zone[:, 2].max(), 0.0146)
cases.below("without the zone: velocity [cm/s]", plain[:, 1].max(), 0.46)
cases.below("without the zone: salinity", plain[:, 2].max(), 0.051)
cases.below("zone of relaxation: velocity, of that without", (zone[:, 1] / plain[:, 1]).max(), 0.55)
cases.below("zone of relaxation: salinity, of that without", (zone[:, 2] / plain[:, 2]).max(), 0.39)
cases.below("sponge: velocity [cm/s]", sponge[:, 1].max(), 0.35)
cases.below("sponge: salinity", sponge[:, 2].max(), 0.046)
cases.below("cubic in time: level, of that of lines", (plain[:, 0] / linear[:, 0]).mean(), 0.256)
cases.finish()
