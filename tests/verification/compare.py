# SPDX-License-Identifier: Apache-2.0
"""`maeotis compare`: errors, skill, peaks and tidal constants of series that are known, in every layout of gauge files; refusals."""

import contextlib
import csv
import importlib.util
import io
import json
import re
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import netCDF4
import numpy as np

import cases

if any(importlib.util.find_spec(name) is None for name in ("xarray", "matplotlib")):
    sys.exit(77)
from maeotis_plot import compare as command  # noqa: E402
from maeotis_results import reading  # noqa: E402

START = datetime(2014, 9, 1)
HOURS = np.arange(0, 60 * 24 + 1)
TIDES = {"M2": (0.8, 45.0), "S2": (0.25, 80.0), "K1": (0.1, 310.0), "O1": (0.07, 200.0)}


def tides_at(date):
    text = subprocess.run([cases.PROGRAM, "tides", "--at", date], capture_output=True, text=True, check=True).stdout
    return {row.split()[0]: list(map(float, row.split()[1:])) for row in text.splitlines()[1:]}


def level(constants):
    """By the program's own arguments in the middle of the series."""
    known = tides_at("2014-10-01T00:00:00Z")
    hours = HOURS - 30 * 24
    return sum(known[n][2] * a * np.cos(np.radians(known[n][1] + known[n][3] + known[n][0] * hours - g))
               for n, (a, g) in constants.items())


def write_series(path, values):
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_OFFSET") as data:
        for name, size in (("time", None), ("station", 1), ("name_length", 8)):
            data.createDimension(name, size)
        names = data.createVariable("station", "S1", ("station", "name_length"))
        names[:] = netCDF4.stringtochar(np.array([b"Port"], dtype="S8"))
        names._Encoding = "utf-8"
        time = data.createVariable("time", "f8", ("time",))
        time.units = "seconds since 2014-09-01 00:00:00"
        time[:] = HOURS * 3600.0
        eta = data.createVariable("eta", "f8", ("time", "station"))
        eta.units = "m"
        eta[:] = values[:, None]
        data.createVariable("bed", "f8", ("station",))[:] = -9  # no series


def compare(*words):
    """In this process: a new one takes a second to import what draws."""
    printed, refused = io.StringIO(), ""
    with contextlib.redirect_stdout(printed):
        try:
            command.main([str(word) for word in words])
        except reading.Refused as why:
            refused = str(why)
    return SimpleNamespace(stdout=printed.getvalue(), stderr=refused, returncode=2 if refused else 0)


def numbers(text, words):
    found = re.search(words, text)
    return [float(x) for x in found.groups()] if found else [np.nan]


model = level({n: (1.1 * a, g + 5) for n, (a, g) in TIDES.items()})
gauge = level(TIDES) - 0.2
write_series("run_stations.nc", model)
dates = [START + timedelta(hours=int(h)) for h in HOURS]

