# SPDX-License-Identifier: Apache-2.0
"""Rasters through GDAL's tools: a bay from two GeoTIFFs in UTM by `maeotis new`, with a seam, datum offsets and weather in degrees; it runs,
and GDAL finds its output where its cells are; of a mosaic of 640 GB only the window is read; requests for data; refusals."""

import contextlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

try:
    import matplotlib  # noqa: F401
    import xarray as xr
except ImportError:
    shutil.which = lambda tool: None
if not shutil.which("gdalwarp"):
    print("xarray, matplotlib or GDAL's tools are not here: not checked")
    sys.exit(77)

import cases
import numpy as np

os.environ["MAEOTIS"] = cases.PROGRAM
from maeotis_plot import new, rasters  # noqa: E402
from maeotis_results import reading  # noqa: E402

new.drawn = lambda scenario: ()  # no pictures
WEST, NORTH, CELL = 690000, 5140000, 50  # of the rasters, UTM zone 36


def bed(x, y):
    """A bay that is open in the west; land behind 722 km."""
    return -12 + (x - 690000) / 3000 + 3 * ((y - 5125000) / 10000) ** 2


def geotiff(name, heights, system="EPSG:32636"):
    ny, nx = heights.shape
    heights.astype("<f4").tofile("raw")
    Path("raw.hdr").write_text(f"ENVI\nsamples = {nx}\nlines = {ny}\nbands = 1\ndata type = 4\ninterleave = bsq\nbyte order = 0\n")
    subprocess.run(["gdal_translate", "-q", "-a_srs", system, "-a_nodata", "nan", "-a_ullr", *map(str, (WEST, NORTH, WEST + nx * CELL, NORTH - ny * CELL)),
                    "raw", name], check=True)


x, y = np.meshgrid(WEST + CELL * (np.arange(800) + 0.5), NORTH - CELL * (np.arange(600) + 0.5))
geotiff("wide.tif", bed(x, y) + 0.5)  # above another datum
geotiff("survey.tif", np.where(np.hypot(x - 705000, y - 5125000) < 6000, bed(x, y), np.nan))
hours = np.arange(25)
lon, lat = np.arange(35, 36.76, 0.25), np.arange(47, 45.49, -0.25)
shape = (("valid_time", "latitude", "longitude"), np.full((hours.size, lat.size, lon.size), 7.0), {"units": "m s**-1"})
weather = xr.Dataset({"u10": shape, "v10": shape, "msl": (shape[0], shape[1] + 101318, {"units": "Pa"})},
                     coords={"valid_time": np.datetime64("2015-03-01T00:00", "ns") + hours * np.timedelta64(1, "h"), "latitude": lat, "longitude": lon})
weather["latitude"].attrs["units"], weather["longitude"].attrs["units"] = "degrees_north", "degrees_east"
weather.to_netcdf("era5.nc")

# a scenario out of them, which runs
options = ["--bbox", "35.53", "46.15", "35.88", "46.34", "--bathymetry", "survey.tif", "--bathymetry", "wide.tif", "--positive", "up", "--dx", "500",
           "--datum-offset", "0", "--datum-offset", "-0.5", "--wind", "era5.nc", "--end", "2015-03-01T03:00:00Z", "--overwrite"]
new.main(["bay.json", *options])
scenario = json.loads(re.sub(r"^\s*//.*$", "", Path("bay.json").read_text(), flags=re.MULTILINE))
grid = scenario["grid"]
cases.equal("a grid on the map of the first raster", (grid["kind"], grid["crs"], grid["x0_m"] % 500, grid["dx_m"]), ("cartesian", "EPSG:32636", 0, 500))
with xr.open_dataset("bay_bathymetry.nc") as data:
    heights = data["elevation"].values
    cases.below("heights of two rasters, one on another datum [m]", np.nanmax(np.abs(heights - bed(*np.meshgrid(data["x"], data["y"])))), 0.007)
