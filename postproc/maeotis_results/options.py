# SPDX-License-Identifier: Apache-2.0
"""Options of a command: in full, and with the one that was probably meant; and how a command ends."""

import argparse
import difflib
import re
import sys
import textwrap
from datetime import datetime, timezone
from pathlib import Path

from .program import Refused


WIDE, COLUMN = 104, 24  # of a help page, and where its explanations begin


def wrapped(text, begin=""):
    """Below the names of options, or whole lines."""
    return textwrap.wrap(text, WIDE, initial_indent=begin, subsequent_indent=" " * (COLUMN if begin else 0), break_long_words=False, break_on_hyphens=False)


class Parser(argparse.ArgumentParser):
    """`description`: "`./maeotis plot FILE.nc ...`: draws ...", of which the first clause stands in the first line."""

    def __init__(self, **settings):
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **settings)
        self._negative_number_matcher = re.compile(r"-\.?\d")  # -5.2,43.1 is a value, too

    def format_help(self):
        """In the form of the program's own commands."""
        words, what = re.match(r"`\./(maeotis [^`]*)`: (.*)", " ".join(self.description.split())).groups()
        first, _, rest = re.match(r"(.*?)((?:\.|:)(?: |$))(.*)", what).groups()
        head = f"{words} [options]"
        lines = [f"{head}        {first}"] if len(head) + len(first) + 8 <= WIDE else [head, *(" " * 4 + line for line in wrapped(first))]
        for action in self._actions:
            if action.help and action.help is not argparse.SUPPRESS and "--help" not in action.option_strings:
                lines += [""] * ("" not in lines) + self.row(action)
        if rest:
            lines += ["", *wrapped(rest[0].upper() + rest[1:])]
        return "\n".join(lines) + "\n\n" + (self.epilog or "").strip() + "\n"

    def row(self, action):
        value = action.metavar or action.dest.upper()
        if action.choices:
            value = "|".join(action.choices)
        if isinstance(value, tuple):
            value = " ".join(value)
        names = f"  {', '.join(action.option_strings)}{'' if action.nargs == 0 else f' [{value}]' if action.nargs == '?' else f' {value}'}"
        if not action.option_strings:
            names = f"  {value}"
        text = action.help % {"default": action.default}
        return wrapped(text, names.ljust(COLUMN)) if len(names) < COLUMN - 1 else [names, *wrapped(text, " " * COLUMN)]

    def error(self, message):
        message = re.sub(r"^argument (?:\S*/)?(--\S+): ", r"\1 ", message).replace("expected one argument", "needs a value")
        unknown = re.match(r"unrecognized arguments: (--[^\s=]+)", message)
        if unknown:
            known = list(self._option_string_actions)
            near = [name for name in known if name.startswith(unknown[1])] or difflib.get_close_matches(unknown[1], known, 1)
            message = f"unknown option {unknown[1]}" + (f"; did you mean {near[0]}?" if near else "")
        self.exit(2, f"error: {self.prog.removeprefix('maeotis ')}: {message} (see ./{self.prog} --help)\n")

    def add_pictures(self):
        self.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder for the pictures (default: the file's)")
        self.add_argument("--dpi", type=dots, default=150, metavar="N", help="dots per inch, 20 to 1200 (default: 150)")

    def add_gauges(self, **settings):
        """What says which series of a run stands beside which gauge."""
        self.add_argument("-g", "--gauge", action="append", default=[], metavar="STATION=FILE.csv",
                          help="measured series of a station; may be repeated", **settings)
        self.add_argument("-v", "--variable", default="eta", metavar="NAME", help="series that the gauges measure (default: eta)")
        self.add_argument("--unit", metavar="UNIT", help="unit of the gauge's values if its file has none: m, cm, mm (default: m)")
        self.add_argument("--hours-ahead", type=float, metavar="H", help="hours ahead of UTC of gauge times without a zone: 3 for Moscow")
        self.add_argument("--no-bias", action="store_true", help="the gauge's zero is unknown: compare deviations from the means")
        self.add_argument("--with-ramp", action="store_true", help="compare from the first record, not from the end of the scenario's ramps")


def date(text):
    try:
        moment = datetime.fromisoformat(text.replace("Z", "+00:00"))
    except ValueError:
        raise Refused(f"{text} is not a date like 2024-03-01T00:00:00Z") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)


def dots(text):
    if not text.isdecimal() or not 20 <= int(text) <= 1200:
        raise Refused(f"--dpi {text}: from 20 to 1200")
    return int(text)


def wished_gauges(options):
    """[(station, file)] of --gauge."""
    if options.hours_ahead is not None and not abs(options.hours_ahead) <= 24:
        raise Refused(f"--hours-ahead {options.hours_ahead:g}: from -24 to 24")
    wishes = [(wish, *wish.rpartition("=")) for wish in options.gauge]
    for wish, station, equals, _ in wishes:
        if not equals or not station:
            raise Refused(f"--gauge {wish}: write STATION=FILE.csv")
    return [(station, Path(file)) for _, station, _, file in wishes]


def start(main, command):
    """Runs a command to its exit code; what it refuses is one line, and its pictures are files."""
    if "matplotlib" in sys.modules:
        sys.modules["matplotlib"].use("Agg")
    try:
        sys.exit(main())
    except Refused as refused:
        print(f"error: {command}: {refused}", file=sys.stderr)
        sys.exit(2)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)
    except OSError as error:
        what = [str(part) for part in (error.filename, error.strerror or error) if part]
        print(f"error: {command}: {': '.join(what)}", file=sys.stderr)
        sys.exit(2)
