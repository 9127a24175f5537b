# SPDX-License-Identifier: Apache-2.0
"""Options of a command: in full, and with the one that was probably meant; and how a command ends."""

import argparse
import difflib
import re
import sys
from pathlib import Path

from .program import Refused


class Parser(argparse.ArgumentParser):
    def __init__(self, **settings):
        super().__init__(allow_abbrev=False, formatter_class=argparse.RawDescriptionHelpFormatter, **settings)

    def error(self, message):
        unknown = re.match(r"unrecognized arguments: (--[^\s=]+)", message)
        if unknown:
            known = list(self._option_string_actions)
            near = [name for name in known if name.startswith(unknown[1])] or difflib.get_close_matches(unknown[1], known, 1)
            message = f"unknown option {unknown[1]}" + (f"; did you mean {near[0]}?" if near else "")
        super().error(f"{message} (see ./{self.prog} --help)")

    def add_gauges(self, **settings):
        """What says which series of a run stands beside which gauge."""
        self.add_argument("-g", "--gauge", action="append", default=[], metavar="STATION=FILE.csv",
                          help="measured series of a station; may be repeated", **settings)
        self.add_argument("-v", "--variable", default="eta", metavar="NAME", help="series that the gauges measure (default: eta)")
        self.add_argument("--unit", metavar="UNIT", help="unit of the gauge's values if its file has none: m, cm, mm (default: m)")
        self.add_argument("--hours-ahead", type=float, metavar="H", help="hours ahead of UTC of gauge times without a zone: 3 for Moscow")
        self.add_argument("--no-bias", action="store_true", help="the gauge's zero is unknown: compare about the means")
        self.add_argument("--with-ramp", action="store_true", help="compare from the first record, not from the end of the scenario's ramps")


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
        print(f"maeotis {command}: {refused}", file=sys.stderr)
        sys.exit(2)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)
    except OSError as error:
        print(f"maeotis {command}: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
