# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 1800
"""Rain on a laboratory's catchment of steel, 2 m by 2.5 m, three planes of 5 % with two walls on them: the discharge at its outlet after one
shower (C1) and two (C3). L. Cea, J. Puertas, L. Pena, M. Garrido, Hydrologic forecasting of fast flood events in small catchments with a
2D-SWE model, World Water Congress 2008. Ground and measurements are read from the folder that MAEOTIS_CEA names (README.md)."""

from pathlib import Path

import cases
import judges
import numpy as np

DATA = judges.folder("MAEOTIS_CEA")
RAIN = {"C1": "t < 45 ? 317 : 0", "C3": "t < 25 || (t >= 32 && t < 57) ? 328 : 0"}  # [mm/h]
CELL = 0.02

# cells of 2 x 2 of the map, from the outlet in the south on; behind it the water falls into a pool
fine = np.loadtxt(DATA / "topo.asc", skiprows=6)[-1:0:-1, 1:-1]
fine = fine[fine.shape[0] % 2:]
parts = fine.reshape(fine.shape[0] // 2, 2, fine.shape[1] // 2, 2)
ground, pool = parts.mean(axis=(1, 3)), parts.min(axis=(1, 3)) < -0.4
ground[pool] = -2.0
ground[parts.max(axis=(1, 3)) > 0.05] = -9999  # walls, and what lies around
with open("ground.asc", "w") as file:
    file.write(f"ncols {ground.shape[1]}\nnrows {ground.shape[0]}\nxllcorner 0\nyllcorner 0\ncellsize {CELL}\nNODATA_value -9999\n")
    np.savetxt(file, ground[::-1], fmt="%.6g")


def measured(name):
    column = {"C1": 0, "C3": 2}[name]
    rows = [line.split(",") for line in (DATA / "CEA_C1-C3_datasets.csv").read_text().splitlines()[2:]]
    return np.array(sorted([float(row[column]), float(row[column + 1])] for row in rows if row[column].strip())).T


def discharge(name):
    """Times and [m3/s], by the water that the pool has got."""
    run = cases.run("tidal_bay", {
        "/constants": {}, "/boundaries": [], "/initial": {"eta_m": -2}, "/output_dry_depth_m": 1e-6,
        "/grid": {"kind": "cartesian", "length_x_m": ground.shape[1] * CELL, "length_y_m": ground.shape[0] * CELL, "dx_m": CELL,
                  "levels": {"bottom_m": -2, "dz_m": 2}, "flood_to_m": 0.05},
        "/bathymetry": {"file": str(Path.cwd() / "ground.asc"), "positive": "up", "keep": "all", "fullness": False},
        "/physics": {"drag": {"law": "manning", "n": 0.009}, "coriolis": "none"}, "/forcing": {"rain": {"mm_h": RAIN[name]}},
        "/time": {"start": "2008-09-01T00:00:00Z", "duration_s": 120, "step_s": 0.02}, "/output": [{"every_s": 1, "variables": ["depth"]}]})
    cases.conserves(run)
    fields = run.fields()
    time, volume = fields["time"], np.nansum(np.where(pool, fields["depth"], 0), axis=(1, 2)) * CELL**2
    return 0.5 * (time[1:] + time[:-1]), np.diff(volume) / np.diff(time)


def panel(name, time, ours, at, laboratory):
    def draw(axis):
        axis.plot(at, 1e3 * laboratory, "k.", markersize=3, label="measured")
        axis.plot(time, 1e3 * ours, "C0", label="maeotis")
        axis.set(xlabel="time [s]", ylabel="discharge [l/s]", title=name)
        axis.legend(fontsize=6)
    return draw


panels = []
for name, bounds in (("C1", (7.5, 0.043, 10)), ("C3", (7.5, 0.052, 1.1))):
    time, ours = discharge(name)
    at, laboratory = measured(name)
    error = np.interp(at, time, ours) - laboratory
    case = f"rain on a laboratory's catchment, {name}, cells of 2 cm"
    for what, value, bound in (("discharge, root mean square, of the highest one measured [%]", 100 * np.sqrt(np.mean(error**2)) / laboratory.max(), bounds[0]),
                               ("1 less the efficiency of Nash and Sutcliffe", np.sum(error**2) / np.sum((laboratory - laboratory.mean()) ** 2), bounds[1]),
                               ("highest discharge [%]", 100 * (ours.max() / laboratory.max() - 1), bounds[2])):
        judges.measure(case, "Cea et al. 2008", what, value, bound, "cea_rain")
    panels.append(panel(name, time, ours, at, laboratory))
judges.picture("cea_rain", panels, height=2.6)
cases.finish()
