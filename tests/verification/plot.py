# SPDX-License-Identifier: Apache-2.0
"""The pictures: drawn from small files made here, refused with a message and exit code 2 where they cannot be."""

import contextlib
import io
import subprocess
import sys
from pathlib import Path

import netCDF4
import numpy as np

try:
    import matplotlib  # noqa: F401
    import xarray
    from PIL import Image
except ImportError:
    print("xarray and matplotlib are not here: not checked")
    sys.exit(77)

from maeotis_plot import __main__ as command  # noqa: E402
from maeotis_plot import boxes, style  # noqa: E402
from maeotis_results import options, reading  # noqa: E402

FILL = np.float32(9.96921e36)
HOURS = np.arange(6)


def axes(data, spherical):
    """Axes and mask as the model writes them; returns the names of the axes and the mask."""
    names = ("lat", "lon") if spherical else ("y", "x")
    places = (np.linspace(45, 47, 12), np.linspace(35, 39, 20)) if spherical else (np.arange(4) * 500.0, np.arange(40) * 500.0)
    units = ("degrees_north", "degrees_east") if spherical else ("m", "m")
    for name, values, unit in zip(names, places, units):
        data.createDimension(name, len(values))
        axis = data.createVariable(name, "f8", (name,))
        axis[:] = values
        axis.units = unit
    mask = np.ones([len(values) for values in places], bool)
    if spherical:
        mask[0, :] = mask[-1, :] = mask[:, 0] = False
    data.createVariable("mask", "i1", names)[:] = mask
    data.title = "A sea of no importance"
    return names, mask


def date_axis(data, name, dims):
    variable = data.createVariable(name, "f8", dims, fill_value=9.969209968386869e36 if name != "time" else None)
    variable.units = "seconds since 2014-09-23 00:00:00"
    variable.calendar = "proleptic_gregorian"
    return variable


def number(data, name, dims, units, values):
    variable = data.createVariable(name, "f4", dims, fill_value=FILL)
    variable.units = units
    variable[:] = values


def fields(path, spherical=True, faces=False):
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as data:
        data.createDimension("time", None)
        data.createDimension("level", 3)
        (y, x), mask = axes(data, spherical)
        date_axis(data, "time", ("time",))[:] = HOURS * 3600
        eta = np.sin(HOURS / 2)[:, None, None] * np.linspace(-1, 1, mask.shape[1]) * np.ones(mask.shape)
        number(data, "eta", ("time", y, x), "m", np.ma.masked_where(~np.broadcast_to(mask, eta.shape) | (eta < -0.9), eta))
        east, north = ("u", "v") if faces else ("u_east", "v_north")
        for face, size in ((f"{x}_u", mask.shape[1] + 1), (f"{y}_v", mask.shape[0] + 1)):
            data.createDimension(face, size)
            data.createVariable(face, "f8", (face,))[:] = np.arange(size)
        number(data, east, ("time", "level", y, f"{x}_u" if faces else x), "m s-1", 0.1)
        number(data, north, ("time", "level", f"{y}_v" if faces else y, x), "m s-1", 0.0)


def flume(path):
    """One cell wide, 12 m long, a record every 0.3 s; `wave_height` with the longest name that a variable has."""
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as data:
        for name, size in (("time", None), ("level", 2), ("y", 1), ("x", 30)):
            data.createDimension(name, size)
        for name, values in (("y", [0.0]), ("x", 0.2 + 0.4 * np.arange(30))):
            axis = data.createVariable(name, "f8", (name,))
            axis[:], axis.units = values, "m"
        data.createVariable("mask", "i1", ("y", "x"))[:] = 1
        date_axis(data, "time", ("time",))[:] = 0.3 * np.arange(4)
        number(data, "bed", ("y", "x"), "m", np.linspace(-0.5, 0.1, 30))
        number(data, "layer_share", ("level", "y", "x"), "1", 0.5)
        eta = 0.01 * np.sin(np.arange(4)[:, None, None] + np.arange(30))
        number(data, "eta", ("time", "y", "x"), "m", np.ma.masked_where(np.arange(30) + 0 * eta > 25, eta))
        number(data, "u", ("time", "level", "y", "x"), "m s-1", 0.1)
        number(data, "stress", ("time", "y", "x"), "Pa", eta)
        data["stress"].long_name = "largest bed stress by wave orbits, without a current, of the highest tenth of them"


