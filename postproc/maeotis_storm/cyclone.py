# SPDX-License-Identifier: Apache-2.0
"""`./maeotis cyclone TRACK -o storm.nc --bbox W S E N`: wind and air pressure of a tropical cyclone from its best track (ATCF a- and
b-decks, HURDAT2, IBTrACS as CSV), as a NetCDF file for /forcing/wind/file and /forcing/air_pressure/file: the profile is Holland 1980 or, where
the track has the radii of 17, 26 and 33 m/s in quadrants, Holland 2010. The storm's motion makes it asymmetric; a background is blended in."""

import shlex
import sys
from datetime import timedelta, timezone
from pathlib import Path

import netCDF4
import numpy as np

from maeotis_results.options import Parser, date, start
from maeotis_results.program import Refused

from . import profiles, tracks
from .background import Background

EXAMPLE = """\
examples:
  ./maeotis cyclone bal092008.dat -o ike.nc --bbox -98 18 -82 31
  ./maeotis cyclone ibtracs.NA.csv --storm 'IKE 2008' -o ike.nc --bbox -98 18 -82 31 --background era5.nc
  ./maeotis cyclone bal092008.dat -o other.nc --bbox -98 18 -82 31 --across-km 40 --later-h 3 --wind 1.1

In the scenario: "forcing": {"wind": {"file": "ike.nc"}, "air_pressure": {"file": "ike.nc"}}
Many variants of a storm: ./maeotis ensemble S.json --vary '/track/across_km=normal(0,50)' --vary '/track/wind=normal(1,0.1)'
Winds are means over ten minutes at 10 m over the sea; land does not slow them.
"""
SCHEMES = ("holland1980", "holland2010")
# How a storm may differ from its track: from, to, without a change, and what it does.
CHANGES = {
    "across-km": (-1000, 1000, 0.0, "KM", "move the track to the right of its motion"),
    "later-h": (-72, 72, 0.0, "HOURS", "delay the whole storm"),
    "speed": (0.3, 3, 1.0, "FACTOR", "factor of its speed along the track, from the first record on"),
    "wind": (0.3, 2, 1.0, "FACTOR", "factor of the strongest wind; the pressure drop changes with its square"),
    "radius": (0.2, 5, 1.0, "FACTOR", "factor of all radii"),
}
AZIMUTHS = np.array([45.0, -45.0, -135.0, 135.0])  # of the quadrants, from east [degrees]


def utc(text):
    return date(text).astimezone(timezone.utc).replace(tzinfo=None)  # as the times of tracks


def parse(arguments):
    parser = Parser(prog="maeotis cyclone", description=__doc__, epilog=EXAMPLE)
    parser.add_argument("track", type=Path, metavar="TRACK", help="best track: ATCF, HURDAT2 or IBTrACS (CSV)")
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.nc", help="the file to write")
    parser.add_argument("--bbox", type=float, nargs=4, required=True, metavar=("W", "S", "E", "N"), help="area [degrees]")
    parser.add_argument("--storm", metavar="NAME", help="name or part of it, in a file of several storms")
    parser.add_argument("--technique", metavar="NAME", help="model of an a-deck: OFCL, AVNO, ...")
    parser.add_argument("--scheme", choices=SCHEMES, help="profile (default: holland2010 where radii are known, else holland1980)")
    parser.add_argument("--dx", type=float, default=0.1, metavar="DEGREES", help="spacing (default: 0.1)")
    parser.add_argument("--every", type=float, default=15, metavar="MINUTES", help="time between records (default: 15)")
    parser.add_argument("--start", type=utc, metavar="DATE", help="first record (default: that of the track)")
    parser.add_argument("--end", type=utc, metavar="DATE", help="last record")
    parser.add_argument("--outside", type=float, default=1010, metavar="HPA", help="ambient pressure where neither track nor background has it (default: 1010)")
    parser.add_argument("--background", type=Path, metavar="FILE.nc", help="wind and pressure around the storm: u10, v10, msl on longitudes and latitudes")
    for name, (_, _, none, unit, words) in CHANGES.items():
        parser.add_argument(f"--{name}", type=float, default=none, metavar=unit, help=f"{words} (default: {none:g})")
    options = parser.parse_args(arguments)
    options.command = command_of(parser, options)
    west, south, east, north = options.bbox
    if not (-360 <= west < east <= 360 and south < north and -80 <= south and north <= 80):
        raise Refused("--bbox: west, south, east, north, in degrees, within 360 of longitude and 80 of latitude")
    for name, low, high in (("dx", 0.005, 2), ("every", 0.5, 360), ("outside", 950, 1050), *((name, *row[:2]) for name, row in CHANGES.items())):
        value = getattr(options, name.replace("-", "_"))
        if not low <= value <= high:
            raise Refused(f"--{name} {value:g}: from {low:g} to {high:g}")
    if options.output.exists() and any(path and path.exists() and path.samefile(options.output) for path in (options.track, options.background)):
        raise Refused(f"-o {options.output} would replace what is read: choose another name")
    if (east - west) * (north - south) / options.dx**2 > 4e7:
        raise Refused("more than 40 million points: a larger --dx or a smaller --bbox")
    return options