LAYOUTS = {
    "iso.csv": "time (UTC),level (m)\n" + "".join(f"{d:%Y-%m-%dT%H:%M:%SZ},{x:.7f}\n" for d, x in zip(dates, gauge)),
    "ioc.csv": "Time (UTC)\tprs(m)\n" + "".join(f"{d:%Y-%m-%d %H:%M:%S}\t{x:.7f}\n" for d, x in zip(dates, gauge)),
    "russian.csv": "".join(f"{d + timedelta(hours=3):%d.%m.%Y %H:%M};{100 * x:.5f}\n" for d, x in zip(dates, gauge)),
    "uhslc.csv": "".join(f"{d:%Y,%m,%d,%H},{1000 * x:.4f}\n" for d, x in zip(dates, gauge)),
    "german.csv": "Zeit (UTC);Wasserstand cm\n" + "".join(f"{d:%d.%m.%Y %H:%M};{100 * x:.5f}\n" for d, x in zip(dates, gauge)),
    "named.csv": "time_utc,level_cm\n" + "".join(f"{d:%Y-%m-%d},{d:%H:%M},{100 * x:.5f}\n" for d, x in zip(dates, gauge)),
    "flags.csv": "time (UTC),level [mm],flag\n" + "".join(f"{d:%Y-%m-%d %H:%M},{1000 * x:.0f},1\n" for d, x in zip(dates, gauge)),
    "compact.csv": "level [m]\n" + "".join(f"{d:%Y%m%dT%H%M}Z,{x:.7f}\n" for d, x in zip(dates, gauge)),
    "offset.csv": "# a comment\n" + "".join(f"{d + timedelta(hours=2):%Y-%m-%dT%H:%M}+02:00 {x:.7f}\n" for d, x in zip(dates, gauge)),
    "holes.csv": "".join(f"{d:%Y-%m-%d %H:%M},{'-9999' if n % 7 == 3 else f'{x:.7f}'}\n" for n, (d, x) in enumerate(zip(dates, gauge))),
}
for name, text in LAYOUTS.items():
    Path(name).write_text(text)
    # what a date says itself counts more than --hours-ahead
    more = {"russian.csv": ["--unit", "cm", "--hours-ahead", 3], "iso.csv": ["--hours-ahead", 3], "holes.csv": ["--hours-ahead", 0]}.get(name, [])
    ran = compare("run_stations.nc", "-g", f"Port={name}", "-c", "M2,S2,K1,O1", "-o", "pictures", *more)
    print(ran.stdout, ran.stderr)
    keep = np.array([n % 7 != 3 for n in HOURS]) if name == "holes.csv" else np.ones(HOURS.size, bool)
    error = (model - gauge)[keep]
    bias, rmse, skill = numbers(ran.stdout, r"bias (\S+) m, rms error (\S+) m .*skill (\S+),")
    loose = 1e-3 if name == "flags.csv" else 2e-4  # whole millimetres
    cases.close(f"{name}: bias", bias, error.mean(), loose)
    cases.close(f"{name}: rms error", rmse, np.sqrt(np.mean(error**2)), loose)
    about = gauge[keep].mean()
    exact = 1 - np.sum(error**2) / np.sum((np.abs(model[keep] - about) + np.abs(gauge[keep] - about)) ** 2)
    cases.close(f"{name}: skill", skill, exact, loose / 2)
    for tide, (amplitude, lag) in TIDES.items():
        a, g, b, h = numbers(ran.stdout, rf"{tide} +(\S+) +(\S+) +(\S+) +(\S+)")
        cases.below(f"{name}: {tide}", max(abs(a - amplitude), abs(b - 1.1 * amplitude)), 1.01e-4)
        cases.below(f"{name}: {tide}'s phase", max(abs(g - lag), abs(h - lag - 5)), 0.0501)
cases.equal("a picture", len(list(Path("pictures").glob("*_compared.png"))), 1)

twice = compare("run_stations.nc", "-g", "Port=iso.csv", "-g", "Port=holes.csv", "-c", "M2", "-o", "two", "--hours-ahead", 0)
cases.equal("a picture for each gauge", (twice.returncode, len(list(Path("two").glob("*_compared.png")))), (0, 2))
about = compare("run_stations.nc", "-g", "Port=iso.csv", "--no-bias")
cases.below("about the means", abs(numbers(about.stdout, r"bias (\S+) m")[0]), 1e-6)
late = compare("run_stations.nc", "-g", "Port=iso.csv", "-c", "M2")
cases.equal("the peak", re.search(r"highest +measured (\S+) m", late.stdout).group(1), f"{gauge.max():.4g}")


# two high waters, 12 h apart: the model's higher one is not the measured one, and stands beside its own neighbour
hours = np.arange(0, 48, 0.5)
waves = [np.exp(-((hours - at) / 2) ** 2) for at in (14, 26)]
found = command.peaks(hours * 3600, np.roll(1.1 * waves[0] + 0.9 * waves[1], 1), 1.0 * waves[0] + 1.2 * waves[1])["highest"]
cases.close("the peak of the same tide", found[1], 0.9, 0.01)
cases.equal("its delay, its time, and where the model is highest", (found[2:5], found[5][1]), ((30.0, 26 * 3600.0, False), 14.5 * 3600))
cases.equal("a ramp has no peak", command.peaks(hours * 3600, hours, hours)["highest"][4], True)

