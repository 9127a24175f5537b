# SPDX-License-Identifier: Apache-2.0
"""Cyclones from best tracks: three formats of one track, profiles against what defines them, asymmetry, background, refusals; the file
drives a run. The track's points are those of hurricane Ike of NOAA's HURDAT2 (public domain), 2008-09-12, in round numbers."""

import sys
from datetime import timedelta
from pathlib import Path

import cases

try:
    import netCDF4
    import numpy as np

    sys.path.insert(0, str(cases.SOURCE / "postproc"))
    from maeotis_storm import cyclone, profiles, tracks
except ImportError as missing:
    print(f"{missing}: ./maeotis cyclone is not checked")
    sys.exit(77)
import python_command

HURDAT = """AL092008,                IKE,      3,
20080912, 0000,  , HU, 26.1N,  90.0W,  85,  954,  210,  180,  100,  150,  125,  125,   60,  100,   75,   75,   40,   60,  40
20080912, 0600,  , HU, 26.4N,  91.1W,  90,  954,  210,  180,  120,  150,  130,  125,   60,  100,  105,   75,   40,   75,  40
20080912, 1200,  , HU, 26.9N,  92.2W,  90,  954,  240,  180,  150,  180,  150,  125,   90,  105,  110,   75,   60,   75,  40
"""
ROWS = [("00", 261, 900, 85, (210, 180, 100, 150)), ("06", 264, 911, 90, (210, 180, 120, 150)), ("12", 269, 922, 90, (240, 180, 150, 180))]


def text(name, words):
    path = Path.cwd() / name
    path.write_text(words)
    return path


def atcf(rows):
    return "".join(f"AL, 09, 20080912{hour},   , BEST,   0, {lat}N,  {lon}W,  {wind},  954, HU,  34, NEQ,  {', '.join(map(str, radii))}, 1008, 300,  40,   0,  0,   L,   0,    ,   0,   0, IKE, D,\n"
                   for hour, lat, lon, wind, radii in rows)


def ibtracs(rows):
    keys = ["SID", "SEASON", "NAME", "ISO_TIME", "LAT", "LON", "WMO_PRES", "USA_WIND", "USA_PRES", "USA_POCI", "USA_RMW"] + [f"USA_R34_{q}" for q in tracks.QUADRANTS]
    lines = [",".join(keys), ",".join([" "] * len(keys))]
    lines += [f"2008245N17323,2008,IKE,2008-09-12 {hour}:00:00,{lat / 10},{-lon / 10}, ,{wind},954,1008,40,{','.join(map(str, radii))}" for hour, lat, lon, wind, radii in rows]
    return "\n".join(lines) + "\n"


files = {"HURDAT2": text("ike.txt", HURDAT), "ATCF": text("bal092008.dat", atcf(ROWS)), "IBTrACS": text("ibtracs.csv", ibtracs(ROWS))}
points = {name: tracks.read(path)[1] for name, path in files.items()}
for name in ("ATCF", "IBTrACS"):
    same = [(p.time, p.lat, p.lon, p.wind, p.pressure, p.radius, p.radii[34 * tracks.KNOT]) for p in points[name]]
    cases.equal(f"{name} as HURDAT2", same, [(p.time, p.lat, p.lon, p.wind, p.pressure, p.radius, p.radii[34 * tracks.KNOT]) for p in points["HURDAT2"]])
cases.close("17 m/s reach north-east [km]", points["ATCF"][0].radii[34 * tracks.KNOT][0], 210 * 1.852, 1e-12)

# the profiles: balance of the gradient wind, the strongest at its radius, the observed wind at its distance
R, drop, f, r = 40e3, 5600.0, 6.4e-5, np.linspace(10e3, 400e3, 3901)
b = profiles.shape(45, drop)
wind, p = profiles.holland_1980(r, drop, R, b, f), profiles.pressure(r, 95400.0, drop, R, b)
cases.below("balance with the slope of the pressure", np.max(np.abs(wind**2 / r + f * wind - np.gradient(p, r) / profiles.AIR)[1:-1]), 2e-5)
cases.close("strongest, without rotation [m/s]", profiles.holland_1980(R, drop, R, b, 0), 45, 1e-12)
x = profiles.exponent(17.5, 300e3, 40, R, b)
cases.close("wind at the observed distance [m/s]", float(profiles.holland_2010(300e3, 40, R, b, (300e3, x))), 17.5, 1e-12)

# the file: a storm that moves west-north-west is strongest on its right, north of it
box = ["--bbox", -97, 21, -85, 32]


