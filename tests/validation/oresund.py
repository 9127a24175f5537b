# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 3600
"""The Oresund in the storms of January and February 2022: levels at five gauges between two others that drive it from its ends, beside
those of DHI's MIKE 21 (data/README.md). On 30 January the level at Koege is 2.3 m below that of Barsebaeck, on the other side of
the shallows of Drogden.

MIKE 21 computes a larger sea from its own edges and without gauges; its mean at each gauge was set to that of the gauge. The spread
of the error (its standard deviation) does not depend on the gauges' datums."""

import csv
from datetime import datetime
from pathlib import Path

import cases
import judges
import numpy as np

DATA = Path(__file__).resolve().parent / "data" / "oresund"
DEPTHS = sorted(judges.folder("MAEOTIS_GEBCO").glob("*.nc"))[-1]
HERE = Path.cwd()
PLACES = {"Vedbaek": (12.583, 55.85), "Barseback": (12.9033, 55.7564), "Kobenhavn": (12.65, 55.70), "Malmo": (12.9845, 55.6257), "Drogden": (12.7117, 55.5358)}
BOUNDS = {"Vedbaek": 0.05, "Barseback": 0.075, "Kobenhavn": 0.05, "Malmo": 0.08, "Drogden": 0.055}

with (DATA / "gauges.csv").open() as file:
    rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
seconds = 3600.0 * np.arange(len(rows))
series = {name: np.array([float(row[name] or "nan") for row in rows]) for name in rows[0] if name != "time"}


def write(name, columns):
    """A file for the program, hours without a value filled from their neighbours."""
    known = {title: np.interp(seconds, seconds[np.isfinite(values)], values[np.isfinite(values)]) for title, values in columns.items()}
    with open(name, "w") as file:
        file.write(f"time,{','.join(known)}\n")
        for row, *values in zip(rows, *known.values()):
            file.write(f"{row['time']},{','.join(f'{value:.4f}' for value in values)}\n")
    return known


edges = write("edges.csv", {"north [m]": series["helsingborg"], "south [m]": series["koege"]})
write("wind.csv", {"u [m/s]": series["u10"], "v [m/s]": series["v10"]})
run = cases.run("tidal_bay", {
    "/constants": {}, "/grid": {"kind": "spherical", "west": 12.2, "east": 13.1, "south": 55.4208333333, "north": 56.0458333333,
                                "dlon_deg": 0.0083333333333, "dlat_deg": 0.0041666666667, "levels": {"bottom_m": -45, "dz_m": 45}, "flood_to_m": 2},
    "/bathymetry": {"file": str(DEPTHS)}, "/time": {"start": rows[0]["time"].replace("Z", ":00Z"), "duration_s": seconds[-1], "step_s": 120},
    "/physics": {"drag": {"law": "manning", "n": 0.025}}, "/forcing": {"wind": {"file": str(HERE / "wind.csv")}},
    "/initial": {"eta_m": float(edges["south [m]"][0])},
    "/boundaries": [{"name": edge, "edge": edge, "kind": "elevation", "eta_m": {"file": str(HERE / "edges.csv"), "column": edge}} for edge in ("north", "south")],
    "/output": [{"every_s": 3600, "stations": {name: list(place) for name, place in PLACES.items()}, "variables": ["eta"]}]})
stations = run.stations()
found = {name: stations["eta"][:, stations["names"].index(name)] for name in PLACES}
later = slice(36, None)  # hours, after the start from a level sea
STORM = slice(int((datetime(2022, 1, 29) - datetime(2022, 1, 20, 12)).total_seconds() // 3600), None)


def spread(values, name):
    return float(np.nanstd((values - series[name.lower()])[later]))


for name, (_, latitude) in PLACES.items():
    mike, level = spread(series[f"{name.lower()}_mike21"], name), float(np.nanstd(series[name.lower()][later]))
    line = edges["south [m]"] + (edges["north [m]"] - edges["south [m]"]) * (latitude - 55.45) / (56.0412 - 55.45)
    beside = f"MIKE 21 {mike:.3f}, line between the ends {spread(line, name):.3f}, level {level:.3f}"
    judges.measure(f"Øresund, January 2022, {name}", "gauge (DMI, SMHI)", f"spread of the error in 19 days; {beside} [m]", spread(found[name], name), BOUNDS[name], "oresund")
mean = np.mean([spread(found[name], name) / spread(series[f"{name.lower()}_mike21"], name) for name in PLACES])
cases.below("spread of the error in that of MIKE 21, mean of the gauges", mean, 0.75)
# the crest of the gauge, and what stood there in the six hours around it: the gauge of Malmoe has hours without a value
for name, bound in (("Barseback", 0.1), ("Malmo", 0.52)):
    level, mike = (series[name.lower() + kind][STORM] for kind in ("", "_mike21"))
    top = int(np.nanargmax(level))
    around = slice(top - 3, top + 4)
    crest, other = np.nanmax(found[name][STORM][around]) - level[top], np.nanmax(mike[around]) - level[top]
    judges.measure(f"Øresund, storm Malik, {name}", "gauge (SMHI)", f"highest level; MIKE 21 {other:+.2f} [m]", crest, bound, "oresund")


def panel(name):
    def draw(axis):
        days = seconds / 86400 + 20.5
        axis.plot(days, series[name.lower()], "k.", markersize=2, label="gauge")
        axis.plot(days, found[name], "C0", linewidth=1, label="maeotis")
        axis.plot(days, series[f"{name.lower()}_mike21"], "C1", linewidth=0.7, label="MIKE 21")
        axis.set(xlim=(27, 34), xlabel="day of January 2022", ylabel="level [m]", title=name)
        axis.legend(fontsize=6)
    return draw


judges.picture("oresund", [panel(name) for name in ("Barseback", "Malmo", "Drogden")])
cases.finish()
