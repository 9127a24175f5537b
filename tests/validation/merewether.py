# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 3600
# ctest: processors 2
"""The flood of June 2007 in Merewether, Newcastle (Australia): 19.7 m3/s between 57 houses on cells of 1 m, until it is steady; levels at
five marks, beside those of TUFLOW. G. Smith, C. Wasko, Representation of buildings in 2D numerical flood models, Australian
Rainfall and Runoff, Revision Project 15, Engineers Australia 2012 (tables 4 and 9; data/README.md)."""

import gzip
import subprocess
from pathlib import Path

import cases
import judges
import numpy as np

DATA = Path(__file__).resolve().parent / "data" / "merewether"
WIDE, TALL, MOAT = 320, 415, 10  # cells of 1 m; what leaves in the east and north falls into a moat
DATUM = 27.0                     # ground above it stays dry
# metres from the corner of the map; levels of the flood and of TUFLOW with cells of 1 m and 2 m
MARKS = {"42": (89.62, 32.40, 23.36, 23.57, 23.58), "43": (104.82, 99.78, 23.14, 23.10, 23.11), "44": (123.72, 122.40, 23.01, 22.79, 22.77),
         "31": (174.61, 212.90, 19.98, 20.09, 20.09), "32": (259.92, 282.79, 18.38, 18.34, 18.20)}
x, y = np.meshgrid(np.arange(WIDE + MOAT) + 0.5, np.arange(TALL + MOAT) + 0.5)


def inside(name):
    """Cells whose middle lies in one of the polygons: an odd number of sides to the east."""
    result = np.zeros(x.shape, bool)
    for line in (DATA / name).read_text().splitlines():
        corners = np.array([[float(value) for value in corner.split(",")] for corner in line.split()])
        odd = np.zeros(x.shape, bool)
        for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0)):
            if y0 != y1:
                odd ^= ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        result |= odd
    return result


def write(name, values):
    with open(name, "w") as file:
        file.write(f"ncols {values.shape[1]}\nnrows {values.shape[0]}\nxllcorner 0\nyllcorner 0\ncellsize 1\nNODATA_value -9999\n")
        np.savetxt(file, values[::-1], fmt="%.2f")
    return str(Path.cwd() / name)


with gzip.open(DATA / "bed_cm.txt.gz", "rt") as file:
    ground = np.cumsum([[int(value) for value in line.split()] for line in file], axis=1)[::-1] / 100
bed = np.full(x.shape, 8.0 - DATUM)
bed[:TALL, :WIDE] = ground[:TALL, :WIDE] - DATUM
houses = inside("houses.txt")
houses[TALL:] = houses[:, WIDE:] = False
bed[houses] += 3
inflow = np.argwhere(((x - 15.21) ** 2 + (y - 14.57) ** 2 < 100) & (x % 3 == 0.5) & (y % 3 == 0.5))  # in a circle of 10 m
rivers = [{"name": f"inflow {n}", "x_m": float(i) + 0.5, "y_m": float(j) + 0.5, "discharge_m3_s": 19.7 / len(inflow)} for n, (j, i) in enumerate(inflow)]
roughness = np.where(inside("road.txt"), 0.02, 0.04)
SEA = {
    "/constants": {}, "/boundaries": [], "/rivers": rivers, "/initial": {"eta_m": 8.1 - DATUM}, "/output_dry_depth_m": 1e-3,
    "/time": {"start": "2007-06-08T00:00:00Z", "duration_s": 600, "step_s": 0.15},
    "/output": [{"every_s": 60, "variables": ["eta", "depth"]}]}


def run_on(dx, bed, roughness, more, settings=None, ranks=2):
    """On cells of dx, the map and all that is beside it a whole number of them."""
    shape = {"length_x_m": bed.shape[1], "length_y_m": bed.shape[0], "dx_m": dx, "levels": {"bottom_m": 7 - DATUM, "dz_m": DATUM - 7}}
    return cases.run("tidal_bay", {
        **SEA, "/grid": {"kind": "cartesian", **shape}, "/bathymetry": {"file": write(f"bed_{dx}.asc", bed), "positive": "up", "keep": "all", **more},
        "/physics": {"drag": {"law": "manning", "n": {"file": write(f"n_{dx}.asc", roughness)}}, "coriolis": {"f_s": 0}}, **(settings or {})}, ranks=ranks)


run = run_on(1, bed, roughness, {"fullness": False})
fields = run.read("tidal_bay.nc")
level = np.where(fields["depth"] > 1e-3, fields["eta"] + DATUM, np.nan)


