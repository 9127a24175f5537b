# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 900
"""Weirs and bridges beside HEC-RAS: a channel that spills over two side weirs into its neighbours; two bridges that are drowned by a flood of
up to 70 m3/s. Its levels are those that ANUGA's validation keeps (tables/hecras.csv)."""

import cases
import judges
import numpy as np

TABLE = judges.table("hecras")


def beside(case, name, found, bound):
    """`found`: level by (reach, station, discharge); mean and largest error of all."""
    rows = [row for row in TABLE if row["case"] == case]
    errors = np.array([found(row) - float(row["level_m"]) for row in rows])
    for row, error in zip(rows, errors):
        print(f"{case} {row['reach']:6} {row['station']:>4} {row['discharge_m3_s']:>3} m3/s: {float(row['level_m']):7.2f} {error:+.3f}")
    judges.measure(name, "HEC-RAS 4.1, 1-D", f"{len(errors)} levels, mean size of the error [m]", np.mean(np.abs(errors)), bound[0])
    judges.measure(name, "HEC-RAS 4.1, 1-D", f"{len(errors)} levels, largest error [m]", errors[np.argmax(np.abs(errors))], bound[1])


def channel(slope, n, wide, dx, **more):
    return {"/constants": {}, "/initial": {"eta_m": f"-{slope}*x + 0.3 - {more.pop('bank', 0)}"}, "/physics": {"drag": {"law": "manning", "n": n}, "coriolis": "none"},
            "/grid": {"kind": "cartesian", "length_x_m": 1000, "length_y_m": wide, "dx_m": dx, "levels": {"bottom_m": -8, "dz_m": 8}, "flood_to_m": 3}, **more}


def walls(depth, wide=10):
    """How much n is raised where a program without side walls stands for one with them."""
    return (1 + 2 * depth / wide) ** (2 / 3)


# three channels of 10, 20 and 10 m, 21 m3/s in the middle one, 0.1 m3/s in the others; the friction of side walls, which HEC-RAS has, is in n

weir = {"kind": "weir", "crest_m": "0.5 - 0.003*x", "coefficients": {key: 1.1 / 1.705 for key in ("free", "free_back", "drowned", "drowned_back")}}
run = cases.run("tidal_bay", channel(0.003, 0.03 * walls(0.5), 40, 5, **{
    "/bathymetry": {"bed_m": "-0.003*x"}, "/boundaries": [{"name": "out", "edge": "east", "kind": "elevation", "eta_m": "y < 10 ? -2.47 : y < 30 ? -2.45 : -2.67"}],
    "/rivers": [{"name": f"in {y}", "x_m": 7, "y_m": y + 0.1, "discharge_m3_s": q} for y, q in ((2.5, 0.05), (7.5, 0.05), (12.5, 5.25), (17.5, 5.25), (22.5, 5.25), (27.5, 5.25), (32.5, 0.05), (37.5, 0.05))],
    "/structures": [{"name": "right bank", "kind": "dam", "line": [[0, 10], [1000, 10]]}, {"name": "left bank", "kind": "dam", "line": [[0, 30], [1000, 30]]},
                    {**weir, "name": "right", "line": [[201, 10], [399, 10]]}, {**weir, "name": "left", "line": [[301, 30], [499, 30]]}],
    "/time": {"start": "2014-07-01T00:00:00Z", "duration_s": 7200, "step_s": 4}, "/output": [{"every_s": 600, "variables": ["eta"]}]}))
cases.conserves(run)
eta = run.fields()["eta"]
cases.below("side weirs: change in the last ten minutes [m]", np.max(np.abs(eta[-1] - eta[-2])), 1e-3)
rows = {"RIGHT": slice(0, 2), "MIDDLE": slice(2, 6), "LEFT": slice(6, 8)}


def at(row):
    place = (1000 - float(row["station"])) / 5
    return np.interp(place, np.arange(200) + 0.5, eta[-1, rows[row["reach"]]].mean(axis=0))


beside("side weirs", "spill over two side weirs", at, (0.018, 0.09))


# a channel of 10 m, 1 m deep, between banks of 10 m; the opening is a culvert, the deck a weir across all
inflow = [3] * 6 + [4, 5] + [6] * 5 + [7, 8, 9] + [10] * 5 + [11, 12, 13, 14] + [15] * 4 + [16, 17, 18, 19, 20, 21, 23, 25] + list(range(30, 70, 5)) + [70] * 15
with open("inflow.csv", "w") as file:
    file.write("t_s,discharge_m3_s\n" + "".join(f"{300 * n},{q}\n" for n, q in enumerate(inflow)))
minutes = {6: 60, 10: 100, 15: 140, 70: 285}
for case, rough, half, bounds in (("bridge", 0.03, 10, (0.062, 0.28)), ("longer bridge", 0.045, 20, (0.09, 0.41))):
    run = cases.run("tidal_bay", channel(0.005, f"abs(y - 15) < 5 ? {rough * walls(0.75)} : {rough}", 30, 10, bank=1, **{
        "/bathymetry": {"bed_m": "-0.005*x - (abs(y - 15) < 5 ? 1 : 0)"},
        "/boundaries": [{"name": "out", "edge": "east", "kind": "elevation", "eta_m": "-5.6 + 1.4*min(1, t/17000)"}],
        "/rivers": [{"name": "in", "x_m": 15, "y_m": 15, "discharge_m3_s": {"file": str(cases.Path.cwd() / "inflow.csv")}}],
        "/structures": [{"name": "deck", "kind": "weir", "line": [[500, 0], [500, 30]], "crest_m": -1, "coefficients": {"free": 1.4 / 1.705}},
                        {"name": "opening", "kind": "culvert", "line": [[500 - half + 4, 15], [500 + half - 4, 15]], "culvert": {"size_m": [10, 1.3], "invert_m": [-3.5, -3.5], "n": rough}}],
        "/time": {"start": "2014-07-01T00:00:00Z", "duration_s": 17400, "step_s": 5}, "/output": [{"every_s": 60, "variables": ["eta"]}]}))
    cases.conserves(run)
    eta = run.fields()["eta"]
    beside(case, f"flood under and over a {case}",
           lambda row: np.interp((1000 - float(row["station"])) / 10, np.arange(100) + 0.5, eta[minutes[int(row["discharge_m3_s"])], 1]), bounds)

cases.finish()
