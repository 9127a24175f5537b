# SPDX-License-Identifier: Apache-2.0
"""What pictures, comparisons, ensembles and the page of a run are made of, function by function, beside values found by hand."""

import base64
import importlib.util
import json
import sys
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

import netCDF4
import numpy as np

import cases

if any(importlib.util.find_spec(name) is None for name in ("xarray", "matplotlib")):
    print("xarray and matplotlib are not here: not checked")
    sys.exit(77)
import matplotlib

matplotlib.use("Agg")
import xarray as xr
from maeotis_plot import extremes, frame, grid, harmonics, maps, new, profile, series, style
from maeotis_results import beside, gauges, reading, zoom
from maeotis_report import facts, page, reached, sets
from maeotis_runs import autopsy, reproduce, summary

NAN = np.nan


def same(name, found, expected, room=1e-9):
    found, expected = np.asarray(found, float), np.asarray(expected, float)
    fits = found.shape == expected.shape and np.allclose(found, expected, rtol=room, atol=room, equal_nan=True)
    cases.equal(name, bool(fits) or found.tolist(), True)


def moment(text):
    return np.datetime64(text, "ns")


# ---- axes, levels, faces ----

same("borders of uneven cells", reading.edges([1, 2, 4, 8]), [0.5, 1.5, 3, 6, 10])
faces = xr.DataArray([[0.0, 2, NAN, NAN]], dims=("y", "x_u"), name="u")
same("from faces: the mean of those with water", reading.on_cells(faces, ("y", "x")), [[1, 2, NAN]])
rows = xr.DataArray([[0.0, 1], [2, 5], [6, 7]], dims=("y_v", "x"), name="v")
same("from faces along y", reading.on_cells(rows, ("y", "x")), [[1, 3], [4, 6]])
tall = xr.DataArray(np.arange(6.0).reshape(3, 2), dims=("level", "x"), name="t")
same("levels count from the bed, -1 is the surface", [reading.at_level(tall, 0), reading.at_level(tall, -1)], [[0, 1], [4, 5]])


def plane(ny, nx, dx):
    return xr.Dataset({"eta": (("time", "y", "x"), np.zeros((2, ny, nx)))}, {"x": dx * np.arange(nx), "y": dx * np.arange(ny),
                      "time": np.array(["2014-09-23T00", "2014-09-23T06"], "datetime64[ns]")})


cases.equal("metres up to two kilometres", [reading.lengths(plane(2, n, 200.0)) for n in (10, 12)], [(1.0, "m"), (1e-3, "km")])
cases.equal("flumes along x and y, and none", [reading.row_of(plane(*shape, 1.0)) for shape in ((1, 9), (9, 1), (9, 9), (1, 1))], ["x", "y", None, None])
wave = plane(2, 2, 1.0)
wave["eta"] = wave["eta"].copy(data=np.array([[[1, 1], [1, 1]], [[0, 2.0], [0, NAN]]]))
cases.equal("the record of the highest level", (reading.record_of_highest(wave), reading.records(wave, ["first", "highest", "last"])), (1, [0, 1]))
cases.equal("the nearest record", [reading.nearest_record(wave, text) for text in ("2014-09-23T02:59", "2014-09-23 03:01Z")], [0, 1])
cases.equal("kinds of files", [reading.kind_of(data) for data in (wave, wave.rename(eta="max_eta"), wave.rename(x="station"))], ["fields", "extremes", "stations"])

# ---- dates, colours, speeds ----

cases.equal("dates", [style.date(moment(text)) for text in ("2014-09-24T18:00:00", "2014-09-24T18:00:07", "2014-09-24T18:00:00.299999")],
            ["24 Sep 2014, 18:00 UTC", "24 Sep 2014, 18:00:07 UTC", "24 Sep 2014, 18:00:00.3 UTC"])
