# SPDX-License-Identifier: Apache-2.0
"""Sections, contours, ellipses and zooms of `maeotis plot`: every layer where it is, the cells of a line and their lengths, the axes of an
ellipse; refusals."""

import importlib.util
import io
import json
import shutil
import sys
from contextlib import redirect_stderr
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import cases

if any(importlib.util.find_spec(name) is None for name in ("xarray", "matplotlib")):
    print("xarray and matplotlib are not here: not checked")
    sys.exit(77)
import matplotlib

matplotlib.use("Agg")
import xarray as xr
from maeotis_plot import __main__ as command
from maeotis_plot import extremes, frame, maps, section, style
from maeotis_results import depths, part_files, reading, zoom
from matplotlib.collections import LineCollection, PolyCollection, QuadMesh
from matplotlib.quiver import Quiver

X, Y, SHARE = np.arange(500.0, 6000, 1000), np.arange(250.0, 2000, 500), np.array([0.25, 0.75])
BED = -8 - X / 1000 + 0 * Y[:, None]
BED[:, 5] = np.nan  # land
SALT = 30 + np.array([3.0, 0])[:, None, None] + Y[:, None] / 1000 + X / 1000
sea = xr.Dataset(
    {"bed": (("y", "x"), BED), "mask": (("y", "x"), np.isfinite(BED).astype("i1")), "layer_share": (("level", "y", "x"), SHARE[:, None, None] + 0 * SALT),
     "eta": (("time", "y", "x"), np.full((2, 4, 6), 1.0)), "salinity": (("time", "level", "y", "x"), np.stack([SALT, SALT + 1])),
     "u": (("time", "level", "y", "x_u"), np.broadcast_to(np.arange(7.0), (2, 2, 4, 7)))},
    {"x": X, "y": Y, "time": np.array(["2000-01-01T00", "2000-01-01T06"], "datetime64[ns]")})
options = SimpleNamespace(section="200,750,5900,750", time=["first", "last"], variable=None, contours=4, no_arrows=False, range=None)

line = section.Line(sea, section.line_of(options.section))
cases.equal("cells along x", (line.i, line.j), ([0, 1, 2, 3, 4, 5], [1] * 6))
cases.below("where they begin and end [km]", np.max(np.abs(line.edges - [0, 0.8, 1.8, 2.8, 3.8, 4.8, 5.7])), 0.03)
between, bed = section.heights(sea, line, 0)
depth = 1 - BED[1]
cases.below("layers", np.nanmax(np.abs(between - (BED[1] + np.array([0, 0.25, 1])[:, None] * depth))), 1e-12)
cases.equal("land", (bool(np.isnan(bed[5])), bool(np.isnan(between[:, 5]).all())), (True, True))
cases.below("values", np.max(np.abs(line.take(sea["salinity"].isel(time=1)) - (SALT + 1)[:, 1])), 1e-12)
cases.below("from faces", np.max(np.abs(line.take(sea["u"].isel(time=0)) - (np.arange(6) + 0.5))), 1e-12)
bent = section.Line(sea, section.line_of("500,250,500,1750,3500,1750"))
cases.equal("a bent line", (bent.i, bent.j), ([0, 0, 0, 0, 1, 2, 3], [0, 1, 2, 3, 3, 3, 3]))
cases.close("its length [km]", bent.edges[-1], 4.5, 1e-12)
globe = sea.rename(x="lon", y="lat").assign_coords(x=0).assign_coords(lon=10 + X / 1e5, lat=60 + Y / 1e5)
along = section.Line(globe, section.line_of("10.01,60.01,10.05,60.01"))
cases.close("on a sphere [km]", along.edges[-1], 0.04 * np.radians(1) * 6371 * np.cos(np.radians(60.01)), 1e-9)

# values at a depth: linear between the middles of layers, which differ from column to column; the second has none of the lowest one
layers = np.array([[0.2, 0, np.nan], [0.3, 0.4, np.nan], [0.5, 0.6, np.nan]])[:, None] + np.zeros((2, 1))
ground = np.array([[-9.5, -4.5, np.nan]]) + np.zeros((2, 1))
middles = ground + (np.cumsum(layers, axis=0) - 0.5 * layers) * (0.5 - ground)
warm = np.where(layers > 0, 20 + middles, np.nan)
uneven = xr.Dataset({"bed": (("y", "x"), ground), "layer_share": (("level", "y", "x"), layers), "eta": (("time", "y", "x"), np.full((1, 2, 3), 0.5)),
                     "temperature": (("time", "level", "y", "x"), warm[None])}, {"x": X[:3], "y": Y[:2], "time": sea["time"].values[:1]})
