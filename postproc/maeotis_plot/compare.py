# SPDX-License-Identifier: Apache-2.0
"""`./maeotis compare STATIONS.nc --gauge Port=port.csv ...`: compares the series of a run with measured ones.

For each gauge: bias, RMS error with and without the bias, skill (Willmott, Physical Geography 2 (1981) 184-194), correlation,
height and time of the highest and lowest measured values and of the model's extremes in the same tide, tidal constants of both if the
series are long enough; and a picture of both. To compare the files of two runs with each other, use `./maeotis diff`."""

import csv
import json
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from maeotis_results import beside, gauges, reading
from maeotis_results.beside import date_of
from maeotis_results.options import Parser, start, wished_gauges

from . import harmonics, lead, style

EXAMPLE = """\
Examples:
  ./maeotis compare results/storm/storm_stations.nc --gauge Taganrog=taganrog.csv --gauge "Don delta=don.csv" -o pictures
  ./maeotis compare forecasts/*/storm_stations.nc --gauge Taganrog=taganrog.csv --lead 6 --table scores.csv
"""


def parse(arguments):
    parser = Parser(prog="maeotis compare", description=__doc__, epilog=EXAMPLE)
    parser.add_argument("files", type=Path, nargs="+", metavar="STATIONS.nc", help="series at stations from a run, or from "
                        "several forecasts")
    parser.add_gauges(required=True)
    parser.add_argument("-l", "--level", type=reading.layer, default=-1, metavar="LAYER", help="layer in the file, 0 the lowest, -1 the surface (default); bed: the lowest layer of each cell; 2.5m: 2.5 m below the surface, between layers")
    parser.add_argument("-c", "--constituents", metavar="M2,S2,...", help="tidal constituents to determine (default: those that the length "
                        "of the series separates)")
    parser.add_pictures()
    parser.add_argument("--table", type=Path, metavar="FILE.csv|.json", help="also write the scores, a row for each gauge; rows are added "
                        "to an existing CSV file")
    parser.add_argument("--lead", type=float, metavar="H", help="scores of all files together by lead time, the time since the start of "
                        "a run, in intervals of H hours; --table then contains these")
    return parser.parse_args(arguments)


HALF_A_TIDE_S = 6.2 * 3600  # farther away lies another high water


def peaks(times, model, measured):
    """For the highest and the lowest measured value: (measured, the model's of the same tide, minutes by which the model is late, the
    measured one's time, whether the series begin or end there, (value, time) of the model's own extreme where that is of another
    tide)."""
    found = {}
    for name, choose in (("highest", np.argmax), ("lowest", np.argmin)):
        a, own = choose(measured), choose(model)
        same = np.flatnonzero(np.abs(times - times[a]) <= HALF_A_TIDE_S)
        b = same[choose(model[same])]
        other = None if model[own] == model[b] else (model[own], times[own])
        found[name] = (measured[a], model[b], (times[b] - times[a]) / 60, times[a], a in (0, times.size - 1), other)
    return found


def known(value):
    return f"{value:.4f}" if np.isfinite(value) else "none, as the series does not vary"


def report(station, unit, result, extremes, tides):
    print(f"{station}: {result['pairs']} pairs")
    print(f"  bias {result['bias']:+.5g} {unit}, rms error {result['rmse']:.5g} {unit} "
          f"(about the bias {result['rmse_about_bias']:.4g} {unit}), skill {known(result['skill'])}, "
          f"correlation {known(result['correlation'])}")
    for name, (gauge, model, late, time, at_end, other) in extremes.items():
        side = "at the same time" if late == 0 else f"{abs(late):.0f} min {'late' if late > 0 else 'early'}"
        end = "; the series begin or end there, so this is not a peak" if at_end else ""
        print(f"  {name:8} measured {gauge:.4g} {unit} at {date_of(time)}, computed within 6.2 h of it {model:.4g} {unit}, {side}{end}")
        if other:
            print(f"  {'':8} the model's {name} value overall, {other[0]:.4g} {unit}, is at {date_of(other[1])}")
    if tides:
        print(f"  {'tide':5} {'measured':>20} {'computed':>20}   amplitude [{unit}], phase lag at Greenwich [degrees]")
        for name, (gauge, model) in tides.items():
            print(f"  {name:5} {gauge[0]:10.4f} {gauge[1]:9.1f} {model[0]:10.4f} {model[1]:9.1f}")


