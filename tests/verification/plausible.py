# SPDX-License-Identifier: Apache-2.0
# ctest: processors 2
"""Input that no weather and no sea can have: refused before the first step with file, record and value, by `check` and
by `run`; waved through by "allow" alone; and a run that leaves the scales of its sea stops. Sound input passes."""

import json
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cases
import netCDF4
import numpy as np

HOURS = 49
WEATHER = {"u10": ("m s-1", 5), "v10": ("m s-1", -3), "msl": ("Pa", 101300), "t2m": ("K", 288), "d2m": ("K", 283),
           "ssrd": ("J m-2", 3600 * 200), "strd": ("J m-2", 3600 * 320), "tp": ("m", 1e-4)}


def weather(name, hours=np.arange(HOURS), bad=None, units=None, turned=False, bounds=None, more=None, form="NETCDF4", points=7):
    """Records of WEATHER around the sea; bad: name -> (record, row, column, value), or values of all records."""
    beyond = 1.5 if points == 7 else 0.7
    with netCDF4.Dataset(name, "w", format=form) as data:
        for axis, unit, values in (("time", "hours since 2020-01-01 00:00:00", hours), ("latitude", "degrees_north", np.linspace(45.5 + beyond, 45.5 - beyond, points)),
                                   ("longitude", "degrees_east", np.linspace(30.5 - beyond, 30.5 + beyond, points))):
            data.createDimension(axis, len(values))
            variable = data.createVariable(axis, "f8", (axis,))
            variable.units = unit
            variable[:] = values
        if bounds:
            data.createDimension("two", 2)
            data["time"].bounds = "time_bounds"
            data.createVariable("time_bounds", "f8", ("time", "two"))[:] = np.stack([hours - bounds, hours], axis=1)
        shape = ("time", "longitude", "latitude") if turned else ("time", "latitude", "longitude")
        for key, (unit, value) in {**(WEATHER if points == 7 else {"u10": WEATHER["u10"], "v10": WEATHER["v10"]}), **(more or {})}.items():
            variable = data.createVariable(key, "f4", shape)
            variable.units = (units or {}).get(key, unit)
            change = (bad or {}).get(key)
            variable[:] = value
            if isinstance(change, tuple):
                variable[change[:3]] = change[3]
            elif change is not None:
                variable[:] = np.broadcast_to(np.reshape(change, (-1, 1, 1)), variable.shape)
    return str(Path(name).absolute())


def series(name, text):
    Path(name).write_text(text)
    return str(Path(name).absolute())


def late(name, columns, value, bad, between=""):
    """A table with a bad row shortly before the end."""
    return {"file": series(f"{name}.csv", f"time,{columns}\n0,{value}\n{between}166400,{bad}\n172800,{value}\n")}


def sea(**changes):
    """`a__b=1` is {"a": {"b": 1}}."""
    result = {"grid": {"kind": "spherical", "west": 30, "east": 31, "south": 45, "north": 46, "dlon_deg": 0.1, "dlat_deg": 0.1,
                       "levels": {"bottom_m": -10, "dz_m": 5}},
              "bathymetry": {"bed_m": -10}, "time": {"start": "2020-01-01T00:00:00Z", "duration_s": 172800, "step_s": 1800}, "output": []}
    return changed(result, changes)


def tank(**changes):
    result = {"grid": {"kind": "cartesian", "length_x_m": 4, "length_y_m": 1, "dx_m": 0.25, "levels": {"bottom_m": -0.2, "dz_m": 0.1}},
              "bathymetry": {"bed_m": -0.2}, "time": {"start": "2020-01-01T00:00:00Z", "duration_s": 2, "step_s": 0.02}, "output": []}
    return changed(result, changes)


def changed(result, changes):
    for key, value in changes.items():
        *sections, last = key.split("__")
        place = result
        for section in sections:
            place = place.setdefault(section, {})
        place[last] = value
    return result


def wind(file, **changes):
    return sea(forcing__wind={"file": file}, **changes)


def heat(file, **changes):
    return sea(forcing={"wind": {"speed_m_s": 5, "from_deg": 0}, "heat": {"file": file}}, initial__temperature_C=10, **changes)


