# SPDX-License-Identifier: Apache-2.0
"""Heat box: the heat that comes is the heat that is there, in the whole and layer by layer; bulk formulae against COARE's own
program and Kondo's written out once more; ice below the freezing point; films; refusals."""

import cases
import numpy as np

DENSITY, CAPACITY, DEPTH, DAY = 1008.0, 4000.0, 8.0, 86400.0
FACTOR = DAY / (DENSITY * CAPACITY)


def content(run):
    return run.log[-1]["tracers"]["temperature"]["content"] / run.log[-1]["volume_m3"]


def account(name, run):
    for tracer in run.log[0]["tracers"]:
        worst = max(abs(line["tracers"][tracer]["error"] / line["tracers"][tracer]["content"]) for line in run.log)
        cases.below(f"{name}: account of {tracer}", worst, 1e-13)
    cases.conserves(run, 1e-14)


run = cases.run("verification/heat_box")
cases.close("warming [K]", content(run) - 15, (0.94 * 300 - 50) * FACTOR / DEPTH, 1e-10)
account("box", run)
fields = run.fields()
down = np.arange(9.0)
light = 0.77 * np.exp(-down / 1.5) + 0.23 * np.exp(-down / 14)
light[-1] = 0
layers = 0.94 * 300 * -np.diff(light)
layers[0] += -50
cases.below("warming of the layers [K]", np.max(np.abs(fields["temperature"][-1, ::-1, 2, 2] - 15 - layers * FACTOR)), 1e-5)
cases.close("heat flux in the file", fields["heat_flux"][-1, 2, 2], 232, 1e-6)

mixed = cases.run("verification/heat_box", {"/physics/turbulence/viscosity_m2_s": 0.01, "/grid/flood_to_m": 1,
                                            "/bathymetry/bed_m": "-3 + 3.5*sin(x/700)"})
account("banks", mixed)

# ---- bulk formulae, constant air over water without depth enough to change: one step ----

TA, DEW, PRESSURE, WIND, TS, SUN, SKY = 12.0, 8.0, 101325.0, 9.0, 17.0, 240.0, 320.0
COARE = {"/forcing/heat": {"air_temperature_C": TA, "dew_point_C": DEW, "shortwave_W_m2": SUN, "longwave_W_m2": SKY},
       "/forcing/wind": {"speed_m_s": WIND, "from_deg": 90}, "/initial": {"temperature_C": TS, "salinity": 35}, "/time/duration_s": 600, "/output/0/every_s": 600}


# the program of COARE's authors with this saturation (Magnus, 611.2 Pa), with and without cool skin, at 45 N: sensible +
# latent + long waves [W m-2], evaporation [kg m-2 s-1]; their constants of the air differ in the fourth digit
for cool_skin, flux, evaporated in ((False, -348.0325, 7.808444e-05), (True, -333.6881, 7.469320e-05)):
    run = cases.run("verification/heat_box", {**COARE, "/forcing/heat/cool_skin": cool_skin})
    cases.close(f"COARE 3.5, cool skin {cool_skin}: heat flux", run.fields()["heat_flux"][-1, 2, 2] - 0.94 * SUN, flux, 5e-4)
    cases.close(f"COARE 3.5, cool skin {cool_skin}: evaporation", -run.log[-1]["air_m3"], evaporated / DENSITY * 600 * 12e6, 5e-4)
AIR = {**COARE, "/forcing/heat": {**COARE["/forcing/heat"], "bulk": "kondo"}}


def saturated(t):
    return 611.2 * np.exp(17.62 * t / (243.12 + t))


def humidity(e):
    return 0.622 * e / (PRESSURE - 0.378 * e)