for depth, exact in ((3.0, (17.5, 17.5)), (2.6, (17.9, 17.9)), (6.0, (14.5, np.nan)), (0.1, (18.0, 19.0)), (9.9, (11.5, np.nan)), (4.8, (15.7, 16.5))):
    found = maps.Chosen(uneven, "temperature", SimpleNamespace(no_arrows=True, level=reading.layer(f"{depth}m")), [0]).fields[0]
    cases.equal(f"{depth} m below the surface", np.allclose(found, [*exact, np.nan], rtol=0, atol=1e-12, equal_nan=True), True)
moored = xr.Dataset({"z": (("time", "station", "level"), np.moveaxis(middles[:, :1], 0, -1)), "eta": (("time", "station"), np.full((1, 3), 0.5)), "bed": ("station", ground[0]),
                     "temperature": (("time", "station", "level"), np.moveaxis(warm[:, :1], 0, -1))})
found = depths.at_level(moored, "temperature", reading.Depth(3)).values[0]
cases.equal("at stations", np.allclose(found, [17.5, 17.5, np.nan], rtol=0, atol=1e-12, equal_nan=True), True)
for wish in ("-1m", "m", "xm", "nanm"):
    try:
        cases.equal(f"--level {wish} is refused", reading.layer(wish), None)
    except ValueError:
        pass

drawn = dict(section.draw(sea, options))
cases.equal("pictures", sorted(drawn), [f"salinity_section_200_750_5900_750_20000101T{hour}0000Z" for hour in ("00", "06")])
for figure in drawn.values():
    boxes = [c for c in figure.axes[0].collections if c.get_array() is not None and len(c.get_paths()) == 10]
    cases.equal("boxes: five columns of two layers", len(boxes), 1)
    style.close(figure)
parts = sea.isel(level=[1])
for name, data, change, words in (
        ("three numbers", sea, {"section": "1,2,3"}, "write X1,Y1,X2,Y2"), ("no length", sea, {"section": "500,750,500,750"}, "has no length"), ("outside", sea, {"section": "0,0,9000,0"}, "is outside the map"),
        ("no layers", sea, {"variable": ["eta"]}, "eta has no layers"), ("a part of the layers", parts, {}, "needs all layers"),
        ("no such variable", sea, {"variable": ["salt"]}, "maps can show")):
    try:
        list(section.draw(data, SimpleNamespace(**{**vars(options), **change})))
        said = "nothing"
    except reading.Refused as refused:
        said = str(refused)
    cases.equal(f"refused, {name}", words in said or said, True)

# without the level, the layers' thicknesses tell where the surface is; without both, the picture says that it is drawn for the datum
thick = sea.drop_vars("eta").assign(thickness=(("time", "level", "y", "x"), np.broadcast_to(SHARE[:, None, None] * (1 - BED), (2, 2, 4, 6))))
found, _ = section.heights(thick, line, 1)
cases.below("layers by their thicknesses", np.nanmax(np.abs(found - between)), 1e-12)
cases.equal("a dry column of theirs", bool(np.isnan(section.heights(thick.assign(thickness=thick["thickness"].where(thick["x"] != X[2])), line, 1)[0][1:, 2]).all()), True)
said = []
for data in (sea, thick, sea.drop_vars("eta")):
    with redirect_stderr(io.StringIO()) as told:
        figures = dict(section.draw(data, SimpleNamespace(**{**vars(options), "variable": ["salinity", "u"]}))).values()
    said.append((told.getvalue().count(section.AT_DATUM), sum(section.AT_DATUM in text.get_text() for figure in figures for text in figure.texts)))
    for figure in figures:
        style.close(figure)
cases.equal("drawn for the datum: said once, and by each picture", said, [(0, 0), (0, 0), (1, 4)])
far = sea.assign_coords(x=6e6 + X, y=5e6 + Y)
cases.equal("metres of projected maps in names and notes", (section.line_in_name("6000500,5000250,36.5,-0.25"), section.place(far, (6000501, 5000250))),
            ("_6000500_5000250_36.5_-0.25", "x 6000.501 km, y 5000.25 km"))

# layers that follow the bed meet half-way between the columns, at land as in the column; their borders are drawn
sea.attrs["effective_scenario"] = json.dumps({"grid": {"levels": {"kind": "bed-following"}}, "zoom": {"box": [1200, 3900, 600, 1400], "finer": 3}})
sides = section.at_sides(between)
cases.below("borders of layers at the sides of a column", np.max(np.abs(sides[:, 1] - 0.5 * (between[:, [0, 1]] + between[:, [1, 2]]))), 1e-12)
cases.equal("beside land", np.array_equal(sides[:, 4, 1], between[:, 4]), True)
figure = next(iter(dict(section.draw(sea, options)).values()))
cases.equal("lines of the bed and between two layers", [len(c.get_segments()) for c in figure.axes[0].collections if isinstance(c, LineCollection)][:2], [5, 5])

