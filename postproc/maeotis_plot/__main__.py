# SPDX-License-Identifier: Apache-2.0
"""`./maeotis plot FILE ...`: draws each file by its contents, and prints the names of the PNG files."""

import sys
import warnings
from argparse import Namespace
from contextlib import ExitStack, contextmanager
from pathlib import Path

from maeotis_results import part_files, reading, zoom
from maeotis_results.options import Parser, start

from . import boxes, extremes, grid, maps, movie, section, series, style

EXAMPLE = """\
Examples:
  ./maeotis plot fields.nc                              the time of the highest level and the last one
  ./maeotis plot fields.nc --time 2014-09-24T18:00      the record nearest to a time
  ./maeotis plot fields.nc --variable u_east --level 0
  ./maeotis plot fields.nc --variable temperature --level 5m   5 m below the surface, whatever the layers
  ./maeotis plot fields.nc stations.nc extremes.nc -o pictures
  ./maeotis plot extremes.nc -v max_depth --range 0.1,2   a flood map: dry below 10 cm, the darkest at 2 m and above
  ./maeotis plot run.nc -v eta --movie 12               a film of all times
  ./maeotis plot run.nc --section 36.5,45.2,39.2,47.1   salinity, or -v, in all layers along a line
  ./maeotis plot run.nc zoom/island.nc                  a run with a zoom: the finer field over the map as well
  ./maeotis plot scenario.json                          the grid of a scenario
"""


def parse(arguments):
    parser = Parser(prog="maeotis plot", description=__doc__, epilog=EXAMPLE)
    parser.add_argument("file", nargs="+", type=Path, metavar="FILE",
                        help="fields, stations, extremes or harmonics of a run; a scenario; or the table of a box, FILE.csv")
    parser.add_pictures()
    parser.add_argument(
        "-t", "--time", action="append", metavar="TIME",
        help="date, or first, last, highest, all; may be repeated (default: highest and last)",
    )
    parser.add_argument(
        "-v", "--variable", action="append", metavar="NAME", help="variable of the maps (default: eta); may be repeated"
    )
    parser.add_argument("-l", "--level", type=reading.layer, default=-1, metavar="LAYER", help="layer in the file, 0 the lowest, -1 the surface (default); bed: the lowest layer of each cell; 2.5m: 2.5 m below the surface, between layers")
    parser.add_argument("--section", metavar="X1,Y1,X2,Y2", help="a section along a line, from the bed to the surface, instead of maps")
    parser.add_argument("--range", metavar="LOW,HIGH", help="values of the first and the last colour of maps and sections; water shallower than LOW is drawn as dry")
    parser.add_argument("--contours", metavar="N or A,B,...", help="also draw contour lines: about this many, or at these values")
    parser.add_argument("--no-arrows", action="store_true", help="draw no current arrows")
    parser.add_argument("--movie", type=float, metavar="RATE", help="make a film of all times, RATE pictures a second: MP4 with ffmpeg, otherwise GIF")
    parser.add_argument("--set", action="append", default=[], metavar="/POINTER=VALUE", help="change the scenario whose grid is drawn; may be repeated")
    options = parser.parse_args(arguments)
    if options.set and not any(path.suffix == ".json" for path in options.file):
        parser.error("--set changes a scenario, but none is drawn")
    options.range = style.wished_range(options.range, parser)
    options.contours = style.wished_contours(options.contours, parser)
    if options.movie is not None and not 0 < options.movie <= 100:
        parser.error(f"--movie {options.movie:g}: pictures a second, more than 0 and at most 100")
    if options.movie and not options.time:
        options.time = ["all"]
    return options


def finer_file(path, options, stack):
    """Of the files named, that of the zoom in this one's map, opened; None where there is none."""
    if path.suffix != ".nc" or options.section:
        return None
    for other in options.file:
        if other.suffix == ".nc" and other.resolve().parent == path.resolve().parent / zoom.FOLDER and not reading.is_restart(other):
            data = stack.enter_context(reading.open_file(other))
            with reading.open_file(path) as around:
                if reading.kind_of(data) == "fields" and zoom.fits(data, zoom.box_of(around)):
                    return data
    return None


@contextmanager
def opened(path):
    """A file; the titles of pictures of a zoom's own tell that they show its finer grid."""
    with reading.open_file(path) as data:
        yield data.assign_attrs(title=f"{maps.title_of(data)}, finer grid") if zoom.holds(path) else data


def draw(path, options):
    """Draws one file; yields the figures with the end of their name."""
    if path.suffix == ".json":
        yield from grid.draw(path, options.set)
        return
    if path.suffix == ".csv":
        yield from boxes.draw(path)
        return
    with opened(path) as data:
        kind = reading.kind_of(data)
        if kind == "stations":
            yield from series.draw(data, options)
        elif kind == "extremes":
            yield from extremes.draw(data, options)
        elif options.section:
            yield from section.draw(data, options)
        else:
            flows = reading.structures_of(data)
            wished = [name for name in options.variable or ["structure_discharge"] if flows is not None and name in flows]
            if wished:
                yield from series.draw(flows, Namespace(variable=wished, level=-1))
            if options.variable and not set(options.variable) - set(wished):
                return
            mapped = Namespace(**{**vars(options), "variable": [n for n in options.variable or [] if n not in wished]})
            with ExitStack() as stack:
                yield from maps.draw(data, mapped, finer_file(path, options, stack))


def films(path, options):
    """(name, figures) of each variable that a file of fields shows."""
    with opened(path) as data:
        if reading.kind_of(data) in ("stations", "extremes"):
            raise reading.Refused(f"{path} holds no maps that change with time: leave out --movie")
        if options.section:
            yield "section", style.one_by_one(figure for _, figure in section.draw(data, options))
            return
        with ExitStack() as stack:
            finer = finer_file(path, options, stack)
            for name in maps.names(data, options):
                yield name, style.one_by_one(figure for _, figure in maps.draw_variable(data, name, options, finer))


def begin_of_names(path):
    """Of a file's pictures: those of a zoom's file do not replace those of the file of the same name around it."""
    return f"{path.stem}_{zoom.FOLDER}" if zoom.holds(path) else path.stem


def main(arguments=None):
    options = parse(arguments)
    style.set_up()
    # xarray's decoding of dates stumbles over fill values, and turns them into "no date" as it should.
    warnings.filterwarnings("ignore", category=RuntimeWarning)
    files = [path for path in options.file if path.suffix in (".csv", ".json") or not reading.is_restart(path)]
    for path in options.file:
        if path not in files:
            print(f"maeotis plot: {path} is a restart file: left out", file=sys.stderr)
    if not files:
        raise reading.Refused("restart files have no pictures; draw fields, stations or extremes")
    for path in files:
        source = path.suffix == ".nc" and path.is_file() and part_files.of_another_run(path, part_files.attributes_of(path))
        if source:
            print(f"maeotis plot: warning: {path} {part_files.STALE.format(source.name)}", file=sys.stderr)
        folder = options.output or path.parent
        folder.mkdir(parents=True, exist_ok=True)
        if options.movie and path.suffix == ".nc":
            for name, figures in films(path, options):
                print(movie.write(folder / f"{begin_of_names(path)}_{name}", figures, options.movie, options.dpi))
            continue
        for name, figure in draw(path, options):
            picture = folder / f"{begin_of_names(path)}_{name}.png"
            style.save(figure, picture, options.dpi)
            print(picture)


if __name__ == "__main__":
    start(main, "plot")
