# SPDX-License-Identifier: Apache-2.0
"""The page of a run: what it packs is what the files hold, it needs no network, its figures are those of the files; and, where
there is a Chromium, scripts find the same values, without an error, and nothing is wider than a desktop's or a phone's window."""

import json
import os
import re
import subprocess
import sys
import tracemalloc
import warnings
from pathlib import Path

import netCDF4
import numpy as np

try:
    import matplotlib  # noqa: F401
    import xarray
except ImportError:
    print("xarray and matplotlib are not here: not checked")
    sys.exit(77)

import browser
import cases
from maeotis_plot import style
from maeotis_results import reading
from maeotis_report import __main__ as command
from maeotis_report import facts, pack, reached, sets

# What an eye would look at, once all is drawn.
ASK = """(async () => {
    const later = time => new Promise(done => setTimeout(done, time));
    for (let n = 0; n < 500 && document.documentElement.dataset.ready !== "all"; n++) await later(20);
    const set = data.sets[0], eta = set.variables.find(v => v.name === "eta"), cells = set.x[2] * set.y[2];
    const values = [...(await chunkOf(eta, 0, cells)).at(set.times.length - 1)].map(v => v === v ? v : null);
    const canvas = document.querySelector("#map canvas"), shades = new Set();
    const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    for (let n = 0; n < pixels.length; n += 4) shades.add(pixels[n] << 16 | pixels[n + 1] << 8 | pixels[n + 2]);
    for (let n = 0; n < 100 && !document.querySelector("#station-charts path"); n++) await later(20);
    const box = canvas.getBoundingClientRect();
    return { values, step: eta.step, shades: shades.size, inner: innerWidth, wide: document.documentElement.scrollWidth,
        paper: getComputedStyle(document.body).backgroundColor, charts: document.querySelectorAll("#station-charts path").length,
        at: [box.left + box.width / 2, box.top + box.height / 2] };
})()"""
# The least gap between the ticks of the colour bar [px], for ranges of few and of many digits.
TICKS = """(() => {
    let least = Infinity;
    for (const [low, high] of [[-0.4, 0.4], [0, 1e-4], [1013.2501, 1013.2519], [-123456, 123456], [99999, 100001], [10.00001, 10.00009]]) {
        drawBar($("bar"), $("bar-ticks"), $("bar-label"), variableNow(), {low, high});
        const boxes = [...$("bar-ticks").children].map(tick => tick.getBoundingClientRect()).sort((a, b) => a.left - b.left);
        if (boxes.length < 2) return -999;
        for (let n = 1; n < boxes.length; n++) least = Math.min(least, boxes[n].left - boxes[n - 1].right);
    }
    return least;
})()"""
POINT = """(async () => {
    for (let n = 0; n < 100 && !document.querySelector("#point-chart path"); n++) await new Promise(done => setTimeout(done, 20));
    return document.getElementById("point-title").textContent + document.querySelectorAll("#point-chart path").length;
})()"""


def packing():
    """Whole numbers of a step, with gaps and overflowing differences, come back."""
    random = np.random.default_rng(1)
    values = random.uniform(-3, 5, (7, 40))
    values[random.random(values.shape) < 0.2] = np.nan
    values[:, 11] = np.nan
    step, offset = pack.step_for(-3, 5)
    back = pack.unpack(pack.chunk(values, step, offset), 7, 40, step, offset)
    cases.equal("gaps stay gaps", bool(np.array_equal(np.isnan(back), np.isnan(values))), True)
    cases.below("a packed value is off by at most half a step", float(np.nanmax(np.abs(back - values))), 0.5001 * step)
    cases.below("the step, of the range", step / 8, 1 / 4000)


def refusal(*arguments):
    """What the command says of what it cannot use."""
    try:
        command.main(list(map(str, arguments)))
    except reading.Refused as refused:
        return str(refused)
    return "nothing"