# a column with one layer only, between others with two: that layer reaches down to the bed on both sides, and no border crosses it
thin = (sea["x"] == X[2]).values
merged = sea.assign(layer_share=sea["layer_share"].where(~thin, np.array([0.0, 1])[:, None, None]), salinity=sea["salinity"].where(~thin | (SHARE == 0.75)[:, None, None]))
axes = next(iter(dict(section.draw(merged, options)).values())).axes[0]
corners = [path.vertices for c in axes.collections if isinstance(c, PolyCollection) and c.get_array() is not None for path in c.get_paths()]
found = [c[:2, 1] for c in corners if len(corners) == 9 and abs(c[0, 0] - line.edges[2]) < 1e-9]
cases.below("the only layer of a column ends at the bed", np.max(np.abs(np.array(found) - sides[0, 2])) if len(found) == 1 else 1, 1e-12)
cases.equal("lines of the bed and between layers there", [len(c.get_segments()) for c in axes.collections if isinstance(c, LineCollection)][:2], [5, 4])
style.close(axes.figure)

# a zoom: its box at the edges of cells, the finer field over the map, in colours that hold both, and its currents in place of those below
fine_x, fine_y = 1000 + 1000 / 3 * (np.arange(9) + 0.5), 500 + 500 / 3 * (np.arange(6) + 0.5)
flow = {name: (("time", "y", "x"), np.full((1, 6, 9), 0.25)) for name in ("ubar", "vbar")}
inner = xr.Dataset({"salinity": (("time", "level", "y", "x"), np.full((1, 2, 6, 9), 99.0)), **flow}, {"x": fine_x, "y": fine_y, "time": sea["time"][1:]})
around = sea.drop_vars("u").assign({name: (("time", "y", "x"), np.full((2, 4, 6), 0.5)) for name in ("ubar", "vbar")})
box = zoom.box_of(around)
cases.equal("the box at the edges of cells", (box, zoom.box_of(inner.assign_attrs(sea.attrs))), ((1000, 4000, 500, 1500), None))
cases.equal("files that lie in it", (zoom.fits(inner, box), zoom.fits(around, box)), (True, False))
wish = SimpleNamespace(time=["first", "last"], variable=["salinity"], contours=None, no_arrows=False, range=None, level=-1)
alone, laid = (figure.axes[0] for figure in dict(maps.draw(around, wish, inner)).values())
meshes = [[c for c in axes.collections if isinstance(c, QuadMesh)] for axes in (alone, laid)]
cases.equal("the finer field, at the time that it has", [[mesh.get_array().size for mesh in found] for found in meshes], [[24], [24, 54]])
cases.equal("one scale for both", {mesh.norm.vmax for found in meshes for mesh in found}, {99.0})
[outline] = [patch.get_bbox().extents for patch in laid.patches if patch.get_label() == "finer grid"]
cases.below("the outline [km]", np.max(np.abs(outline - [1, 0.5, 4, 1.5])), 1e-12)
[arrows] = [c for c in laid.collections if isinstance(c, Quiver)]
inside = (arrows.X > 1) & (arrows.X < 4) & (arrows.Y > 0.5) & (arrows.Y < 1.5)
cases.equal("currents in the box are those of the finer grid, outside those of the other", (set(arrows.U[inside]), set(arrows.U[~inside])), ({0.25}, {0.5}))
Path("zoom").mkdir(exist_ok=True)
for data, path in ((around, "bay.nc"), (inner, "zoom/bay.nc")):
    data.assign_attrs(sea.attrs | {"title": "A bay"}).to_netcdf(path)
shutil.rmtree("pictures", ignore_errors=True)
command.main(["bay.nc", "zoom/bay.nc", "-o", "pictures", "--time", "last", "-v", "salinity", "--dpi", "20"])
cases.equal("pictures of files of the same name", sorted(path.name for path in Path("pictures").iterdir()),
            ["bay_salinity_20000101T060000Z.png", "bay_zoom_salinity_20000101T060000Z.png"])
