# SPDX-License-Identifier: Apache-2.0
"""A tidal inlet with channels narrower than the cells, at 2, 4, 8 and 16 pixels a cell: with the ground inside and with cell means, beside the pixels' own grid.

ctest: long
"""

import time
from pathlib import Path

import cases
import numpy as np

PIXELS, PIXEL, PERIOD = 96, 10.0, 10800.0
LENGTH = PIXELS * PIXEL
PLACES = [0.35, 0.55, 0.75, 0.9]  # of the stations, up the channel


def channel(part):
    return 0.5 + 0.13 * np.sin(2 * np.pi * part / 0.37)


def write_ground(path):
    """A shore, a barrier with an inlet, flats that rise inland, a winding channel of 40 m and three creeks of 24 m."""
    part = (np.arange(PIXELS) + 0.5) / PIXELS
    x, y = np.meshgrid(part, part)
    bed = np.where(x < 0.25, -6 + 16 * x, -2 + 3.2 * (x - 0.25) / 0.75)
    bed[np.abs(x - 0.27) < 2.2 / PIXELS] = 3

    def carve(along, across, depth, half_width):
        for here, there in zip(along, across):
            near = np.hypot(x - here, y - there) < half_width / PIXELS
            bed[near] = np.minimum(bed[near], depth(here))

    way = np.arange(0.2, 0.93, 0.5 / PIXELS)
    carve(way, channel(way), lambda here: -3 + 2.2 * (here - 0.2) / 0.73, 2.0)
    for number, start in enumerate((0.4, 0.55, 0.7)):
        way = np.arange(start, start + 0.24, 0.5 / PIXELS)
        side = (1, -1)[number % 2]
        carve(way, channel(start) + side * 1.3 * (way - start) + 0.02 * np.sin(way / 0.03), lambda here: -1.2, 1.2)
    bed += 0.05 * np.random.default_rng(1).standard_normal(bed.shape)
    rows = "\n".join(" ".join(f"{value:.4f}" for value in row) for row in bed[::-1])
    path.write_text(f"ncols {PIXELS}\nnrows {PIXELS}\nxllcorner 0\nyllcorner 0\ncellsize {PIXEL}\nNODATA_value -9999\n{rows}\n")


def tide(ground, factor, subgrid, advection=None):
    stations = {f"s{n}": [LENGTH * part, LENGTH * channel(part)] for n, part in enumerate(PLACES)}
    begun = time.time()
    run = cases.run("tidal_inlet", {
        "/grid": {"kind": "cartesian", "length_x_m": LENGTH, "length_y_m": LENGTH, "dx_m": PIXEL * factor, "flood_to_m": 2.5,
                  "levels": {"bottom_m": -7, "dz_m": 7}},
        "/bathymetry": {"file": str(ground), "positive": "up", "keep": "all", **({"subgrid": True} if subgrid else {})},
        "/time/duration_s": 2 * PERIOD, "/time/step_s": 2.5 if factor == 1 else 20,
        **({"/physics/momentum/advection": advection} if advection else {}),
        "/boundaries/0/eta_m": f"sin(2*pi*t/{PERIOD})",
        "/output": [{"every_s": 60, "stations": stations, "variables": ["eta"]}]}, label=f"{'subgrid' if subgrid else 'means'}_{factor}_{advection}")
    found = run.stations()
    volume = np.array(run.column("volume_m3"))
    return {"eta": found["eta"][180:], "volume": volume, "wall": time.time() - begun, "run": run}


def compare(ground, advection):
    fine = tide(ground, 1, False, advection)
    wave = np.ptp(fine["volume"][1080:])
    print(f"        cells of {PIXEL:g} m, {PIXELS * PIXELS}: {fine['wall']:.1f} s; advection {advection}")
    for factor in (2, 4, 8, 16):
        for subgrid in (False, True):
            coarse = tide(ground, factor, subgrid, advection)
            off = coarse["eta"] - fine["eta"]
            rms = np.sqrt(np.nanmean(off**2, axis=0))
            prism = np.ptp(coarse["volume"][540:]) / wave
            name = f"{factor} pixels a cell, {'ground inside' if subgrid else 'cell means'}"
            print(f"        {name}: {(PIXELS // factor)**2} cells, {coarse['wall']:.1f} s, levels off by {np.round(rms, 3)} m, prism {prism:.3f}, "
                  f"newton {np.mean(coarse['run'].column('newton')):.2f}", flush=True)
            if subgrid:
                cases.conserves(coarse["run"])
                yield factor, rms, prism


MOST = {"none": (0.0112, 0.013, 0.0142, 0.03), "tvd": (0.056, 0.053, 0.064, 0.18)}  # of the level at any station [m]; the fine run in steps of half a cell
ground = Path("ground.asc").resolve()
write_ground(ground)
for advection in ("none", "tvd"):
    for (factor, rms, prism), most in zip(compare(ground, advection), MOST[advection]):
        cases.below(f"{factor} pixels a cell, advection {advection}: levels [m]", np.max(rms), most)
        cases.close(f"{factor} pixels a cell, advection {advection}: tidal prism", prism, 1, 0.013)
cases.finish()