cases.equal("the page's date", facts.date(1411572600.0), "24 Sep 2014, 15:30 UTC")
mouth = np.append(np.linspace(-0.05, 0.05, 20000), [0.8])
same("the usual range leaves single cells out", style.usual_range([mouth]), [[-0.0499, 0.05], [-0.05, 0.8]], 1e-3)
cases.equal("signed scales", (style.colours("eta", np.array([-1.0, 3]))[1].vmin, style.colours("salinity", np.array([1.0, 3]))[1].vmin), (-3, 1))
cases.close("the speed that 98 of 100 stay below", maps.usual_speed([[np.arange(101.0) * 0.6, np.arange(101.0) * 0.8]]), 98, 1e-12)
island = xr.Dataset({"mask": (("y", "x"), [[1, 0], [1, 1]])}, {"x": [0.5, 1.5], "y": [0.5, 1.5]})
picture = frame.Map(island, "", "")
coast = {tuple(map(tuple, line)) for line in picture.axes.collections[0].get_segments()}
cases.equal("the coast between land and sea", coast, {((1.0, 0.0), (1.0, 1.0)), ((1.0, 1.0), (2.0, 1.0))})
style.close(picture.figure)
ball = xr.Dataset({}, {"lon": np.arange(10.0), "lat": 55 + np.arange(11.0)})
picture = frame.Map(ball, "", "")
cases.close("degrees of latitude are longer", picture.stretch, 2, 1e-12)
style.close(picture.figure)
same("water over the bed, from depth, level, or the file's level", [profile.surface_of(wave, name, 0, np.array([1.0, 1, 1, 1]), np.array([-5.0, -4, -3, -2]))
                                                                       for name in ("depth", "eta", "u")], [[-4, -3, -2, -1], [1, 1, 1, 1], [1, 1, 1, 1]])
_, panel = matplotlib.pyplot.subplots()
cases.equal("the value farthest from zero", series.mark_extreme(panel, [0, 1, 2], np.array([0.5, -1.25, NAN]), "m"), "lowest \N{MINUS SIGN}1.25 m")
style.close(panel.figure)
cases.equal("zero is shown where values swing about it", [series.shows_zero([np.array(v)]) for v in ([-1.0, 1], [15.0, 16])], [True, False])
two = xr.Dataset({name: (("time", "station"), [[1.0]]) for name in ("eta", "u", "v", "z")})
cases.equal("series: v comes with u, heights with none", series.pick(two), ["eta", "u"])

# ---- gauges ----

epoch = datetime(2014, 9, 24, 18, tzinfo=timezone.utc).timestamp()
for text, ahead, late in (("2014-09-24T18:00Z", 3, 0), ("2014-09-24 18:00:30Z", None, 30), ("2014-09-24T18:00+03:00", None, -10800), ("2014-09-24T18:00-0430", 0, 16200),
                          ("24.09.2014 18:00", 3, -10800), ("2014-09-24 18:00 UTC", 3, 0), ("20140924T1800", 0, 0), ("2014/09/24 18:00:00", -2, 7200),
                          ("2014-09-24T18:00+14:00", None, -50400)):
    cases.equal(f"{text}, {ahead} hours ahead", gauges.date(text, ahead) - epoch, late)
cases.equal("there is no zone of 15 hours", gauges.date("2014-09-24T18:00+15:00", None), None)
start, end = (datetime(year, 1, 1, tzinfo=timezone.utc).timestamp() for year in (2014, 2015))
same("years, months, days and hours", gauges.dated(["2014", "9", "24", "18", "1230"], 1)[0], epoch - 3600)
same("decimal years", gauges.dated(["2014.25", "7012"], 0)[0], 0.75 * start + 0.25 * end)
cases.equal("units of headings", [gauges.unit_of_heading(lines) for lines in (["level [cm]"], ["a", "level_mm"], ["Wasserstand cm;x"], ["cm of rain", "level"])],
            ["cm", "mm", "cm", None])
cases.equal("cells of a line", [gauges.cells_of(line) for line in ("a;1,5", "a\t1,5", "a, 1.5", "a 1.5")], [["a", "1,5"], ["a", "1,5"], ["a", "1.5"], ["a", "1.5"]])
same("decimal commas, missing words", [gauges.number(text, "") for text in ("-1,25", "n/a", '"7"')], [-1.25, NAN, 7])

# ---- comparisons and tides ----

