# SPDX-License-Identifier: Apache-2.0
"""Heat and rain from files as reanalyses give them: amounts of J m-2 and m since the last record become rates and arrive in
full, kelvin become degrees; the same from numbers, series and maps; refusals."""

from pathlib import Path

import cases
import netCDF4
import numpy as np

HOURS = 12
AREA, CAPACITY, DENSITY = 12e6, 4000.0, 1008.0
sun = 3600.0 * np.array([0, 0, 40, 180, 400, 620, 700, 640, 450, 200, 30, 0, 0])  # J m-2 in the hour before
rain = np.array([0, 0, 0, 2, 5, 1, 0, 0, 0, 0.5, 3, 0, 0]) * 1e-3  # m


def write(name, variables, hours=HOURS + 1):
    """Maps over the box; each variable a unit and its values by hour, or one for all, or a function of t [h], y, x [m]."""
    path = Path.cwd() / name
    with netCDF4.Dataset(path, "w") as data:
        for axis, values in (("time", np.arange(hours)), ("y", np.linspace(-1000, 5000, 4)), ("x", np.linspace(-1000, 6000, 5))):
            data.createDimension(axis, len(values))
            variable = data.createVariable(axis, "f8", (axis,))
            variable.units = "hours since 2000-07-01 00:00:00" if axis == "time" else "m"
            variable[:] = values
        for key, (unit, values) in variables.items():
            variable = data.createVariable(key, "f8", ("time", "y", "x"))
            variable.units = unit
            if callable(values):
                variable[:] = values(*np.meshgrid(np.arange(hours), data["y"][:], data["x"][:], indexing="ij"))
            else:
                variable[:] = np.broadcast_to(np.reshape(values, (-1, 1, 1))[:hours], (hours, 4, 5))
    return str(path)


def run(forcing, settings=None, may_fail=False, device="cpu", ranks=0):
    wind = {"wind": {"speed_m_s": 6, "from_deg": 90}}
    both = {"/forcing": {**wind, **forcing}, "/time/duration_s": HOURS * 3600, "/output": [], "/time/step_s": 1200, **(settings or {})}
    return cases.run("verification/heat_box", both, ranks, ["--device", device], may_fail=may_fail)


def content(finished):
    return finished.log[-1]["tracers"]["temperature"]["content"]


def warming(finished):
    tracer = finished.log[-1]["tracers"]["temperature"]
    return tracer["air"] * DENSITY * CAPACITY / AREA  # J m-2


light = write("light.nc", {"ssrd": ("J m**-2", sun)})
bright = run({"heat": {"shortwave_W_m2": {"file": light}, "capacity_J_kg_K": CAPACITY}})
cases.close("light that was added up [J m-2]", warming(bright), 0.94 * np.sum(sun[1:]), 1e-12)
last = {"/time/start": "2000-07-01T05:00:00Z", "/time/duration_s": 7200}
later = run({"heat": {"shortwave_W_m2": {"file": light}, "capacity_J_kg_K": CAPACITY}}, last)
cases.close("light from five to seven [J m-2]", warming(later), 0.94 * np.sum(sun[6:8]), 1e-12)
rate = write("rate.nc", {"rsds": ("W m-2", sun / 3600)})
smooth = run({"heat": {"shortwave_W_m2": {"file": rate}, "capacity_J_kg_K": CAPACITY}})
steps = np.interp(np.arange(1, 3 * HOURS + 1) / 3, np.arange(HOURS + 1), sun / 3600) * 1200
cases.close("light as a rate [J m-2]", warming(smooth), 0.94 * np.sum(steps), 1e-12)

for unit, size in (("m", 1), ("mm", 1e3), ("kg m-2", 1e3)):
    wet = run({"rain": {"file": write("rain.nc", {"tp": (unit, rain * size)})}})
    cases.close(f"rain in {unit} [m3]", wet.log[-1]["air_m3"], np.sum(rain[1:]) * AREA, 1e-12)
    cases.conserves(wet, 1e-14)

everything = {"t2m": ("K", 285.15), "d2m": ("K", 281.15), "ssrd": ("J m-2", 240 * 3600), "strd": ("J m-2", 320 * 3600), "tp": ("m", 1e-4)}
maps = write("era5.nc", everything)
given = {"air_temperature_C": 12, "dew_point_C": 8, "shortwave_W_m2": 240, "longwave_W_m2": 320}
numbers = run({"heat": given, "rain": {"mm_h": 0.1}})
gridded = run({"heat": {"file": maps}, "rain": {"file": maps}})
series = Path.cwd() / "air.csv"
series.write_text("time,warm [K],moist [degC],sun [W/m2],sky\n0,285.15,8,240,320\n50000,285.15,8,240,320\n")
columns = {key: {"file": str(series), "column": column}
           for key, column in zip(given, ("warm", "moist", "sun", "sky"))}
