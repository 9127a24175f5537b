# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 7200
"""A year of the Azov Sea (scenarios/year): no chessboard in any field on any day, extremes within those of sources and weather, budgets
that close, temperature and salinity as the region has them. Its weather is of formulas: no day of it is compared with a gauge."""

import sys

import cases
import numpy as np

sys.path.insert(0, str(cases.SOURCE / "scenarios" / "year"))
import weather  # noqa: E402

BLOCK, DEEP = 8, 5.0  # a pattern's extent [cells], least depth [m]
SECTIONS = ("wind", "air_pressure", "rain", "heat")


def alternating(fields, bed, of_block=np.mean):
    """Root mean square of what alternates from cell to cell with the same sign all over a block of deep water, for each day."""
    beside = fields[:, :-2, 1:-1] + fields[:, 2:, 1:-1] + fields[:, 1:-1, :-2] + fields[:, 1:-1, 2:]
    corners = fields[:, :-2, :-2] + fields[:, :-2, 2:] + fields[:, 2:, :-2] + fields[:, 2:, 2:]
    rough = (4 * fields[:, 1:-1, 1:-1] - 2 * beside + corners) / 16
    j, i = np.indices(rough.shape[1:])
    rough = np.where((i + j) % 2, rough, -rough)
    whole = (bed[1:-1, 1:-1] < -DEEP) & np.all(np.isfinite(rough), axis=0)
    means = []
    for a in range(0, rough.shape[1] - BLOCK, BLOCK // 2):
        for b in range(0, rough.shape[2] - BLOCK, BLOCK // 2):
            if np.all(whole[a:a + BLOCK, b:b + BLOCK]):
                means.append(of_block(rough[:, a:a + BLOCK, b:b + BLOCK], axis=(1, 2)))
    return np.sqrt(np.mean(np.array(means) ** 2, axis=0))


weather.main("era5.nc")
run = cases.run("year/azov_year", {f"/forcing/{section}/file": str(cases.Path.cwd() / "era5.nc") for section in SECTIONS})
fields = run.fields("azov_year.nc")
bed, surface = fields["bed"], -1

for name, bound in (("temperature", 0.013), ("salinity", 0.004), ("u_east", 2e-4), ("v_north", 3e-4)):
    for layer in range(3):
        cases.below(f"{name}, layer {layer} of the file: chessboard on any day", np.max(alternating(fields[name][1:, layer], bed)), bound)
cases.below("level: chessboard on any day [m]", np.max(alternating(fields["eta"][1:], bed)), 3e-4)
# Viscosity is a hundredfold, or nothing, from one cell to the next at fronts of a cell's width where winter water turns over: a line of
# them askew to the grid alternates, too, in the few cells that it crosses. A chessboard is what half of the cells of a block take part in.
squares = np.where(np.sum(np.indices(bed.shape), axis=0) % 2, 1, -1)
for layer in (1, 2):
    viscosity = fields["vertical_viscosity"][1:, layer]
    mean = np.nanmean(viscosity)
    cases.below(f"viscosity, layer {layer} of the file: chessboard on any day, of the mean", np.max(alternating(viscosity, bed, np.median)) / mean, 0.0055)
    planted = alternating(viscosity[:60] + 0.02 * mean * squares, bed, np.median) / mean
    cases.between(f"viscosity, layer {layer} of the file: a planted chessboard of 2 %, least", np.min(planted), 0.018, 0.022)
    cases.between(f"viscosity, layer {layer} of the file: a planted chessboard of 2 %, most", np.max(planted), 0.018, 0.022)

cases.below("volume: error of the budget", run.volume_error, 1e-12)
# water of the strait freezes at -0.97 C, August heats a thin layer below the Don's water to 35.6 C; rain falls on dry ground, a lagoon evaporates to 21.4
for name, coldest, warmest in (("temperature", -1.0, 36.5), ("salinity", 0, 22)):
    accounts = [line["tracers"][name] for line in run.log]
    most = max(abs(account["content"]) for account in accounts)
    cases.below(f"{name}: error of the budget, of the largest content", max(abs(account["error"]) for account in accounts) / most, 1e-12)
    least, highest = min(account["least"] for account in accounts), max(account["most"] for account in accounts)
    cases.between(f"{name}: least", least, coldest, warmest)
    cases.between(f"{name}: most", highest, coldest, warmest)

mean = {name: np.nanmean(fields[name][:, surface], axis=(1, 2)) for name in ("temperature", "salinity")}
for name, day, low, high in (("temperature", 75, -0.8, 3), ("temperature", 166, 3, 13), ("temperature", 257, 24, 28), ("temperature", 349, 12, 18),
                             ("salinity", 75, 10, 12), ("salinity", 257, 10, 12.5), ("salinity", 349, 10.5, 13)):
    cases.between(f"mean {name} at the surface, day {day}", mean[name][day], low, high)
hypoxic = fields["hypoxia_area"] / 1e6  # oxygen below 2 mg/l in the lowest layer [km2]
cases.between("largest hypoxic area [km2]: thousands are reported", np.max(hypoxic), 2000, 15000)
cases.between("its day, in July or August", int(np.argmax(hypoxic)), 242, 303)
cases.below("hypoxic area in winter [km2]", np.max(hypoxic[30:150]), 10)
cases.finish()
