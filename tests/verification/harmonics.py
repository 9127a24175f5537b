# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""Harmonic analysis during the run: against a least-squares fit of series with every step, over ranks, through a restart."""

import json
import subprocess
from pathlib import Path

import cases
import numpy as np

STATIONS = {"middle": [10500, 6500], "corner": [18500, 1500]}
HOUR = 3600
SEA = {
    "grid": {"kind": "cartesian", "length_x_m": 20000, "length_y_m": 12000, "dx_m": 1000, "levels": {"bottom_m": -10, "dz_m": 5}},
    "bathymetry": {"bed_m": "-10+9*((y-6000)/6000)^2"}, "time": {"start": "2015-03-01T00:00:00Z", "duration_s": 60 * HOUR, "step_s": 900},
    "physics": {"coriolis": {"f_s": 1e-4}, "drag": {"n": 0.03}},
    "boundaries": [{"name": "sea", "edge": "west", "kind": "elevation", "tide_ramp_s": 6 * HOUR, "eta_m": 0.1,
                    "tide": [{"constituent": "M2", "amplitude_m": 0.6, "phase_deg": 40}, {"constituent": "K1", "amplitude_m": 0.2, "phase_deg": "250+y/1000"}]}],
    "output": [{"harmonics": ["M2", "K1", "M4"]}, {"stations": STATIONS, "every_s": 900, "variables": ["eta", "ubar", "vbar"]}]}
path = Path("sea.json").resolve()
path.write_text(json.dumps(SEA))


def digest(file):
    return subprocess.run([cases.PROGRAM, "digest", str(file)], capture_output=True, text=True, check=True).stdout.split()[0]


def file_of(run):
    return run.folder / "results" / "sea" / "sea_harmonics.nc"


run = cases.run(path)
maps, series = run.fields("sea_harmonics.nc"), run.stations()


def constituents(at):
    rows = subprocess.run([cases.PROGRAM, "tides", "--at", at, "M2", "K1", "M4"], capture_output=True, text=True, check=True).stdout.splitlines()[1:]
    return {row.split()[0]: [float(word) for word in row.split()[1:]] for row in rows}


# the same by numpy: the arguments of the middle of the run, whose nodal factors hardly change in it
known = constituents("2015-03-02T06:00:00Z")
t, after = series["time"], series["time"] > 6 * HOUR
matrix = [np.ones(after.sum())]
for speed, argument, f, u in known.values():
    angle = np.radians(speed * (t[after] / HOUR - 30) + argument + u)
    matrix += [f * np.cos(angle), f * np.sin(angle)]


def fit(values):
    return np.linalg.lstsq(np.column_stack(matrix), values[after], rcond=None)[0]


def pointed(maps_, name, j, i):
    return float(maps_[name][0, j, i])


for n, (name, (x, y)) in enumerate(STATIONS.items()):
    j, i = int(y // 1000), int(x // 1000)
    found = {quantity: fit(series[quantity][:, n]) for quantity in ("eta", "ubar", "vbar")}
    cases.below(f"{name}: mean level off by [m]", abs(pointed(maps, "eta_residual", j, i) - found["eta"][0]), 1e-5)
    cases.below(f"{name}: residual current off by [m/s]", abs(pointed(maps, "u_residual", j, i) + 1j * pointed(maps, "v_residual", j, i) -
                                                              found["ubar"][0] - 1j * found["vbar"][0]), 1e-6)
    for k, constituent in enumerate(known):
        wave = {q: values[1 + 2 * k] - 1j * values[2 + 2 * k] for q, values in found.items()}  # A exp(-i g)
        level = pointed(maps, f"eta_amplitude_{constituent}", j, i) * np.exp(-1j * np.radians(pointed(maps, f"eta_phase_{constituent}", j, i)))
        cases.below(f"{name}, {constituent}: level off by [m]", abs(level - wave["eta"]), 3e-5)
        # the ellipse again as its two components
        long_axis, short, turn, lag = (pointed(maps, f"current_{word}_{constituent}", j, i) for word in ("major", "minor", "inclination", "phase"))
        along, across = long_axis * np.exp(-1j * np.radians(lag)), -1j * short * np.exp(-1j * np.radians(lag))
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        cases.below(f"{name}, {constituent}: current off by [m/s]",
                    max(abs(c * along - s * across - wave["ubar"]), abs(s * along + c * across - wave["vbar"])), 1e-5)
        cases.equal(f"{name}, {constituent}: inclination in half a turn, long axis the longer", 0 <= turn < 180.001 and long_axis >= abs(short), True)
cases.between("M4 comes of the shallow water [m]", np.nanmax(maps["eta_amplitude_M4"]), 1e-4, 0.1)
cases.between("M2 at the mouth [m]", np.nanmean(maps["eta_amplitude_M2"][0, :, 0]), 0.58, 0.62)
cases.between("K1's phase follows the mouth", np.ptp(maps["eta_phase_K1"][0, :, 0]), 5, 15)

# where it falls dry there is nothing
marsh = cases.run(path, {"/bathymetry/bed_m": "-10+12.5*((y-6000)/6000)^2", "/grid/flood_to_m": 1, "/output": [SEA["output"][0]]})
bare = np.isnan(marsh.fields("sea_harmonics.nc")["eta_amplitude_M2"][0])
cases.between("cells without constants: the shores", bare.sum(), 1, 60)
cases.equal("the middle has them", bool(bare[6].any()), False)

# the same bits
four = cases.run(path, ranks=4)
cases.equal("four ranks", digest(file_of(four)), digest(file_of(run)))
half = cases.run(path, {"/restart/at_end": True}, options=("--steps", "100"), label="half")
restart = next((half.folder / "results" / "sea").glob("restart_*.nc"))
early = half.fields("sea_harmonics.nc")["eta_amplitude_M2"]
cases.equal("too early for constants: nothing", bool(np.isnan(early).all()), True)
whole = cases.run(path, options=("--restart", str(restart)))
cases.equal("through a restart", digest(file_of(whole)), digest(file_of(run)))

for name, settings, message in (
        ("too short", {"/time/duration_s": 20 * HOUR}, "to separate K1 from"),
        ("with variables", {"/output/0/variables": ["eta"], "/output/0/every_s": 900}, "need an output of their own"),
        ("in intervals", {"/output/0/every_s": 900}, "cannot be combined"),
        ("no constituent", {"/output/0/harmonics": ["M9"]}, "did you mean")):
    refused = cases.run(path, settings, may_fail=True)
    cases.equal(f"refused: {name}", (refused.code, message in refused.message), (2, True))
cases.finish()