def command_of(parser, options):
    """What made the file, with whole paths and without what is at its default."""
    words = ["./maeotis", "cyclone", str(options.track.resolve()), "--bbox", *map(str, options.bbox)]
    for name, value in vars(options).items():
        if name in ("track", "bbox") or value == parser.get_default(name):
            continue
        text = f"{value:%Y-%m-%dT%H:%M:%SZ}" if name in ("start", "end") else value.resolve() if isinstance(value, Path) else value
        words.append(f"--{name.replace('_', '-')}={text}")
    return shlex.join(words)


def on_track(options, begin, date):
    """The moment of the track that a storm which is later, faster or slower has reached."""
    return begin + (date - timedelta(hours=options.later_h) - begin) * options.speed


class Storm:
    """A track, changed as wished, as functions of its time [s since its first point]."""

    def __init__(self, name, points, options):
        self.name, self.first = name, points[0].time
        self.at = np.array([(p.time - self.first).total_seconds() for p in points])
        self.lat, self.lon = np.array([p.lat for p in points]), np.array([p.lon for p in points])
        self.told = []
        wind, pressure = self.series(points, "wind"), self.series(points, "pressure")
        if wind is None:
            raise Refused(f"the track of {name} has no winds")
        if pressure is None:  # G. Atkinson, C. Holliday (Mon. Wea. Rev. 105 (1977) 421)
            pressure = options.outside - (wind / tracks.KNOT / 6.7) ** (1 / 0.644)
            self.told.append("pressure in the centre: from the wind, by Atkinson and Holliday 1977")
        outside, radius = self.series(points, "outside"), self.series(points, "radius")
        if outside is None:
            outside = np.full(len(points), options.outside)
            self.told.append(f"pressure outside: {options.outside:g} hPa")
        if radius is None:
            radius = profiles.guessed_radius(wind, self.lat)
            self.told.append("radius of the strongest wind: from wind and latitude, by Willoughby and Rahn 2004")
        self.drop = np.maximum(100 * (outside - pressure) * options.wind**2, 100.0)
        self.wind, self.pressure, self.radius = options.wind * wind, 100 * outside - self.drop, 1000 * options.radius * radius
        self.outer = self.outer_radii(points)
        if self.outer is not None:
            self.outer[..., 0] *= options.radius
        self.scheme = options.scheme or SCHEMES[self.outer is not None]
        if self.scheme == "holland2010" and self.outer is None:
            raise Refused(f"the track of {name} has no radii of winds, which holland2010 needs: choose holland1980")
        self.step_aside(1000 * options.across_km)
        self.motion *= options.speed
        self.pace = 1 / options.speed  # of the motion, per second of the track

    def step_aside(self, distance):
        """Moves the track to the right of its motion [m]; where it stands still, to the right of where it came from."""
        def motion():
            return np.gradient(np.array([self.lon, self.lat]), self.at, axis=1) * self.metres()  # [m/s]

        self.motion = motion()
        if distance:
            moves = np.flatnonzero(np.hypot(*self.motion) > 0.1)
            if not moves.size:
                raise Refused(f"{self.name} stands still: --across-km has no side")
            east, north = self.motion[:, moves[np.maximum(np.searchsorted(moves, np.arange(self.at.size), "right") - 1, 0)]]
            aside = distance * np.array([north, -east]) / np.hypot(east, north) / self.metres()
            self.lon, self.lat = self.lon + aside[0], self.lat + aside[1]
            self.motion = motion()

    def metres(self, lat=None):
        """Of a degree of longitude and of latitude."""
        lat = self.lat if lat is None else lat
        return tracks.METRES * np.array([np.cos(np.radians(lat)), np.ones_like(lat)])

    def series(self, points, key):
        """Linear between the points that have it; None if none has."""
        known = [(at, getattr(p, key)) for at, p in zip(self.at, points) if getattr(p, key)]
        return np.interp(self.at, *zip(*known)) if known else None

    def outer_radii(self, points):
        """(distance [m], wind [m/s]) in each quadrant: of the weakest wind that has radii; [point, quadrant, 2]."""
        rows, ats = [], []
        for at, p in zip(self.at, points):
            if p.radii:
                wind = min(p.radii)
                known = [r for r in p.radii[wind] if r]
                rows.append([(1000 * (r or np.mean(known)), wind) for r in p.radii[wind]])
                ats.append(at)
        if not rows:
            return None
        rows = np.array(rows)
        return np.array([[[np.interp(at, ats, rows[:, q, n]) for n in range(2)] for q in range(4)] for at in self.at])

    def now(self, seconds):
        """Everything at a time; before its first point and after its last one the storm moves on as there."""
        def at(values):
            return np.interp(seconds, self.at, values)

        centre = dict(lon=at(self.lon), lat=at(self.lat), pressure=at(self.pressure), drop=at(self.drop), radius=at(self.radius), wind=at(self.wind))
        centre["motion"] = np.array([at(self.motion[0]), at(self.motion[1])])
        beyond = (seconds - np.clip(seconds, self.at[0], self.at[-1])) * self.pace
        centre["lon"], centre["lat"] = np.array([centre["lon"], centre["lat"]]) + beyond * centre["motion"] / self.metres(centre["lat"])
        if self.outer is not None:
            centre["outer"] = np.array([[at(self.outer[:, q, n]) for n in range(2)] for q in range(4)])
        return centre