def extremes(path, with_time):
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as data:
        dims, mask = axes(data, True)
        if with_time:
            data.createDimension("time", 1)
            dims = ("time", *dims)
            mask = mask[None]
        date_axis(data, "time", ("time",) if with_time else ())[:] = 3600 * HOURS[-1]
        number(data, "max_eta", dims, "m", np.ma.masked_where(~mask, np.ones(mask.shape)))
        data.createVariable("closed_sides", "i4", dims[-2:])[:] = 1
        when = date_axis(data, "time_of_max_eta", dims)
        when[:] = np.ma.masked_where(~mask, np.linspace(0, 9000, mask.size).reshape(mask.shape))
        number(data, "inundation_duration", dims, "s", np.ma.masked_where(~mask, np.zeros(mask.shape)))


def stations(path):
    with netCDF4.Dataset(path, "w", format="NETCDF3_64BIT_DATA") as data:
        for name, size in (("time", None), ("station", 2), ("level", 3), ("name_length", 16)):
            data.createDimension(name, size)
        date_axis(data, "time", ("time",))[:] = HOURS * 3600
        names = data.createVariable("station", "S1", ("station", "name_length"))
        names[:] = netCDF4.stringtochar(np.array(["Taganrog", "Yeysk"], "S16"))
        number(data, "eta", ("time", "station"), "m", np.sin(HOURS)[:, None] * [1, 2])
        number(data, "u", ("time", "station", "level"), "m s-1", 0.1)
        number(data, "v", ("time", "station", "level"), "m s-1", np.nan)


def plot(*arguments):
    """The command in this process, which has loaded already what takes longer than most pictures."""
    words, said, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(words), contextlib.redirect_stderr(said):
        try:
            options.start(lambda: command.main(list(map(str, arguments))), "plot")
        except SystemExit as ended:
            code = ended.code or 0
    print(words.getvalue(), said.getvalue())
    return subprocess.CompletedProcess(arguments, code, words.getvalue(), said.getvalue())


def expect_pictures(count, *arguments):
    done = plot(*arguments, "-o", "pictures", "--dpi", "40")
    assert done.returncode == 0, done.stderr
    pictures = [Path(line) for line in done.stdout.split("\n") if line]
    assert len(pictures) == count, pictures
    for picture in pictures:
        assert picture.read_bytes().startswith(b"\x89PNG"), picture


def expect_refusal(words, *arguments):
    done = plot(*arguments)
    assert done.returncode == 2 and words in done.stderr and "Traceback" not in done.stderr, done


fields("fields.nc")
fields("channel.nc", spherical=False, faces=True)
extremes("extremes.nc", with_time=True)
extremes("scalar.nc", with_time=False)
stations("stations.nc")
expect_pictures(2, "fields.nc")
for words, code, count in ((["fields.nc", "--dpi", "40"], 0, 2), (["fields.nc", "--dpi", "0"], 2, 0)):  # and as a command
    done = subprocess.run([sys.executable, "-m", "maeotis_plot", *words, "-o", "by_command"], capture_output=True, text=True)
    assert (done.returncode, len(done.stdout.splitlines()), "Traceback" in done.stderr) == (code, count, False), done
expect_pictures(1, "fields.nc", "--time", "2014-09-23T02:10:00Z", "--variable", "u_east", "--level", "0")
expect_pictures(6, "channel.nc", "--time", "all")
expect_pictures(2, "channel.nc", "--variable", "u")
expect_pictures(3, "extremes.nc")
expect_pictures(3, "scalar.nc")
expect_pictures(2, "stations.nc")
# a flume is a line along it, over its bed; layers are a section; times keep the parts of a second
flume("flume.nc")
expect_pictures(4, "flume.nc", "--time", "all")
names = sorted(path.name for path in Path("pictures").glob("flume_eta_*.png"))
assert names == [f"flume_eta_20140923T{time}Z.png" for time in ("000000", "000000_300000", "000000_600000", "000000_900000")], names
expect_pictures(1, "flume.nc", "-v", "u", "--time", "last")
assert Path("pictures/flume_u_section_20140923T000000_900000Z.png").is_file()
with netCDF4.Dataset("flume.nc") as data:
    eta = np.ma.filled(data["eta"][1, 0], np.nan)
_, figure = next(command.draw(Path("flume.nc"), command.parse(["flume.nc", "--time", "2014-09-23T00:00:00.3"])))
line = figure.axes[0].lines[0]
assert np.array_equal(line.get_ydata(), eta, equal_nan=True) and abs(line.get_xdata()[-1] - 11.8) < 1e-12, line.get_xdata()[-1]
assert any("00:00:00.3 UTC" in text.get_text() for text in figure.texts), [text.get_text() for text in figure.texts]
style.close(figure)