def made(name, path, *options):
    code, words = python_command.call(cyclone.main, path, "-o", name, *box, *options)
    return netCDF4.Dataset(name) if code == 0 else print(words) or (code, words)


data = made("ike.nc", files["ATCF"], "--dx", 0.05)
u, v, msl, lon, lat = (np.array(data[name][:], float) for name in ("u10", "v10", "msl", "longitude", "latitude"))
cases.equal("records", len(data["time"]), 49)
speed = np.hypot(u, v)
cases.close("strongest of all [m/s]", speed[-1].max(), 90 * tracks.KNOT * profiles.TEN_MINUTES, 0.03)
cases.close("lowest pressure [Pa]", msl[-1].min(), 95400, 1e-3)
at = np.unravel_index(speed[-1].argmax(), speed[-1].shape)
cases.between("strongest north of the centre [degrees]", lat[at[0]] - 26.9, 0.2, 0.6)
south = speed[-1][(lat > 26.4) & (lat < 26.6)][:, np.abs(lon + 92.2) < 0.06].max()
cases.between("weaker south of it [m/s]", speed[-1].max() - south, 3, 8)
turning = (lon[None, :] + 92.2) * v[-1] - (lat[:, None] - 26.9) * u[-1]
ring = (speed[-1] > 20) & (speed[-1] < 40)
cases.equal("anticlockwise in the north", bool(np.all(turning[ring] > 0)), True)
inwards = (lon[None, :] + 92.2) * np.cos(np.radians(26.9)) * u[-1] + (lat[:, None] - 26.9) * v[-1]
cases.equal("inwards outside the centre", bool(np.mean(inwards[ring]) < 0), True)
cases.equal("calm far away", float(speed[-1][0, -1]), 0.0)
southern = made("south.nc", text("south.dat", atcf(ROWS).replace("N, ", "S, ")), "--scheme", "holland1980", "--bbox", -97, -32, -85, -21)
turning = (np.array(southern["longitude"])[None, :] + 92.2) * southern["v10"][-1] - (np.array(southern["latitude"])[:, None] + 26.9) * southern["u10"][-1]
cases.equal("clockwise in the south", bool(np.all(turning[np.hypot(southern["u10"][-1], southern["v10"][-1]) > 20] < 0)), True)

# a changed storm is the same one elsewhere, at another time, stronger or wider


def at(hours, *options):
    chosen = cyclone.parse([str(files["ATCF"]), "-o", "other.nc", *map(str, box), *options])
    storm, dates = cyclone.prepared(chosen)
    return storm.now((cyclone.on_track(chosen, dates[0], dates[0] + timedelta(hours=hours)) - storm.first).total_seconds())


def apart(one, other):
    """(east, north) [km]"""
    return np.array([(one["lon"] - other["lon"]) * np.cos(np.radians(other["lat"])), one["lat"] - other["lat"]]) * tracks.METRES / 1000


plain, aside = at(6), at(6, "--across-km", "50")
cases.close("across: so far from the track [km]", float(np.hypot(*apart(aside, plain))), 50, 1e-12)
cases.below("at right angles to it", abs(apart(aside, plain) @ plain["motion"]) / np.hypot(*plain["motion"]) / 50, 1e-12)
cases.equal("to its right, the north of a storm that goes west", bool(apart(aside, plain)[1] > 0), True)
later, faster = at(9, "--later-h", "3"), at(4, "--speed", "1.5")
cases.equal("later, and faster, at the same place", [float(np.abs(apart(other, plain)).max()) for other in (later, faster)], [0.0, 0.0])
cases.close("faster: its motion", float(faster["motion"][0]), 1.5 * float(plain["motion"][0]), 1e-14)
cases.close("before its first point it moves as there [km]", float(apart(at(0, "--later-h", "3"), at(0))[0]), -3 * 3.6 * float(at(0)["motion"][0]), 1e-3)
strong, wide = at(6, "--wind", "1.1"), at(6, "--radius", "2")
cases.close("stronger: drop over that of before", strong["drop"] / plain["drop"], 1.21, 1e-12)
cases.close("and its pressure in the centre [Pa]", strong["pressure"], plain["pressure"] - 0.21 * plain["drop"], 1e-12)
cases.close("and wind", strong["wind"] / plain["wind"], 1.1, 1e-12)
cases.equal("wider: radii over those of before", [float(wide["radius"] / plain["radius"]), float(np.max(wide["outer"][:, 0] / plain["outer"][:, 0]))], [2.0, 2.0])
again = netCDF4.Dataset("ike.nc").command
cases.equal("the file says how it was made", again, f"./maeotis cyclone {files['ATCF']} --bbox -97.0 21.0 -85.0 32.0 --output={Path.cwd() / 'ike.nc'} --dx=0.05")