def budgets_of_means(folder):
    """A file of means has no record of the start; the file of moments beside it has."""
    with reading.open_file(folder / "lagoon.nc") as means, reading.open_file(folder / "lagoon_moments.nc") as moments:
        start, end = (float(moments["volume"].values[n]) for n in (0, -1))
        cases.below("the volume at the start, from means [of the volume]", abs(facts.start_of_volume(means) / start - 1), 1e-14)
        cases.below("and from moments", abs(facts.start_of_volume(moments) / start - 1), 1e-14)
        found = facts.budgets(means)
        change, *gains = (np.array(s["values"]) for s in found["series"])
        scale = 1e-6  # of a lagoon of many million m³
        cases.below("the budget's lines add up [of the volume]", float(np.max(np.abs(change - sum(gains)))) / (scale * end), 1e-14)
        column = [float(text.split(" ")[0].replace("\u202f", "").replace("\N{MINUS SIGN}", "-")) for _, text in found["rows"][:6]]
        cases.below("and so does the column that is read [million m3]", abs(sum(column[:4]) - column[5]), 3e-3)
        cases.equal("a mean's budget is that of its end", found["times"][-1], facts.budgets(moments)["times"][-1])
        cases.between("the water that came in [of the volume]", end / start - 1, 0.01, 1)


def chosen_record(data, seconds):
    """The record at this time [s since 1970]."""
    begin = netCDF4.num2date(0, data["time"].units)
    return int(np.argmin(np.abs(data["time"][:] + (np.datetime64(begin.isoformat()) - np.datetime64("1970-01-01")) / np.timedelta64(1, "s") - seconds)))


def grids():
    """What the page says about a grid in degrees, and about one in metres with one layer."""
    degrees = {"kind": "spherical", "dlon_deg": 0.02, "dlat_deg": 0.0125, "levels": {"interfaces_m": [-2, -1, 0]}}
    cases.equal("a grid in degrees", facts.grid_of({"grid": degrees}), "spherical, cells of 0.02 × 0.0125 degrees, 2 layers from -2 to 0 m")
    metres = {"kind": "cartesian", "dx_m": 200, "levels": {"interfaces_m": [-8, 0]}}
    cases.equal("a grid in metres", facts.grid_of({"grid": metres}), "cartesian, cells of 200 × 200 m, 1 layer from -8 to 0 m")


def contents():
    """Contents in units that can be weighed, of water of 1000 kg/m3."""
    water = xarray.Dataset({f"{name}_content": ("time", [1.0, 2.0e6], {"units": units})
                            for name, units in (("salinity", "1e-3 m3"), ("sediment", "kg m-3 m3"), ("dye", "m3"), ("oxygen", "mmol m-3 m3"),
                                                  ("absolute_salinity", "g kg-1 m3"), ("temperature", "degree_C m3"))})
    cases.equal("contents", [row[1:3] for row in facts.tracers(water, 1000.0)],
                [("0.0010000 t", "2\u202f000.0 t"), ("0.0010000 t", "2\u202f000.0 t"), ("1.0000 m³", "2\u202f000\u202f000 m³"),
                 ("0.0010000 mol", "2\u202f000.0 mol"), ("0.0010000 t", "2\u202f000.0 t"), ("3.9919·10⁻⁶ TJ", "7.9837 TJ")])


def ground_under_water():
    """Area of ground above the datum, and for how long half of it was wet: cells of 1 km2, one of them below the datum."""
    hours = np.array([0, 1, 2, 5, 100])
    data = xarray.Dataset({"inundation_duration": ("x", 3600.0 * hours), "bed": ("x", [1.0, 1, 1, 1, -1]), "cell_area": ("x", np.full(5, 1e6))})
    cases.equal("ground above the datum under water", reached.flooded(data)[1:], ("3.00 km²", "at some time; half of it for 2.0 h or less"))


def ranges():
    """Of many numbers a part is enough for colours, the same from all columns; but the ends are those of all."""
    columns = np.arange(1000.0) + np.zeros((3000, 1))
    columns[7, 7], columns[8, 8] = -5000, np.nan
    (low, high), whole = style.usual_range([columns, np.full(9, np.inf)])
    cases.equal("ends of many numbers", whole, (-5000.0, 999.0))
    cases.below("the usual range of them", max(abs(low - 1), abs(high - 998)), 1)
    cases.equal("nothing but gaps", style.usual_range([np.full((2, 3), np.nan)]), ((0.0, 1.0), (0.0, 1.0)))