def field(storm, seconds, lon, lat):
    """u, v [m/s], pressure [Pa], and how much of them is the storm's, 0 to 1, on a map."""
    c = storm.now(seconds)
    x = np.mod(lon[None, :] - c["lon"] + 180, 360) - 180
    x, y = x * tracks.METRES * np.cos(np.radians(0.5 * (lat[:, None] + c["lat"]))), (lat[:, None] - c["lat"]) * tracks.METRES + 0 * x
    r = np.hypot(x, y)
    own = profiles.OWN_MOTION * c["motion"]
    strongest = max(c["wind"] - np.hypot(*own), 0.5 * c["wind"])
    if storm.scheme == "holland2010":
        b = profiles.shape(strongest, c["drop"])
        far, wind = c["outer"].T
        far = np.maximum(far, 1.05 * c["radius"])
        there = np.clip(profiles.exponent(np.minimum(wind, 0.95 * strongest), far, strongest, c["radius"], b), 0.1, 2.0)
        azimuth = np.degrees(np.arctan2(y, x))
        order = np.argsort(AZIMUTHS)
        around = [np.interp(azimuth, AZIMUTHS[order], values[order], period=360) for values in (far, there)]
        speed = profiles.holland_2010(r, strongest, c["radius"], b, around)
        reach = float(np.mean(far))
    else:
        f = profiles.coriolis(c["lat"])
        b = profiles.shape(strongest / profiles.TO_SURFACE, c["drop"])
        speed = profiles.holland_1980(r, c["drop"], c["radius"], b, f)
        speed *= strongest / profiles.holland_1980(c["radius"], c["drop"], c["radius"], b, f)
        reach = 5 * c["radius"]
    turn = np.sign(c["lat"] or 1) * (0.5 * np.pi + profiles.inflow(r, c["radius"]))  # from the direction outwards
    part = speed / np.maximum(r, 1.0)
    u, v = part * (x * np.cos(turn) - y * np.sin(turn)), part * (x * np.sin(turn) + y * np.cos(turn))
    u, v = u + own[0] * speed / strongest, v + own[1] * speed / strongest
    weight = 0.5 + 0.5 * np.cos(np.pi * np.clip(r / reach - 1, 0, 1))
    return profiles.TEN_MINUTES * u, profiles.TEN_MINUTES * v, profiles.pressure(r, c["pressure"], c["drop"], c["radius"], b), weight


