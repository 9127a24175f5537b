# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 3600
"""The tsunami of 1993 in Monai valley, Okushiri, at 1:400: levels at three gauges and the highest run-up of the experiment.
M. Matsuyama, H. Tanaka, Proc. Int. Tsunami Symposium, Seattle 2001, 879-889."""

from pathlib import Path

import cases
import judges
import numpy as np

DATA = judges.folder("MAEOTIS_NTHMP") / "BP07-DmitryN-Monai_valley_beach"
JUDGE = "experiment (Matsuyama, Tanaka 2001)"
DX = 0.028
GAUGES = {"5": (4.521, 1.196), "7": (4.521, 1.696), "9": (4.521, 2.196)}

depth = np.loadtxt(DATA / "Benchmark_2_Bathymetry.txt", skiprows=1)
xs, ys = np.unique(depth[:, 0]), np.unique(depth[:, 1])
bed = -depth[:, 2].reshape(len(xs), len(ys)).T
with open("bed.asc", "w") as file:
    file.write(f"ncols {len(xs)}\nnrows {len(ys)}\nxllcenter {xs[0]}\nyllcenter {ys[0]}\ncellsize {xs[1] - xs[0]:.6f}\nNODATA_value -9999\n")
    np.savetxt(file, bed[::-1], fmt="%.5f")
wave = np.loadtxt(DATA / "Benchmark_2_input.txt", skiprows=1)
np.savetxt("wave.csv", wave, delimiter=",", header="time,eta [m]", comments="", fmt="%.8g")
run = cases.run("verification/run_up", {
    "/grid": {"kind": "cartesian", "length_x_m": 195 * DX, "length_y_m": 121 * DX, "dx_m": DX, "levels": {"bottom_m": -0.14, "dz_m": 0.14}, "flood_to_m": 0.13},
    "/bathymetry": {"file": str(Path.cwd() / "bed.asc"), "positive": "up", "keep": "all", "fullness": False}, "/time/duration_s": 22.5, "/time/step_s": 0.0125,
    "/physics/drag": {"law": "manning", "n": 0.01}, "/initial": {"eta_m": 0}, "/output_dry_depth_m": 1e-4,
    "/boundaries": [{"name": "wave", "edge": "west", "kind": "elevation", "eta_m": {"file": str(Path.cwd() / "wave.csv"), "column": "eta"}}],
    "/output": [{"extremes": ["max_eta", "max_depth"]}, {"stations": {f"g{name}": list(place) for name, place in GAUGES.items()}, "every_s": 0.05, "variables": ["eta"]}]})
found = run.read("*extremes*.nc")
x, y = np.meshgrid(found["x"], found["y"])
valley = (found["max_depth"].squeeze() > 1e-3) & (x > 5.0) & (abs(y - 1.88) < 0.1)
measured = np.mean([0.0875, 0.09, 0.08, 0.09, 0.1, 0.09])
judges.measure(f"Monai valley, cells of {100 * DX:g} cm", JUDGE, "highest run-up, at (5.16, 1.88) m [%]", 100 * (np.max(found["max_eta"].squeeze()[valley]) / measured - 1), 20, "monai_valley")
stations = run.stations()
for name, crest in (("5", 3.694), ("7", 3.895), ("9", 4.535)):  # [cm], of the first 22.5 s of the experiment's series
    own = 100 * np.nanmax(stations["eta"][:, stations["names"].index(f"g{name}")])
    judges.measure(f"Monai valley, cells of {100 * DX:g} cm", JUDGE, f"crest at gauge {name} [%]", 100 * (own / crest - 1), 10, "monai_valley")


def level(axis):
    for n, name in enumerate(GAUGES):
        axis.plot(stations["time"], 100 * stations["eta"][:, stations["names"].index(f"g{name}")], label=f"gauge {name}")
    axis.set(xlabel="t [s]", ylabel="level [cm]", title="Monai valley")
    axis.legend(fontsize=6)


def highest(axis):
    shown = np.where(found["max_depth"].squeeze() > 1e-3, 100 * found["max_eta"].squeeze(), np.nan)
    axis.grid(False)
    image = axis.pcolormesh(found["x"], found["y"], shown, cmap="viridis")
    axis.figure.colorbar(image, ax=axis, label="highest level [cm]")
    axis.set(xlim=(4, 5.46), xlabel="x [m]", ylabel="y [m]")


judges.picture("monai_valley", [level, highest])
cases.finish()
