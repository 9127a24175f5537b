# SPDX-License-Identifier: Apache-2.0
"""`./maeotis new NAME.json --bbox W S E N --bathymetry FILE ...`: writes a scenario that is ready to run, explains its choices,
and draws the grid."""

import json
import os
import re
import shlex
import sys
import tempfile
import unicodedata
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np

from maeotis_results import reading
from maeotis_results.options import Parser, date, start

from . import grid as grids
from . import rasters, requests, rivers, sources, style

EXAMPLE = """\
Examples:
  ./maeotis new gulf.json --bbox 12 44.9 12.6 45.4 --bathymetry gebco.nc
  ./maeotis new gulf.json --bbox 12 44.9 12.6 45.4 --bathymetry gebco.nc --wind era5.nc --tides TPXO10_atlas_v2 --dx 500
  ./maeotis new port.json --bbox 12.2 45.2 12.4 45.4 --bathymetry lidar.tif --bathymetry gebco.nc --positive up --dx 100
"""
CELLS = 120  # along the longer side, unless --dx says how wide they are
FEWEST_CELLS = 3  # of an edge that is opened
EDGE_SHARE = 10  # of the cells between two edges: so many are beside one
ZONE_CELLS = 8  # of relaxation, as in a nest
FASTEST = 1.0  # current for which the step is chosen [m/s]
LONGEST_RUN = timedelta(days=3)
KM_PER_DEGREE = 111.195
COMPASS = ("eastern", "north-eastern", "northern", "north-western", "western", "south-western", "southern", "south-eastern")


def parse(arguments):
    parser = Parser(prog="maeotis new", description=__doc__, epilog=EXAMPLE)
    parser.add_argument("scenario", type=Path, metavar="NAME.json", help="the scenario to write")
    parser.add_argument("--bbox", nargs=4, type=float, required=True, metavar=("W", "S", "E", "N"), help="edges of the grid [degrees]")
    parser.add_argument("--bathymetry", type=Path, action="append", default=[], metavar="FILE",
                        help="depths: GEBCO, EMODnet or another NetCDF, ESRI ASCII or XYZ file; GeoTIFF, VRT and other rasters in any projection by GDAL's "
                             "tools; may be repeated, the first on top. Without it only the requests for data are written")
    parser.add_argument("--datum-offset", action="append", default=[], metavar="M",
                        help="added to the heights: metres, or a raster such as a geoid; once for all rasters, or once for each")
    parser.add_argument("--crs", metavar="SYSTEM",
                        help="a grid in metres of this map, such as EPSG:32636 (default: that of the first GeoTIFF, else degrees); EPSG:4326: degrees")
    parser.add_argument("--positive", choices=("up", "down"), help="whether the file contains elevations (up) or depths (down), if it does not say")
    parser.add_argument("--wind", type=Path, metavar="FILE", help="wind: gridded NetCDF (ERA5: u10, v10, and msl if it is there), or CSV")
    parser.add_argument("--boundary", type=Path, metavar="FILE", help="the sea outside: levels, currents, temperature, salinity (CMEMS, ROMS, NEMO, maeotis)")
    parser.add_argument("--tides", type=Path, metavar="PATH", help="folder or file of a tidal atlas: TPXO 9, 10 or FES 2014, 2022")
    parser.add_argument("--rivers", type=Path, metavar="FILE", help="rivers: discharge (GloFAS, EFAS, CaMa-Flood), runoff (JRA55-do, NEMO) or ROMS's points, as NetCDF")
    parser.add_argument("--rivers-grid", type=Path, metavar="FILE", help="grid of ROMS (lon_rho, lat_rho), if the points of --rivers are indices of its cells")
    parser.add_argument("--line", type=points, metavar="\"LON,LAT ...\"",
                        help="open line in place of edges, from land to land: \"12.1,44.2 12.3,44.3\"; the larger side remains sea, the other becomes land")
    parser.add_argument("--dx", type=float, metavar="M", help=f"width of the cells [m] (default: about {CELLS} along the longer side)")
    parser.add_argument("--start", metavar="DATE", help="start of the run, such as 2024-03-01T00:00:00Z (default: that of the wind file)")
    parser.add_argument("--end", metavar="DATE", help=f"its end (default: that of the wind file, at most {LONGEST_RUN.days} days later)")
    parser.add_argument("--download", action="store_true",
                        help="download data that are not given, where the clients are installed and have an account; existing files are used")
    parser.add_argument("--overwrite", action="store_true", help="replace an existing scenario of this name")
    return parser.parse_args(arguments)


