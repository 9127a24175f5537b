# SPDX-License-Identifier: Apache-2.0
"""Means, extremes and series of a run are those of the maps of all its steps: intervals, films, windows, heights of layers."""

import json
from pathlib import Path

import cases
import numpy as np

STEP, DRY = 60.0, 0.01
SEA = {
    "title": "A bay with a beach", "grid": {"kind": "cartesian", "length_x_m": 6000, "length_y_m": 3600, "dx_m": 600, "levels": {"interfaces_m": [-8, -4, -2, 0]}, "flood_to_m": 2},
    "bathymetry": {"bed_m": "-7 + x/800 + 0.6*sin(y/700)", "keep": "all"}, "time": {"start": "2020-06-01T00:00:00Z", "duration_s": 2400, "step_s": STEP},
    "initial": {"eta_m": "0.8*cos(pi*x/6000)", "salinity": "20 + x/1000"}, "output_dry_depth_m": DRY,
    "output": [
        {"file": "all.nc", "every_s": STEP, "variables": ["eta", "depth", "speed", "u_east", "salinity", "thickness"]},
        {"file": "means.nc", "every_s": 900, "mean": True, "variables": ["eta", "depth", "salinity"]},
        {"file": "window.nc", "every_s": 600, "variables": ["eta", "salinity"], "levels": [0, 1], "box": [1400, 4100, 700, 2000]},
        {"file": "stations.nc", "every_s": 300, "variables": ["eta", "salinity"], "stations": {"deep": [300, 900], "beach": [5100, 2700]}},
        {"file": "extremes.nc", "extremes": ["max_eta", "min_eta", "time_of_max_eta", "time_of_min_eta", "max_speed", "max_depth", "inundation_duration"]}]}
Path("sea.json").write_text(json.dumps(SEA))
run = cases.run(Path("sea.json").resolve())
every = run.fields("all.nc")
time, eta, depth, bed = every["time"], every["eta"], every["depth"], every["bed"]


def same(name, found, expected, room=2e-6):
    """Files of numbers in single precision."""
    cases.equal(f"{name}: where there are values", bool(np.array_equal(np.isnan(found), np.isnan(expected))), True)
    cases.below(f"{name}: off by", float(np.nanmax(np.abs(found - expected))), room)


cases.equal("a record of the start and of each step", time.tolist(), [STEP * n for n in range(41)])
moves = np.ptp(np.nan_to_num(eta[:, :, 0]), axis=0)
cases.below("the sea moves [m]", -float(moves.min()), -0.1)

# ---- means: of the steps that end in the interval, in wet cells of the time in which they were wet ----
means = run.fields("means.nc")
cases.equal("intervals", means["time_bnds"].tolist(), [[0, 900], [900, 1800], [1800, 2400]])
cases.equal("means stand in their middle", means["time"].tolist(), [450, 1350, 2100])
for n, (start, end) in enumerate(means["time_bnds"]):
    inside = (time > start) & (time <= end)
    wet = np.isfinite(eta[inside])
    count = np.where(wet.sum(axis=0) > 0, wet.sum(axis=0), np.nan)
    same(f"mean level {n}", means["eta"][n], np.nansum(eta[inside], axis=0) / count)
    same(f"mean depth {n}", means["depth"][n], depth[inside].mean(axis=0))
    same(f"mean salinity {n}", means["salinity"][n][-1], np.nansum(every["salinity"][inside][:, -1], axis=0) / count, 1e-5)

# ---- a window: the two upper ones of three layers, from below ----
window = run.fields("window.nc")
cases.equal("cells whose centres lie in the box", (window["x"].tolist(), window["y"].tolist()), ([1500, 2100, 2700, 3300, 3900], [900, 1500]))
cases.equal("records of the window", window["time"].tolist(), [0, 600, 1200, 1800, 2400])
same("level of the window", window["eta"], eta[::10, 1:3, 2:7], 0)
same("its layers", window["salinity"], every["salinity"][::10, 1:, 1:3, 2:7], 0)

# ---- series: what their cells have ----
series = run.fields("stations.nc")
for n, (name, j, i) in enumerate((("deep", 1, 0), ("beach", 4, 8))):
    same(f"level at {name}", series["eta"][:, n], eta[::5, j, i], 0)
    same(f"salinity at {name}", series["salinity"][:, n], every["salinity"][::5, :, j, i], 0)
    tops = bed[j, i] + np.cumsum(np.nan_to_num(every["thickness"][::5, :, j, i]), axis=1)
    same(f"heights of the layers at {name}", series["z"][:, n], tops - 0.5 * every["thickness"][::5, :, j, i], 1e-5)

# ---- extremes, of the start and of all steps; a film floods nothing ----
found = run.fields("extremes.nc")
low, high = np.where(np.isnan(eta), np.inf, eta), np.where(np.isnan(eta), -np.inf, eta)
never, sometimes, ground = np.isnan(eta).all(axis=0), np.isnan(eta).any(axis=0), bed > 0


def whole(name):
    return np.where(never, 0, found[name].reshape(never.shape))


for name, expected in (("max_eta", high.max(axis=0)), ("min_eta", low.min(axis=0)), ("max_depth", depth.max(axis=0)),
                       ("max_speed", np.max(np.nan_to_num(every["speed"][:, -1]), axis=0))):
    same(name, whole(name), np.where(never, 0, np.where(sometimes, np.nan, expected) if name == "min_eta" else expected))
for name, expected, without in (("time_of_max_eta", time[high.argmax(axis=0)], never), ("time_of_min_eta", time[low.argmin(axis=0)], sometimes)):
    cases.below(f"{name}: off by [s]", float(np.max(np.abs(np.where(without, 0, whole(name) - expected)))), 0)
films = ground & ((depth > 0) & (depth < DRY)).any(axis=0)
cases.equal("there are films on the beach", bool(films.any()), True)
same("time under water", found["inundation_duration"].reshape(never.shape), STEP * (ground & (depth[1:] >= DRY)).sum(axis=0), 0)
cases.equal("the run's interval", found["time_bnds"].ravel().tolist(), [0, 2400])
cases.finish()