def kondo(wind, excess, z_wind, z_heat, z_moisture):
    """C_H, C_E of a wind between 8 and 25 m/s over warmer water, at the heights of wind, temperature and humidity."""
    ten = wind
    for _ in range(60):
        root = np.sqrt(1e-3 * (1.2 + 0.025 * ten))
        ten = wind / (1 + root / 0.4 * np.log(z_wind / 10))
    heat, moisture = ((a + b * ten + c * (ten - 8) ** 2) * 1e-3 for a, b, c in ((1.17, 0.0075, -0.00045), (1.196, 0.008, -0.0004)))
    speed, (of_heat, of_moisture) = lambda z: 0.4 / root + np.log(z / 10), (lambda z, c=c: 0.4 * root / c + np.log(z / 10) for c in (heat, moisture))
    z = min(10, z_wind)
    s0 = excess * of_heat(z) / of_heat(z_heat) / (wind * speed(z) / speed(z_wind) * (1 + np.log10(10 / z))) ** 2
    factor = (1 + 0.63 * np.sqrt(s0 * s0 / (s0 + 0.01))) * 0.4**2 / speed(z_wind)
    return factor / of_heat(z_heat), factor / of_moisture(z_moisture)


def turbulent(heights, salinity=35):
    """Sensible and latent heat [W m-2], evaporation [kg m-2 s-1]."""
    excess = TS - TA - 0.0098 * heights[1]
    heat, moisture = kondo(WIND, excess, *heights)
    passing = PRESSURE / (287.05 * (TA + 273.15) * (1 + 0.61 * humidity(saturated(DEW)))) * WIND
    vapour = moisture * passing * (humidity((1 - 0.02 * salinity / 35) * saturated(TS)) - humidity(saturated(DEW)))
    return -1005 * heat * passing * excess, -(2.501e6 - 2370 * TS) * vapour, vapour


HEIGHTS = {"/forcing/wind/height_m": 5, "/forcing/heat/air_height_m": 12, "/forcing/heat/humidity_height_m": 3}
sensible, latent, vapour = turbulent((10, 2, 2))
long_wave = 0.97 * SKY - 0.97 * 5.670374419e-8 * (TS + 273.15) ** 4
net = sensible + latent + long_wave
mast = cases.run("verification/heat_box", {**AIR, **HEIGHTS})
cases.close("other heights: heat flux [W m-2]", mast.fields()["heat_flux"][-1, 2, 2], sum(turbulent((5, 12, 3))[:2]) + long_wave + 0.94 * SUN, 1e-6)
run = cases.run("verification/heat_box", AIR)
cases.close("bulk heat flux [W m-2]", run.fields()["heat_flux"][-1, 2, 2], net + 0.94 * SUN, 1e-6)
cases.close("evaporation [m3]", -run.log[-1]["air_m3"], vapour / DENSITY * 600 * 12e6, 1e-9)
azov, fresh = ({"/initial": {"temperature_C": TS, "salinity": 11}}, {"/initial": {"temperature_C": TS}, "/physics/density": {"equation": "eos80", "reference_salinity": 0}, "/output": [{"every_s": 600, "variables": ["heat_flux"]}]})
for name, settings, salinity in (("11 g/kg", azov, 11), ("fresh water without a salinity", fresh, 0)):
    found = cases.run("verification/heat_box", {**AIR, **settings}).fields()["heat_flux"][-1, 2, 2]
    cases.close(f"{name}: heat flux [W m-2]", found, sum(turbulent((10, 2, 2), salinity)[:2]) + long_wave + 0.94 * SUN, 1e-6)
dry = cases.run("verification/heat_box", {**AIR, "/forcing/evaporation/of_heat": False})
cases.equal("heat without water", dry.log[-1]["air_m3"], 0)
relative = {**AIR, "/forcing/heat": {**AIR["/forcing/heat"], "humidity": saturated(DEW) / saturated(TA)}}
del relative["/forcing/heat"]["dew_point_C"]
cases.close("humidity for dew point", cases.run("verification/heat_box", relative).fields()["heat_flux"][-1, 2, 2], net + 0.94 * SUN, 1e-6)

# ---- TEOS-10: the same water by its conservative temperature and absolute salinity feels the same air ----