def points(text):
    try:
        found = [[float(number) for number in word.split(",")] for word in text.split()]
    except ValueError:
        found = []
    if len(found) < 2 or any(len(point) != 2 for point in found):
        raise reading.Refused(f"--line {text}: two points or more, such as \"12.1,44.2 12.3,44.3\"")
    return found


def nice(value, steps=(1, 2, 2.5, 5, 10)):
    """The largest round number that is not larger."""
    power = 10.0 ** np.floor(np.log10(value))
    return float(power * max(step for step in steps if step * power <= value * (1 + 1e-9)))


def stamp(moment):
    return moment.astimezone(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def span(options):
    """(start, end, why)."""
    spans = [(name, of(path)) for name, path, of in (("wind", options.wind, sources.wind_of), ("boundary", options.boundary, sources.outside_of)) if path]
    if spans:
        first, last = max(found[0] for _, found in spans), min(found[1] for _, found in spans)
        start = date(options.start) if options.start else first + timedelta(seconds=-first.timestamp() % 3600)
        end = date(options.end) if options.end else min(last, start + LONGEST_RUN)
        why = "; ".join(f"the {name} file has {stamp(found[0])} to {stamp(found[1])}" for name, found in spans)
        end = start + timedelta(hours=(end - start) // timedelta(hours=1))
    else:
        start = date(options.start) if options.start else datetime(2024, 3, 1, tzinfo=timezone.utc)
        end = date(options.end) if options.end else start + LONGEST_RUN
        why = "as given" if options.start and options.end else "no other time was requested"
    if end <= start:
        raise reading.Refused(f"the run would last from {stamp(start)} to {stamp(end)} ({why}): give other --start and --end")
    return start, end, why


# ---- what is chosen ----


def choose_dx(box):
    west, south, east, north = box
    middle = np.cos(np.radians(0.5 * (south + north)))
    return nice(1000 * KM_PER_DEGREE * max((east - west) * middle, north - south) / CELLS)


def ground(options, dx, notes):
    """Settles the map, and brings rasters that the program does not read onto one that it does."""
    paths = options.bathymetry
    if Path() in paths:
        raise reading.Refused("--bathymetry is followed by an empty name: give the name of a file with depths")
    options.of_crs = f"--crs {options.crs}" if options.crs else str(paths[0])
    if options.crs is None and paths[0].suffix.lower() not in rasters.OWN and not rasters.is_shipped(paths[0]):
        system, degrees = rasters.system_of(paths[0])
        options.crs = None if degrees else system
    elif options.crs == "EPSG:4326":
        options.crs = None
    options.box = rasters.box_on_map(options.bbox, options.crs, dx) if options.crs else None
    if options.crs and options.line:
        options.line = [[round(float(v), 1) for v in place] for place in rasters.transform(options.line, "EPSG:4326", options.crs)]
    if not rasters.are_needed(paths, options.datum_offset):
        options.bathymetry = paths[0]
        return
    target = options.scenario.with_name(f"{options.scenario.stem}_bathymetry.nc")
    if target.exists() and not options.overwrite:
        raise reading.Refused(f"{target} already exists: choose another name for the scenario, or --overwrite")
    options.bathymetry = options.prepared = target.with_name(f".new_{target.name}")  # until the scenario is written
    writable(options)
    wide = dx if options.crs else dx / (1000 * KM_PER_DEGREE)
    told = rasters.prepare(paths, options.datum_offset, options.positive, options.crs or "EPSG:4326", options.box or options.bbox, wide, options.bathymetry)
    notes.append(("bathymetry", f"{target.name}: {told}, from {', '.join(path.name for path in paths)}"))
    options.positive = None


def spacing(box, dx):
    """Degrees of cells about dx wide that end at the edges of the box: rounded down, since the grid is trimmed to whole cells."""
    west, south, east, north = box
    metres = 1000 * KM_PER_DEGREE
    across, along = (east - west) * metres * np.cos(np.radians(0.5 * (south + north))), (north - south) * metres
    return tuple(float(np.floor(1e10 * length / max(1, round(size / dx))) / 1e10) for length, size in ((east - west, across), (north - south, along)))


def choose_levels(deepest):
    """Even layers in shallow water; else 1 m at the surface, each layer thicker than the one above."""
    if deepest <= 30:
        dz = max(0.25, nice(deepest / 8, (1, 2, 2.5, 5, 10)))
        return {"bottom_m": -float(np.ceil(deepest / dz) * dz), "dz_m": dz}, f"layers of {dz:g} m down to the deepest place, {deepest:.3g} m"
    first, count = 1.0, 20
    if deepest <= first * count:
        count = int(deepest / first)
    low, high = 1.0, 3.0
    for _ in range(60):
        growth = 0.5 * (low + high)
        low, high = (growth, high) if first * sum(growth**n for n in range(count)) < deepest else (low, growth)
    depths = np.cumsum([first * growth**n for n in range(count)])
    rounded = [0.0] + [float(f"{d:.3g}") for d in depths[:-1]] + [float(np.ceil(deepest))]
    return ({"interfaces_m": [-d if d else 0 for d in reversed(rounded)]},
            f"{count} layers, from {first:g} m at the surface to {depths[-1] - depths[-2]:.3g} m at the deepest place, {deepest:.4g} m")


def choose_step(dx, deepest):
    """A divisor of ten minutes, so that records fall on steps."""
    flow, wave = 0.5 * dx / FASTEST, 10 * dx / np.sqrt(9.81 * deepest)
    whole = [n for n in range(1, 601) if 600 % n == 0 and n <= min(flow, wave)]
    if not whole:
        raise reading.Refused(f"cells of {dx:g} m need steps below a second: write this scenario by hand")
    return whole[-1], (f"a current of {FASTEST:g} m/s crosses {FASTEST * whole[-1] / dx:.2g} cells in it, long waves "
                       f"{np.sqrt(9.81 * deepest) * whole[-1] / dx:.2g}")


def sides_of_line(grid, line):
    """Which side of the line stays, by the compass: that of the cells whose faces are open."""
    inwards = {"west": 1, "east": -1, "south": 1j, "north": -1j}
    towards = sum(inwards[edge] for edge, _, _ in grid.line_faces(line))
    stays, land = (COMPASS[round(np.degrees(np.angle(way)) / 45) % 8] for way in (towards, -towards))
    return f"the {stays} side of the line stays, the {land} side becomes land"


def choose_boundaries(grid, options, notes):
    """One for the line, and for each edge at which the sea leaves the box."""
    settings, why = {"kind": "flather", "eta_m": 0}, "calm sea outside: waves leave"
    if options.tides:
        kind = "flather" if sources.has_currents(options.tides) else "elevation"
        settings = {"kind": kind, "tide_atlas": {"files": relative(options.tides, options)}}
        why = "the tide of the atlas enters, waves leave" if kind == "flather" else "the atlas has only levels: they are prescribed"
    if options.boundary:
        settings = {"kind": "flather", "file": relative(options.boundary, options), "time_interpolation": "cubic", "relaxation_zone": {"cells": ZONE_CELLS},
                    **({"tide_atlas": settings["tide_atlas"]} if options.tides else {})}
        why = "level and currents of the file enter" + (", and the tide of the atlas" if options.tides else "") + "; waves leave"
    found, left_closed = [], False
    for edge in ("west", "east", "south", "north"):
        cells = grid.wet[grid.edge_cells(edge)]
        if not cells.any():
            continue
        if cells.sum() < FEWEST_CELLS:
            left_closed = True
            notes.append(("boundary", f"{edge}: closed; only {int(cells.sum())} of {cells.size} cells are sea there"))
            continue
        depth = -np.nanmin(grid.bed[grid.edge_cells(edge)])
        if cells.sum() < cells.size / EDGE_SHARE and depth < grid.deepest / EDGE_SHARE:
            left_closed = True
            notes.append(("boundary", f"{edge}: closed; only {int(cells.sum())} of {cells.size} cells are sea there, down to {depth:.3g} m, as at a river or lagoon; "
                                      f"to open it, add {{ \"edge\": \"{edge}\", ... }} to \"boundaries\""))
            continue
        found.append({"name": edge, "edge": edge, **settings})
        notes.append(("boundary", f"{edge}: {int(cells.sum())} of {cells.size} cells are sea there, down to {depth:.3g} m; {settings['kind']}: {why}"))
    if options.line:
        notes.append(("boundary", f"along the line of {len(options.line)} points; {settings['kind']}: {why}"))
        notes.append(("boundary", f"{sides_of_line(grid, options.line)}; \"keep_point\": [lon, lat] in \"bathymetry\" chooses the other"))
    elif not found:
        notes.append(("boundary", "none: the sea does not leave the box"))
    line = [{"name": "line", "edge": "line", "line": options.line, **settings}] if options.line else []
    return line + ([{"name": "sea", "edge": "all", **settings}] if len(found) > 1 and not left_closed else found)  # one sea outside


def deepest_inside(grid):
    """(j, i) of the deepest cell that is not beside an edge, where the sea outside is felt first; of several of one depth, of the innermost."""
    ny, nx = grid.wet.shape
    rows, columns = np.indices(grid.wet.shape)
    from_edge = np.minimum(np.minimum(columns, nx - 1 - columns), np.minimum(rows, ny - 1 - rows))
    inside = grid.wet & (from_edge >= min(ny, nx) // EDGE_SHARE)
    depth = np.where(inside if inside.any() else grid.wet, -grid.bed, -np.inf)
    deep = depth > depth.max() - 0.01 * abs(depth.max())
    return np.unravel_index(np.argmax(np.where(deep, from_edge, -1)), grid.wet.shape)


def choose_stations(grid):
    """The deepest place, and the one farthest from all open edges that is at least half as deep as the mean."""
    j, i = deepest_inside(grid)
    stations = {"deepest": [round(float(grid.x[i]), 4), round(float(grid.y[j]), 4)]}
    usual = 0.5 * np.nanmean(-grid.bed)
    rows, columns = np.nonzero(grid.wet & (-grid.bed >= usual))
    ny, nx = grid.wet.shape
    sides = {"west": columns, "east": nx - 1 - columns, "south": rows, "north": ny - 1 - rows}
    open_edges = [edge for edge in sides if grid.wet[grid.edge_cells(edge)].any()]
    if open_edges and rows.size:
        far = int(np.argmax(np.min([sides[edge] for edge in open_edges], axis=0)))
        if (rows[far], columns[far]) != (j, i):
            stations["inner"] = [round(float(grid.x[columns[far]]), 4), round(float(grid.y[rows[far]]), 4)]
    return stations


# ---- the scenario ----


def relative(path, options):
    """As the scenario's folder sees it; maps that the program brings along keep their names."""
    if rasters.is_shipped(path):
        return str(path)
    return os.path.relpath(path.resolve(), options.scenario.resolve().parent)


def first_part(options, dx):
    west, south, east, north = options.bbox
    bathymetry = {"file": relative(options.bathymetry, options), **({"positive": options.positive} if options.positive else {}), "minimum_depth_m": 1}
    if options.crs:
        west, south, east, north = options.box
        return {"kind": "cartesian", "crs": options.crs, "x0_m": west, "y0_m": south, "length_x_m": east - west, "length_y_m": north - south,
                "dx_m": dx}, bathymetry
    wide, tall = spacing(options.bbox, dx)
    return {"kind": "spherical", "west": west, "east": east, "south": south, "north": north, "dlon_deg": wide, "dlat_deg": tall}, bathymetry


def writable(options):
    """The scenario's folder."""
    folder = options.scenario.resolve().parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        raise reading.Refused(f"cannot write into {folder}: {error.strerror}") from None


def trial_grid(options, dx):
    """The ground under the grid, with one layer and closed edges; land without a value is as high as no land is."""
    grid, bathymetry = first_part(options, dx)
    trial = {"grid": {**grid, "levels": {"bottom_m": -10, "dz_m": 10}}, "bathymetry": {**bathymetry, "land_height_m": rasters.VOID},
             "time": {"start": "2024-03-01T00:00:00Z", "duration_s": 60, "step_s": 60},
             "boundaries": [{"name": "line", "edge": "line", "line": options.line, "kind": "flather", "eta_m": 0}] if options.line else []}
    file = tempfile.NamedTemporaryFile("w", suffix=".json", dir=writable(options), prefix=".new_", delete=False)
    try:
        with file:
            json.dump(trial, file)
    except OSError as error:  # a full disk
        Path(file.name).unlink()
        raise reading.Refused(f"cannot write into {options.scenario.resolve().parent}: {error.strerror}") from None
    try:
        return grids.Grid(file.name)
    except reading.Refused as refused:
        raise reading.Refused(in_words_of_options(str(refused), options)) from None
    finally:
        Path(file.name).unlink()


def in_words_of_options(text, options):
    """What the program says about a trial, without the file that its user never saw."""
    lines = [re.sub(r"^.*\.new_\w*\.json:[\d:]+ ", "", line) for line in text.splitlines() if not line.startswith("not checked until")]
    of_map = any(line.startswith("(/grid/crs)") for line in lines)
    lines = [re.sub(r"^\(/grid/crs\): (\"crs\": \".*?\" (?=is|has|needs))?", lambda found: options.of_crs + (" " if found[1] else ": "), line) for line in lines]
    if of_map and not options.of_crs.startswith("--crs"):
        lines.append("--crs EPSG:... chooses another map for the grid, onto which the raster is brought")
    return "\n".join(lines).replace(".new_", "")


def warn_of_walls(grid, dx):
    """Where a raster ends inside the box, the sea would end, too. In one without any heights of land, what has no value is land."""
    bed = grid.data["bed"].values
    void = bed > 0.99 * rasters.VOID
    if not (bed[~void] > 0).any():
        return
    for edge, (count, widest) in rasters.walls_in_sea(grid.wet, void, FEWEST_CELLS).items():
        rows = "rows" if edge in ("west", "east") else "columns"
        print(f"warning: {edge}: in {count} {rows} the bathymetry has no values from this edge up to {widest * dx:g} m inwards, and sea behind. They are land, "
              "a wall in the sea without a boundary: unless this is the coast, take a smaller --bbox, or name a raster for the rest by another --bathymetry", file=sys.stderr)


def lines_of(value):
    return json.dumps(value, ensure_ascii=False)


def text_of(options, dx, levels, step, times, boundaries, stations, reasons):
    grid, bathymetry = first_part(options, dx)
    forcing = {}
    if options.wind:
        forcing["wind"] = {"file": relative(options.wind, options)}
        if sources.wind_of(options.wind)[2]:
            forcing["air_pressure"] = {"file": relative(options.wind, options)}
    water = {key: {"file": relative(options.boundary, options)} for key in sources.outside_of(options.boundary)[2]} if options.boundary else {}
    density = {"density": {"equation": sources.equation_of(options.boundary)}} if water else {}
    layered = [name for key, name in (("temperature_C", "temperature"), ("salinity", "salinity")) if key in water]
    open_lines = ",\n    ".join(lines_of(b) for b in boundaries)
    return f"""// Written by `maeotis new`; it is ready to run. ./maeotis schema --keys explains every key.
{{
  "title": {lines_of(options.scenario.stem.replace("_", " ").capitalize())},
  // {reasons["grid"]}
  "grid": {{ {lines_of(grid)[1:-1]},
            // {reasons["levels"]}
            "levels": {lines_of(levels)} }},
  // Shallower sea is deepened to minimum_depth_m; with "flood_to_m" in the grid low land can flood instead.
  "bathymetry": {lines_of(bathymetry)},
  // {reasons["step"]}
  "time": {{ "start": "{times[0]}", "end": "{times[1]}", "step_s": {step} }},
  // {reasons["water"]} Bed drag: Manning's n, 0.025 unless given.
  "physics": {lines_of({"water_density_kg_m3": 1025, **density})},
  "initial": {lines_of(water)},
  // {reasons["forcing"]}
  "forcing": {lines_of(forcing)},
  // {reasons["boundaries"]}
  "boundaries": [
    {open_lines}
  ],
  // Add your rivers: {{ "name": "Po", "lon": 12.5, "lat": 44.96, "discharge_m3_s": 1500 }}
  "rivers": {lines_of(options.found_rivers.get("rivers", []))},{maps_of(options)}
  "output": [
    {{ "every_s": 3600, "variables": ["eta", "u_east", "v_north"], "levels": [0] }},
    {{ "every_s": 600, "stations": {lines_of(stations)} }},
    {{ "extremes": ["max_eta", "time_of_max_eta", "min_eta", "time_of_min_eta", "max_speed", "time_of_max_speed"] }},
    {{ "file": "{{scenario}}_layers.nc", "every_s": 10800, "variables": {lines_of(["eta", "u_east", "v_north", *layered])} }}
  ]
}}
"""


def maps_of(options):
    maps = options.found_rivers.get("river_maps")
    return f'\n  "river_maps": {lines_of(maps)},' if maps else ""


def check_options(options):
    west, south, east, north = options.bbox
    if not (west < east and south < north and -90 <= south and north <= 90 and east - west <= 360):
        raise reading.Refused("--bbox is west, south, east, north in degrees; west must be less than east and south less than north")
    for word in (options.scenario, *options.bathymetry, options.wind, options.boundary, options.tides):
        if any(unicodedata.category(letter) in ("Cc", "Zl", "Zp") for letter in str(word)):
            raise reading.Refused(f"{str(word)!r}: the name of a file must not contain line ends or other control characters")
    options.crs = options.crs and " ".join(options.crs.split())  # WKT may have several lines
    for path in (*options.bathymetry, options.wind, options.boundary, options.tides, options.rivers, options.rivers_grid):
        if path and not path.exists() and not (path in options.bathymetry and len(options.bathymetry) == 1 and rasters.is_shipped(path)):
            raise reading.Refused(f"there is no file {path}")
    if options.dx is not None and not options.dx > 0:
        raise reading.Refused(f"--dx {options.dx:g}: metres above 0")
    if options.scenario.suffix != ".json":
        raise reading.Refused(f"{options.scenario}: a scenario's name ends in .json")
    if options.scenario.exists() and not options.overwrite:
        raise reading.Refused(f"{options.scenario} already exists: choose another name, or --overwrite")


def drawn(scenario):
    """The pictures of its grid. The program looks at the whole scenario first; one that it refuses does not stay."""
    try:
        yield from grids.draw(scenario)
    except reading.Refused:
        scenario.unlink()
        raise


def ask_for_data(options):
    """Without depths there is no scenario yet: a script with the requests for the box and time."""
    options.requests = options.scenario.with_name(f"{options.scenario.stem}_data.sh")
    if options.requests.exists() and not (options.overwrite or options.download):
        raise reading.Refused(f"{options.requests} already exists: choose another name, or --overwrite")
    start, end, _ = span(options)
    options.scenario.resolve().parent.mkdir(parents=True, exist_ok=True)
    options.requests.write_text(requests.script(options, start, end))
    print(f"there are no depths yet: {options.requests} requests them, and weather, the sea outside and rivers, for {stamp(start)} to {stamp(end)}")
    print(f"next: read it, then sh {shlex.quote(str(options.requests))}; its last line says how the scenario is made")


def main(arguments=None):
    options = parse(arguments)
    check_options(options)
    if options.download:
        requests.download(options, *span(options)[:2])
    if not options.bathymetry:
        ask_for_data(options)
        if options.download:  # a scenario was wanted
            sys.exit(1)
        return
    options.prepared = None
    try:
        write(options)
    except reading.Refused:
        if options.prepared and options.bathymetry != options.prepared:
            options.bathymetry.unlink()
        raise
    finally:
        if options.prepared:
            options.prepared.unlink(missing_ok=True)


def write(options):
    notes = []
    dx = options.dx or choose_dx(options.bbox)
    start, end, why_time = span(options)
    ground(options, dx, notes)
    grid = trial_grid(options, dx)
    warn_of_walls(grid, dx)
    ny, nx = grid.wet.shape
    why_dx = "as requested" if options.dx else f"about {CELLS} along the longer side"
    where = f"on the map {options.crs}, around the box" if options.crs else "that end at the edges of the box"
    reasons = {"grid": f"{nx} x {ny} cells of about {dx:g} m, {why_dx}, {where}; {int(grid.wet.sum())} of them are sea"}
    levels, reasons["levels"] = choose_levels(grid.deepest)
    step, why_step = choose_step(dx, grid.deepest)
    reasons["step"] = f"Steps of {step} s: {why_step}; any step is stable. Time: {why_time}."
    if options.wind:
        pressure = sources.wind_of(options.wind)[2]
        reasons["forcing"] = "Wind of the file" + (", and its air pressure" if pressure else "; it contains no air pressure (msl)")
    else:
        reasons["forcing"] = "No wind: \"wind\": { \"file\": \"era5.nc\" }, or { \"u_m_s\": 10, \"v_m_s\": 0 }"
    known = sources.outside_of(options.boundary)[2] if options.boundary else []
    words = {"eta_m": "level", "u_m_s": "eastward", "v_m_s": "northward velocity", "temperature_C": "temperature", "salinity": "salinity"}
    reasons["water"] = ("It begins with " + ", ".join(words[key] for key in known) + " of the boundary file, whose temperature and salinity give its density." if known
                        else "Ocean water without temperature and salinity; keys in \"initial\" switch them on.")
    boundaries = choose_boundaries(grid, options, notes)
    reasons["boundaries"] = "The line, and every edge at which the sea on this side of it leaves the box." if options.line else "Every edge at which the sea leaves the box; other cells of an edge are land." if boundaries else "None: the sea does not leave the box."
    stations = choose_stations(grid)
    options.found_rivers, told = {}, "none: add yours"
    if options.rivers:
        target = options.scenario.with_name(f"{options.scenario.stem}_rivers")
        options.found_rivers, told = rivers.settings(options.rivers, options.rivers_grid, options.bbox, target, lambda path: relative(path, options))
    if options.prepared:
        options.bathymetry = options.prepared.rename(options.prepared.with_name(options.prepared.name.removeprefix(".new_")))
    options.scenario.write_text(text_of(options, dx, levels, step, (stamp(start), stamp(end)), boundaries, stations, reasons))
    for name in ("grid", "levels", "step", "forcing"):
        print(f"{name:10} {reasons[name]}")
    for name, text in notes:
        print(f"{name:10} {text}")
    print(f"{'stations':10} {', '.join(stations)}: replace these places by your own")
    print(f"{'rivers':10} {told}")
    style.set_up()
    for name, figure in drawn(options.scenario):
        picture = options.scenario.with_name(f"{options.scenario.stem}_{name}.png")
        style.save(figure, picture, 150)
        print(picture)
    word = shlex.quote(str(options.scenario))
    print(f"{options.scenario}: ready; next: ./maeotis check {word}, then ./maeotis run {word}")


if __name__ == "__main__":
    start(main, "new")
