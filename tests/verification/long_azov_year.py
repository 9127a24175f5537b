# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 14400
"""A year of the Azov Sea (scenarios/year): no chessboard in any field on any day, extremes within those of sources and weather, budgets
that close, temperature and salinity as the region has them. Its weather is of formulas: no day of it is compared with a gauge."""

import sys

import cases
import numpy as np

sys.path.insert(0, str(cases.SOURCE / "scenarios" / "year"))
import weather  # noqa: E402

BLOCK, DEEP = 12, 5.0  # a pattern's extent [cells], least depth [m]
SECTIONS = ("wind", "air_pressure", "rain", "heat")
# layers of the file, and the chessboard allowed on any day: in all blocks (root mean square), and in any one; viscosity relative to its mean. Eddies
# of Black Sea water reach two thirds of it. Where production takes each column's own viscosity, temperature reaches 20 times the first in three
# weeks of spring, salinity 38 times, viscosity 100 times.
CHESSBOARDS = (("temperature", (0, 1, 2), 0.0018, 0.008), ("salinity", (0, 1, 2), 7e-4, 0.004), ("u_east", (0, 1, 2), 5e-5, 2.5e-4),
               ("v_north", (0, 1, 2), 5e-5, 2.5e-4), ("vertical_viscosity", (0,), 0.008, 0.035), ("vertical_viscosity", (1, 2), 0.003, 0.013),
               ("eta", (None,), 8e-6, 4e-5))


def blocks_of(fields):
    """First row and column of all blocks of deep water whose neighbours too are wet on every day."""
    wet, deep = np.all(np.isfinite(fields), axis=0), bed[1:-1, 1:-1] < -DEEP
    starts = [range(size - BLOCK + 1) for size in deep.shape]
    return [(j, i) for j in starts[0] for i in starts[1]
            if np.all(deep[j:j + BLOCK, i:i + BLOCK]) and np.all(wet[j:j + BLOCK + 2, i:i + BLOCK + 2])]


def shared(fields, blocks):
    """Amplitude of the chessboard that half of the cells of a block share, by block and day. A mean over the block would take for one what a front or an eddy
    a few cells wide, askew to the grid, does to the cells that it crosses: 0.08 K at a front of 3 K on 20 March. Along a diagonal of the grid a filament has one
    sign on five diagonals: 54 of 144 cells, but 34 of 64 of a block of 8 x 8 (0.013 g/kg in water of the Kuban, two to three cells wide, on 4 October)."""
    beside = fields[:, :-2, 1:-1] + fields[:, 2:, 1:-1] + fields[:, 1:-1, :-2] + fields[:, 1:-1, 2:]
    corners = fields[:, :-2, :-2] + fields[:, :-2, 2:] + fields[:, 2:, :-2] + fields[:, 2:, 2:]
    rough = (4 * fields[:, 1:-1, 1:-1] - 2 * beside + corners) / 16 * squares[1:-1, 1:-1]
    return np.array([np.median(rough[:, j:j + BLOCK, i:i + BLOCK], axis=(1, 2)) for j, i in blocks])


def root_mean_square(found):
    return np.sqrt(np.mean(found**2, axis=0))


def no_chessboard(what, fields, of_all, of_any):
    """No such pattern on any day; one of three times the bounds, planted in all cells or around any one block, is found on every day."""
    blocks = blocks_of(fields)
    found = shared(fields, blocks)
    cases.below(f"{what}: chessboard of all blocks", np.max(root_mean_square(found)), of_all)
    cases.below(f"{what}: chessboard of any block", np.max(np.abs(found)), of_any)
    planted = root_mean_square(shared(fields + 3 * of_all * squares, blocks)) / of_all
    cases.between(f"{what}: planted in all cells, least found of 3 bounds", np.min(planted), 2.7, 3.3)
    cases.between(f"{what}: planted in all cells, most found of 3 bounds", np.max(planted), 2.7, 3.3)
    planted = np.abs(shared(fields + 3 * of_any * squares, blocks)) / of_any
    cases.between(f"{what}: planted around a block, least found of 3 bounds", np.min(planted), 2, 4)


weather.main("era5.nc")
run = cases.run("year/azov_year", {f"/forcing/{section}/file": str(cases.Path.cwd() / "era5.nc") for section in SECTIONS})
fields = run.fields("azov_year.nc")
bed, surface = fields["bed"], -1
squares = np.where(np.sum(np.indices(bed.shape), axis=0) % 2, 1, -1)

for name, layers, of_all, of_any in CHESSBOARDS:
    for layer in layers:
        values = fields[name][1:] if layer is None else fields[name][1:, layer]
        scale = np.nanmean(values) if name == "vertical_viscosity" else 1
        no_chessboard(name if layer is None else f"{name}, layer {layer} of the file", values / scale, of_all, of_any)

cases.below("volume: error of the budget", run.volume_error, 1e-12)
# water of the strait freezes at -0.97 C, August heats a thin layer below the Don's water to 35.6 C; rain falls on dry
# ground; in a lagoon that the wind has drained the last centimetre evaporates to 23.1
for name, coldest, warmest in (("temperature", -1.0, 36.5), ("salinity", 0, 24.5)):
    accounts = [line["tracers"][name] for line in run.log]
    most = max(abs(account["content"]) for account in accounts)
    cases.below(f"{name}: error of the budget, of the largest content", max(abs(account["error"]) for account in accounts) / most, 1e-12)
    least, highest = min(account["least"] for account in accounts), max(account["most"] for account in accounts)
    cases.between(f"{name}: least", least, coldest, warmest)
    cases.between(f"{name}: most", highest, coldest, warmest)
deep = fields["eta"] - bed > 0.2
cases.between("salinity where water is deeper than 20 cm, most", np.nanmax(fields["salinity"][:, surface][deep]), 17.5, 21.5)

mean = {name: np.nanmean(fields[name][:, surface], axis=(1, 2)) for name in ("temperature", "salinity")}
for name, day, low, high in (("temperature", 75, -0.8, 3), ("temperature", 166, 3, 13), ("temperature", 257, 24, 28), ("temperature", 349, 12, 18),
                             ("salinity", 75, 10, 12), ("salinity", 257, 10, 12.5), ("salinity", 349, 10.5, 13)):
    cases.between(f"mean {name} at the surface, day {day}", mean[name][day], low, high)
hypoxic = fields["hypoxia_area"] / 1e6  # oxygen below 2 mg/l in the lowest layer [km2]
cases.between("largest hypoxic area [km2]: thousands are reported", np.max(hypoxic), 2000, 15000)
cases.between("its day, in July or August", int(np.argmax(hypoxic)), 242, 303)
cases.below("hypoxic area in winter [km2]", np.max(hypoxic[30:150]), 10)
cases.finish()