listed = run({"heat": columns, "rain": {"mm_h": 0.1}})
for name, other in (("maps", gridded), ("series", listed)):
    cases.close(f"{name} as numbers: heat", content(other), content(numbers), 1e-13)
    cases.close(f"{name} as numbers: water", other.log[-1]["air_m3"], numbers.log[-1]["air_m3"], 1e-9)

# clouds in each unit that files use, as the number is; and with the air from a file, whose radiation they replace
air = {"air_temperature_C": 12, "dew_point_C": 8, "longwave_law": "josey"}
clear = content(run({"heat": {**air, "cloudiness": 0.25}}))
for unit, size in (("1", 1), ("(0 - 1)", 1), ("%", 100), ("okta", 8)):
    clouds = {"file": write("clouds.nc", {"tcc": (unit, 0.25 * size)})}
    cases.close(f"clouds in {unit}", content(run({"heat": {**air, "cloudiness": clouds}})), clear, 1e-13)
cloudy = run({"heat": {"file": maps, "longwave_law": "josey", "shortwave_W_m2": 0, "cloudiness": {"file": write("tcc.nc", {"tcc": ("1", 0.25)})}}})
cases.close("clouds beside a file with radiation", content(cloudy), clear, 1e-13)

# ---- what varies in space and time, by maps and by formulas: the same bits where kernels run later, and on ranks ----

waves = write("waves.nc", {
    "u10": ("m/s", lambda t, y, x: 8 * np.sin(t / 2 + x / 2000)), "v10": ("m/s", lambda t, y, x: 5 * np.cos(t / 3 - y / 1500)),
    "msl": ("Pa", lambda t, y, x: 101000 + 40 * np.sin(t + x / 3000 + y / 2000)), "t2m": ("K", lambda t, y, x: 285 + 3 * np.sin(t / 4 + y / 900)),
    "d2m": ("K", lambda t, y, x: 281 + np.cos(t / 4 + x / 900)), "ssrd": ("J m-2", lambda t, y, x: 3600 * (200 + 100 * np.sin(t + x))),
    "strd": ("J m-2", lambda t, y, x: 3600 * (300 + y / 500)), "tp": ("m", lambda t, y, x: 1e-4 * (1 + np.sin(t + x / 1000)))})
by_maps = {"wind": {"file": waves}, "air_pressure": {"file": waves}, "heat": {"file": waves}, "rain": {"file": waves}}
by_formulas = {"wind": {"speed_m_s": "6 + 2*sin(t/5000 + x/2000)", "from_deg": "90*sin(y/2000)"}, "ramp_s": 6000,
               "air_pressure": {"Pa": "101000 + 40*sin(t/3000 + x/3000)"}, "rain": {"mm_h": "1 + sin(x/1000)"},
               "heat": {"air_temperature_C": "12 + 3*sin(t/9000 + y/900)", "cloudiness": "0.5 + 0.5*sin(x/900 + t/1000)", "longwave_law": "bignami", "humidity": "0.6 + x/50000", "net_W_m2": "x/100 - 20"}}
for name, forcing in (("maps", by_maps), ("formulas", by_formulas)):
    digests = [run(forcing, {"/time/duration_s": 3 * 3600}, device=device, ranks=ranks).column("digest").tolist()
               for device, ranks in (("cpu", 0), ("emu", 0), ("emu,cpu", 2))]
    cases.equal(f"{name}: steps", len(digests[0]), 9)
    for where, found in zip(("emu", "emu and cpu"), digests[1:]):
        cases.equal(f"{name} on {where}", found == digests[0], True)

summed = write("summed.nc", {"ssrd": ("J m-2", np.cumsum(sun))})
for name, forcing, words in (
    ("sums since midnight", {"heat": {"shortwave_W_m2": {"file": summed}}}, "from record to record"),
    ("without strd", {"heat": {"file": write("less.nc", {key: everything[key] for key in ("t2m", "d2m", "ssrd")})}}, "long-wave"),
    ("too short", {"heat": {"file": write("short.nc", everything, 6)}}, "covers the run"),
    ("clouds in another unit", {"heat": {**air, "cloudiness": {"file": write("hat.nc", {"tcc": ("hats", 3)})}}}, "hats"),
    ("another unit", {"rain": {"file": write("unit.nc", {"tp": ("candela", 1)})}}, "candela"),
    ("one record", {"rain": {"file": write("one.nc", {"tp": ("m", rain)}, 1)}}, "only one record"),
):
    refused = run(forcing, may_fail=True)
    cases.equal(f"{name}: refused", (refused.code != 0, words in refused.message), (True, True))
    if words not in refused.message:
        print(refused.message)
cases.finish()