same = []
for equation, t, s in (("teos10-practical", 17, 11), ("teos10", 17.6229058279, 11.0518697143)):
    warm = {**COARE, "/physics/density/equation": equation, "/initial": {"temperature_C": t, "salinity": s}}
    same.append(cases.run("verification/heat_box", warm).fields()["heat_flux"][-1, 2, 2])
cases.close("TEOS-10 by both temperatures: heat flux", same[1], same[0], 1e-6)

# ---- long waves from clouds ----

EPS, E = 5.670374419e-8, saturated(DEW) / 100
KELVIN, WATER = TA + 273.15, TS + 273.15
skies = {"berliand": lambda n: -0.97 * EPS * (KELVIN**4 * (0.39 - 0.05 * np.sqrt(E)) * (1 - 0.8 * n) + 4 * KELVIN**3 * (TS - TA)),
         "bignami": lambda n: EPS * KELVIN**4 * (0.653 + 0.00535 * E) * (1 + 0.1762 * n * n) - 0.98 * EPS * WATER**4,
         "josey": lambda n: 0.955 * EPS * (KELVIN + 10.77 * n * n + 2.34 * n - 18.44 + 0.84 * (DEW - TA + 4.01)) ** 4 - 0.98 * EPS * WATER**4}
clouded = {key: value for key, value in AIR["/forcing/heat"].items() if key != "longwave_W_m2"}
for law, sky in skies.items():
    run = cases.run("verification/heat_box", {**AIR, "/forcing/heat": {**clouded, "longwave_law": law, "cloudiness": "0.2 + x/10000"}})
    found = run.fields()["heat_flux"][-1, 2, :]
    wanted = [sensible + latent + sky(0.2 + x / 10000) + 0.94 * SUN for x in run.fields()["x"]]
    cases.below(f"{law}, clouds that vary: heat flux [W m-2]", np.max(np.abs(found - wanted)), 1e-4)

# ---- a winter: what cools below the freezing point makes ice, and what warms melts it first ----

FREEZING = 11 * (-0.0575 + 1.710523e-3 * np.sqrt(11) - 2.154996e-4 * 11)
LATENT, HALF = 917 * 3.34e5, 864000
for name, viscosity in (("one layer after the other", 0), ("mixed", 0.01)):
    winter = cases.run("verification/heat_box", {
        "/forcing/heat": {"net_W_m2": f"t < {HALF + 1} ? -600 : 600", "capacity_J_kg_K": CAPACITY}, "/initial/temperature_C": 0.5, "/time/duration_s": 2 * HALF,
        "/physics/turbulence/viscosity_m2_s": viscosity, "/output/0/variables": ["temperature", "ice_thickness", "heat_flux"],
        "/output/0/every_s": HALF})
    log = [line["tracers"]["temperature"] for line in winter.log]
    cases.close(f"winter, {name}: coldest water [degrees C]", min(a["least"] for a in log), FREEZING, 1e-12)
    most = max(abs(a["content"] + a["bed"]) for a in log)
    cases.below(f"winter, {name}: account of heat", max(abs(a["error"]) for a in log) / most, 1e-13)
    last, thickness = log[-1], winter.fields()["ice_thickness"]
    frozen = 1 if viscosity == 0 else DEPTH  # what has cooled
    cases.close(f"winter, {name}: ice [m]", np.max(thickness), (600 * HALF - (0.5 - FREEZING) * frozen * DENSITY * CAPACITY) / LATENT, 1e-6)
    cases.close(f"winter, {name}: as much heat, as warm", last["content"] / winter.log[-1]["volume_m3"], 0.5, 1e-12)
    cases.equal(f"winter, {name}: no ice left", thickness[-1, 2, 2], 0)