REFUSED = {
    "no such station; there are Port": ["-g", "Mouth=iso.csv"],
    "there is no file": ["-g", "Port=nothing.csv"],
    "STATION=FILE.csv": ["-g", "iso.csv"],
    "there is no X9": ["-g", "Port=iso.csv", "-c", "M2,X9"],
    "no line begins with a date": ["-g", f"Port={cases.SOURCE / 'README.md'}"],
    "two values": ["-g", "Port=twice.csv"],
    "while the run lasts": ["-g", "Port=later.csv"],
    "is not a number": ["-g", "Port=letters.csv"],
    "do not separate": ["-g", "Port=day.csv", "-c", "M2,S2"],
    "there is no series salt": ["-g", "Port=iso.csv", "-v", "salt"],
    "there is no series bed; there are eta": ["-g", "Port=iso.csv", "-v", "bed"],
    "--hours-ahead nan": ["-g", "Port=iso.csv", "--hours-ahead", "nan"],
    "--dpi 0": ["-g", "Port=iso.csv", "--dpi", "0"],
    "zoneless.csv:2: the time zone is missing": ["-g", "Port=zoneless.csv"],
    "no unit is given": ["-g", "Port=unitless.csv"],
    "moscow.csv:2: the time zone is missing": ["-g", "Port=moscow.csv"],
}
Path("moscow.csv").write_text("time (UTC+3),level (m)\n2014-09-02 00:00,1\n2014-09-02 01:00,1.1\n")
Path("zoneless.csv").write_text("time,level (m)\n2014-09-02 00:00,1\n2014-09-02 01:00,1.1\n")
Path("unitless.csv").write_text("time UTC,level\n" + "".join(f"{d:%Y-%m-%d %H:%M},{100 * x:.3f}\n" for d, x in zip(dates, gauge)))
Path("twice.csv").write_text("2014-09-02 00:00Z,1\n2014-09-02 00:00Z,2\n")
Path("letters.csv").write_text("2014-09-02 00:00Z,1\n2014-09-02 01:00Z,1.2.3\n")
Path("day.csv").write_text("".join(f"2014-09-02 {h:02}:00Z,{0.1 * h}\n" for h in range(24)))
Path("later.csv").write_text("2015-09-02 00:00Z,1\n2015-09-02 01:00Z,2\n")
for words, options in REFUSED.items():
    ran = compare("run_stations.nc", *options)
    text = words.removeprefix("no such station; ")
    cases.equal(f"refused: {words}", (ran.returncode, text in ran.stderr), (2, True))
# -99 is missing where it would be metres, a level where it is centimetres; -999 of either is missing
for unit, count in (("m", 2), ("cm", 3), ("mm", 3)):
    Path("codes.csv").write_text(f"time (UTC),level [{unit}]\n" + "".join(
        f"2014-09-0{n + 2} 00:00,{value}\n" for n, value in enumerate((0.1, -99, 0.2, -999) if unit == "m" else (-98, -99, -97, -999))))
    times, values = command.gauges.read(Path("codes.csv"), None, "m", None)
    cases.equal(f"values in {unit} beside -99 and -999", values.size, count)

# of a week nothing is fitted by itself: it holds the beat of M2 and S2 half; of two months, what it separates
for days, known in ((7, []), (60, ["M2", "K1", "O1", "S2"])):
    short = "".join(f"{d:%Y-%m-%dT%H:%MZ},{x:.6f}\n" for d, x in list(zip(dates, gauge))[: 24 * days])
    Path("short.csv").write_text(short)
    tides = re.findall(r"^  (\w+) +\S+ +\S+ +\S+ +\S+$", compare("run_stations.nc", "-g", "Port=short.csv").stdout, re.M)
    cases.equal(f"constituents of {days} days", [name in tides for name in known] + ([] if known else tides), [True] * len(known))

# while tide and wind grow there is nothing to compare
with netCDF4.Dataset("run_stations.nc", "a") as data:
    data.effective_scenario = '{"time": {"start": "2014-09-01T00:00:00Z"}, "forcing": {"ramp_s": 3600, "wind": 5}, "boundaries": [{"tide_ramp_s": 86400, "tide": [{"constituent": "M2"}]}]}'
grown = compare("run_stations.nc", "-g", "Port=iso.csv")
cases.equal("the ramp left out, and said", ("1417 pairs" in grown.stdout, "from 2014-09-02T00:00Z on" in grown.stdout), (True, True))
with netCDF4.Dataset("run_stations.nc", "a") as data:
    data.effective_scenario = ('{"time": {"start": "2014-09-01T00:00:00Z"}, "forcing": {"tidal_potential": {"ramp_s": 86400}}, '
                               '"boundaries": [{"tide_ramp_s": 86400, "tide": []}]}')
