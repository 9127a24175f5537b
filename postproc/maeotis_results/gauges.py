# SPDX-License-Identifier: Apache-2.0
"""Series of gauges from text files: dates and values in any of the common layouts.

    2014-09-24 18:00, 1.23             a date and a value, with or without a heading (IOC, national services)
    2014,9,24,18,1230                  year, month, day, hour, millimetres (UHSLC)
    2014.7292; 7012; 0; 000            decimal years, millimetres (PSMSL)

Values such as -9999, -99999, -32767, NaN and empty ones are missing. Of levels, -99 is so only where no sea could have it: -99 cm is a
level, -99 m is none. Dates name their zone, or the heading does; nothing is taken for UTC silently."""

import re
from datetime import datetime, timezone

import numpy as np

from .program import Refused

MISSING = {-99.0, -999.0, -9999.0, -99999.0, -32767.0, -32768.0, 9999.0, 99999.0}
MISSING_WORDS = {"", "nan", "na", "n/a", "null", "none", "-", "--"}
HIGHEST = 5.0  # [m] of a level that may be meant by one of these numbers
METRES = {"m": 1.0, "metre": 1.0, "metres": 1.0, "meter": 1.0, "meters": 1.0, "cm": 0.01, "mm": 0.001}
FORMATS = ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d", "%Y/%m/%dT%H:%M:%S", "%Y/%m/%dT%H:%M", "%d.%m.%YT%H:%M:%S",
           "%d.%m.%YT%H:%M", "%Y%m%dT%H%M%S", "%Y%m%dT%H%M")


def span(seconds):
    if len(seconds) == 0:
        return "nothing"
    return " to ".join(datetime.fromtimestamp(t, timezone.utc).strftime("%Y-%m-%dT%H:%MZ") for t in (seconds[0], seconds[-1]))


class NoZone(Exception):
    """A date that neither itself nor anything around it gives a zone."""


def date(text, hours_ahead=0):
    """Seconds since 1970 in UTC; None if it is no date. `hours_ahead` of UTC where the text itself says nothing; None refuses it."""
    given = text.strip().strip('"')
    text = re.sub(r"(UTC|GMT)$", "", given).strip()
    offset = re.search(r"(Z|[+-]\d\d(?::?\d\d)?)$", text)
    ahead = 0.0 if text != given else hours_ahead if hours_ahead is None else 3600.0 * hours_ahead
    if offset and re.search(r":|[T ]\d", text[: offset.start()]):
        sign = offset.group(0)
        text = text[: offset.start()]
        ahead = 0.0
        if sign != "Z":
            if int(sign[1:3]) > 14 or int(sign[3:].lstrip(":") or 0) > 59:
                return None  # no zone
            ahead = (int(sign[1:3]) * 3600 + int(sign[3:].lstrip(":") or 0) * 60) * (-1 if sign[0] == "-" else 1)
    text = re.sub(r"\s+", "T", text.strip())
    text = re.sub(r"(:\d\d)\.\d+$", r"\1", text)
    for form in FORMATS:
        try:
            found = datetime.strptime(text, form).replace(tzinfo=timezone.utc).timestamp()
        except ValueError:
            continue
        if ahead is None:
            raise NoZone
        return found - ahead
    return None


def number(text, place):
    text = text.strip().strip('"').replace(",", ".")
    if text.lower() in MISSING_WORDS:
        return np.nan
    try:
        value = float(text)
    except ValueError:
        raise Refused(f"{place}: {text[:40]!r} is not a number") from None
    return value


def is_number(text):
    try:
        float(text.strip())
    except ValueError:
        return False
    return True


def cells_of(line):
    """The line's cells: by semicolons, tabs or commas, whichever it has, else by spaces."""
    for mark in (";", "\t", ","):
        if mark in line:
            return [cell.strip() for cell in line.split(mark)]
    return line.split()