found = beside.measures(np.array([1.0, 2, 4]), np.array([0.0, 2, 1]))
same("bias, errors", [found["bias"], found["rmse"], found["rmse_about_bias"]], [4 / 3, np.sqrt(10 / 3), np.sqrt(10 / 3 - 16 / 9)])
cases.close("skill about the measured mean", found["skill"], 1 - 10 / ((0 + 1) ** 2 + (1 + 1) ** 2 + (3 + 0) ** 2), 1e-12)
cases.close("correlation", found["correlation"], np.corrcoef([1, 2, 4], [0, 2, 1])[0, 1], 1e-12)
times = np.array([0.0, 60, 120, 600, 660])
at, computed, measured = beside.pair((times, times / 60), (np.array([-30.0, 30, 90, 300, 660, 700]), np.arange(6.0)))
same("pairs: none before, after, or in a gap of the model", [at, computed, measured], [[30, 90, 660], [0.5, 1.5, 11], [1, 2, 4]])
hours = np.arange(0, 720.0)
known = {"M2": (28.984, 10.0, 0.9, 4.0), "K1": (15.041, 300.0, 1.1, -5.0), "S2": (30.0, 0, 1, 0), "O1": (13.943, 0, 1, 0)}
level = 0.3 + 0.9 * 0.7 * np.cos(np.radians(28.984 * (hours - 360) + 10 + 4 - 50)) + 1.1 * 0.2 * np.cos(np.radians(15.041 * (hours - 360) + 300 - 5 - 200))
tides = harmonics.analyse(3600 * hours, level, ["M2", "K1"], known, 360 * 3600)
same("amplitudes and lags, with nodal factors", [tides["M2"], tides["K1"]], [[0.7, 50], [0.2, 200]], 1e-6)
cases.equal("what a month separates, and a week", [harmonics.separable(length, known, names) for length, names in ((720, ["M2", "S2", "K1", "O1"]), (168, ["M2", "S2", "K1"]))],
            [["M2", "S2", "K1", "O1"], ["M2", "K1"]])
scenario = {"time": {"start": "2014-09-01T00:00:00Z"}, "forcing": {"ramp_s": 3600}, "boundaries": [{"tide": [1], "tide_ramp_s": 7200}]}
same("the end of the ramps", beside.ramps_end(SimpleNamespace(attrs={"effective_scenario": json.dumps(scenario)})), gauges.date("2014-09-01T02:00:00Z"))

# ---- the page of a run ----

same("coarse maps are means", sets.coarsen(np.array([[[1.0, 2, 5], [3, NAN, 7], [9, 9, 4]]]), 2), [[[2, 6], [9, 4]]])
same("coarse axes", sets.coarse_axis(np.array([1.0, 2, 3, 4, 8]), 2), [1.5, 3.5, 8])
same("thinned records keep the last", sets.Thinning(3).chosen(8), [0, 3, 6, 7])
same("seconds since 1970", reading.seconds(np.array(["1970-01-02T00:00:01.5"], "datetime64[ns]")), [86401.5])
cases.equal("layers by their heights", sets.level_labels(xr.Dataset(coords={"level": [-7.5, -2.5]}), "level", 2), ["−7.5 m", "−2.5 m (surface)"])
same("the fastest record", sets.fastest([10.0, 20, 30], np.array([[[1.0]], [[-3]], [[2]]]), np.zeros((3, 1, 1))), 20)
entry = {"low": 3600, "high": 7200, "least": 1800, "most": 10800}
sets.in_hours(entry)
same("hours", [entry["factor"] * 7200, entry["low"], entry["high"], entry["least"], entry["most"]], [2, 1, 2, 0.5, 3])
ground = xr.Dataset({"eta": (("time", "y", "x"), np.zeros((1, 2, 2))), "mask": (("y", "x"), [[1, 1], [0, 1]])}, {"y": [0.0, 1], "x": [0.0, 1]})
cases.equal("bits of the sea", list(base64.b64decode(sets.sea_of(ground, ("y", "x"), 1))), [0b1011])
cases.equal("figures", [facts.figure(value, "m") for value in (0.012345, 1234.56, 12345678.0, -2.5e-5, 0)],
            ["0.0123 m", "1\u202f235 m", "1.23·10⁷ m", "−2.50·10⁻⁵ m", "0 m"])
cases.equal("heights", [facts.height(*value) for value in ((0.05,), (0.05, 2), (-0.001, 2), (1.234,))], ["+0.0500 m", "+0.05 m", "0.00 m", "+1.23 m"])
globe = xr.Dataset({"max_eta": (("lat", "lon"), [[1.0, 2], [5, 3]]), "time_of_max_eta": (("lat", "lon"), np.full((2, 2), moment("2014-09-24T18:00")))},
                   {"lat": [-10.0, -9], "lon": [-20.0, 21]})