run = cases.run(Path("bay.json").resolve(), {"/output": [{"file": "map.nc", "every_s": 3600, "variables": ["eta"]}]})
cases.conserves(run, 1e-12)
found = run.fields("map.nc")
deep = found["bed"] < -1.5
cases.below("the bed [m]", np.max(np.abs(found["bed"] - bed(*np.meshgrid(found["x"], found["y"])))[deep]), 0.0011)
file = next(run.folder.glob("**/map.nc"))
ny, nx = found["lon"].shape
told = rasters.gdal("gdaltransform", "-t_srs", "EPSG:4326", "-output_xy", f'NETCDF:"{file}":eta', text=f"0.5 0.5\n{nx - 0.5} {ny - 0.5}\n")
corners = np.array([[float(word) for word in line.split()] for line in told.splitlines()])
own = np.array([[found["lon"][-1, 0], found["lat"][-1, 0]], [found["lon"][0, -1], found["lat"][0, -1]]])
cases.below("where GDAL puts its corners [cells]", np.max(np.abs(corners - own) * 111195 / 500), 1e-6)

# only the window is read
size = 400000
Path("mosaic.vrt").write_text(f"""<VRTDataset rasterXSize="{size}" rasterYSize="{size}"><SRS>EPSG:32636</SRS>
<GeoTransform>{WEST - 1e7}, {CELL}, 0, {NORTH + 5e6}, 0, -{CELL}</GeoTransform><VRTRasterBand dataType="Float32" band="1"><NoDataValue>nan</NoDataValue>
<SimpleSource><SourceFilename relativeToVRT="1">wide.tif</SourceFilename><SourceBand>1</SourceBand><SrcRect xOff="0" yOff="0" xSize="800" ySize="600"/>
<DstRect xOff="200000" yOff="100000" xSize="800" ySize="600"/></SimpleSource></VRTRasterBand></VRTDataset>""")
box = [700000, 5115000, 712000, 5130000]
begin = time.process_time() + sum(os.times()[2:4])
rasters.prepare([Path("mosaic.vrt")], [], "up", "EPSG:32636", box, 200, "mosaic.nc")
cases.below("time of a window of 640 GB [s]", time.process_time() + sum(os.times()[2:4]) - begin, 5)
with xr.open_dataset("mosaic.nc") as data:
    cases.below("its heights [m]", float(np.abs(data["elevation"] - 0.5 - bed(*np.meshgrid(data["x"], data["y"]))).max()), 1e-3)

# seams fade
steps = rasters.merged([np.where(np.arange(40) < 20, 1.0, np.nan)[None, :].repeat(40, 0), np.zeros((40, 40))])[20]
cases.below("its largest step", np.abs(np.diff(steps)).max(), 1 / rasters.BLEND_CELLS + 1e-12)

# requests
new.main(["asked.json", "--bbox", "12", "44.9", "12.6", "45.4", "--start", "2024-03-01T00:00:00Z", "--overwrite"])
script = Path("asked_data.sh").read_text()
cases.equal("requests for the box and time", [word in script for word in (
    "lon,11.95,12.65", "--start-datetime 2024-02-29", '"area": [45.9, 11.5, 44.4, 13.1]', '"2024-03-01/2024-03-04"', "emodnet__mean", "cems-glofas-historical",
    "--bathymetry gebco.nc --wind era5.nc")], [True] * 7)
cases.equal("a shell reads them", subprocess.run(["sh", "-n", "asked_data.sh"]).returncode, 0)
cases.equal("no scenario without depths", Path("asked.json").exists(), False)

# where a raster ends in the sea
bed_of_end = np.full((600, 800), -10.0)
bed_of_end[:, :40] = np.nan  # 2 km in the west
geotiff("end.tif", bed_of_end)
for name, edge, expected in (("whole", "35.53", ""), ("ended", "35.46", "warning: west: ")):
    with contextlib.redirect_stderr(io.StringIO()) as told:
        new.main([f"{name}.json", "--bbox", edge, "46.15", "35.7", "46.3", "--bathymetry", "end.tif", "--positive", "up", "--dx", "500", "--overwrite"])
    cases.equal(f"a raster that has {name}: warnings", (told.getvalue().count("warning"), expected in told.getvalue()), (len(expected) > 0, True))
with xr.open_dataset("ended_bathymetry.nc") as data:
    x, rows = data["x"].values, data.sizes["y"] // 4
    widest = 500 * int(np.ceil((WEST + 2000 - (x[0] - 62.5)) / 500 - 0.5))