# a background remains where the storm is not
with netCDF4.Dataset("weather.nc", "w") as around:
    for name, values in (("time", [0, 12]), ("latitude", [33, 20]), ("longitude", [262, 276])):
        around.createDimension(name, 2)
        around.createVariable(name, "f8", (name,))[:] = values
    around["time"].units = "hours since 2008-09-12"
    for name, values in (("u10", (4, 8)), ("v10", (0, 0)), ("msl", (101300, 101100))):
        around.createVariable(name, "f4", ("time", "latitude", "longitude"))[:] = np.broadcast_to(np.reshape(values, (2, 1, 1)), (2, 2, 2))
both = made("both.nc", files["ATCF"], "--background", "weather.nc")
cases.close("background at six o'clock [m/s]", float(both["u10"][24][0, -1]), 6, 1e-6)
cases.close("and its pressure [Pa]", float(both["msl"][24][0, -1]), 101200, 1e-6)
cases.below("the storm within it [Pa]", float(both["msl"][24].min()), 95900)

file = {"file": str(Path.cwd() / "ike.nc")}
gulf = cases.run("verification/heat_box", {"/grid": {"kind": "spherical", "west": -95, "east": -90, "south": 25, "north": 29, "dx_m": 25000, "levels": {"bottom_m": -50, "layers": 2}},
                                           "/bathymetry/bed_m": -50, "/time/start": "2008-09-12T00:00:00Z", "/time/duration_s": 21600, "/time/step_s": 300, "/output": [],
                                           "/forcing": {"wind": file, "air_pressure": file}})
cases.between("current of the upper 25 m under the storm [m/s]", gulf.column("max_speed_m_s")[-1], 3, 6)

for name, path, words in (("a gap", text("gap.dat", atcf([ROWS[0], ("23", 290, 940, 80, (200,) * 4)])), "gap of 23 h"),
                          ("one point", text("one.dat", atcf(ROWS[:1])), "fewer than two"),
                          ("two storms without a name", text("unnamed.txt", HURDAT + HURDAT.replace("AL092008", "AL102008")), "holds 2 storms"),
                          ("no track", text("none.txt", "once upon a time\n"), "not a track"),
                          ("two storms", text("two.txt", HURDAT + HURDAT.replace("AL092008", "AL102008").replace("IKE", "ODD")), "holds 2 storms"),
                          ("a wrong sign", text("sign.dat", atcf(ROWS).replace("922W", "922E")), "a sign or a date?"),
                          ("two models", text("models.dat", atcf(ROWS).replace("BEST", "OFCL") + atcf(ROWS).replace("BEST", "AVNO")), "AVNO, OFCL"),
                          ("knots in tenths, no pressure", text("tenths.dat", atcf(ROWS).replace("  90,  954", " 900,    0")), "463 m/s and no hPa"),
                          ("later than its track", (files["ATCF"], "--later-h", 13), "beyond an end of its track"),
                          ("wind without measure", (files["ATCF"], "--wind", 9), "--wind 9: from 0.3 to 2"),
                          ("on land of ice", text("pole.dat", atcf(ROWS).replace("261N", "861N")), "86.1")):
    code, said = made("no.nc", *(path if isinstance(path, tuple) else (path,)))
    cases.equal(f"{name}: refused", (code, words in said), (2, True))
cases.equal("its own track as the output: refused", made("sign.dat", "sign.dat")[0], 2)
cases.equal("a date with its zone", len(made("late.nc", files["ATCF"], "--start", "2008-09-12T13:00:00+03:00", "--end", "2008-09-12T11:00:00Z")["time"]), 5)
text("issues.dat", atcf(ROWS).replace("BEST,   0", "OFCL,  12").replace("261N", "281N") + atcf(ROWS).replace("BEST,   0", "OFCL,   0").replace("0912", "0913"))
cases.equal("of forecasts of a time, the latest", [(p.time.day, p.time.hour, p.lat) for p in tracks.read(Path("issues.dat"))[1]][:4], [(12, 12, 28.1), (12, 18, 26.4), (13, 0, 26.1), (13, 6, 26.4)])
code, said = made("no.nc", files["ATCF"], "--background", "weather.nc", "--bbox", -120, 21, -85, 32)
cases.equal("a small background: refused", (code, "do not cover" in said), (2, True))
cases.finish()