# the colour bar's words stay inside of the picture, be they ever so many
with netCDF4.Dataset("channel.nc", "a") as data:
    number(data, "stress", ("time", "y", "x"), "Pa", np.arange(160.0).reshape(4, 40))
    data["stress"].long_name = "largest bed stress by wave orbits, without a current, of the highest tenth of them"
for file in ("channel.nc", "flume.nc"):
    _, figure = next(command.draw(Path(file), command.parse([file, "-v", "stress", "--time", "last", "--no-arrows"])))
    figure.canvas.draw()
    for panel in figure.axes:
        box = panel.yaxis.label.get_window_extent()
        assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1, (file, box, figure.bbox)
    style.close(figure)
for option, value in (("--contours", "nan"), ("--contours", "1,inf"), ("--contours", ""), ("--movie", "nan")):
    try:
        command.parse(["fields.nc", option, value])
        raise AssertionError(f"{option} {value} is taken")
    except SystemExit as refused:
        assert refused.code == 2, (option, value, refused.code)
for dots in ("-5", "0", "100000"):
    expect_refusal(f"--dpi {dots}: from 20 to 1200", "fields.nc", "--dpi", dots)
expect_refusal("there is no file", "nothing.nc")
expect_refusal("is a folder; name files in it", "pictures")
done = plot("channel.nc", "--movie", "5", "-o", "pictures", "--dpi", "40")
films = [Path(line) for line in done.stdout.split()]
assert done.returncode == 0 and len(films) == 1 and films[0].suffix in (".mp4", ".gif"), done.stdout + done.stderr
if films[0].suffix == ".gif":
    with Image.open(films[0]) as film:
        assert film.n_frames == 6, film.n_frames
assert films[0].stat().st_size > 1000
expect_refusal("leave out --movie", "stations.nc", "--movie", "5")
fields("restart.nc")
with netCDF4.Dataset("restart.nc", "a") as data:
    data.maeotis_restart = 1
expect_pictures(2, "restart.nc", "stations.nc")  # as with *.nc
expect_refusal("restart files have no pictures", "restart.nc")
expect_refusal("maps can show", "fields.nc", "--variable", "salt")
expect_refusal("the file runs from", "fields.nc", "--time", "1999-01-01")
expect_refusal("has levels 0 (lowest) to 2", "fields.nc", "--variable", "u_east", "--level", "3")
Path("broken.nc").write_text("this is no NetCDF")
expect_refusal("is not a NetCDF file", "broken.nc")

# A few cells do not take the colours from all others; few values, and the ends of a wide range, keep them.
mouth = np.append(np.linspace(-0.05, 0.05, 20000), [0.8])
assert style.colours("eta", mouth)[1].vmax < 0.06, style.colours("eta", mouth)[1].vmax
assert style.colours("eta", np.linspace(-0.05, 0.05, 20000))[1].vmax == 0.05
assert style.colours("salinity", np.array([0.0, 10.0]))[1].vmax == 10
assert style.colours("max_depth", np.array([0.0, 10.0]), (0.1, 2))[1].vmax == 2  # a range that was wished for
expect_refusal("--range 2,1", "fields.nc", "--range", "2,1")
assert style.words(xarray.DataArray([1.0], name="o2", attrs={"long_name": "oxygen in mL of gas"})) == "Oxygen in mL of gas"

# the layer at the bed is another one in each cell; a dry cell has none
stairs = xarray.DataArray(np.array([[np.nan, 1, 2], [np.nan, np.nan, 3], [np.nan, np.nan, np.nan]]).T, dims=("level", "x"), name="t")
assert np.array_equal(reading.at_level(stairs, reading.layer("bed")).values, [1, 3, np.nan], equal_nan=True)

# a box of water without elements has no panel of totals, and none that is empty
Path("box.csv").write_text("days,salt_bed [kg m-3],heat,dye [1],total_N [mmol m-2]\n0,1,2,3,0\n1,1,2,3,0\n")
((_, figure),) = boxes.draw(Path("box.csv"))
assert [bool(axis.lines) for axis in figure.axes if axis.get_visible()] == [True] * 3, figure.axes
assert [axis.get_title(loc="left") for axis in figure.axes[:3]] == ["salt bed [kg/m³]", "heat", "dye"], figure.axes
style.close(figure)