[(_, own)] = command.draw(Path("zoom/bay.nc"), command.parse(["zoom/bay.nc", "--time", "last", "-v", "salinity"]))
cases.equal("the title of a zoom's own picture", "A bay, finer grid" in [text.get_text() for text in own.texts], True)
style.close(own)
dark = frame.shades(matplotlib.colormaps["viridis"], matplotlib.colors.Normalize(0, 1), np.array([0.0, 1.0]))
cases.equal("arrows are pale on dark and dark on light", [bool(shade.mean() > 0.5) for shade in dark], [True, False])
cases.equal("a layer is in the file's name", [maps.layer_in_name(sea["salinity"], level) for level in (-1, 1, 0, "bed")], ["", "", "_layer0", "_bed"])
cases.equal("units for people", [style.unit_for_people(unit) for unit in ("kg m-2 s-1", "m s-1", "g kg-1", "day-1", "W m-2", "1", "m2 s-2", "degree_C m-1", "hours since 2000")],
            ["kg/(m² s)", "m/s", "g/kg", "1/day", "W/m²", "", "m²/s²", "°C/m", "hours since 2000"])

# with ground inside cells thicknesses are volumes over the area that can be wet: they do not tell where the surface is
cases.equal("thicknesses over ground inside cells", depths.tells_surface(thick.assign_attrs(effective_scenario='{"bathymetry": {"subgrid": true}}')), False)

# of a map that pack painted from a file that a later run replaced, a report tells and leaves it out
packed = Path("packed")
shutil.rmtree(packed, ignore_errors=True)
packed.mkdir()
for name, of in (("sea.nc", "second"), ("sea_pixels.nc", "first"), ("land.nc", "second"), ("land_pixels.nc", "second")):
    xr.Dataset(attrs={"history": of}).to_netcdf(packed / name)
xr.Dataset(attrs={"history": "first"}).to_netcdf(packed / "torn_pixels.nc")
(packed / "torn.nc").write_bytes(b"CDF\x05torn")  # of a damaged file nobody knows whose it was
left = {}
found = part_files.grouped(packed.glob("*.nc"), left)
cases.equal("painted from another run", (sorted(file.name for file in found), sorted(file.name for file in left)),
            (["land.nc", "land_pixels.nc", "sea.nc", "torn_pixels.nc"], ["sea_pixels.nc", "torn.nc"]))

# a picture that does not fit onto the disk is told with its name, and leaves no part of itself
def to_full_disk(picture, dpi):
    Path(picture).write_bytes(b"PNG")
    raise OSError(28, "No space left on device")


try:
    full = style.plt.figure()
    full.savefig = to_full_disk
    style.save(full, packed / "full.png", 100)
    cases.equal("a full disk", "accepted", "refused")
except OSError as error:
    cases.equal("a full disk", (error.filename, (packed / "full.png").exists()), ("packed/full.png", False))

# pixels without water are dry, with a legend
pixels = xr.Dataset({"bed": (("y", "x"), np.where(X < 5000, BED, np.nan), {"long_name": reading.PIXELS}), "max_depth": (("y", "x"), np.where(X < 3000, 1.0, np.nan) + 0 * BED)}, {"x": X, "y": Y})
[(name, figure)] = extremes.draw(pixels, SimpleNamespace(variable=None, contours=None, no_arrows=False, range=None))
cases.equal("legend of pixels", [text.get_text() for text in figure.axes[0].get_legend().get_texts()], ["dry"])

# arrows of a jet in a narrow place are as long as fit
flow = sea.isel(time=0).assign(u=(("y", "x"), np.where(X == X[2], 5.0, 0.5) + 0 * BED), v=(("y", "x"), 0 * BED))
picture = frame.Map(flow, "jet", "")
picture.paint(BED, *style.colours("bed", BED), None)
picture.arrows(flow["u"].values, flow["v"].values, 0.5)
[jet] = [c for c in picture.axes.collections if isinstance(c, Quiver)]
cases.below("longest arrow, in usual ones", np.max(np.hypot(jet.U, jet.V)) / 0.5, frame.LONGEST + 1e-9)

# an ellipse of 0.4 m/s by 0.1 m/s, 30 degrees from east, turning clockwise
constants = {"major": 0.4, "minor": -0.1, "inclination": 30.0}
tide = xr.Dataset({f"current_{part}_M2": (("y", "x"), np.full((4, 6), value)) for part, value in constants.items()}, {"x": X, "y": Y})
[(name, figure)] = extremes.draw(tide, SimpleNamespace(variable=["current_major_M2"], contours=None, no_arrows=False, range=None))
[paths] = [c.get_segments() for c in figure.axes[0].collections if "clockwise" in str(c.get_label())]
tips = paths[0] - paths[0][:-1].mean(axis=0)
length = np.hypot(*tips.T)
cases.close("ellipse: ratio of its axes", length.max() / length.min(), 4, 1e-6)
cases.close("ellipse: direction of the long axis", np.degrees(np.arctan2(tips[0, 1], tips[0, 0])), 30, 1e-9)
cases.below("ellipse: first it turns clockwise", np.cross(tips[0], tips[1]), 0)
cases.finish()