def rain(file, **changes):
    return sea(forcing={"rain": {"file": file}}, **changes)


def edge(**values):
    return [{"name": "mouth", "edge": "west", "kind": "elevation", **values}]


def river(**values):
    return [{"name": "Don", "lon": 30.5, "lat": 45.5, "discharge_m3_s": 100, **values}]


gapped = np.delete(np.arange(HOURS + 12), np.arange(20, 32))
day = np.maximum(0, np.sin(2 * np.pi * (np.arange(HOURS) - 6) / 24)) * 600 * 3600
since_midnight = np.array([sum(day[(n - 1) // 24 * 24 + 1:n + 1]) for n in range(HOURS)])
six = np.arange(0, HOURS, 6)
rows = "".join(f"{3600 * n},{100 + n}\n" for n in range(HOURS) if not 20 <= n < 32)
fine = weather("fine.nc")
profile = weather("zos.nc", more={"zos": ("m", 0.3), "so": ("1e-3", 18)})

# name, scenario, the doubt that "allow" may hold (None: never allowed), parts of the message
REFUSED = [
    ("a wind of 1e20 in record 30", wind(weather("w20.nc", bad={"u10": (29, 3, 3, 1e20)})), "values",
     ("w20.nc: u10 is 1e+20 m/s at 30.5, 45.5 in record 30 (2020-01-02T05:00:00Z)", "code for a missing value")),
    ("the same, stored by columns", wind(weather("w20t.nc", bad={"u10": (29, 3, 3, 1e20)}, turned=True)), "values", ("in record 30",)),
    ("the same, classic", wind(weather("w20c.nc", bad={"u10": (29, 3, 3, 1e20)}, form="NETCDF3_CLASSIC")), "values", ("in record 30",)),
    ("the same, in a file of two slabs", wind(weather("wide.nc", bad={"u10": (46, 75, 75, 1e20)}, points=150)), "values", ("in record 47",)),
    ("a wind of -9999", wind(weather("w9.nc", bad={"v10": (1, 3, 3, -9999)})), "values", ("v10 is -9999 m/s at 30.5, 45.5 in record 2",)),
    ("a wind of 140 m/s", wind(weather("w140.nc", bad={"v10": (40, 3, 3, 140)})), "values", ("in record 41", "outside the range ever observed")),
    ("a wind without a value", wind(weather("wnan.nc", bad={"v10": (40, 3, 3, np.nan)})), None, ("v10 has no value at 30.5, 45.5 in record 41",)),
    ("an air pressure of 1e9", sea(forcing__air_pressure={"file": weather("p9.nc", bad={"msl": (7, 3, 3, 1e9)})}), "values",
     ("msl is 1e+09 Pa", "in record 8")),
    ("an air pressure of 0 among others", sea(forcing__air_pressure={"file": weather("p0.nc", bad={"msl": (30, 3, 3, 0)})}), "values",
     ("msl is 0 Pa", "in record 31")),
    ("twelve missing hours", heat(weather("gap.nc", gapped)), "gaps", ("between record 20 (2020-01-01T19:00:00Z) and record 21", "13 h apart")),
    ("a doubled record", wind(weather("twice.nc", np.insert(np.arange(HOURS - 1), 7, 7))), None, ("neither increases nor decreases", "position 9")),
    ("records out of order", wind(weather("order.nc", np.concatenate([[0, 2, 1], np.arange(3, HOURS)]))), None, ("neither increases nor decreases", "position 3")),
    ("sums since midnight", heat(weather("day.nc", bad={"ssrd": since_midnight})), "values accumulation", ("from record to record", "ssrd")),
    ("weak sums since midnight", rain(weather("drizzle.nc", bad={"tp": 1e-9 * since_midnight})), "accumulation", ("tp rises 22 times and falls 1 times",)),
    ("sums of unknown period", rain(weather("six.nc", six)), "accumulation", ("records are 6 h apart", "does not state")),
    ("sums of a part of the time", rain(weather("part.nc", six, bounds=1)), "accumulation", ("sums over 3600 s", "21600 s apart")),
    ("Celsius that says K", heat(weather("c.nc", bad={"t2m": np.full(HOURS, 15)})), "values", ("t2m is -258.15 C", "is it degrees Celsius")),
    ("kelvin that says C", heat(weather("k.nc", units={"t2m": "degC"})), "values", ("t2m is 288 C", "is it kelvin")),
    ("Celsius that says K, initial", sea(initial__temperature_C={"file": weather("ci.nc", more={"temp": ("K", 15)})}), None, ("is it degrees Celsius",)),
    ("an initial temperature without a unit", sea(initial__temperature_C={"file": weather("ni.nc", more={"temp": ("", 15)})}), "units", ("ni.nc: temp has no units",)),
    ("a code in an initial salinity", sea(initial__salinity={"file": weather("zi.nc", more={"so": ("1e-3", 18)}, bad={"so": (0, 3, 3, -9999)})}), None,
     ("zi.nc: so is -9999 g/kg at 30.5, 45.5 in record 1", "code for a missing value")),
    ("a late level of 300 m outside", sea(boundaries=edge(eta_m={"file": weather("zl.nc", more={"zos": ("m", 0.3)}, bad={"zos": (46, 3, 3, 300)}), "column": "zos"})), "values",
     ("zl.nc: zos is 300 m", "in record 47")),
    ("a late salinity of 900 in a zone", sea(initial__salinity=10, nudging=[{"variable": "salinity", "time_s": 3600, "to": {
        "file": weather("sl.nc", more={"so": ("1e-3", 18)}, bad={"so": (46, 3, 3, 900)})}}]), None, ("sl.nc: so is 900 g/kg", "in record 47")),
    ("an initial level of 300 m", sea(initial__eta_m={"file": weather("z3.nc", more={"zos": ("m", 0.3)}, bad={"zos": (0, 3, 3, 300)})}), "values scales",
     ("z3.nc: zos is 300 m", "in record 1")),
    ("late waves of 50 m in a file", sea(forcing__waves={"file": weather("swh.nc", more={"swh": ("m", 1), "pp1d": ("s", 5), "mwd": ("degree", 90)}, bad={"swh": (46, 3, 3, 50)})}), "values",
     ("swh.nc: swh is 50 m", "in record 47")),
    ("a dye in kelvin", sea(tracers=[{"name": "dye", "units": "kg m-3", "initial": {"file": weather("dk.nc", more={"dye": ("K", 1)})}}]), None, ('dye is in "K"', "converted to kg m-3")),
    ("a river's dye in metres", sea(tracers=[{"name": "dye", "units": "kg m-3"}], rivers=river(tracers={"dye": {"file": series("dm.csv", "time,dye [m]\n0,1\n172800,1\n")}})), None,
     ("dye is in [m]", "converted to kg m-3")),
    ("kelvin in a column", sea(rivers=river(temperature_C={"file": series("k.csv", "time,t\n0,288\n172800,288\n")}), initial__temperature_C=10), None,
     ("k.csv:2: t is 288", "is it kelvin")),
    ("a code in a column", sea(rivers=river(discharge_m3_s={"file": series("q.csv", "time,q\n0,100\n86400,-9999\n172800,100\n")})), "values",
     ("q.csv:3: q is -9999 at 2020-01-02T00:00:00Z",)),
    ("an absurd row after a code that is allowed", sea(rivers=river(discharge_m3_s=late("q30", "q", 100, 1e30, "9000,-9999\n")), allow=["values"]), None, ("q30.csv:4: q is 1e+30",)),
    ("a river that flows back late", sea(rivers=river(discharge_m3_s=late("back", "q", 100, -300))), "values",
     ("back.csv:3: Don is -300 m3/s at 2020-01-02T22:13:20Z", "0 to 1e+06")),
    ("a late air pressure of 5e6", sea(forcing__air_pressure={"Pa": late("p5e6", "p", 101300, 5e6)}), "values", ("p5e6.csv:3:", "is 5e+06 Pa", "80000 to 120000")),
    ("the same as a common file", sea(forcing__air_pressure=late("p5f", "p", 101300, 5e6)), "values", ("p5f.csv:3:",)),
    ("late rain of 5 m/h", rain(late("r5", "rain [m/h]", 0.001, 5)["file"]), "values", ("r5.csv:3: the rain is 5000 mm/h",)),
    ("late rain of 5 kg", rain(late("r5kg", "rain [kg]", 0.001, 5)["file"]), None, ("cannot be converted to mm/h",)),
    ("late rain of 5000 mm/h", rain(late("r5000", "rain [mm/h]", 1, 5000)["file"]), "values", ("r5000.csv:3: the rain is 5000 mm/h",)),
    ("late sunshine of 1900 W/m2", heat(fine, forcing__heat__shortwave_W_m2=late("sun", "sun", 300, 1900)), "values", ("sun.csv:3:", "-30 to 1500")),
    ("late air of 500 C", heat(late("air", "air_temperature_C,dew_point_C,shortwave_W_m2,longwave_W_m2", "9,5,200,300", "500,5,200,300")["file"]), "values",
     ("air.csv:3: the air temperature is 500 C",)),
    ("late waves of 50 m", sea(forcing__waves={"height_m": late("waves", "h", 1, 50), "peak_period_s": 5, "from_deg": 90}), None, ("waves.csv:3: h is 50",)),
    ("a late salinity of 900", sea(initial__salinity=10, rivers=river(salinity=late("salt", "salinity", 1, 900))), None, ("salt.csv:3: salinity is 900",)),
    ("29 days without a row", sea(rivers=river(discharge_m3_s={"file": series("days.csv", "time,q\n2020-01-01T00:00Z,9\n2020-01-02T00:00Z,9\n2020-01-31T00:00Z,9\n")})), "gaps",
     ("days.csv:4: rows are missing",)),
    ("a wind without a unit", wind(series("bare.csv", "time,u,v\n0,1,2\n172800,1,2\n")), "units", ("the column u has no unit",)),
    ("a gridded wind without a unit", wind(weather("bare.nc", units={"v10": ""})), "units", ("bare.nc: v10 has no units",)),
    ("twelve missing rows", sea(rivers=river(discharge_m3_s={"file": series("gap.csv", "time,q\n" + rows)})), "gaps", ("gap.csv:22:", "46800 s apart")),
    ("missing rows of the wind", wind(series("gapw.csv", "time,u_m_s,v_m_s\n" + rows.replace("\n", ",2\n").replace(",1", ","))), "gaps", ("46800 s apart",)),
    ("a wind of 120 m/s in a row", wind(series("w.csv", "time,u_m_s,v_m_s\n0,1,2\n86400,120,0\n172800,1,2\n")), "values", ("w.csv:3:", "120")),
    ("metres as salinity", sea(initial__salinity={"file": profile, "column": "zos"}), None, ('zos is in "m"',)),
    ("metres as salinity, in a column", sea(initial__salinity=10, rivers=river(salinity={"file": series("s.csv", "time,eta_m\n0,1\n172800,1\n"),
                                                                                       "column": "eta_m"})), None, ("eta_m is in [m]",)),
    ("NetCDF for a series", sea(rivers=river(discharge_m3_s={"file": fine, "column": "msl"})), None, ("takes a series, a CSV file",)),
    ("pressure for a level", sea(boundaries=edge(eta_m={"file": fine, "column": "msl"})), None, ("cannot be converted to m",)),
    ("CSV for a map", sea(initial__salinity={"file": series("map.csv", "time,s\n0,1\n")}), None, ("NetCDF",)),
    ("a level of 46 m in a tank", tank(initial__eta_m="x < 1 ? 46 : 0"), "scales", ("the initial level is 46 m at 0.125, 0.125", "between -0.2 m and 0 m")),
    ("a level of 46 m outside a tank", tank(boundaries=edge(eta_m=46)), "scales", ("the level outside, with the tide, is 46 m",)),
    ("the same by formula", tank(boundaries=edge(eta_m="t > 1.2 ? 46 : 0")), "scales", ("is 46 m 1.23607 s after the start",)),
    ("the same by rows", tank(boundaries=edge(eta_m={"file": series("l.csv", "time,l\n0,0\n1,46\n2,0\n")})), "scales", ("is 46 m 1 s after the start",)),
    ("the same by the tide", tank(boundaries=edge(tide=[{"period_s": 2, "amplitude_m": 30}], eta_m=0)), "scales", ("the level outside",)),
    ("a current of 19 m/s in a tank", tank(initial__u_m_s=19), "scales", ("the initial velocity is 19 m/s",)),
    ("an inflow of 19 m/s into a tank", tank(boundaries=[{"name": "in", "edge": "west", "kind": "velocity", "velocity_m_s": 19}]), "scales",
     ("the velocity outside", "19 m/s")),
]
SOUND = [
    ("all the weather", sea(forcing={"wind": {"file": fine}, "air_pressure": {"file": fine}, "heat": {"file": fine}, "rain": {"file": fine}},
                            initial={"temperature_C": 10, "salinity": {"file": profile}}, physics__density={"equation": "constant"})),
    ("sums with bounds", rain(weather("bounds.nc", six, bounds=6))),
    ("months", sea(rivers=river(discharge_m3_s={"file": series("months.csv", "time,q\n" + "".join(
        f"{date}T00:00:00Z,90\n" for date in ("2019-10-01", "2019-11-01", "2019-12-01", "2020-01-01", "2020-02-01", "2020-03-01", "2020-04-01", "2020-05-01", "2020-06-01", "2020-07-01", "2020-08-01")))}))),
    ("irregular rows", sea(rivers=river(discharge_m3_s={"file": series("some.csv", "time,q\n0,1\n60,2\n120,3\n10000,4\n172800,5\n")}))),
    ("withdrawals", sea(rivers=river(discharge_m3_s=late("intake", "q", -5, -7)))),
    ("days and weeks", sea(rivers=river(discharge_m3_s={"file": series("weeks.csv", "time,q\n2020-01-01T00:00Z,9\n2020-01-02T00:00Z,9\n2020-01-09T00:00Z,9\n")}))),
    ("a salinity that round-off made negative", sea(initial__salinity=10, rivers=river(salinity=late("off", "salinity", 1, -1e-17)))),
    ("deviations of the pressure", sea(forcing__air_pressure={"file": weather("dev.nc", bad={"msl": np.linspace(-3000, 2000, HOURS)})})),
    ("a hurricane", wind(weather("storm.nc", bad={"u10": np.linspace(0, 85, HOURS)}), time__duration_s=36000)),
    ("a dam of 10 m on flat ground", tank(grid={"kind": "cartesian", "length_x_m": 1000, "length_y_m": 20, "dx_m": 5, "flood_to_m": 1, "levels": {"bottom_m": -1, "dz_m": 1}},
                                          bathymetry__bed_m=0, initial__eta_m="x < 500 ? 10 : 0")),
    ("a dam in a tank", tank(initial__eta_m="x < 1 ? 0.4 : 0")),
    ("a gap after the run", wind(weather("later.nc", np.delete(np.arange(HOURS + 20), np.arange(56, 66))))),
]


def call(job):
    words, scenario, folder = job
    path = Path(folder) / "case.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(scenario))
    with tempfile.TemporaryDirectory() as own:
        return subprocess.run([cases.PROGRAM, words[0], "case.json", *words[1:]], cwd=path.parent, capture_output=True, text=True,
                              env={**cases.os.environ, "TMPDIR": own})


def calls(jobs):
    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(call, jobs))


jobs = []
for number, (name, scenario, doubt, _) in enumerate(REFUSED):
    allowed = {**scenario, "allow": doubt.split() if doubt else ["values", "gaps", "accumulation", "units", "scales"]}
    jobs += [(["check"] if number % 4 else ["run", "--steps", "1"], scenario, f"refused{number}")]
    if number % 3 == 0: # each doubt, and what is never allowed
        jobs.append((["check"], allowed, f"allowed{number}"))
jobs += [(["run", "--steps", "2"], scenario, f"sound{number}") for number, (_, scenario) in enumerate(SOUND)]
results = dict(zip((folder for _, _, folder in jobs), calls(jobs)))
for number, (name, scenario, doubt, words) in enumerate(REFUSED):
    found, allowed = results[f"refused{number}"], results.get(f"allowed{number}")
    good = found.returncode == 2 and all(word in found.stderr for word in words) and not list(Path(f"refused{number}").glob("results*"))
    cases.equal(name, "refused" if good else f"code {found.returncode}, said: {found.stderr[:800]}", "refused")
    if not allowed:
        continue
    good = (allowed.returncode == 0 and "(allowed by /allow)" in allowed.stderr) if doubt else allowed.returncode == 2
    cases.equal(f"{name}: allow", good or allowed.stderr[:800], True)
for number, (name, _) in enumerate(SOUND):
    found = results[f"sound{number}"]
    cases.equal(f"{name}: passes", "error" in found.stderr and found.stderr[:800] or (found.returncode, "warning" in found.stderr), (0, False))

# A record that the run does not need is a warning of `check`; an allowed doubt is part of the output.
beyond = wind(weather("beyond.nc", bad={"u10": (40, 3, 3, 1e20)}), time__duration_s=36000)
allowed = wind(weather("allowed.nc", bad={"u10": (5, 3, 3, 120)}), time__duration_s=36000, allow=["values"],
               output=[{"file": "out.nc", "every_s": 36000, "variables": ["eta"]}])
flood = tank(boundaries=edge(eta_m="t > 0.85 && t < 0.89 ? 46 : 0"))  # where no look at the formula falls
river_in_tank = tank(rivers=[{"name": "pipe", "x_m": 2, "y_m": 0.5, "discharge_m3_s": 50}])
Path("kts.json").write_text(json.dumps(wind(series("kts.csv", "time,u [kts],v [kts]\n0,10,0\n172800,10,0\n"))))
with_units, without = (subprocess.run([cases.PROGRAM, "check", "kts.json"], capture_output=True, text=True, env={**cases.os.environ, **more})
                       for more in ({}, {"UDUNITS2_XML_PATH": "/nowhere.xml"}))
cases.equal("kts", with_units.returncode, 0)
cases.equal("without a list of units", (without.returncode, "libudunits2-data" in without.stderr), (2, True))
check, run, kept, fast, high = calls([(["check"], beyond, "beyond"), (["run", "--steps", "2"], beyond, "beyond_run"), (["run"], allowed, "kept"),
                                      (["run"], flood, "fast"), (["run"], river_in_tank, "high")])
cases.equal("beyond the run: check", (check.returncode, "record 41" in check.stderr, "does not need" in check.stderr), (0, True, True))
cases.equal("beyond the run: run", (run.returncode, "record 41" in run.stderr), (0, False))
cases.equal("allowed: run", (kept.returncode, "allowed by /allow" in kept.stderr), (0, True))
with netCDF4.Dataset(next(Path("kept").glob("**/out.nc"))) as data:
    text = " ".join(str(data.getncattr(name)) for name in data.ncattrs())
    cases.equal("allowed: in the output", '"allow"' in text and '"values"' in text, True)
dyed = {}
for name, value in (("number", 0.5), ("file", {"file": weather("mg.nc", more={"dye": ("mg/L", 500)})})):
    Path("dye.json").write_text(json.dumps(sea(tracers=[{"name": "dye", "units": "kg m-3", "initial": value}])))
    dyed[name] = cases.run(Path("dye.json").absolute(), options=["--steps", "1"]).digest
cases.equal("milligrams per litre become kilograms per cubic metre", dyed["file"], dyed["number"])
on_ranks = cases.run(Path("refused0/case.json").absolute(), ranks=2, may_fail=True)
cases.equal("on two ranks", (on_ranks.code, on_ranks.message.count("record 30")), (2, 1))
for name, found, words in (("a wave of 46 m", fast, ("impossible in this sea", "u = ")), ("a river that fills a tank", high, ("the level is", "in a sea whose ground lies between -0.2 m"))):
    good = found.returncode == 1 and all(word in found.stderr for word in words)
    cases.equal(f"{name}: stopped", good or f"code {found.returncode}: {found.stderr[-800:]}", True)
cases.finish()