cases.equal("its side and width", re.findall(r"(\w+): in \d+ rows .* up to (\d+) m", told.getvalue()), [("west", str(widest))])
wet, void = np.ones((6, 9), bool), np.zeros((6, 9), bool)
void[:, :2] = void[4:, :] = True
void[0, 8] = True
cases.equal("walls on two sides, not in a corner cell", rasters.walls_in_sea(wet & ~void, void, 3), {"west": (4, 2), "north": (7, 2)})

# text without a reference system: in degrees beside others, as alone
Path("plain.asc").write_text("ncols 90\nnrows 50\nxllcorner 35.4\nyllcorner 46\ncellsize 0.01\nNODATA_value -9999\n" + ("-7 " * 90 + "\n") * 50)
new.main(["plain.json", *options[:5], "--bathymetry", "plain.asc", "--bathymetry", "wide.tif", "--positive", "up", "--dx", "500", "--crs", "EPSG:32636", "--overwrite"])
with xr.open_dataset("plain_bathymetry.nc") as data:
    cases.equal("a text file in degrees on top", float(data["elevation"][30, 40]), -7.0)
new.main(["degrees.json", *options[:5], "--bathymetry", "wide.tif", "--positive", "up", "--dx", "1000", "--crs", "EPSG:4326", "--overwrite"])
cases.equal("metres to degrees", '"kind": "spherical"' in Path("degrees.json").read_text(), True)

Path("empty.tif").write_bytes(b"")
Path("metres.asc").write_text(Path("plain.asc").read_text().replace("35.4", "690000"))
geotiff("web.tif", bed_of_end[:50, 40:90], "EPSG:3857")
geotiff("feet.tif", bed_of_end[:50, 40:90], "EPSG:2263")
subprocess.run(["gdal_translate", "-q", "-of", "PNG", "-ot", "Byte", "-srcwin", "0", "0", "50", "50", "wide.tif", "picture.png"], check=True)
Path("picture.png.aux.xml").unlink(missing_ok=True)
for name in ("wide.tif", "mosaic.vrt"):
    told = subprocess.run([cases.PROGRAM, "bathymetry", "inspect", name], capture_output=True, text=True)
    cases.equal(f"the program itself names the way for {name}", (told.returncode, "maeotis new" in told.stderr), (2, True))
for name, change, words in (
        ("heights or depths", [word for word in options if word not in ("--positive", "up")], "--positive up"),
        ("another place", ["--bbox", "12", "44", "12.2", "44.2", *options[5:]], "no value in the area"),
        ("no such datum", [*options, "--datum-offset", "geoid.tif"], "one for each of the 2"),
        ("no such system", [*options, "--crs", "EPSG:99999"], "gdaltransform"),
        ("no place of its cells", [*options[:5], "--bathymetry", "picture.png", "--positive", "up"], "picture.png does not say where its cells lie"),
        ("no raster", [*options[:5], "--bathymetry", "empty.tif", "--positive", "up"], "empty.tif"),
        ("metres of an unknown map", [*options, "--bathymetry", "metres.asc", "--datum-offset", "0"], "metres.asc does not say its coordinate reference system"),
        ("a map of the world", [*options, "--crs", "EPSG:3857"], "--crs EPSG:3857: WGS 84 / Pseudo-Mercator is not a suitable map for this place"),
        ("a raster in it", ["--bbox", "6.203", "41.846", "6.215", "41.857", "--bathymetry", "web.tif", "--positive", "up", "--dx", "100"], "web.tif: WGS 84 / Pseudo"),
        ("a raster in feet", ["--bbox", "-75.33", "54.12", "-75.324", "54.125", "--bathymetry", "feet.tif", "--positive", "up", "--dx", "100"],
         "feet.tif is in US survey foot")):
    try:
        new.main(["refused.json", *change])
        cases.equal(f"refused: {name}", "accepted", "refused")
    except reading.Refused as refused:
        if words not in str(refused):
            print(refused)
        cases.equal(f"refused: {name}", words in str(refused) and ".new_" not in str(refused), True)
cases.equal("nothing is left of them", [path.name for path in Path(".").iterdir() if path.name.startswith((".new_", "refused"))], [])
cases.finish()
