# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""A forecast office: ten short days, each with new files of weather and of the sea outside, each going on from the restart file of
the day before, give the bits of one run over all of them. Days overlap; one is killed. What must not change is refused."""

import json
import shutil
import subprocess
import time
from datetime import datetime, timedelta
from pathlib import Path

import cases
import netCDF4
import numpy as np

DAY, STEP, RECORD, DAYS = 3600, 60, 600, 10
START = datetime(2024, 3, 1)


def date(day):
    return (START + timedelta(seconds=day * DAY)).isoformat() + "Z"


def swing(t, part):
    return np.sin(t / 1700 + part)


WEATHER = {"u10": ("m s-1", lambda t, y, x: 9 * swing(t, 0) + 0.1 * x), "v10": ("m s-1", lambda t, y, x: 6 * swing(t, 1) - 0.1 * y),
           "msl": ("Pa", lambda t, y, x: 101300 + 200 * swing(t, 2) + 5 * x), "t2m": ("K", lambda t, y, x: 288 + 4 * swing(t, 3) + 0 * x),
           "d2m": ("K", lambda t, y, x: 283 + 2 * swing(t, 4) + 0 * x), "ssrd": ("J m-2", lambda t, y, x: 1e5 * (1 + swing(t, 5)) + 0 * x),
           "strd": ("J m-2", lambda t, y, x: 2e5 + 3e4 * swing(t, 11) + 0 * x),
           "tp": ("m", lambda t, y, x: 1e-4 * (1 + swing(t, 6)) + 0 * x)}  # fmt: skip
OUTSIDE = {"zos": ("m", lambda t, y, x: 0.3 * swing(t, 7) + 0 * x), "thetao": ("degrees_C", lambda t, y, x: 12 + swing(t, 8) + 0.1 * y),
           "uo": ("m s-1", lambda t, y, x: 0.1 * swing(t, 10) + 0 * x), "vo": ("m s-1", lambda t, y, x: 0 * x),
           "so": ("1e-3", lambda t, y, x: 30 + swing(t, 9) + 0 * x)}  # fmt: skip


def write(name, fields, first, last, right=99, east=7):
    """Records of [first, last] days; of the same values wherever they are written, as far as the forecast is right."""
    times = np.arange(round(first * DAY), round(last * DAY) + 1, RECORD)
    x, y = np.arange(0, east * 1000 + 1.0, 1000), np.arange(0, 6001.0, 1000)
    Path(name).parent.mkdir(exist_ok=True)
    with netCDF4.Dataset(name, "w") as data:
        for axis, values, unit in (("time", times - times[0], f"seconds since {START + timedelta(seconds=int(times[0]))}"), ("y", y, "m"), ("x", x, "m")):
            data.createDimension(axis, len(values))
            data.createVariable(axis, "f8", (axis,)).units = unit
            data[axis][:] = values
        t, north, eastward = np.meshgrid(times, y / 1000, x / 1000, indexing="ij")
        for key, (unit, function) in fields.items():
            data.createVariable(key, "f8", ("time", "y", "x")).units = unit
            data[key][:] = np.where(t <= right * DAY, 1, 0.9) * function(t, north, eastward)
            if right < 99 and key in ("ssrd", "strd", "tp"):
                data[key][0] = 0  # amounts since the start of the forecast


def discharge(name, first, last, right=99):
    times = np.arange(round(first * DAY), round(last * DAY) + 1, RECORD)
    rows = [f"{(START + timedelta(seconds=int(t))).isoformat()}Z,{200 + 50 * np.sin(t / 900) - 9 * (t > right * DAY):.17g}" for t in times]
    Path(name).write_text("time,discharge_m3_s\n" + "\n".join(rows) + "\n")


def sea(weather, outside, river, initial="outside/whole.nc"):
    return {"grid": {"kind": "cartesian", "length_x_m": 6000, "length_y_m": 5000, "dx_m": 500, "levels": {"bottom_m": -9, "dz_m": 3}},
            "bathymetry": {"bed_m": "-8 + 6*x/Lx"},
            "time": {"step_s": STEP, "duration_s": 2 * DAY},
            "physics": {"coriolis": {"f_s": 1e-4}, "density": {"equation": "teos10"}},
            "initial": {"temperature_C": {"file": initial, "column": "thetao"}, "salinity": {"file": initial, "column": "so"}},
            "forcing": {"wind": {"file": weather}, "air_pressure": {"file": weather}, "heat": {"file": weather}, "rain": {"file": weather}, "ramp_s": 5000},
            "rivers": [{"name": "brook", "x_m": 5750, "y_m": 2750, "discharge_m3_s": {"file": river}}],
            "boundaries": [{"name": "west", "edge": "west", "kind": "flather", "file": outside}],
            "restart": {"every_s": DAY, "keep": 99}, "output": []}  # fmt: skip


def command(scenario, *options, name="run"):
    Path("sea.json").write_text(json.dumps({"output_folder": "out", **scenario}))
    return [cases.PROGRAM, name, "sea.json", *options]


def run(scenario, *options):
    return subprocess.run(command(scenario, *options), capture_output=True, text=True)


def restart(day):
    return f"out/restart_{(START + timedelta(seconds=day * DAY)):%Y%m%dT%H%M%SZ}.nc"


def digest(day):
    with netCDF4.Dataset(restart(day)) as data:
        return data.digest


def done(what, process):
    if process.returncode != 0:
        print(process.stderr)
    return cases.equal(what, process.returncode, 0)


def refused(what, process, *words):
    cases.equal(f"{what}: code", process.returncode, 2)
    cases.equal(f"{what}: said", [word for word in words if word not in process.stderr], [])


for folder in ("out", "weather", "outside"):
    shutil.rmtree(folder, ignore_errors=True)
write("weather/whole.nc", WEATHER, 0, DAYS + 1)
write("outside/whole.nc", OUTSIDE, 0, DAYS + 1)
discharge("river.csv", 0, DAYS + 1)
whole = sea("weather/whole.nc", "outside/whole.nc", "river.csv")
done("in one go", run(whole, "--set", f"/time/start={date(0)}", "--set", f"/time/duration_s={DAYS * DAY}"))
expected = {day: digest(day) for day in range(1, DAYS + 1)}
shutil.rmtree("out")

# two days from each, of which the files of a day reach no further; on even days the scenario has no start; from day 6 on
# all files are kept, and the latest is the one that is right
done("first day", run(whole, "--set", f"/time/start={date(0)}"))
for day in range(1, DAYS):
    last = min(day + 2, DAYS)
    write("weather/today.nc", WEATHER, day, last)
    write(f"outside/{day}.nc", OUTSIDE, day, last)
    discharge("today.csv", day, last)
    today = sea("weather/today.nc", f"outside/{day}.nc", "today.csv", initial=f"outside/{day}.nc")
    if day >= 6:
        write(f"weather/d{day}.nc", WEATHER, day, last, day + 1)
        write(f"outside/d{day}.nc", OUTSIDE, day, last, day + 1)
        discharge(f"river{day}.csv", day, last, day + 1)
        today = sea("weather/d*.nc", [f"outside/d{n}.nc" for n in range(6, day + 1)], [f"river{n}.csv" for n in range(6, day + 1)])
    dated = ["--set", f"/time/start={date(day)}"] if day % 2 else []
    words = ["--restart", restart(day), *dated, *(["--until", date(DAYS)] if last == DAYS else [])]
    if day == 5:
        killed = subprocess.Popen(command(today, *words, "--set", "/restart/every_s=600"), stderr=subprocess.DEVNULL)
        while killed.poll() is None and not Path(restart(5.5)).exists():
            time.sleep(0.005)
        killed.kill()
        killed.wait()
        process = run(today, "--restart", restart(5.5), *dated)
    else:
        process = run(today, *words)
    done(f"day {day}", process)
cases.equal("ten days of two days each, and one run", {day: digest(day) for day in expected}, expected)

# what is no day of the chain, and what the sea is made of, must not change by a slip
write("weather/today.nc", WEATHER, 3, 6)
write("outside/3.nc", OUTSIDE, 3, 6)
discharge("today.csv", 3, 6)
today = sea("weather/today.nc", "outside/3.nc", "today.csv")
shutil.copy(restart(9), "nine.nc")
refused("another date", run(today, "--restart", "nine.nc", "--set", f"/time/start={date(3)}", "--force"), date(3), date(9), date(0))
refused("no date at all", run(today), 'the scenario needs "start"', "--restart")
refused("files that end too early", run(today, "--restart", "nine.nc"), "weather/today.nc", date(9))
refused("the end before the restart", run({**today, "time": {"step_s": STEP, "end": date(8)}}, "--restart", "nine.nc"), date(8), "must be later than the start")
refused("another word", run(today, "--restart", "nine.nc", "--force=all"), "--force takes =scenario or =files")

write("weather/late.nc", WEATHER, 8.5, 11)
write("weather/small.nc", WEATHER, 7, 11, east=6)
write("weather/back.nc", WEATHER, 8, 11)
with netCDF4.Dataset("weather/back.nc", "a") as data:
    data["time"][:] = data["time"][::-1]
several = sea("weather/d*.nc", "outside/d[6-9].nc", "river*.csv")
done("four days at once", run(several, "--restart", restart(6), "--set", f"/time/duration_s={4 * DAY}"))
cases.equal("four days at once, of the files of each", digest(DAYS), expected[DAYS])
until = ["--until", date(7.5), "--set", f"/time/duration_s={4 * DAY}", "--set", "/restart/at_end=true"]
ends = []
for files, begin in ((whole, 7), (several, 6)):
    done("a day and a half", run(files, "--restart", restart(begin), *until))
    ends.append(digest(7.5))
cases.equal("a file holds from its first record on, though the one before reaches the end", ends[1], ends[0])
over = run(several, "--restart", restart(6), "--overwrite", "--set", "/output_folder=weather", "--set", '/output=[{"file":"d7.nc","every_s":600,"variables":["eta"]}]')
refused("a file of a pattern as output", over, "weather/d7.nc")
for what, weather, *words in (("a gap between files", ["weather/d6.nc", "weather/late.nc"], "weather/d6.nc", "weather/late.nc", "add the files between them"),
                              ("another order", ["weather/d8.nc", "weather/d7.nc", "weather/d9.nc"], "weather/d7.nc does not begin later than weather/d8.nc"),
                              ("another grid", ["weather/d6.nc", "weather/small.nc"], "weather/small.nc", "other columns"),
                              ("times that go backwards", "weather/back.nc", "its times go backwards"),
                              ("times that go backwards in one", ["weather/d6.nc", "weather/back.nc"], "its times go backwards"),
                              ("no such files", "weather/e*.nc", "no file matches the pattern"),
                              ("no name", ["weather/d6.nc", 3], "a list of files contains")):  # fmt: skip
    several["forcing"]["wind"]["file"] = weather
    refused(what, run(several, "--set", f"/time/start={date(6)}", "--set", f"/time/duration_s={4 * DAY}"), *words)

write("rough.nc", {"n": ("s m-1/3", lambda t, y, x: 0.02 + 0 * x)}, 0, 0)
rough = {**sea("weather/whole.nc", "outside/whole.nc", "river.csv"), "output_folder": "rough"}
rough["physics"]["drag"] = {"law": "manning", "n": {"file": "rough.nc", "column": "n"}}
first = ["--set", f"/time/start={date(0)}", "--set", "/time/duration_s=600", "--set", "/restart/at_end=true"]
done("rough", run(rough, *first))
(begun,) = [str(path) for path in Path("rough").glob("restart_*.nc")]
write("rough.nc", {"n": ("s m-1/3", lambda t, y, x: 0.03 + 0 * x)}, 0, 0)
refused("another bed", run(rough, "--restart", begun, "--force=scenario"), "rough.nc has changed", "--force=files")
done("another bed, by force", run(rough, "--restart", begun, "--force=files", "--steps", "12"))
refused("another gravity", run(rough, "--restart", begun, "--force=files", "--set", "/physics/gravity_m_s2=9.8"), "gravity_m_s2", "--force=scenario")
process = run(rough, "--restart", begun, "--force", "--set", "/physics/gravity_m_s2=9.8", "--steps", "12")
done("both, by force", process)
cases.equal("both, by force: said", "--force=scenario and --force=files skip one each" in process.stderr, True)
process = subprocess.run(command(today, "--restart", "nine.nc", "--set", "/forcing={}", "--set", "/boundaries=[]", "--set", "/rivers=[]", name="check"),
                         capture_output=True, text=True)
cases.equal("check", [word for word in (f"{date(9)} to {date(11)}, 120 steps", "--restart nine.nc") if word not in process.stdout], [])
cases.finish()