def write(options, storm, dates):
    """The file, whole or not at all; (strongest wind, lowest pressure)."""
    try:
        return write_records(options, storm, dates)
    except Refused:
        options.output.unlink(missing_ok=True)  # is not whole
        raise
    except OSError as error:
        raise Refused(f"{options.output}: {error.strerror or error}") from error


def write_records(options, storm, dates):
    west, south, east, north = options.bbox
    lon = west + np.arange(int(np.ceil((east - west) / options.dx - 1e-9)) + 1) * options.dx
    lat = south + np.arange(int(np.ceil((north - south) / options.dx - 1e-9)) + 1) * options.dx
    background = Background(options.background, dates, lon, lat)
    strongest, lowest, reaches = 0.0, np.inf, 0.0
    with netCDF4.Dataset(options.output, "w", format="NETCDF3_64BIT_OFFSET") as data:
        data.title = f"Wind and air pressure of {storm.name}, {storm.scheme}, by maeotis cyclone"
        data.Conventions, data.command = "CF-1.8", options.command
        for name, values, units in (("longitude", lon, "degrees_east"), ("latitude", lat, "degrees_north")):
            data.createDimension(name, len(values))
            data.createVariable(name, "f8", (name,))[:] = values
            data[name].units, data[name].standard_name = units, name
        data.createDimension("time", None)
        data.createVariable("time", "f8", ("time",)).units = f"seconds since {dates[0]:%Y-%m-%d %H:%M:%S}"
        for name, units, long_name in (("u10", "m s-1", "10 metre U wind component"), ("v10", "m s-1", "10 metre V wind component"),
                                       ("msl", "Pa", "Mean sea level pressure")):
            variable = data.createVariable(name, "f4", ("time", "latitude", "longitude"))
            variable.units, variable.long_name = units, long_name
        for n, date in enumerate(dates):
            seconds = (on_track(options, dates[0], date) - storm.first).total_seconds()
            *own, weight = field(storm, seconds, lon, lat)
            around = background.at(date, float(np.interp(seconds, storm.at, storm.pressure + storm.drop)))
            u, v, p = (weight * inner + (1 - weight) * outer for inner, outer in zip(own, around))
            data["time"][n] = (date - dates[0]).total_seconds()
            data["u10"][n], data["v10"][n], data["msl"][n] = u, v, p
            reaches = max(reaches, float(np.max(weight)))
            strongest, lowest = max(strongest, float(np.hypot(u, v).max())), min(lowest, float(np.min(p)))
    if reaches == 0:
        print(f"warning: {storm.name} never reaches the area of --bbox", file=sys.stderr)
    return strongest, lowest


def prepared(options):
    """The storm, and the dates of its records."""
    name, points = tracks.read(options.track, options.storm, options.technique)
    first, last = (max(options.start or points[0].time, points[0].time), min(options.end or points[-1].time, points[-1].time))
    if not first < last and len(points) > 1:
        raise Refused(f"--start, --end: the track of {name} goes from {points[0].time} to {points[-1].time}")
    margin = timedelta(hours=tracks.LONGEST_GAP_H)
    begin, end = (on_track(options, first, date) for date in (first, last))
    if begin < points[0].time - margin or end > points[-1].time + margin:
        raise Refused(f"--later-h, --speed: the storm would be more than {tracks.LONGEST_GAP_H} h beyond an end of its track: --start, --end")
    points = [p for p in points if begin - margin <= p.time <= end + margin]
    tracks.check(name, points)
    step = timedelta(minutes=options.every)
    dates = [first + n * step for n in range(int((last - first) / step) + 1)]
    if dates[-1] < last:
        dates.append(last)
    return Storm(name, points, options), dates


def main(arguments):
    options = parse(arguments)
    storm, dates = prepared(options)
    strongest, lowest = write(options, storm, dates)
    for text in storm.told:
        print(f"not in the track: {text}")
    print(f"{storm.name}: {storm.scheme}, {len(dates)} records from {dates[0]:%Y-%m-%dT%H:%M} to {dates[-1]:%Y-%m-%dT%H:%M}; on the map at most "
          f"{strongest:.1f} m/s (means over ten minutes), at least {lowest / 100:.0f} hPa")
    print(f"{options.output}")
    return 0


if __name__ == "__main__":
    start(lambda: main(sys.argv[1:]), "cyclone")
