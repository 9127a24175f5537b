# SPDX-License-Identifier: Apache-2.0
"""`./maeotis report FOLDER`: writes one HTML page about a run that needs no network: animated maps, values under the
pointer, series at stations and anywhere else, sections, budgets, cost, messages, and how to repeat the run."""

import sys
import time
import warnings
from pathlib import Path

from maeotis_results.options import Parser, start, wished_gauges
from maeotis_results.program import Refused
from maeotis_results.run import is_running

from . import page

EXAMPLE = """\
Examples:
  ./maeotis report results/azov_storm_2014
  ./maeotis report results/storm --gauge Taganrog=taganrog.csv -o storm.html
  ./maeotis report results/storm --live              while the run computes: rewritten every 30 s
"""


def parse(arguments):
    parser = Parser(prog="maeotis report", description=__doc__, epilog=EXAMPLE)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="output folder of a run")
    parser.add_argument("-o", "--output", type=Path, metavar="FILE.html", help="the page (default: report.html in the folder)")
    parser.add_gauges()
    parser.add_argument("--megabytes", type=float, default=15, metavar="MB",
                        help="largest size of the page; records are left out to stay below it (default: 15)")
    parser.add_argument("--live", nargs="?", type=float, const=30.0, metavar="SECONDS",
                        help="rewrite the page every so many seconds (default: 30) until the run has ended")
    options = parser.parse_args(arguments)
    if not options.megabytes >= 1:
        raise Refused(f"--megabytes {options.megabytes:g}: at least 1")
    if options.live is not None and not 1 <= options.live <= 86400:
        raise Refused(f"--live {options.live:g}: from 1 to 86400 seconds")
    if options.output and options.output.suffix not in (".html", ".htm"):
        raise Refused(f"--output {options.output}: the page's name must end with .html")
    wished_gauges(options)
    return options


def main(arguments=None):
    options = parse(arguments)
    warnings.filterwarnings("ignore", category=RuntimeWarning)
    target = options.output or options.folder / "report.html"

    def write(live):
        size, left_out = page.write(options, target, live)
        for said in left_out:
            print(f"maeotis report: {said}", file=sys.stderr)
        print(f"{target}  {size / 1e6:.1f} MB", flush=True)

    try:
        while options.live is not None and is_running(options.folder):
            try:
                write(options.live)
            except Refused as refused:  # the run has written nothing yet, or is about to
                print(f"not yet: {refused}", flush=True)
            time.sleep(options.live)
    finally:  # also after Ctrl-C: a page must not say that it is written anew
        write(0 if is_running(options.folder) else None)


if __name__ == "__main__":
    start(main, "report")
