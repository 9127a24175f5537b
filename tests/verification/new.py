# SPDX-License-Identifier: Apache-2.0
"""`maeotis new`: a scenario out of files in the layouts of GEBCO, ERA5 and TPXO that runs as it stands; what it chooses; what it refuses."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import unittest.mock
from pathlib import Path

try:
    import matplotlib  # noqa: F401
    import xarray as xr
except ImportError:
    print("xarray and matplotlib are not here: not checked")
    sys.exit(77)

import cases
import files_of_a_sea as sea
import numpy as np

os.environ["MAEOTIS"] = cases.PROGRAM
from maeotis_plot import __main__ as plot  # noqa: E402
from maeotis_plot import grid as grids  # noqa: E402
from maeotis_plot import new, rivers  # noqa: E402
from maeotis_results import reading  # noqa: E402


def scenario(path):
    return json.loads(re.sub(r"^\s*//.*$", "", Path(path).read_text(), flags=re.MULTILINE))


BOX = ["--bbox", str(sea.WEST), str(sea.SOUTH), str(sea.EAST), str(sea.NORTH)]
sea.main(Path("data"))
arguments = [*BOX, "--bathymetry", "data/gebco.nc", "--wind", "data/era5.nc", "--tides", "data/TPXO9_atlas_v5", "--dx", "2000", "--overwrite"]
Path("made").mkdir(exist_ok=True)
new.main(["made/gulf.json", *arguments])
made = scenario("made/gulf.json")
made_grid = grids.Grid("made/gulf.json")
cases.equal("the grid reaches the edges that were asked for", [round(float(v), 6) for axis in (made_grid.x, made_grid.y) for v in reading.edges(axis)[[0, -1]]],
            [sea.WEST, sea.EAST, sea.SOUTH, sea.NORTH])
cases.between("width of its cells over --dx", np.diff(made_grid.y).mean() * 111195 / 2000, 0.95, 1.05)
cases.equal("extremes: the lowest level, too", "min_eta" in made["output"][2]["extremes"], True)
cases.equal("boundaries: where the sea leaves the box", [(b["edge"], b["kind"]) for b in made["boundaries"]], [("east", "flather")])
cases.equal("files: as the scenario's folder sees them", made["bathymetry"]["file"], "../data/gebco.nc")
cases.equal("time: that of the wind file", (made["time"]["start"], made["time"]["end"]), ("2015-03-01T00:00:00Z", "2015-03-03T00:00:00Z"))
cases.equal("air pressure, which the wind file holds", made["forcing"]["air_pressure"]["file"], "../data/era5.nc")
cases.equal("steps fit the stations' interval", 600 % made["time"]["step_s"], 0)
cases.equal("pictures", sorted(p.name for p in Path("made").glob("*.png")), ["gulf_grid.png", "gulf_layers.png"])
run = cases.run(Path("made/gulf.json").resolve())
cases.conserves(run, 1e-12)
inner = run.stations()
late = inner["time"] > 86400
at = [int(np.argmin(np.abs(axis - place))) for axis, place in zip((made_grid.x, made_grid.y), made["output"][1]["stations"]["deepest"])]
cases.equal("the deepest station is not beside an edge", min(at[0], made_grid.x.size - 1 - at[0], at[1], made_grid.y.size - 1 - at[1]) >= min(made_grid.wet.shape) // 10, True)
middle = f"{0.5 * (sea.SOUTH + sea.NORTH)}"
plot.main([str(next(run.folder.glob("**/gulf_layers.nc"))), "-t", "last", "--section", f"{sea.WEST + 0.1},{middle},{sea.EAST - 0.1},{middle}", "-o", "sections"])
cases.equal("its results have sections", len(list(Path("sections").glob("*.png"))), 1)
cases.between("the tide is in the gulf [m]", np.ptp(inner["eta"][late, inner["names"].index("inner")]), 0.5, 1.6)

# the layers end at the deepest place; the grid in the picture is that of the run
grid = grids.Grid("made/gulf.json")
cases.between("lowest level over the deepest place", -grid.interfaces[0] / grid.deepest, 1, 1.2)
cases.equal("faces that the boundary opens", len(list(grid.open_faces(made["boundaries"][0]))), int(grid.wet[:, -1].sum()))
rest = grids.Grid("made/gulf.json")
rest.scenario["boundaries"] = [{"edge": "east", "range": [0, grid.y[grid.y.size // 2]]}, {"edge": "rest"}]
half, others = (set(rest.open_faces(boundary)) for boundary in rest.scenario["boundaries"])
cases.equal("faces that a part of an edge and the rest open", {face for face in half | others if face[0] == "east"},
            set(grid.open_faces(made["boundaries"][0])))
cases.equal("none of them twice", half & others, set())
for deepest in (3.0, 29.0, 31.0, 200.0, 4000.0):
    levels, _ = new.choose_levels(deepest)
    z = np.array(levels.get("interfaces_m") or np.arange(levels["bottom_m"], 1e-9, levels["dz_m"]))
    good = z[0] <= -deepest and z[-1] == 0 and (np.diff(z) > 0).all() and 6 <= z.size - 1 <= 20 and (np.diff(np.diff(z)) <= 1e-9 + 0.02 * z[0] * -1).all()
    cases.equal(f"levels of a sea of {deepest:g} m", bool(good), True)

# without the sea at an edge, without a wind; with levels alone
Path("levels").mkdir(exist_ok=True)
for name in ("m2", "k1"):
    target = Path(f"levels/h_{name}_tpxo9_atlas_30_v5.nc")
    target.write_bytes(Path(f"data/TPXO9_atlas_v5/{target.name}").read_bytes())
box = ["--bbox", "12.25", "44.1", "12.6", "44.3"]
new.main(["plain.json", *box, "--bathymetry", "data/gebco.nc", "--dx", "2000", "--tides", "levels", "--overwrite"])
plain = scenario("plain.json")
cases.equal("an atlas without currents", {b["kind"] for b in plain["boundaries"]}, {"elevation"})
cases.equal("one boundary for all edges of one sea", [b["edge"] for b in plain["boundaries"]], ["all"])
cases.equal("no wind", plain["forcing"], {})
cases.equal("it runs: code", cases.run(Path("plain.json").resolve(), {"/time/end": "2024-03-01T06:00:00Z"}).code, 0)

# rivers: runoff on NEMO's curved grid, ROMS's points, by their places or by numbers of its grid's cells
turn, (j, i) = 0.3, np.mgrid[0:40, 0:40]
nav_lon, nav_lat = (12.4 + 0.02 * ((i - 20) * np.cos(turn) - (j - 20) * np.sin(turn)) / np.cos(np.radians(44.2)), 44.2 + 0.02 * ((i - 20) * np.sin(turn) + (j - 20) * np.cos(turn)))
sides = 111195 * 0.02
water = np.where(np.hypot((nav_lon - 12.35) * 0.72, nav_lat - 44.2) < 0.05, 2e-3, 0.0)
days = np.array(["2024-02-29T00:00", "2024-03-02T00:00"], "datetime64[ns]")
plane = {"nav_lon": (("y", "x"), nav_lon), "nav_lat": (("y", "x"), nav_lat), "e1t": (("y", "x"), np.full((40, 40), sides)), "e2t": (("y", "x"), np.full((40, 40), sides))}
xr.Dataset({"sorunoff": (("time_counter", "y", "x"), np.stack([water, water]), {"units": "kg/m2/s"}), **plane}, coords={"time_counter": days}).to_netcdf("nemo.nc")
xr.Dataset({"river_transport": (("river_time", "river"), [[-40.0, 10, 5], [-40.0, 10, 5]], {"units": "m3 s-1"}), "river_Xposition": ("river", [21, 18, 1]), "river_Eposition": ("river", [20, 21, 1]),
            "river_direction": ("river", [0, 2, 1])}, coords={"river_time": days}).to_netcdf("roms.nc")
xr.Dataset({"lon_rho": (("eta", "xi"), nav_lon), "lat_rho": (("eta", "xi"), nav_lat)}).to_netcdf("roms_grid.nc")
with unittest.mock.patch.object(new, "drawn", lambda scenario: ()):
    new.main(["mouths.json", *box, "--bathymetry", "data/gebco.nc", "--dx", "2000", "--rivers", "nemo.nc", "--start", "2024-03-01T00:00:00Z", "--end", "2024-03-01T06:00:00Z", "--overwrite"])
found, _ = rivers.settings(Path("roms.nc"), Path("roms_grid.nc"), [12.25, 44.1, 12.6, 44.3], Path("roms_rivers"), str)
cases.below("places of ROMS's points: a face and a cell [degrees]", np.abs(np.array([[r["lon"], r["lat"]] for r in found["rivers"]]) - [
    [0.5 * (one[20, 20] + one[20, 21]) for one in (nav_lon, nav_lat)], [one[21, 18] for one in (nav_lon, nav_lat)]]).max(), 1e-6)
poured = cases.run(Path("mouths.json").resolve(), {"/rivers": found["rivers"], "/output": [], "/river_maps/0/least_m3_s": 0, "/allow": ["twice"]})
cases.close("all of their water [m3/s]", poured.log[-1]["sources_m3"] / 21600, water.sum() * sides**2 / 1000 + 50, 1e-8)
cases.equal("mouths on the grid's map", len(grids.Grid("mouths.json").mouths) > 0, True)
with xr.open_dataset("roms.nc") as points:
    points.drop_vars("river_direction").to_netcdf("no_way.nc")
    points.assign(river_Xposition=("river", [21, np.nan, 1])).to_netcdf("no_place.nc")
for name, places, words in (("roms.nc", None, "--rivers-grid"), ("no_way.nc", Path("roms_grid.nc"), "no_way.nc has no river_direction"),
                            ("no_place.nc", Path("roms_grid.nc"), "points without places"), ("roms.nc", Path("nemo.nc"), "nemo.nc has no lon_rho")):
    try:
        rivers.settings(Path(name), places, [12.25, 44.1, 12.6, 44.3], Path("roms_rivers"), str)
        cases.equal(f"refused: {words}", "accepted", "refused")
    except reading.Refused as refused:
        cases.equal(f"refused: {words}", words in str(refused), True)

# a line in place of the eastern edge; what lies behind it is land, and the map shows its faces
new.main(["lined.json", *box, "--bathymetry", "data/gebco.nc", "--dx", "2000", "--line", "12.42,44.05 12.55,44.35", "--overwrite"])
grid, across = grids.Grid("lined.json"), [[12.42, 44.05], [12.55, 44.35]]
cases.equal("which side of the line stays", new.sides_of_line(grid, across), "the western side of the line stays, the eastern side becomes land")
lined = scenario("lined.json")
cases.equal("a line among the boundaries", (lined["boundaries"][0]["edge"], lined["boundaries"][0]["line"]), ("line", [[12.42, 44.05], [12.55, 44.35]]))
ground = grids.Grid("lined.json")
faces = list(ground.open_faces(lined["boundaries"][0]))
told = subprocess.run([cases.PROGRAM, "check", "lined.json"], capture_output=True, text=True).stdout
cases.equal("faces along the line, as the program counts them", f"along a line, {len(faces)} open faces" in told and len(faces) > 5, True)
cases.equal("nothing is wet behind it", bool(ground.wet[:, ground.x > 12.56].any()), False)

# walls in the sea are those of the faces; a scenario drawn with --set, its zoom with its own bed and stations
subprocess.run([cases.PROGRAM, "check", cases.SOURCE / "scenarios/azov_storm_2014.json", "--grid", "azov.nc"], capture_output=True, check=True)
with xr.open_dataset("azov.nc", decode_timedelta=False) as data:
    wet, (u, v) = data["depth"].values > 0, (data[name].values > 0 for name in ("depth_u", "depth_v"))
    closed = {("x", j, i + 1) for j, i in zip(*np.nonzero(~u[:, 1:-1] & wet[:, 1:] & wet[:, :-1]))} | {("y", j + 1, i) for j, i in zip(*np.nonzero(~v[1:-1] & wet[1:] & wet[:-1]))}
    cases.equal("walls in the sea", (set(reading.walls(data)), len(closed)), (closed, 24))
zoomed = grids.Grid(cases.SOURCE / "scenarios/zoomed_bay.json", ["/zoom/output/0/stations={\"lee\": [35000, 12000]}", "/zoom/output/0/variables=[\"eta\"]"])
cases.equal("a zoom in the picture of a scenario", (zoomed.finer["bed"].shape, [place["name"] for place in grids.stations(zoomed)]), ((24, 36), ["lee"]))

# inside a sea of which a file tells the level, currents and salinity
with xr.Dataset({"zos": (("time", "latitude", "longitude"), np.full((3, 9, 13), 0.2)), "uo": (("time", "latitude", "longitude"), np.zeros((3, 9, 13))),
                 "vo": (("time", "latitude", "longitude"), np.zeros((3, 9, 13))), "so": (("time", "latitude", "longitude"), np.full((3, 9, 13), 36.0))},
                coords={"time": np.datetime64("2015-03-01T12:00") + np.arange(3) * np.timedelta64(12, "h"),
                        "latitude": np.linspace(43.5, 45.5, 9), "longitude": np.linspace(11, 14, 13)}) as outside:
    for variable, unit in (("zos", "m"), ("uo", "m s-1"), ("vo", "m s-1"), ("so", "1e-3"), ("latitude", "degrees_north"), ("longitude", "degrees_east")):
        outside[variable].attrs["units"] = unit
    outside.to_netcdf("data/cmems.nc")
new.main(["nested.json", *box, "--bathymetry", "data/gebco.nc", "--dx", "2000", "--boundary", "data/cmems.nc", "--wind", "data/era5.nc", "--overwrite"])
nested = scenario("nested.json")
cases.equal("boundary by file", {(b["kind"], b["file"]) for b in nested["boundaries"]}, {("flather", "data/cmems.nc")})
cases.equal("a zone of relaxation in front of it", {(b["time_interpolation"], b["relaxation_zone"]["cells"]) for b in nested["boundaries"]}, {("cubic", 8)})
cases.equal("what the file fills", nested["initial"], {key: {"file": "data/cmems.nc"} for key in ("eta_m", "u_m_s", "v_m_s", "salinity")})
cases.equal("the density follows what the file has", nested["physics"]["density"], {"equation": "teos10-practical"})
cases.equal("the time that both files have", (nested["time"]["start"], nested["time"]["end"]), ("2015-03-01T12:00:00Z", "2015-03-02T12:00:00Z"))
run = cases.run(Path("nested.json").resolve(), {"/time/end": "2015-03-01T18:00:00Z", "/forcing": {}})
level = run.stations()["eta"]
cases.between("the level at the start: that outside [m]", level[0].max(), 0.19, 0.21)
cases.between("the level outside comes in [m]", level[-1].max(), 0.05, 0.4)

for name, change, message in (
        ("no file", ["--bathymetry", "nowhere.nc"], "there is no file nowhere.nc"),
        ("a box on its head", ["--bbox", "12.6", "44", "12", "44.4"], "west must be less than east"),
        ("a box on land alone", ["--bbox", "12", "44.05", "12.15", "44.2"], ""),
        ("a box beyond the file", ["--bbox", "22", "44.05", "22.5", "44.2"], ""),
        ("an end before the start", ["--end", "2015-02-01T00:00:00Z"], "the run would last")):
    try:
        new.main(["refused.json", *arguments, *change])
        cases.equal(f"refused: {name}", "accepted", "refused")
    except reading.Refused as refused:
        cases.equal(f"refused: {name}", message in str(refused) and not Path("refused.json").exists(), True)
try:
    new.main(["line\nend.json", *BOX])
    cases.equal("refused: a line end in a name", "accepted", "refused")
except reading.Refused as refused:
    cases.equal("refused: a line end in a name", "control characters" in str(refused) and not list(Path(".").glob("line\n*")), True)
# A map that the program brings along, by its name. In this one land has no values, which is no wall; a river's mouth is no open edge.
Path("azov").mkdir(exist_ok=True)  # a folder of that name is no map
with contextlib.redirect_stderr(io.StringIO()) as told, contextlib.redirect_stdout(io.StringIO()) as said:
    new.main(["azov.json", "--bbox", "34.8", "45", "39.4", "47.35", "--bathymetry", "azov", "--overwrite"])
cases.equal("the Azov Sea by its name", (scenario("azov.json")["bathymetry"]["file"], [one["name"] for one in scenario("azov.json")["boundaries"]], "no values" in told.getvalue()),
            ("azov", ["south"], False))

# On a full disk nothing is left.
Path("full").mkdir(exist_ok=True)
dump, new.json.dump = new.json.dump, lambda *_: open("/dev/full", "w").write(" " * 100000)
try:
    new.main(["full/azov.json", "--bbox", "34.8", "45", "39.4", "47.35", "--bathymetry", "azov"])
    cases.equal("a full disk", "accepted", "refused")
except reading.Refused as refused:
    cases.equal("a full disk", ("full: No space left" in str(refused), list(Path("full").iterdir())), (True, []))
new.json.dump = dump

try:
    new.main(["made/gulf.json", *arguments[:-1]])
    cases.equal("nothing is overwritten", False, True)
except reading.Refused as refused:
    cases.equal("nothing is overwritten", "already exists" in str(refused), True)
cases.equal("no trial is left behind", list(Path(".").glob(".new_*")) + list(Path("made").glob(".new_*")), [])

# --download runs what has a client and an account, goes on with what came, and says what did not
home, site = Path("home"), Path("site")
for folder in (home / "bin", site, Path("asked")):
    folder.mkdir(parents=True, exist_ok=True)
(home / "bin/ncks").write_text(f"#!/bin/sh\ntest \"$2 $3\" = '-d lon,12.20,12.65' && cp {Path('data/gebco.nc').resolve()} \"$7\"\n")
(home / "bin/copernicusmarine").write_text("#!/bin/sh\necho half > sea.nc\nexit 3\n")
for client in (home / "bin").iterdir():
    client.chmod(0o755)
(site / "cdsapi.py").write_text(f"import shutil\nclass Client:\n    def retrieve(self, name, request, target):\n        assert request['area'] == [44.8, 11.75, 43.6, 13.1]\n"
                                f"        shutil.copy({str(Path('data/era5.nc').resolve())!r}, target)\n")
os.environ.update(HOME=str(home.resolve()), PATH=f"{home.resolve()}/bin:{os.environ['PATH']}", PYTHONPATH=f"{site.resolve()}:{os.environ['PYTHONPATH']}")
sys.path.append(str(site))
asked = ["asked/gulf.json", *box, "--dx", "2000", "--start", "2015-03-01T00:00:00Z", "--end", "2015-03-02T00:00:00Z", "--download", "--overwrite"]
for path in (home / ".cdsapirc", *Path("asked").iterdir()):  # of an earlier run of this test
    path.unlink(missing_ok=True)
for keyed, words in ((False, ["era5.nc    not requested: there is no key", "sea.nc     not requested: there is no account"]), (True, ["sea.nc     is missing: its client ended with code 3"])):
    if keyed:
        (home / ".cdsapirc").write_text("key: none\n")
        os.environ["COPERNICUSMARINE_SERVICE_USERNAME"] = "nobody"
    with contextlib.redirect_stdout(io.StringIO()) as told:
        new.main(asked)
    cases.equal(f"--download, {'with' if keyed else 'without'} accounts: told", [word in told.getvalue() for word in words], [True] * len(words))
    downloaded = scenario("asked/gulf.json")
    cases.equal("what came is used", (downloaded["bathymetry"]["file"], downloaded["forcing"].get("wind", {}).get("file")), ("gebco.nc", "era5.nc" if keyed else None))
cases.equal("nothing is kept of what came by half", Path("asked/sea.nc").exists(), False)
(home / "bin/ncks").write_text("#!/bin/sh\nexit 1\n")
Path("asked/gebco.nc").unlink()
try:
    new.main(asked)
    code = 0
except SystemExit as ended:
    code = ended.code
cases.equal("without depths: the requests", (code, Path("asked/gulf_data.sh").exists()), (1, True))
cases.finish()