packing()
grids()
contents()
ranges()
ground_under_water()
run = cases.run("lagoon", {"/output_folder": "sea", "/output/0/every_s": 600,
                           "/output/3": {"file": "lagoon_moments.nc", "every_s": 3600, "variables": ["eta"]}, "/title": 'A lagoon </script><script>alert("no")</script>'},
                options=["--steps", "60"], label="lagoon")
folder = run.folder / "sea"
budgets_of_means(folder)
with warnings.catch_warnings():
    warnings.simplefilter("error")
    with reading.open_file(folder / "lagoon_extremes.nc") as extremes:
        cases.equal("dates that are missing are read without a warning", bool(np.isnat(extremes.load()["time_of_max_eta"].values).any()), True)
record = json.loads((folder / "run_record.json").read_text())
cases.equal("the record of the run: end, steps and digest", (record["ended"], record["steps"], record["digest"]), ("done", 60, run.digest))
stations = run.stations()
shifted = "\n".join(f"{np.datetime64('2024-03-01T00:00:00') + np.timedelta64(int(t), 's')}Z,{v - 0.25:.6f}"
                    for t, v in zip(stations["time"], stations["eta"][:, 0]))
(run.folder / "gauge.csv").write_text(shifted + "\n")
done = subprocess.run([sys.executable, "-m", "maeotis_report", str(folder), "-o", "page.html", "-g",
                       f"{stations['names'][0]}={run.folder / 'gauge.csv'}"], capture_output=True, text=True)
cases.equal("exit code", (done.returncode, done.stderr), (0, ""))
page = Path("page.html").resolve()
text = page.read_text()
cases.equal("nothing is fetched", re.findall(r"(?:src|href)=\"(?!#)\S+|url\(|@import|https?://(?!www\.w3\.org)",
                                             re.sub(r"(?s)<pre.*?</pre>", "", text)), [])
cases.equal("a title is no program", "<script>alert" in text, False)
cases.equal("the gauge's bias and error are there", "rms 0.250 m, bias 0.250 m" in text, True)
for words in (run.digest, "./maeotis reproduce", "Largest error of the budget", "Free surface", "60 in "):
    cases.equal(f"the page has: {words}", words in text, True)
fields = run.fields("lagoon.nc")
highest = float(np.nanmax(run.read("*_extremes.nc")["max_eta"]))
cases.equal("the highest level", f"+{highest:.2f} m" in text, True)
cases.below("megabytes", page.stat().st_size / 1e6, 2)

# of a run with more than fits, records are left out, and the page says so
big = run.folder / "big"
big.mkdir()
with netCDF4.Dataset(big / "noise.nc", "w") as data:
    for name, size in (("time", None), ("y", 150), ("x", 200)):
        data.createDimension(name, size)
    for name in ("y", "x"):
        axis = data.createVariable(name, "f8", (name,))
        axis[:] = np.arange(data.dimensions[name].size) * 100.0
        axis.units = "m"
    time = data.createVariable("time", "f8", ("time",))
    time.units = "seconds since 2014-09-23 00:00:00"
    time[:] = np.arange(40) * 60.0
    data.createVariable("eta", "f4", ("time", "y", "x"))[:] = np.random.default_rng(2).normal(size=(40, 150, 200))
numbers, add = [], sets.Chunks.add
sets.Chunks.add = lambda self, values, *step: (numbers.append(values.size), add(self, values, *step))[1]
tracemalloc.start()
command.main([str(big), "--megabytes", "1"])
cases.below("memory for it, of what the file holds", tracemalloc.get_traced_memory()[1] / (40 * 150 * 200 * 4), 3)
tracemalloc.stop()
sets.Chunks.add = add
cases.below("records that are packed at a time, of 40", max(numbers) / (150 * 200), 20)
cases.below("a page of noise, megabytes", (big / "report.html").stat().st_size / 1e6, 1)
cases.equal("it says what is left out", "records of a file are left out" in (big / "report.html").read_text(), True)

# a few records of the file at a time: each lies where it belongs
blocks, every_third = reading.blocks, np.arange(0, 40, 3)
reading.blocks = lambda variable, records: blocks(variable, records, 5 * 150 * 200 * 4)
with xarray.open_dataset(big / "noise.nc") as data:
    cases.equal("blocks of five records", len(reading.blocks(data["eta"], len(every_third))), 3)
    maps = sets.maps_of(data["eta"].expand_dims("level", 1), "level", ("y", "x"), every_third, 1)
    cases.equal("records in blocks", np.array_equal(maps[0], data["eta"].values[every_third]), True)