# water whose salinity the scenario does not carry freezes as that of reference_salinity
for given, salinity in (({}, 10), ({"reference_salinity": 11}, 11)):
    winter = cases.run("verification/heat_box", {"/forcing/heat": {"net_W_m2": -600}, "/initial": {"temperature_C": 0.5}, "/output": [],
                                                 "/physics/density": {"equation": "eos80", **given}})
    cases.close(f"water of {salinity} g/kg without a salinity: coldest [degrees C]", min(line["tracers"]["temperature"]["least"] for line in winter.log),
                salinity * (-0.0575 + 1.710523e-3 * np.sqrt(salinity) - 2.154996e-4 * salinity), 1e-12)

# restarts hold the ice
cold = {"/forcing/heat": {"net_W_m2": -600}, "/initial/temperature_C": 0, "/restart": {"at_end": True}}
whole = cases.run("verification/heat_box", {**cold, "/time/duration_s": 86400})
half = cases.run("verification/heat_box", {**cold, "/time/duration_s": 86400}, options=["--until", "2000-07-01T12:00:00Z"])
rest = cases.run("verification/heat_box", {**cold, "/time/duration_s": 86400}, options=["--restart", str(next(half.folder.glob("**/*restart*.nc")))])
for key in ("content", "bed", "error"):
    cases.equal(f"restart with ice: {key}", rest.log[-1]["tracers"]["temperature"][key], whole.log[-1]["tracers"]["temperature"][key])

# ---- films: sun and frosty rain on 2 cm; water of 10 cm feels all ----

FILM = {"/grid/levels": {"bottom_m": -8, "dz_m": 8}, "/bathymetry/bed_m": "x < 2000 ? -0.02 : -0.1", "/initial": {"temperature_C": 15},
        "/output": [{"every_s": 86400, "variables": ["temperature"]}]}
sunny = cases.run("verification/heat_box", {**FILM, "/forcing/heat": {"shortwave_W_m2": 800, "capacity_J_kg_K": CAPACITY}})
account("films in the sun", sunny)
warmed = sunny.fields()["temperature"][-1, 0, 2] - 15
whole_day = 0.94 * 800 * DAY / (DENSITY * CAPACITY * 0.1)
cases.close("film of 2 cm: a fifth of the warming", warmed[0], whole_day / 5, 1e-5)
cases.close("water of 10 cm", warmed[-1], whole_day, 1e-5)
FRESH = {"/physics/density": {"equation": "eos80", "reference_salinity": 0}}
frosty = cases.run("verification/heat_box", {**FILM, **FRESH, "/forcing/rain": {"mm_h": 3}, "/forcing/heat": {
    "air_temperature_C": -15, "dew_point_C": -18, "longwave_W_m2": 200}, "/forcing/wind": {"speed_m_s": 8, "from_deg": 90}})
cases.between("films in frost: least", min(line["tracers"]["temperature"]["least"] for line in frosty.log), 0, 1e-9)

# over water at its freezing point, snow counts as water of 0 C: it brings no heat and takes none
snow = {**FRESH, "/initial": {"temperature_C": 0}, "/forcing/heat": {"air_temperature_C": -15, "dew_point_C": -18, "longwave_W_m2": 200},
        "/forcing/wind": {"speed_m_s": 8, "from_deg": 90}, "/output": []}
heat = [cases.run("verification/heat_box", {**snow, **rain}).log[-1]["tracers"]["temperature"]["air"] for rain in ({}, {"/forcing/rain": {"mm_h": 3}})]
cases.close("snow brings no heat", heat[1], heat[0], 1e-13)

for name, settings, words in (
    ("no moisture", {"/forcing/heat": {"air_temperature_C": 10}}, "dew_point_C"),
    ("no temperature", {"/initial": {"salinity": 11}}, "/initial/temperature_C"),
    ("stress alone", {**AIR, "/forcing/wind": {"stress_x_Pa": 0.1}}, "only the wind stress"),
    ("a formula without a value", {"/forcing/heat": {"net_W_m2": "1/(t-600)"}}, "finite number"),
):
    refused = cases.run("verification/heat_box", settings, may_fail=True)
    cases.equal(f"{name}: refused", (refused.code != 0, words in refused.message), (True, True))
cases.finish()
