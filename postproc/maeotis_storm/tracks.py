# SPDX-License-Identifier: Apache-2.0
"""Best tracks: ATCF (a- and b-decks), HURDAT2 and IBTrACS (CSV), told apart by their lines. Winds are means over one minute."""

import csv
import math
import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from maeotis_results.program import Refused

KNOT, MILE = 1852 / 3600, 1.852  # [m/s], [km]
METRES = 6371000.0 * math.pi / 180  # a degree of latitude
QUADRANTS = ("NE", "SE", "SW", "NW")
LONGEST_GAP_H = 12
FASTEST_KM_H = 150  # of a centre


@dataclass
class Point:
    """Of a track: the centre, and what was observed around it; None: nothing."""
    time: datetime
    lat: float
    lon: float
    wind: float | None = None  # strongest [m/s]
    pressure: float | None = None  # in the centre [hPa]
    outside: float | None = None  # of the last closed isobar [hPa]
    radius: float | None = None  # of the strongest wind [km]
    radii: dict = field(default_factory=dict)  # {wind [m/s]: of each quadrant [km], None: no such wind}


def number(text, factor=1.0, least=0.0):
    """None for blanks, codes and what is not above `least`."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value * factor if value > least else None


def degrees(text):
    """17.5N, 369W (tenths in ATCF: given as 175N)."""
    match = re.fullmatch(r"\s*([\d.]+)([NSEW])\s*", text)
    if not match:
        raise ValueError(f"'{text}' is not a latitude or longitude like 26.1N")
    value = float(match[1]) if "." in match[1] else float(match[1]) / 10
    return -value if match[2] in "SW" else value


def set_radii(point, knots, texts):
    values = [number(text, MILE) for text in texts]
    if any(values):
        point.radii[knots * KNOT] = values


def read_atcf(lines, wished):
    """Forecasts (tau) follow the analysis, of each time the latest one; of several models, the one wished for."""
    points, issues, models, name = {}, {}, set(), None
    for line in lines:
        cell = [text.strip() for text in line.split(",")] + [""] * 30
        technique, ahead, best = cell[4], float(cell[5] or 0), cell[4] == "BEST"
        models.add(technique)
        if wished and technique != wished and not best:
            continue
        issued = datetime.strptime(cell[2][:10], "%Y%m%d%H") + timedelta(minutes=float(cell[3]) if cell[3].isdigit() and best else 0)
        time, issue = issued + timedelta(hours=ahead), (issued, best)
        if issue < issues.get(time, issue):
            continue
        if issue != issues.get(time):
            points[time], issues[time] = Point(time, degrees(cell[6]), degrees(cell[7])), issue
        point = points[time]
        point.wind, point.pressure = number(cell[8], KNOT), number(cell[9])
        point.outside, point.radius = number(cell[17]), number(cell[19], MILE)
        if cell[11] in ("34", "50", "64"):
            set_radii(point, float(cell[11]), cell[13:17] if cell[12] == "NEQ" else [cell[13]] * 4)
        name = cell[27] or name
    if wished not in models if wished else len(models - {"BEST"}) > 1:
        raise Refused(f"{'no technique ' + wished if wished else 'several techniques'}: name one by --technique ({', '.join(sorted(models))})")
    return {name or "storm": [points[time] for time in sorted(points)]}


def read_hurdat2(lines, _):
    storms, points = {}, None
    for line in lines:
        cell = [text.strip() for text in line.split(",")]
        if re.fullmatch(r"[A-Z]{2}\d{6}", cell[0]):
            points = storms.setdefault(f"{cell[1]} {cell[0][4:]} {cell[0]}", [])
            continue
        point = Point(datetime.strptime(cell[0] + cell[1], "%Y%m%d%H%M"), degrees(cell[4]), degrees(cell[5]), number(cell[6], KNOT), number(cell[7]))
        for n, knots in enumerate((34, 50, 64)):
            set_radii(point, knots, cell[8 + 4 * n:12 + 4 * n])
        point.radius = number(cell[20], MILE) if len(cell) > 20 else None
        points.append(point)
    return storms


def read_ibtracs(lines, _):
    storms = {}
    for row in csv.DictReader(lines):
        if not row["ISO_TIME"][:4].isdigit():
            continue  # the line of units

        def of(key):
            return row.get(f"USA_{key}", "").strip()

        point = Point(datetime.fromisoformat(row["ISO_TIME"]), float(row["LAT"]), float(row["LON"]), number(of("WIND"), KNOT),
                      number(of("PRES")) or number(row.get("WMO_PRES", "")), number(of("POCI")), number(of("RMW"), MILE))
        for knots in (34, 50, 64):
            set_radii(point, knots, [of(f"R{knots}_{quadrant}") for quadrant in QUADRANTS])
        storms.setdefault(f"{row['NAME'].strip()} {row['SEASON']} {row['SID']}", []).append(point)
    return storms


def check(name, points):
    if len(points) < 2:
        raise Refused(f"the track of {name} has fewer than two points")
    for point in points:
        if not -70 <= point.lat <= 70 or not -360 <= point.lon <= 360:
            raise Refused(f"the track of {name} is at {point.lat:g}, {point.lon:g} at {point.time}")
        if (point.wind or 0) > 120 or not 850 <= (point.pressure or 1000) <= 1050:
            wind, pressure = ("no" if value is None else f"{value:.0f}" for value in (point.wind, point.pressure))
            raise Refused(f"{name} has {wind} m/s and {pressure} hPa at {point.time}: units? (knots, hPa)")
    for a, b in zip(points, points[1:]):
        hours = (b.time - a.time) / timedelta(hours=1)
        if hours <= 0:
            raise Refused(f"the track of {name} does not ascend in time at {b.time}")
        if hours > LONGEST_GAP_H:
            raise Refused(f"the track of {name} has a gap of {hours:g} h after {a.time}: add points, or cut it by --start and --end")
        km_h = METRES / 1000 * math.hypot(b.lat - a.lat, (b.lon - a.lon) * math.cos(math.radians(a.lat))) / hours
        if km_h > FASTEST_KM_H:
            raise Refused(f"the track of {name} goes {km_h:.0f} km/h from {a.lat:g}, {a.lon:g} to {b.lat:g}, {b.lon:g} after {a.time}: a sign or a date?")


def read(path, wished=None, technique=None):
    """(name, points) of a file's only storm, or of the one whose name holds `wished`."""
    try:
        lines = [line for line in path.read_text(errors="replace").splitlines() if line.strip()]
    except OSError as error:
        raise Refused(f"{path}: {error.strerror}") from error
    first = lines[0] if lines else ""
    reader = read_ibtracs if "ISO_TIME" in first else read_hurdat2 if re.match(r"[A-Z]{2}\d{6},", first) else read_atcf
    try:
        storms = reader(lines, technique)
    except (ValueError, IndexError, KeyError) as error:
        raise Refused(f"{path}: not a track of ATCF, HURDAT2 or IBTrACS (CSV): {error}") from error
    found = {name: points for name, points in storms.items() if not wished or wished.lower() in name.lower()}
    if len(found) != 1:
        some = ", ".join(list(found or storms)[:8])
        raise Refused(f"{path} holds {len(found)} storms{' called ' + wished if wished else ''}: name one by --storm ({some}{', ...' if len(found or storms) > 8 else ''})")
    name, points = next(iter(found.items()))
    for before, point in zip(points, points[1:]):  # across the date line
        point.lon += 360 * round((before.lon - point.lon) / 360)
    return name, points
