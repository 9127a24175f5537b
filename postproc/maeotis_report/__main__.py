# SPDX-License-Identifier: Apache-2.0
"""`./maeotis report FOLDER`: one HTML page about a run, which needs no network: maps that move in time, values under the
pointer, series at stations and anywhere else, sections, budgets, cost, messages, and how to repeat the run."""

import argparse
import sys
import time
import warnings
from pathlib import Path

from maeotis_plot import reading
from maeotis_plot.options import Parser

from . import page

EXAMPLE = """\
examples:
  ./maeotis report results/azov_storm_2014
  ./maeotis report results/storm --gauge Taganrog=taganrog.csv -o storm.html
  ./maeotis report results/storm --live              while the run computes: anew every 30 s
"""


def parse(arguments):
    parser = Parser(prog="maeotis report", description=__doc__, epilog=EXAMPLE)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="output folder of a run")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.html", help="the page (default: report.html in the folder)")
    parser.add_argument("-g", "--gauge", action="append", default=[], metavar="STATION=FILE.csv",
                        help="measured series to set beside a station's; may be repeated")
    parser.add_argument("-v", "--variable", default="eta", metavar="NAME", help="which series the gauges measure (default: eta)")
    parser.add_argument("-l", "--level", type=int, default=-1, help=argparse.SUPPRESS)
    parser.add_argument("--unit", metavar="UNIT", help="of the gauge's values where its file does not say: m, cm, mm (default: m)")
    parser.add_argument("--hours-ahead", type=float, metavar="H", help="of UTC, in the gauge's times where they name no zone")
    parser.add_argument("--no-bias", action="store_true", help="the gauge's zero is unknown: compare about the means")
    parser.add_argument("--with-ramp", action="store_true", help="compare from the first record, not from the end of the scenario's ramps")
    parser.add_argument("--megabytes", type=float, default=15, metavar="MB",
                        help="largest size of the page; records are left out to stay below it (default: 15)")
    parser.add_argument("--live", nargs="?", type=float, const=30.0, metavar="SECONDS",
                        help="write the page anew every so often (default: 30) until the run has ended")
    options = parser.parse_args(arguments)
    if not options.megabytes >= 1:
        raise reading.Refused(f"--megabytes {options.megabytes:g}: at least 1")
    if options.live is not None and not 1 <= options.live <= 86400:
        raise reading.Refused(f"--live {options.live:g}: from 1 to 86400 seconds")
    if options.output and options.output.suffix not in (".html", ".htm"):
        raise reading.Refused(f"--output {options.output}: the page's name must end with .html")
    if options.hours_ahead is not None and not abs(options.hours_ahead) <= 24:
        raise reading.Refused(f"--hours-ahead {options.hours_ahead:g}: from -24 to 24")
    return options


def main(arguments=None):
    options = parse(arguments)
    warnings.filterwarnings("ignore", category=RuntimeWarning)
    target = options.output or options.folder / "report.html"

    def write(live):
        print(f"{target}  {page.write(options, target, live) / 1e6:.1f} MB", flush=True)

    try:
        while options.live is not None and page.is_running(options.folder):
            try:
                write(options.live)
            except reading.Refused as refused:  # the run has written nothing yet, or is about to
                print(f"not yet: {refused}", flush=True)
            time.sleep(options.live)
    finally:  # also after Ctrl-C: a page must not say that it is written anew
        write(0 if page.is_running(options.folder) else None)


if __name__ == "__main__":
    try:
        main()
    except reading.Refused as refused:
        print(f"maeotis report: {refused}", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        print(f"maeotis report: {error.filename or ''}: {error.strerror or error}", file=sys.stderr)
        sys.exit(2)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)