def dated(cells, hours_ahead):
    """(seconds, the cell of the value) of a line of data, its usual unit; None of another line."""
    split = len(cells) >= 3 and not re.search(r"[:T]", cells[0])
    for count in (2, 1) if split else (1,):  # a date and a time of day in two cells, or in one; a level such as -12 is no zone
        seconds = date(" ".join(cells[:count]), hours_ahead)
        if seconds is not None and len(cells) > count:
            return seconds, cells[count], None
    whole = [c for c in cells[:4] if re.fullmatch(r"-?\d+", c)]
    if len(cells) >= 5 and len(whole) == 4 and 1800 <= int(cells[0]) <= 2200 and 1 <= int(cells[1]) <= 12:
        year, month, day, hour = map(int, cells[:4])
        try:
            return datetime(year, month, day, hour, tzinfo=timezone.utc).timestamp() - 3600 * (hours_ahead or 0), cells[4], "mm"
        except ValueError:
            return None
    if len(cells) >= 2 and is_number(cells[0]) and 1800 <= float(cells[0]) <= 2200 and "." in cells[0]:
        year = int(float(cells[0]))
        start, end = (datetime(y, 1, 1, tzinfo=timezone.utc).timestamp() for y in (year, year + 1))
        return start + (float(cells[0]) - year) * (end - start) - 3600 * (hours_ahead or 0), cells[1], "mm"
    return None


def unit_of_heading(lines):
    """The unit of length in brackets of any heading, level [cm], or as a word of the last one: level_cm, Wasserstand cm."""
    unit = "(cm|mm|metres?|meters?|m)"
    for line in lines:
        found = re.search(rf"[(\[]{unit}[)\]]", line)
        if found:
            return found.group(1)
    found = re.search(rf"[\s_.,;]{unit}(?=$|[\s,;])", lines[-1]) if lines else None
    return found.group(1) if found else None


def rows_of(path, hours_ahead):
    """(seconds, text of the value, its place) of each line of data, the headings, the unit that the layout has by custom."""
    rows, headings, usual = [], [], None
    for n, line in enumerate(path.read_text(encoding="utf-8-sig", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        if hours_ahead is None and re.search(r"\b(UTC|GMT)\b(?!\s*[+-]\s*\d)", " ".join(headings).replace("_", " "), re.IGNORECASE):
            hours_ahead = 0
        try:
            row = dated(cells_of(line), hours_ahead)
        except NoZone:
            raise Refused(f"{path}:{n}: the time zone is missing: end dates with Z for UTC or an offset such as +03:00, name UTC "
                                  "in the heading, or add --hours-ahead (0 for UTC)") from None
        if row is None:
            if rows and not line.lstrip().startswith("#"):
                raise Refused(f"{path}:{n}: no date and value: {line.strip()[:60]!r}")
            headings.append(line)
            continue
        rows.append((row[0], row[1], f"{path}:{n}"))
        usual = row[2]
    if not rows:
        raise Refused(f"{path}: no line begins with a date, such as 2014-09-24T18:00Z, and a value")
    return rows, headings, usual


def read(path, unit, target_unit, hours_ahead=None):
    """Seconds since 1970 in UTC and values in `target_unit`, sorted by time, without missing ones."""
    if not path.is_file():
        raise Refused(f"there is no file {path}")
    rows, headings, usual = rows_of(path, hours_ahead)
    stated = unit or unit_of_heading(headings) or usual
    factor = 1.0
    if target_unit == "m":
        if (stated or "m") not in METRES:
            raise Refused(f"--unit {unit}: m, cm or mm")
        factor = METRES[stated or "m"]
    times = np.array([row[0] for row in rows])
    values = np.array([number(text, place) for _, text, place in rows])
    coded = np.isin(values, list(MISSING))
    if target_unit == "m":
        coded &= (np.abs(values * factor) > HIGHEST) | (np.abs(values) > 99)
    values = np.where(coded, np.nan, values * factor)
    if target_unit == "m" and stated is None:
        refuse_other_units(path, values)
    order = np.argsort(times, kind="stable")
    times, values = times[order], values[order]
    if np.any(np.diff(times) == 0):
        twice = times[1:][np.diff(times) == 0][0]
        raise Refused(f"{path}: two values at {span([twice, twice])[:17]}")
    good = np.isfinite(values)
    return times[good], values[good]


def refuse_other_units(path, values):
    """Levels without a unit are metres, unless no sea rises and falls by so many."""
    good = values[np.isfinite(values)]
    if good.size and np.ptp(good) > 20:
        raise Refused(f"{path}: the levels go from {good.min():g} to {good.max():g} and no unit is given: add --unit cm, mm or m, "
                              "or name it in the heading, such as level [cm]")