cases.equal("the place of a peak", reached.peak(globe, "max_eta", "time_of_max_eta"), (5.0, "9.00° S, 20.00° W", "24 Sep 2014, 18:00 UTC"))
cases.equal("of the least", reached.peak(globe, "max_eta", least=True)[:2], (1.0, "10.00° S, 20.00° W"))
mercator = xr.Dataset({"max_eta": (("y", "x"), [[1.0, 2], [5, 3]])}, {"y": 5.0e6 + np.array([100.0, 600]), "x": 6.01e6 + np.array([0.0, 5123])})
cases.equal("places of projected maps in metres", [reached.place(data, 1, 1) for data in (mercator, mercator.assign_coords(x=mercator["x"] / 5, y=mercator["y"] / 500))],
            ["x 6015.123 km, y 5000.6 km", "x 1203024.6 m, y 10001.2 m"])
cases.equal("and of fine cells on a sphere", reached.place(globe.assign_coords(lon=[20.0, 20.004], lat=[50.0, 50.004]), 0, 1), "50.000° N, 20.004° E")

# a zoom of the cells in columns 1 and 2: its values stand for those below it
coarse = xr.Dataset({"max_eta": (("y", "x"), [[1.0, 9, 1, 2]] * 2), "min_eta": (("y", "x"), [[-1.0, -0.5, -0.5, -0.5]] * 2), "max_speed": (("y", "x"), [[0.1, 0.2, 0.1, 0.1]] * 2),
                     "inundation_duration": (("y", "x"), [[0.0, 3600, 3600, 3600]] * 2), "bed": (("y", "x"), np.ones((2, 4))), "cell_area": (("y", "x"), np.full((2, 4), 1e6))},
                    {"x": 1000.0 * np.arange(4), "y": 1000.0 * np.arange(2)})
fine = xr.Dataset({"max_eta": (("y", "x"), [[4.0] * 4] * 4), "min_eta": (("y", "x"), [[-0.5] * 4] * 4), "max_speed": (("y", "x"), np.arange(16).reshape(4, 4) / 10),
                   "inundation_duration": (("y", "x"), [[0.0, 0, 0, 7200]] * 4), "bed": (("y", "x"), np.ones((4, 4))), "cell_area": (("y", "x"), np.full((4, 4), 0.25e6))},
                  {"x": 750.0 + 500 * np.arange(4), "y": -250.0 + 500 * np.arange(4)})
cases.equal("cells below the finer grid", zoom.covers(fine, coarse).tolist(), [[False, True, True, False]] * 2)
for data, path in ((coarse, "run/sea.nc"), (fine, "run/zoom/sea.nc")):
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    data.to_netcdf(path)
with ExitStack() as stack:
    found = reached.key_figures(*page.Files(Path("run"), stack).grids())
cases.equal("key figures of both grids", found,
            [("Highest level", "+4.00 m", "x 0.75 km, y \N{MINUS SIGN}0.25 km, in the finer grid"), ("Lowest level", "\N{MINUS SIGN}1.00 m", "x 0 km, y 0 km"),
             ("Fastest surface current", "1.50 m/s", "x 2.25 km, y 1.25 km, in the finer grid"),
             ("Ground above the datum under water", "3.00 km²", "at some time; half of it for 1.0 h or less")])
moments = xr.Dataset({"eta": (("time", "y", "x"), [[[3.0] * 4] * 4, [[2.0] * 4] * 4]), "u": (("time", "level", "y", "x"), [[[[9.0] * 4] * 4, [[0.3] * 4] * 4]] * 2),
                      "v": (("time", "level", "y", "x"), np.full((2, 2, 4, 4), -0.4))}, {"x": fine["x"], "y": fine["y"], "time": wave["time"]})
cases.equal("with records of the finer grid alone", [card[1] for card in reached.key_figures(reached.Grid(coarse), reached.Grid(fields=moments))[:3]],
            ["+9.00 m", "\N{MINUS SIGN}1.00 m", "0.500 m/s"])
cases.equal("records of both", reached.key_figures(reached.Grid(fields=xr.Dataset({"eta": coarse["max_eta"].expand_dims(time=wave["time"][:1])})), reached.Grid(fields=moments)),
            [("Highest level", "+3.00 m", "x 0.75 km, y \N{MINUS SIGN}0.25 km, in the finer grid, 23 Sep 2014, 00:00 UTC, among the records")])
