# SPDX-License-Identifier: Apache-2.0
"""Series of gauges from text files: dates and values in any of the common layouts.

    2014-09-24 18:00, 1.23             a date and a value, with or without a heading (IOC, national services)
    2014,9,24,18,1230                  year, month, day, hour, millimetres (UHSLC)
    2014.7292; 7012; 0; 000            decimal years, millimetres (PSMSL)

Values such as -9999, -99999, -32767, NaN and empty ones are missing."""

import re
from datetime import datetime, timezone

import numpy as np

from . import reading

MISSING = {-99.0, -999.0, -9999.0, -99999.0, -32767.0, -32768.0, 9999.0, 99999.0}
MISSING_WORDS = {"", "nan", "na", "n/a", "null", "none", "-", "--"}
METRES = {"m": 1.0, "metre": 1.0, "metres": 1.0, "meters": 1.0, "cm": 0.01, "mm": 0.001}
FORMATS = ("%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d", "%Y/%m/%dT%H:%M:%S", "%Y/%m/%dT%H:%M", "%d.%m.%YT%H:%M:%S",
           "%d.%m.%YT%H:%M", "%Y%m%dT%H%M%S", "%Y%m%dT%H%M")


def span(seconds):
    if len(seconds) == 0:
        return "nothing"
    return " to ".join(datetime.fromtimestamp(t, timezone.utc).strftime("%Y-%m-%dT%H:%MZ") for t in (seconds[0], seconds[-1]))


def date(text, hours_ahead=0):
    """Seconds since 1970 in UTC; None if it is no date. `hours_ahead` of UTC where the text itself says nothing."""
    given = text.strip().strip('"')
    text = given.removesuffix("UTC").strip()
    offset = re.search(r"(Z|[+-]\d\d:?\d\d)$", text)
    ahead = 0.0 if text != given else 3600.0 * hours_ahead
    if offset and "T" in text.replace(" ", "T"):
        sign = offset.group(0)
        text = text[: offset.start()]
        ahead = 0.0
        if sign != "Z":
            ahead = (int(sign[1:3]) * 3600 + int(sign[-2:]) * 60) * (-1 if sign[0] == "-" else 1)
    text = re.sub(r"\s+", "T", text.strip())
    text = re.sub(r"(:\d\d)\.\d+$", r"\1", text)
    for form in FORMATS:
        try:
            return datetime.strptime(text, form).replace(tzinfo=timezone.utc).timestamp() - ahead
        except ValueError:
            continue
    return None


def number(text, place):
    text = text.strip().strip('"').replace(",", ".")
    if text.lower() in MISSING_WORDS:
        return np.nan
    try:
        value = float(text)
    except ValueError:
        raise reading.Refused(f"{place}: {text[:40]!r} is no number") from None
    return np.nan if value in MISSING else value


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
    if len(cells) >= 2 and date(cells[0]) is not None:
        return date(cells[0], hours_ahead), cells[1], None
    if len(cells) >= 3 and date(f"{cells[0]} {cells[1]}") is not None:
        return date(f"{cells[0]} {cells[1]}", hours_ahead), cells[2], None
    whole = [c for c in cells[:4] if re.fullmatch(r"-?\d+", c)]
    if len(cells) >= 5 and len(whole) == 4 and 1800 <= int(cells[0]) <= 2200 and 1 <= int(cells[1]) <= 12:
        year, month, day, hour = map(int, cells[:4])
        try:
            return datetime(year, month, day, hour, tzinfo=timezone.utc).timestamp() - 3600 * hours_ahead, cells[4], "mm"
        except ValueError:
            return None
    if len(cells) >= 2 and is_number(cells[0]) and 1800 <= float(cells[0]) <= 2200 and "." in cells[0]:
        year = int(float(cells[0]))
        start, end = (datetime(y, 1, 1, tzinfo=timezone.utc).timestamp() for y in (year, year + 1))
        return start + (float(cells[0]) - year) * (end - start) - 3600 * hours_ahead, cells[1], "mm"
    return None


def unit_of_heading(lines):
    for line in lines:
        found = re.search(r"[(\[](m|cm|mm|metres|meters)[)\]]", line)
        if found:
            return found.group(1)
    return None


def read(path, unit, target_unit, hours_ahead):
    """Seconds since 1970 in UTC and values in `target_unit`, sorted by time, without missing ones."""
    if not path.is_file():
        raise reading.Refused(f"there is no file {path}")
    times, values, headings, usual = [], [], [], None
    for n, line in enumerate(path.read_text(encoding="utf-8-sig", errors="replace").splitlines(), 1):
        if not line.strip():
            continue
        row = dated(cells_of(line), hours_ahead)
        if row is None:
            if times and not line.lstrip().startswith("#"):
                raise reading.Refused(f"{path}:{n}: no date and value: {line.strip()[:60]!r}")
            headings.append(line)
            continue
        times.append(row[0])
        values.append(number(row[1], f"{path}:{n}"))
        usual = row[2]
    if not times:
        raise reading.Refused(f"{path}: no line begins with a date, such as 2014-09-24 18:00, and a value")
    unit = unit or unit_of_heading(headings) or usual or "m"
    factor = 1.0
    if target_unit == "m":
        if unit not in METRES:
            raise reading.Refused(f"--unit {unit}: m, cm or mm")
        factor = METRES[unit]
    times, values = np.array(times), np.array(values) * factor
    order = np.argsort(times, kind="stable")
    times, values = times[order], values[order]
    if np.any(np.diff(times) == 0):
        twice = times[1:][np.diff(times) == 0][0]
        raise reading.Refused(f"{path}: two values at {span([twice, twice])[:17]}")
    good = np.isfinite(values)
    return times[good], values[good]