def at(values, east, north):
    """The mean of the wet cells within 1.5 m, or the nearest one: mark 42 lies 0.2 m below the ground of the map, 3 m beside the water."""
    apart = np.where(np.isfinite(values), np.hypot(x - east, y - north), np.inf)
    return np.mean(values[apart <= max(1.5, np.min(apart))])


errors, others = {}, {}
for name, (east, north, flood, *tuflow) in MARKS.items():
    errors[name], others[name] = at(level[-1], east, north) - flood, np.array(tuflow) - flood
    beside = ", ".join(f"{error:+.2f}" for error in others[name])
    judges.measure(f"Merewether, mark {name}, cells of 1 m", "flood mark (Smith, Wasko 2012)", f"level; TUFLOW 1 m, 2 m: {beside} [m]", errors[name], 0.22, "merewether")
mean = np.mean(np.abs(list(errors.values())))
others = np.mean(np.abs(list(others.values())), axis=0)
judges.measure("Merewether, five marks, cells of 1 m", "flood marks (Smith, Wasko 2012)", f"mean size of the error; TUFLOW 1 m, 2 m: {others[0]:.3f}, {others[1]:.3f} [m]", mean, 0.125, "merewether")

# cells of 8 m that know ground and roughness of 1 m in them; pixels under less than 2 cm of water, films that run off a slope, count as dry
BEYOND = ((0, -len(bed) % 8), (0, -bed.shape[1] % 8))
coarse = run_on(8, np.pad(bed, BEYOND, mode="edge"), np.pad(roughness, BEYOND, mode="edge"), {"subgrid": True},
               {"/time/step_s": 1, "/output_dry_depth_m": 0.02}, ranks=0)
subprocess.run([cases.PROGRAM, "pack", str(coarse.folder / "results/tidal_bay/tidal_bay.nc"), "--pixels"], cwd=coarse.folder, check=True)
pixels = coarse.read("*_pixels.nc")
painted = (pixels["depth"][-1] + pixels["bed"] + DATUM)[:len(bed), :bed.shape[1]]
off = {name: at(painted, east, north) - mark for name, (east, north, mark, *_) in MARKS.items()}
for name in MARKS:
    judges.measure(f"Merewether, mark {name}, cells of 8 m with ground and roughness inside", "flood mark (Smith, Wasko 2012)", "level [m]", off[name], 0.24, "merewether")
judges.measure("Merewether, five marks, cells of 8 m with ground and roughness inside", "flood marks (Smith, Wasko 2012)", "mean size of the error [m]",
               np.mean(np.abs(list(off.values()))), 0.13, "merewether")
cases.below("change in the last minute [m]", max(abs(at(level[-1], e, n) - at(level[-2], e, n)) for e, n, *_ in MARKS.values()), 0.01)


def draw(axis, depth, title):
    axis.grid(False)
    image = axis.pcolormesh(x[0], y[:, 0], np.where(depth > 0.01, depth, np.nan), cmap="viridis", vmax=2)
    axis.contour(x[0], y[:, 0], houses, [0.5], colors="k", linewidths=0.4)
    axis.figure.colorbar(image, ax=axis, label="depth [m]")
    for name, (east, north, *_) in MARKS.items():
        axis.plot(east, north, "r.", markersize=3)
        axis.annotate(name, (east, north), fontsize=6, color="r")
    axis.set(xlim=(0, WIDE), ylim=(0, TALL), aspect="equal", xlabel="x [m]", ylabel="y [m]", title=title)


def compared(axis):
    names = list(MARKS)
    axis.plot(names, [MARKS[name][2] for name in names], "ko", markersize=3, label="flood mark")
    axis.plot(names, [MARKS[name][2] + errors[name] for name in names], "C0x", label="maeotis")
    axis.plot(names, [MARKS[name][2] + off[name] for name in names], "C2^", markersize=3, label="cells of 8 m")
    axis.plot(names, [MARKS[name][3] for name in names], "C1+", label="TUFLOW, 1 m")
    axis.set(xlabel="mark", ylabel="level [m]")
    axis.legend(fontsize=6)


judges.picture("merewether", [lambda axis: draw(axis, fields["depth"][-1], "Merewether, cells of 1 m"),
                              lambda axis: draw(axis, pixels["depth"][-1][:len(bed), :bed.shape[1]], "cells of 8 m, on pixels of 1 m"), compared],
               width=10, height=3.4)
cases.finish()
