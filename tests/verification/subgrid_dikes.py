# SPDX-License-Identifier: Apache-2.0
"""Dikes as lines over ground inside cells: still water behind one, flow over it oblique to the grid, lines from files, on several processes."""

import json
import re
import subprocess
from pathlib import Path

import cases
import numpy as np

GRID = {"kind": "cartesian", "length_x_m": 2800, "length_y_m": 1200, "dx_m": 100, "flood_to_m": 9, "levels": {"bottom_m": -5, "dz_m": 5}}
ROUGH = "-2 + 0.3*sin(x/41)*cos(y/63)"


def sea(bathymetry, level, more=(), **options):
    settings = {"/grid": GRID, "/initial/eta_m": level, "/output": [], "/bathymetry": {"keep": "all", "subgrid": True, **bathymetry}, "/time/duration_s": 3600, "/time/step_s": 60}
    return cases.run("verification/thacker_curved", {**settings, **dict(more)}, **options)


# still water to the west of a dike from the southern edge to the northern, dry hollows on its other side
for degrees in (0, 25, 45):
    rise = np.tan(np.radians(degrees))
    foot = 1120 - 600 * rise
    LINE, WEST = [[foot - rise, -1], [foot + 1201 * rise, 1201]], f"x < {foot} + {rise}*y ? 0.98 : -9"
    run = sea({"bed_m": ROUGH, "dikes": [{"line": LINE, "crest_m": 1}]}, WEST, label="still")
    cases.below(f"speed behind a dike at {degrees} degrees [m/s]", np.max(run.column("max_speed_m_s")), 1e-12)

# `check` names cells that the dike divides, and the part on its other side
ranges = np.arange(6.25, 100, 12.5)
check = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/verification/thacker_curved.json"), *(f"--set={key}={json.dumps(value)}" for key, value in {
    "/grid": GRID, "/bathymetry": {"bed_m": -2, "keep": "all", "subgrid": True, "dikes": [{"line": LINE, "crest_m": 1}]}, "/initial": {"eta_m": 0}, "/output": []}.items())], capture_output=True, text=True)
named = [[float(number) for number in found] for found in re.findall(r"([0-9.]+) % of the cell at \(([-0-9.]+), ([-0-9.]+)\)", check.stdout)]
cases.equal("cells that check names", len(named), 4)
for part, x, y in named:
    west = np.mean(x - 50 + ranges < foot + rise * (y - 50 + ranges[:, None]))
    cases.close(f"part of the cell at ({x}, {y}) on the other side of its dike", part / 100, min(west, 1 - west), 0.1)