def draw(picture, station, options, data, both, result):
    style.set_up()
    figure, panel = plt.subplots(figsize=(8, 3.4), layout="constrained")

    def dates(seconds):
        return np.datetime64("1970-01-01T00:00:00") + (seconds * 1e3).astype("timedelta64[ms]")

    model, gauge = both.model, both.gauge
    low, high = model[0][0], model[0][-1]
    inside = (gauge[0] >= low) & (gauge[0] <= high)
    panel.plot(dates(gauge[0][inside]), gauge[1][inside], "o", markersize=2.6, color=style.QUIET, label="measured")
    panel.plot(dates(model[0]), model[1], color="#2a6699", linewidth=1.4, label="computed")
    style.date_axis(panel.xaxis, 8)
    variable = data[options.variable]
    panel.set_ylabel(f"{style.label(variable)}")
    panel.set_title(f"{station}    rms error {result['rmse']:.3g} {style.units(variable)}, skill {result['skill']:.3f}", loc="left")
    panel.legend(frameon=False, ncols=2, loc="lower right", bbox_to_anchor=(1, 1), borderaxespad=0)
    panel.margins(x=0.01)
    panel.spines[["top", "right"]].set_visible(False)
    panel.grid(axis="y", color="#e4e4e2", linewidth=0.6)
    style.save(figure, picture, options.dpi)
    print(f"  {picture}")


def start_of(data, times):
    return gauges.date(str(data.attrs.get("time_coverage_start", ""))) or times[0]


def table_row(data, station, file, options, times, result, extremes):
    """What `--table` writes of a gauge: flat, so that rows of many runs make one table."""
    row = {"file": str(options.file), "gauge": str(file), "station": station, "variable": options.variable,
           "run_start": date_of(start_of(data, times)),
           "first": date_of(times[0]), "last": date_of(times[-1]), **result}
    for name, (measured, computed, late, *_) in extremes.items():
        row |= {f"{name}_measured": measured, f"{name}_computed": computed, f"{name}_late_min": late}
    return {key: value.item() if hasattr(value, "item") else value for key, value in row.items()}


def write_table(path, rows):
    if path.suffix == ".json":
        path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
        return
    known = None
    if path.exists():
        with path.open(newline="", encoding="utf-8") as file:
            known = next(csv.reader(file), None)
        if known != list(rows[0]):
            raise reading.Refused(f"--table {path}: its columns differ; name a new file")
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        if known is None:
            writer.writeheader()
        writer.writerows(rows)


def pictures(wishes, options):
    """A file for each (station, gauge); a number tells apart those that would have one name."""
    folder, found = options.output or options.file.parent, []
    stem = f"{options.file.parent.name}_{options.file.stem}" if options.output and len(options.files) > 1 else options.file.stem
    for station, _ in wishes:
        safe = "".join(c if c.isalnum() else "_" for c in station)
        name, n = folder / f"{stem}_{safe}_compared.png", 1
        while name in found:
            n += 1
            name = folder / f"{stem}_{safe}_{n}_compared.png"
        found.append(name)
    return found


def compare(data, station, file, picture, options):
    """What `--table` and `--lead` write of one gauge: the row, and what goes into the scores by lead time."""
    both = beside.of_file(data, station, file, options, options.level)
    unit, times, computed, measured, result = beside.unit_of(data, options.variable), both.times, both.computed, both.measured, both.measures
    if options.no_bias:
        print(f"{station}: {both.shift:+.4g} {unit} added to the gauge's values")
    wanted = options.constituents.split(",") if options.constituents else None
    tides = harmonics.both(times, measured, computed, wanted)
    extremes = peaks(times, computed, measured)
    report(station, unit, result, extremes, tides)
    picture.parent.mkdir(parents=True, exist_ok=True)
    draw(picture, station, options, data, both, result)
    said = {"gauge": str(file), "station": station, "variable": options.variable}
    return table_row(data, station, file, options, times, result, extremes), (said, start_of(data, times), times, computed, measured)


def compare_file(options):
    """[what compare() gives] for each gauge, and the unit."""
    with reading.open_file(options.file) as data:
        if reading.kind_of(data) != "stations":
            raise reading.Refused(f"{options.file} contains no series at stations")
        wishes = wished_gauges(options)
        found = [compare(data, station, file, picture, options) for (station, file), picture in zip(wishes, pictures(wishes, options))]
        return found, beside.unit_of(data, options.variable)


def main(arguments=None):
    options = parse(arguments)
    if options.lead is not None and not options.lead > 0:
        raise reading.Refused(f"--lead {options.lead:g}: hours, more than 0")
    if options.table and options.table.suffix not in (".csv", ".json"):
        raise reading.Refused(f"--table {options.table}: a name that ends with .csv or .json")
    found, unit = [], ""
    for options.file in options.files:
        more, unit = compare_file(options)
        found += more
    rows = [row for row, _ in found]
    if options.lead:
        rows = lead.scores([one for _, one in found], options.lead, beside.measures)
        lead.report(rows, unit)
    if options.table:
        write_table(options.table, rows)


if __name__ == "__main__":
    start(main, "compare")