flow = xr.Dataset({"volume": ("time", [105.0, 112]), "volume_from_sources": ("time", [5.0, 8]), "volume_from_air": ("time", [1.0, 2]),
                   "volume_from_boundaries": ("time", [-1.0, 1.5]), "volume_error": ("time", [0.25, 0.5])})
same("the volume at the start", facts.start_of_volume(flow), 100)
cases.equal("decimals with which a column adds up", [facts.common_places(v) for v in ([123456.0, 1], [1.0, 0.5], [0.0])], [2, 5, 0])
cases.equal("contents as masses", [facts.content_scale(text, 1000.0) for text in ("g kg-1 m3", "kg m-3 m3", "mg m-3 m3")], [(1e-3, "t"), (1e-3, "t"), (1e-6, "kg")])
cost = dict(facts.speed({"steps": 100, "seconds_of_steps": 50.0, "processes": [2, 3], "wet_cells": 1e6, "simulated_s": 86400.0}, {}))
cases.equal("what a run cost", [cost[key] for key in ("Processes", "Steps", "Cells and steps", "Simulated time")],
            ["6 (2 × 3), on cpu", "100 in 50.0 s, 500 ms each", "2.00 million a second", "72.0 days in an hour of computing"])
cases.equal("the command of a run", facts.command_of({"history": "maeotis 1.0 (abc): /a/b/maeotis run s.json --steps 3"}), "./maeotis run s.json --steps 3")
beach = xr.Dataset({"inundation_duration": ("x", 3600.0 * np.array([9, 1, 5, 2, 99])), "bed": ("x", [1.0, 1, 1, 1, -1]), "cell_area": ("x", np.full(5, 1e6))})
cases.equal("ground above the datum under water, and for how long half of it", reached.flooded(beach)[1:], ("4.00 km²", "at some time; half of it for 2.0 h or less"))
gates = xr.Dataset({"structure_discharge": (("time", "structure"), [[1.0, 2], [3, 4]]), "eta": (("time", "y", "x"), np.zeros((2, 1, 1)))},
                   {"time": flow["time"], "structure_name": ("structure", [b"barrier", b"levee"])})
found = reading.structures_of(gates)
cases.equal("what flows over structures, as series at stations", (reading.station_names(found), series.pick(found), found["structure_discharge"].values.tolist()),
            (["barrier", "levee"], ["structure_discharge"], [[1.0, 2], [3, 4]]))
cases.equal("the densest series of structures; those of a file of their own, too",
            [name for name, _ in page.Files.structures({"fields": [("maps", gates)], "stations": [("flows", found.isel(time=[0]))]})], ["maps"])
steady = xr.Dataset(coords={"time": np.array(["2014-09-23T00", "2014-09-23T03"], "datetime64[ns]")})
cases.equal("every three hours", page.every(steady), "every 3 h")
marks = xr.Dataset({"eta": (("time", "station"), [[0.5, -0.2], [-1.5, 0.4]])}, {"time": steady["time"], "station": ["A", "B"]})
cases.equal("highest and lowest of stations", facts.station_rows(marks, [])[0][:5], ("A", "+0.50 m", "23 Sep 2014, 00:00 UTC", "−1.50 m", "23 Sep 2014, 03:00 UTC"))

# ---- new scenarios ----

cases.equal("round numbers", [new.nice(value) for value in (0.99, 2.4, 2.6, 499, 5000)], [0.5, 2.0, 2.5, 250.0, 5000.0])
cases.close("cells of a box at 60 N, wider than high [m]", new.choose_dx((10, 59, 20, 61)), new.nice(1000 * 111.195 * 5 / new.CELLS), 1e-12)
same("even layers in shallow water", [new.choose_levels(12.3)[0][key] for key in ("bottom_m", "dz_m")], [-13, 1])
deep = new.choose_levels(500)[0]["interfaces_m"]
cases.equal("layers of deep water: from the bed to 0, the upper ones thinner", (deep[0], deep[-2:], bool(np.all(np.diff(deep, 2) <= 1e-9))), (-500.0, [-1.0, 0], True))
cases.equal("steps divide ten minutes", [new.choose_step(*sea)[0] for sea in ((1000, 10), (1000, 4000), (50, 10))], [300, 50, 25])
where = object.__new__(grid.Grid)
where.wet, where.x, where.y = np.array([[1, 1, 1], [0, 1, 1]], bool), np.array([0.5, 1.5, 2.5]), np.array([0.5, 1.5])
where.scenario = {"grid": {}, "boundaries": [{"edge": "west"}, {"edge": "rest", "range": [0, 2]}]}
cases.equal("what boundaries open", [sorted(map(lambda face: (face[0], int(face[1]), int(face[2])), where.open_faces(b))) for b in where.scenario["boundaries"]],
            [[("west", 0, 0)], [("east", 0, 2), ("east", 1, 2), ("north", 1, 1), ("south", 0, 0), ("south", 0, 1)]])

