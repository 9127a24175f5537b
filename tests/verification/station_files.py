# SPDX-License-Identifier: Apache-2.0
"""Stations from CSV and GeoJSON files: the series of the same points in the scenario itself, to the last bit, on several
ranks; the effective scenario holds the points; mistakes are named with file and line."""

import json
import subprocess
from pathlib import Path

import cases
import netCDF4
import numpy as np

SEA = {"grid": {"kind": "spherical", "west": 10.0, "east": 10.5, "south": 54.0, "north": 54.3, "dx_m": 2000, "levels": {"interfaces_m": [-10, 0]}},
       "bathymetry": {"bed_m": -10}, "time": {"start": "2000-01-01T00:00:00Z", "duration_s": 600, "step_s": 60},
       "initial": {"eta_m": "0.1*sin(20*lon)*cos(30*lat)"}}
POINTS = {"Port": [10.21, 54.11], "Öst, Buoy #3": [10.4, 54.2], "7": [10.02, 54.03]}


def run(name, stations, ranks=0, may_fail=False, sea=SEA):
    Path(f"{name}.json").write_text(json.dumps({**sea, "output": [{"every_s": 60, "stations": stations}]}))
    return cases.run(Path.cwd() / f"{name}.json", ranks=ranks, may_fail=may_fail)


Path("points.csv").write_text('\ufeff# from the harbour master\nNo;lat [deg];Station;lon;depth\n'
                              '1;54.11;Port;10.21;\n\n2;54.2;"Öst, Buoy #3";10.4;7,5\n3; 54.03; 7;10.02;4\n', encoding="utf-8")
Path("points.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [
    {"type": "Feature", "id": 7 if name == "7" else "x", "properties": None if name == "7" else {"id": 3, "Name": name},
     "geometry": {"type": "Point", "coordinates": [*place, 0.0]}} for name, place in POINTS.items()]}))

inline = run("inline", POINTS).stations()
cases.equal("names", inline["names"], list(POINTS))
for name, stations in (("csv", {"file": "points.csv"}), ("geojson", {"file": "points.geojson"})):
    for ranks in (0, 3):
        found = run(name, stations, ranks).stations()
        same = all(np.array_equal(found[key], inline[key]) for key in ("eta", "u", "v", "lon", "asked_lon", "asked_lat"))
        cases.equal(f"{name}, {ranks or 1} ranks: series", (found["names"], same), (inline["names"], True))
many = {f"s{n}": [10.02 + 0.0001 * n, 54.05] for n in range(4000)}
with netCDF4.Dataset(next(run("many", many).folder.glob("**/*_stations.nc"))) as data:
    series = sum(v.size * v.dtype.itemsize for v in data.variables.values() if "time" in v.dimensions) / 1e6
told = subprocess.run([cases.PROGRAM, "check", "many.json"], capture_output=True, text=True).stdout
forecast = float(told.split("output     about ")[1].split(" MB of fields and series")[0])
cases.close("the size of the series that check expects [MB]", forecast, series, 0.05 / series)
both = run("both", {"Extra": [10.3, 54.1], "file": "points.csv"}, 2).stations()
cases.equal("beside a point of the scenario", both["names"], ["Extra", *POINTS])
told = subprocess.run([cases.PROGRAM, "check", "--print-effective", "both.json"], capture_output=True, text=True)
cases.equal("effective scenario", json.loads(told.stdout)["output"][0]["stations"], {"Extra": [10.3, 54.1], **POINTS})

turned = run("turned", {name: [x + (360 if name == "7" else -360), y] for name, (x, y) in POINTS.items()}).stations()
cases.equal("longitudes a turn off", (turned["lon"].tolist(), np.array_equal(turned["eta"], inline["eta"])), (inline["lon"].tolist(), True))
brooks = [run(f"brook{n}", POINTS, ranks, sea={**SEA, "rivers": [{"name": "brook", "lon": lon, "lat": 54.2, "discharge_m3_s": 100}]})
          for n, (lon, ranks) in enumerate(((10.3, 0), (-349.7, 2)))]
cases.equal("a river's, too", brooks[1].digest, brooks[0].digest)

PLANE = {**SEA, "grid": {"kind": "cartesian", "length_x_m": 20000, "length_y_m": 10000, "dx_m": 1000, "levels": {"interfaces_m": [-10, 0]}},
         "initial": {}}
Path("quoted.csv").write_text('"name","x_m","y_m"\n' + '"St. ""Anna""; the pier, west",10500,"5500"\n')
quoted = run("quoted", {"file": "quoted.csv"}, sea=PLANE)
cases.equal("quotes inside of quotes, and separators", quoted.stations()["names"], ['St. "Anna"; the pier, west'])
Path("plane.csv").write_text("name,x_m,y_m\nmiddle,10500,5500\n")
cases.equal("on a plane", run("plane", {"file": "plane.csv"}, sea=PLANE).stations()["x"].tolist(), [10500])
for name, text, words, sea in (
        ("comma", "name;lon;lat\na;10,1;54,1\n", 'bad.csv:2: the first place "10,1" of the station "a" is not a number', SEA),
        ("short", "name,lon,lat\na,10.1\n", "bad.csv:2: the second place", SEA),
        ("nameless", "name,lon,lat\n,10.1,54.1\n", "bad.csv:2: the station has no name", SEA),
        ("columns", "name,x,y\na,10.1,54.1\n", "there is no column lon", SEA),
        ("metres", "name,lon,lat\na,10.1,54.1\n", "there is no column x_m", PLANE),
        ("twins", "name,lon,lat\na,10.1,54.1\na,10.2,54.1\n", 'two stations are called "a"', SEA),
        ("long", f"name,lon,lat\n{'a' * 64},10.1,54.1\n", "has 64 bytes; at most 63", SEA),
        ("outside", "name,lon,lat\nfar,11,54.1\n", '(/output/0/stations/file): the station "far" at (11, 54.1) lies outside', SEA),
        ("empty", "name,lon,lat\n", "contains no station", SEA),
        ("Latin-1", "name,lon,lat\nHafen \udce4,10.1,54.1\n", "is not UTF-8", SEA),
        ("escapes", "name,lon,lat\n\x1b[31ma,10.1,54.1\n", "control characters", SEA),
        ("lines", '{"features": [{"geometry": {"type": "LineString", "coordinates": [[1, 2]]}}]}', "bad.csv:1:15 (/features/0): a station must be", SEA),
        ("unnamed", '{"features": [{"geometry": {"type": "Point", "coordinates": [10.1, 54.1]}}]}', "give it a property", SEA),
        ("no features", '{"type": "Point"}', 'no list of "features"', SEA),
        ("GeoJSON on a plane", '{"features": []}', "but the grid is cartesian", PLANE)):
    Path("bad.csv").write_bytes(text.encode("utf-8", "surrogateescape"))
    refused = run("bad", {"file": "bad.csv"}, may_fail=True, sea=sea)
    cases.equal(f"{name}: refused", (refused.code, words in refused.message), (2, True))
    if words not in refused.message:
        print(refused.message)
refused = run("gone", {"file": "gone.csv"}, 2, may_fail=True)
cases.equal("no file: refused", (refused.code, 'the file "gone.csv" cannot be found' in refused.message), (2, True))
cases.finish()