cases.equal("ramps of tides that are not there", "1441 pairs" in compare("run_stations.nc", "-g", "Port=iso.csv").stdout, True)
with netCDF4.Dataset("run_stations.nc", "a") as data:
    data.effective_scenario = '{"time": {"start": "2014-09-01T00:00:00Z"}, "boundaries": [{"tide_ramp_s": 86400, "tide": [{"constituent": "M2"}]}]}'
cases.equal("with the ramp", "1441 pairs" in compare("run_stations.nc", "-g", "Port=iso.csv", "--with-ramp").stdout, True)

# rows for people who collect runs
Path("scores.csv").unlink(missing_ok=True)
for _ in range(2):
    compare("run_stations.nc", "-g", "Port=iso.csv", "--table", "scores.csv")
rows = list(csv.DictReader(Path("scores.csv").open()))
cases.equal("rows of two comparisons", [(row["station"], row["pairs"], row["first"]) for row in rows], [("Port", "1417", "2014-09-02T00:00Z")] * 2)
cases.close("their bias [m]", float(rows[1]["bias"]), (model - gauge)[24:].mean(), 1e-5)
compare("run_stations.nc", "-g", "Port=iso.csv", "--table", "scores.json")
cases.close("the same in JSON [m]", json.loads(Path("scores.json").read_text())[0]["rmse"], np.sqrt(np.mean((model - gauge)[24:] ** 2)), 1e-5)
Path("others.csv").write_text("a,b\n")
cases.equal("a table with other columns", "its columns differ" in compare("run_stations.nc", "-g", "Port=iso.csv", "--table", "others.csv").stderr, True)


# forecasts by lead time: off by 1 cm for each hour since their start; the start has an hour's place, and the last one its own end
for day in range(3):
    Path(f"forecast{day}").mkdir(exist_ok=True)
    with netCDF4.Dataset(f"forecast{day}/s.nc", "w") as data:
        data.time_coverage_start = (START + timedelta(days=day)).strftime("%Y-%m-%dT%H:%M:%SZ")
        data.createDimension("time", None), data.createDimension("station", 1), data.createDimension("name_length", 4)
        data.createVariable("time", "f8", ("time",)).units = "seconds since 2014-09-01 00:00:00"
        data["time"][:] = 3600.0 * (24 * day + np.arange(49))
        data.createVariable("station", "S1", ("station", "name_length"))[:] = np.array([list("Port")], "S1")
        data.createVariable("eta", "f8", ("time", "station"))[:] = (gauge[24 * day:24 * day + 49] + 0.01 * np.arange(49))[:, None]
        data["eta"].units = "m"
Path("lead.csv").unlink(missing_ok=True)
Path("lead.csv").unlink(missing_ok=True)
many = compare(*(f"forecast{day}/s.nc" for day in range(3)), "-g", "Port=iso.csv", "--lead", 24, "--table", "lead.csv", "-o", "leads")
cases.equal("by lead time: code", (many.returncode, many.stderr), (0, ""))
with open("lead.csv", newline="") as file:
    rows = list(csv.DictReader(file))
cases.equal("by lead time: intervals", [(float(r["lead_from_h"]), float(r["lead_to_h"]), r["runs"], r["pairs"]) for r in rows], [(0, 24, "3", "75"), (24, 48, "3", "72")])
for row, hours_ahead in zip(rows, (np.arange(25), np.arange(25, 49))):
    cases.close(f"by lead time, from {row['lead_from_h']} h: bias", float(row["bias"]), 0.01 * hours_ahead.mean(), 1e-3)
    cases.close(f"by lead time, from {row['lead_from_h']} h: rms error", float(row["rmse"]), 0.01 * np.sqrt(np.mean(hours_ahead**2)), 1e-3)
cases.equal("a picture for each forecast", len(list(Path("leads").glob("*.png"))), 3)
cases.equal("hours of 0", "more than 0" in compare("run_stations.nc", "-g", "Port=iso.csv", "--lead", 0).stderr, True)

alone = subprocess.run([sys.executable, "-m", "maeotis_plot.compare", "run_stations.nc", "-g", "Mouth=iso.csv"],
                       capture_output=True, text=True)
cases.equal("by itself: exit code, message", (alone.returncode, "there is no station" in alone.stderr), (2, True))
cases.finish()