# Springs fill a square polder, which flows over its dike all around: the dike's own length counts, not that of the faces beside it,
# which are a staircase 1.28 and 1.41 times as long.
HALF, FLOW = 1500, 8 * 1500 * 1.7049 * 0.5**1.5
for degrees in (0, 20, 45):
    c, s = HALF * np.cos(np.radians(degrees)), HALF * np.sin(np.radians(degrees))
    corners = [[2200 + x, 2200 + y] for x, y in ((c - s, c + s), (-c - s, c - s), (s - c, -c - s), (c + s, s - c), (c - s, c + s))]
    run = sea({"bed_m": -2, "dikes": [{"line": corners, "crest_m": 1}]}, f"abs({c}*(x - 2200) + {s}*(y - 2200)) < {HALF**2} && abs({c}*(y - 2200) - {s}*(x - 2200)) < {HALF**2} ? 1.5 : -9", {
        "/grid": {**GRID, "length_x_m": 4400, "length_y_m": 4400}, "/time/duration_s": 900, "/time/step_s": 5, "/physics/drag": {"law": "manning", "n": 0.02},
        "/rivers": [{"name": f"river {n}", "x_m": 1300 + 200 * (n % 10), "y_m": 1300 + 200 * (n // 10), "discharge_m3_s": FLOW / 100} for n in range(100)], "/output": [{"every_s": 900, "variables": ["eta"]}]}.items(), label="polder")
    cases.conserves(run)
    fields = run.fields()
    x, y = np.meshgrid(fields["x"] - 2200, fields["y"] - 2200)
    inside = np.maximum(np.abs(c * x + s * y), np.abs(c * y - s * x)) < HALF * (HALF - 60)
    over = np.mean(fields["eta"][-1][inside]) - 1
    cases.close(f"flow over a dike at {degrees} degrees over that of a weir", FLOW / (8 * HALF * 1.7049 * over**1.5), 1, 0.05)

# the same between a deep river and land a little lower than the crest, where the dike lies along faces
PASSES, DEEP = 1.7049 * 0.5**1.5, {**GRID, "length_x_m": 2000, "length_y_m": 400, "levels": {"bottom_m": -9, "dz_m": 9}}
run = sea({"bed_m": "x < 1000 ? -6 : -0.5", "dikes": [{"line": [[1000, -1], [1000, 401]], "crest_m": 1}]}, "x < 1000 ? 1.5 : -9", {
    "/grid": DEEP, "/time/duration_s": 1800, "/time/step_s": 5, "/physics/drag": {"law": "manning", "n": 0.02}, "/boundaries": [{"name": "out", "edge": "east", "kind": "chapman"}],
    "/rivers": [{"name": f"river {n}", "x_m": 50 + 100 * (n // 4), "y_m": 50 + 100 * (n % 4), "discharge_m3_s": PASSES * 400 / 16} for n in range(16)], "/output": [{"every_s": 1800, "variables": ["eta"]}]}.items(), label="bank")
head = np.mean(run.fields()["eta"][-1, :, :8]) - 1
cases.close("flow over a dike from deep water over that of a weir (1.95 without its law)", PASSES / (1.7049 * head**1.5), 1, 0.02)

# lines from files: heights of points, of features, of the scenario; one on several processes and on another device
LON, LAT = 38.0, 45.0
SPHERE = {"kind": "spherical", "west": LON, "east": LON + 0.1, "south": LAT, "north": LAT + 0.05, "dlon_deg": 0.0025, "dlat_deg": 0.0025,
          "flood_to_m": 9, "levels": {"bottom_m": -5, "dz_m": 5}}
POINTS = [[38.041, 44.99, 0.2], [38.05, 45.02, 1.2], [38.062, 45.06, 0.4]]
FLAT = [point[:2] for point in POINTS]


def feature(kind, points, **properties):
    return {"type": "Feature", "geometry": {"type": kind, "coordinates": points}, "properties": properties}


def of_file(features, dike=None, **options):
    path = Path("dikes.geojson").resolve()
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return of_dikes([{"file": str(path), **(dike or {})}], **options)


def of_dikes(dikes, more=(), **options):
    return cases.run("verification/thacker_curved", {
        "/grid": SPHERE, "/bathymetry": {"bed_m": "-2 + 0.2*sin(900*lon)", "keep": "all", "subgrid": True, "dikes": dikes}, "/initial/eta_m": "lon < 38.05 ? 0.9 : -1",
        "/physics/gravity_m_s2": 9.81, "/time/duration_s": 150, "/time/step_s": 10, "/output": [], **dict(more)}, label="file", **options)


plain = of_file([feature("Point", FLAT[0]), feature("LineString", POINTS)])
cases.below("water that passes where the crest is low [m/s] (more than 0.5)", 0.5 / plain.column("max_speed_m_s")[-1], 1)
cases.equal("a line of two parts", of_file([feature("MultiLineString", [POINTS[:2], POINTS[1:]])]).digest, plain.digest)
ALONG = [[38.05, 44.99], [38.062, 45.06]]
falling = of_file([feature("LineString", [[*ALONG[0], 1.2], [*ALONG[1], 0.2]])])
cases.equal("a crest that falls along its line is no even one", falling.digest != of_dikes([{"line": ALONG, "crest_m": 1.2}]).digest, True)
# across 180 degrees, where longitudes leap, as along one that goes on
across = [of_dikes([{"line": [[179.991, 44.99], [east, 45.06]], "crest_m": 0.7}], {"/grid": {**SPHERE, "west": 179.95, "east": 180.05}, "/initial/eta_m": "lon < 180 ? 0.9 : -1"})
          for east in (180.012, -179.988)]
cases.close("speed beyond a dike across 180 degrees", across[1].column("max_speed_m_s")[-1], across[0].column("max_speed_m_s")[-1], 1e-9)
cases.equal("3 processes", of_file([feature("LineString", POINTS)], ranks=3).digest, plain.digest)
cases.equal("the emulator", of_file([feature("LineString", POINTS)], options=["--device", "emu"]).digest, plain.digest)
even = of_dikes([{"line": FLAT, "crest_m": 0.7}]).digest
cases.equal("height by a property", of_file([feature("LineString", FLAT, top=0.7)], {"property": "top"}).digest, even)
cases.equal("height by the scenario", of_file([feature("LineString", FLAT, crest_m=None)], {"crest_m": 0.7}).digest, even)
cases.equal("height by a formula", of_dikes([{"line": FLAT, "crest_m": "0.7 + 0*lat"}]).digest, even)

# a run goes on with its own dikes alone
first = of_file([feature("LineString", POINTS)], more={"/restart/at_end": True}, options=["--steps", "5"])
restart = ["--restart", str(next(first.folder.glob("**/restart_*.nc")).rename(Path("before.nc").resolve()))]
cases.equal("a restart", of_file([feature("LineString", POINTS)], options=restart).digest, plain.digest)
other = of_file([feature("LineString", FLAT, crest_m=0.8)], options=restart, may_fail=True)
cases.equal("a restart with other dikes: refused", (other.code, "dikes.geojson has changed since" in other.message), (2, True))

# refused with a reason
for what, words, run in (("no height", "no height at (38.041, 44.99)", of_file([feature("LineString", FLAT)], may_fail=True)),
                         ("metres", "the point (431200, 5163900) is not [longitude, latitude]", of_file([feature("LineString", [[431200, 5163900, 1], *POINTS])], may_fail=True)),
                         ("too high", "is 12345 m high at", of_file([feature("LineString", FLAT, crest_m=12345)], may_fail=True)),
                         ("too high by a formula", "m high at", of_dikes([{"line": FLAT, "crest_m": "1e5*lon"}], may_fail=True)),
                         ("one point", "the line needs two points or more", of_file([feature("LineString", POINTS[:1])], may_fail=True)),
                         ("no line", "the file has no lines", of_file([feature("Point", FLAT[0])], may_fail=True)),
                         ("elsewhere", "none of the lines of /bathymetry/dikes lies on the grid", of_dikes([{"line": [[10, 10], [11, 10]], "crest_m": 1}], may_fail=True))):
    cases.equal(f"dikes refused: {what}", (run.code, words in run.message), (2, True))

# a map that is painted on pixels has the dikes
np.savetxt("ground.asc", np.full((96, 224), -2.0), fmt="%g", comments="", header="ncols 224\nnrows 96\nxllcorner 0\nyllcorner 0\ncellsize 12.5")
ground = {"file": str(Path("ground.asc").resolve()), "positive": "up", "dikes": [{"line": LINE, "crest_m": 1}]}
run = sea(ground, WEST, {"/output": [{"every_s": 3600, "variables": ["eta"]}]}.items(), label="map")
subprocess.run([cases.PROGRAM, "pack", "results/thacker_curved/thacker_curved.nc", "--pixels"], cwd=run.folder, check=True)
pixel = run.read("*_pixels.nc")
x, y = np.meshgrid(pixel["x"], pixel["y"])
off = (x - foot - rise * y) / np.hypot(1, rise)
depth = np.nan_to_num(pixel["depth"][-1])
cases.equal("painted pixels on the dry side, and on the dike", (np.any(depth[off > 15] > 0), np.any(depth[np.abs(off) < 4] > 0)), (False, False))
cases.below("painted depth on the other side [m]", np.max(np.abs(depth[off < -15] - 2.98)), 1e-6)

# the dikes of a run over a formula are those of its file: another one is not painted
run = of_file([feature("LineString", POINTS)], more={"/output": [{"every_s": 150, "variables": ["eta"]}]})
PAINT = [cases.PROGRAM, "pack", "results/thacker_curved/thacker_curved.nc", "--pixels"]
same = subprocess.run(PAINT, cwd=run.folder)
Path("dikes.geojson").write_text(Path("dikes.geojson").read_text().replace("44.99", "44.98"))
done = subprocess.run([*PAINT, "--overwrite"], cwd=run.folder, capture_output=True, text=True)
cases.equal("painted with its dikes; with others: refused", (same.returncode, done.returncode, "a dike has changed since" in " ".join(done.stderr.split())), (0, 2, True))
cases.finish()