# ---- ensembles, autopsies, repetitions ----

heights = np.array([[0.5, 1.5, NAN, NAN], [1.5, 1.5, 2, NAN], [0.2, 1.5, NAN, NAN]])
same("the share of members above a level: dry ones stay below", summary.exceeded(heights, [1.0]), [[1 / 3, 1, 1 / 3, NAN]])
found = summary.statistics(heights, True)
same("mean, spread, quantiles", [found["mean"][0], found["spread"][0], found["quantiles"][2][0], found["quantiles"][0][0]],
     [2.2 / 3, np.std([0.5, 1.5, 0.2], ddof=1), 0.5, 0.23])
chances = xr.Dataset({"max_eta_probability": (("threshold", "x"), [[1.0, 1], [0.5, 0.5], [0, 0.1]], {"long_name": "share above the threshold"})},
                     {"threshold": [1.0, 2, 3]})
cases.equal("the most doubtful level", float(summary.likely(chances["max_eta_probability"], "threshold")["threshold"]), 2.0)
apart = reading.one_by_one(chances)
cases.equal("maps of thresholds of their own", [(str(n), apart[n].attrs["long_name"], apart[n].dims) for n in apart.data_vars][1:2],
            [("max_eta_probability_2", "share above 2 m", ("x",))])
with netCDF4.Dataset("autopsy.nc", "w") as data:
    for name, size in (("k", 2), ("j", 9), ("i", 9)):
        data.createDimension(name, size)
    for name in ("u", "v"):
        data.createVariable(name, "f8", ("k", "j", "i"), fill_value=-99.0)[:] = 0
        data.createVariable(f"depth_{name}", "f8", ("j", "i"), fill_value=-99.0)[:] = 2
    data["u"][1, 2, 3], data["u"][0, 3, 3], data["v"][0, 8, 0] = 5, 4, -3
    data.date = "2014-09-24T18:00:00Z"
cases.equal("the worst faces, apart from each other", autopsy.worst_faces(Path("autopsy.nc")), [["u", 3, 2, 1], ["v", 0, 8, 0]])
for name, hour in (("restart_a.nc", 10), ("restart_b.nc", 17), ("restart_c.nc", 18)):
    with netCDF4.Dataset(name, "w") as data:
        data.date = f"2014-09-24T{hour}:00:00Z"
end = datetime(2014, 9, 24, 18, tzinfo=timezone.utc)
cases.equal("the newest restart file that is early enough", [getattr(autopsy.begin_at(Path.cwd(), end, 60, count), "name", None) for count in (20, 59, 60, 479, 480)],
            ["restart_b.nc", "restart_b.nc", "restart_a.nc", "restart_a.nc", None])
kept, path, restart = reproduce.command_of("maeotis 1 (a): maeotis run --set /a=b sea.json --steps=4 --restart r.nc --device emu --until 2014-09-24T00:00:00Z")
cases.equal("a command taken apart", (kept, str(path), restart), (["--steps", "4", "--until", "2014-09-24T00:00:00Z"], "sea.json", "r.nc"))
tree = {"output": [{"file": "out.nc"}], "forcing": {"wind": {"file": "w.nc"}}, "tracers": [{"initial": {"file": "t.nc"}}]}
cases.equal("inputs, but no outputs", [name for _, name in reproduce.inputs_in(tree)], ["w.nc", "t.nc"])
clock = {"start": "2014-09-24T00:00:00Z", "step_s": 60}
cases.equal("files that reach beyond their command", [reproduce.went_on(clock, options, "2014-09-24T01:00:00Z") for options in
                                                         (["--steps", "60"], ["--steps", "59"], ["--until", "2014-09-24T01:00:00Z"], ["--until", "2014-09-24T00:59:00Z"])],
            [False, True, False, True])
cases.finish()