reading.blocks = blocks

# a flume, one cell wide, with a record every half second
flume = run.folder / "flume"
flume.mkdir()
with netCDF4.Dataset(flume / "flume.nc", "w") as data:
    for name, size in (("time", None), ("y", 1), ("x", 50)):
        data.createDimension(name, size)
    for name in ("y", "x"):
        axis = data.createVariable(name, "f8", (name,))
        axis[:] = 0.1 + 0.2 * np.arange(data.dimensions[name].size)
        axis.units = "m"
    time = data.createVariable("time", "f8", ("time",))
    time.units = "seconds since 2014-09-23 00:00:00"
    time[:] = np.arange(4) * 0.5
    data.createVariable("eta", "f4", ("time", "y", "x"))[:] = 0.01 * np.sin(np.arange(4)[:, None, None] + np.arange(50))
command.main([str(flume)])

# a harbour: the level rises everywhere alike, the current is the picture; one cell is far above all others
harbour = run.folder / "harbour"
harbour.mkdir()
with netCDF4.Dataset(harbour / "harbour.nc", "w") as data:
    for name, size in (("time", None), ("y", 40), ("x", 50)):
        data.createDimension(name, size)
    for name in ("y", "x"):
        axis = data.createVariable(name, "f8", (name,))
        axis[:] = 10 * np.arange(data.dimensions[name].size)
        axis.units = "m"
    time = data.createVariable("time", "f8", ("time",))
    time.units = "seconds since 2014-09-23 00:00:00"
    time[:] = np.arange(9) * 600.0
    wave = np.sin(np.arange(9) * np.pi / 8)[:, None, None]
    whirl = 1 - wave + np.zeros((9, 40, 50))
    for name, values in (("eta", wave + 1e-3 * np.ones((9, 40, 50))), ("u_east", 0.1 * whirl * np.linspace(-1, 1, 40)[:, None]),
                         ("v_north", np.where(np.arange(50) == 7, 2.0, 0.0) * (np.arange(40) == 7)[:, None] * whirl)):
        data.createVariable(name, "f4", ("time", "y", "x"))[:] = values
        data[name].units = "m" if name == "eta" else "m s-1"
command.main([str(harbour)])

# a run with a zoom: the finer grid's files are on the page of the grid around
bay = next(cases.run("zoomed_bay", {"/time/duration_s": 7200}).folder.glob("results/*"))
command.main([str(bay)])

cases.equal("no folder", "there is no folder nowhere" in refusal("nowhere"), True)
cases.equal("a file", "name the run's output folder" in refusal(page), True)
cases.equal("no gauge of that name", "there is no station" in refusal(folder, "-g", "Atlantis=x.csv"), True)

if not browser.PROGRAM:
    print("there is no Chromium: the page's scripts are not tried")
    cases.finish()
last = fields["eta"][-1].ravel()
with browser.Browser() as chromium:
    for width, dark in ((1280, False), (390, True)):
        chromium.open(page, width, dark=dark)
        answer = chromium.ask(ASK)
        name = f"{width} wide, {'dark' if dark else 'light'}"
        values = np.array([np.nan if v is None else v for v in answer["values"]])
        cases.equal(f"{name}: water where the file has water", bool(np.array_equal(np.isnan(values), np.isnan(last))), True)
        cases.below(f"{name}: levels as in the file [steps]", float(np.nanmax(np.abs(values - last))) / answer["step"], 0.501)
        cases.equal(f"{name}: the window's width, and no more", (answer["inner"], answer["wide"]), (width, width))
        cases.equal(f"{name}: light or dark", answer["paper"], "rgb(20, 24, 27)" if dark else "rgb(255, 255, 255)")
        cases.between(f"{name}: colours on the map", answer["shades"], 40, 1e6)
        cases.between(f"{name}: ticks of the colour bar stand apart [px]", chromium.ask(TICKS), 3, 999)
        cases.equal(f"{name}: land that was not flooded, and the sea, have no time under water",
                    chromium.ask("data.sets.flatMap(s => s.variables).filter(v => v.empty).map(v => v.name + (v.least > 0))"),
                    ["inundation_durationtrue"])
        cases.between(f"{name}: a line for each station, and more", answer["charts"], len(stations["names"]), 99)
        chromium.click(*answer["at"])
        said = chromium.ask(POINT)
        cases.equal(f"{name}: a click shows the series of a cell", said.startswith("Level at x ") and said.endswith("1"), True)
        cases.equal(f"{name}: the last link stands in the window", chromium.ask(
            "[...document.querySelectorAll('nav a')].every(a => a.getBoundingClientRect().right <= innerWidth)"), True)
        cases.equal(f"{name}: no table is wider than its place", chromium.ask(
            "[...document.querySelectorAll('.scroll')].every(s => s.scrollWidth <= s.clientWidth)"), True)
        cases.equal(f"{name}: no error, nothing fetched", chromium.errors, [])
        if "PICTURES" in os.environ:
            chromium.picture(Path(os.environ["PICTURES"]) / f"report_{width}.png")
    chromium.open(flume / "report.html", 390)
    answer = chromium.ask(ASK)
    cases.equal("a flume is drawn as a line, without a scale of colours", chromium.ask("[map.row, $('bar').clientWidth]"), [True, 0])
    chromium.click(*answer["at"])
    said = chromium.ask(POINT)
    cases.equal("a click on it shows a series, with its place in metres", re.fullmatch(r"Level at x \d\.\d m1", said) is not None, True)
    cases.equal("dates have their half seconds", chromium.ask("chosen.record = 3, show().then(() => $('date').textContent)"),
                "23 Sep 2014, 00:00:01.5 UTC")
    cases.equal("a flume: no error, nothing fetched", chromium.errors, [])
    chromium.open(bay / "report.html", 390)
    chromium.ask(ASK)
    chromium.ask("chosen.record = 1, show().then(() => null)")
    cases.equal("a zoom: the box on the map [km], and the finer field at the same time over it", chromium.ask(
        "[setNow().title.split(',')[0], shown.box, shown.finer.set.title.split(',')[0], shown.finer.values.length]"), ["bay.nc", [21, 39, 6, 18], "zoom/island.nc", 36 * 24])
    with netCDF4.Dataset(bay / "zoom" / "island.nc") as data:
        exact = data["eta"][:][chosen_record(data, chromium.ask("setNow().times[chosen.record]")), 3, 5]
    cases.below("its values [m]", abs(chromium.ask("shown.finer.values[3 * 36 + 5]") - float(exact)), 1e-3)
    cases.equal("its cells on the axes of the map around [km]", chromium.ask("[shown.finer.cells.at(21.1, 6.1).cell, shown.finer.cells.at(38.9, 17.9).cell, shown.finer.cells.at(20.9, 7)]"),
                [0, 36 * 24 - 1, None])
    cases.equal("a zoom: no error, nothing fetched", chromium.errors, [])
    chromium.open(harbour / "report.html", 390)
    chromium.ask(ASK)
    cases.equal("a level without a picture: the page begins with the current, when it is fastest",
                chromium.ask("[variableNow().name, chosen.record]"), ["speed", 0])
    cases.between("arrows are measured by what most cells have [m/s]", chromium.ask("shown.reference"), 0.05, 0.11)
    scaled = "($('scale').value = '{}', show().then(() => [shown.scale.low, shown.scale.high, shown.scale.log, $('bar-label').textContent]))"
    low, high, log, words = chromium.ask(scaled.format("full"))
    cases.equal("a scale of all values", (low, round(high, 2), log, words), (0, 2.0, False, "Current speed [m/s]"))
    low, high, log, words = chromium.ask(scaled.format("log"))
    cases.equal("a logarithmic one, from what the page can tell from zero", (0 < low < 1e-3, round(high, 2), log), (True, 2.0, True))
    cases.equal("places on it", chromium.ask("[1, 10, 100].map(v => fractionOf(v, {low: 1, high: 100, log: true}).toFixed(3))"), ["0.000", "0.500", "1.000"])
    chromium.ask(scaled.format("run"))
    cases.equal("the colours leave single cells out, and say so", chromium.ask("$('bar-label').textContent").startswith(
        "Current speed [m/s], up to 2.0"), True)
cases.finish()
