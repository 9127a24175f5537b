# SPDX-License-Identifier: Apache-2.0
"""`./maeotis ensemble SCENARIO.json --vary '/forcing/wind/factor=normal(1,0.1)'`: runs a scenario many times with varied uncertain
values, and writes mean, spread, quantiles and the probability that levels, and depths on land, are exceeded, as NetCDF files and as
pictures. A second call continues where the first stopped."""

import argparse
import csv
import json
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from pathlib import Path

from maeotis_results.options import Parser, start
from maeotis_results.program import Refused, asked, command
from maeotis_results.run import record_of

from . import draws, storms, summary

EXAMPLE = """\
Examples:
  ./maeotis ensemble scenarios/azov_storm_2014.json --vary '/forcing/wind/factor=normal(1,0.1)' --members 20 -j 2
  ./maeotis ensemble S.json --vary '/physics/drag/n=uniform(0.02,0.03)' --exceed 1,2,3 --set /grid/dx_m=4000
  ./maeotis ensemble S.json --vary '/track/across_km=normal(0,50)' --vary '/track/wind=normal(1,0.1)' --probability 0.3,1
  ./maeotis ensemble S.json --vary '/forcing/wind/file+/forcing/air_pressure/file=choice("a.nc","b.nc")'
  ./maeotis ensemble S.json --vary '/forcing/wind/factor=normal(1,0.1)' --members 200 --slurm > members.sh && sbatch members.sh

Distributions: normal(MEAN,SPREAD), lognormal(MEDIAN,FACTOR), uniform(LOW,HIGH), choice(A,B,...)
/track/NAME is the option --NAME of the ./maeotis cyclone that made the wind file: across_km, later_h, speed, wind, radius, technique, ...
Member 0 is the scenario as it is. Exit codes: 0 done, 1 members failed, 2 input refused.
"""


def parse(arguments):
    parser = Parser(prog="maeotis ensemble", description=__doc__, epilog=EXAMPLE)
    parser.add_argument("scenario", type=Path, metavar="SCENARIO.json", help="the scenario to vary")
    parser.add_argument("--vary", action="append", default=[], metavar="/POINTER=DISTRIBUTION", help="distribution of an uncertain value; may be repeated")
    parser.add_argument("-m", "--members", metavar="N", type=int, default=20, help="number of draws (default: 20), in addition to member 0")
    parser.add_argument("-j", "--jobs", metavar="N", type=int, default=1, help="members that run at the same time (default: 1)")
    parser.add_argument("-n", "--processes", dest="ranks", metavar="N", type=int, default=1, help="processes of each member (default: 1)")
    parser.add_argument("--ranks", type=int, dest="ranks", default=argparse.SUPPRESS, help=argparse.SUPPRESS)  # its former name
    parser.add_argument("-s", "--seed", metavar="N", type=int, default=1, help="random seed of the draws (default: 1)")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="folder (default: results/NAME_ensemble)")
    parser.add_argument("-e", "--exceed", default="", metavar="A,B,...", help="levels for exceedance probabilities [m] (default: 0.5 m apart)")
    parser.add_argument("-p", "--probability", default="", metavar="A,B,...", help="depths on land whose probability is mapped [m] (default: 0.1 to 3)")
    parser.add_argument("--set", action="append", default=[], metavar="/POINTER=VALUE", help="change the scenario in all members; may be repeated")
    parser.add_argument("--steps", metavar="N", type=int, help="stop every member after this many steps")
    parser.add_argument("--slurm", action="store_true", help="only print a batch script that runs the members as an array")
    parser.add_argument("--member", type=int, metavar="K", help="run only this member (used by the batch script)")
    parser.add_argument("--summary", action="store_true", help="run nothing; only summarise the finished members")
    options = parser.parse_args(arguments)
    options.command = shlex.join(["./maeotis", "ensemble", *arguments])
    for name, low, high in (("members", 2, 100000), ("jobs", 1, 4096), ("ranks", 1, 999999), ("seed", 0, 2**31)):
        if not low <= getattr(options, name) <= high:
            raise Refused(f"--{name if name != 'ranks' else 'processes'} {getattr(options, name)}: from {low} to {high}")
    if options.member is not None and not 0 <= options.member <= options.members:
        raise Refused(f"--member {options.member}: from 0 to {options.members}")
    if not options.vary:
        raise Refused("nothing varies: add --vary /POINTER=DISTRIBUTION, such as --vary '/forcing/wind/factor=normal(1,0.1)'")
    return options


STOPPED = 3  # the program's exit code after a request to stop


class Ensemble:
    """What is run: the plan in ensemble.json, and a folder for each member."""

    def __init__(self, options):
        self.options = options
        self.folder = options.output or Path("results") / f"{options.scenario.stem}_ensemble"
        self.variations = [draws.Variation(text) for text in options.vary]
        pointers = [pointer for v in self.variations for pointer in v.pointers]
        if len(set(pointers)) < len(pointers):
            raise Refused("--vary: a pointer may vary once only")
        if not options.scenario.is_file():
            raise Refused(f"there is no file {options.scenario}")
        self.levels, self.depths = numbers_of("exceed", options.exceed), numbers_of("probability", options.probability)
        self.running, self.stopped = set(), threading.Event()

    def values(self, member):
        drawn = [(v.pointers, v.draw(self.options.seed, member)) for v in self.variations] if member else []
        return {pointer: value for pointers, value in drawn for pointer in pointers}

    def plan(self):
        """What must be equal for members to belong together."""
        return {"scenario": self.effective(), "vary": self.options.vary, "seed": self.options.seed, "steps": self.options.steps}

    def effective(self, *changes):
        return json.loads(asked("check", "--trust", "--print-effective", *sets([*self.options.set, *changes]), self.options.scenario))

    @cached_property
    def storms(self):
        """What makes the members' cyclones; None where the track does not vary."""
        varies = storms.of_storm({pointer: None for v in self.variations for pointer in v.pointers})
        return storms.Storms(self.effective(), self.options.scenario.resolve().parent) if varies else None

    def prepare(self):
        """Creates the folder, or finds it as an earlier call left it. Every draw is checked before the first run."""
        file = self.folder / "ensemble.json"
        plan = self.plan()
        plan["scenario"].pop("output_folder", None)
        if file.exists():
            try:
                before = dict(json.loads(file.read_text()))
            except (ValueError, TypeError):
                raise Refused(f"{file} is damaged: delete the folder, or choose another with -o") from None
            if {k: v for k, v in before.items() if k != "members"} != plan:
                raise Refused(f"{self.folder} contains another ensemble (another scenario, --vary, --seed or --steps): "
                              "choose another folder with -o")
        self.check_draws()
        self.folder.mkdir(parents=True, exist_ok=True)
        members = {str(k): self.values(k) for k in range(self.options.members + 1)}
        file.write_text(json.dumps({**plan, "members": members}, indent=1) + "\n")
        with (self.folder / "members.csv").open("w", newline="") as table:
            rows = csv.writer(table)
            rows.writerow(["member", *members["1"]])
            rows.writerows([k, *values.values()] for k, values in members.items() if values)

    def check_draws(self):
        """The outermost draws decide whether all can be run."""
        for v in self.variations:
            values = [v.draw(self.options.seed, k) for k in range(1, self.options.members + 1)]
            extremes = (min(values), max(values)) if v.kind != "choice" else v.numbers
            for value in extremes:
                changed = {pointer: value for pointer in v.pointers}
                words = " ".join(draws.setting(*item) for item in changed.items())
                try:
                    self.check(changed)
                except Refused as refused:
                    raise Refused(f"--vary {v.text}: a member would have {words}: {refused}") from None

    def check(self, changed):
        if storms.of_storm(changed):
            self.storms.check(changed)
        self.effective(*(draws.setting(*item) for item in changed.items() if item[0] not in storms.of_storm(changed)))

    def member_folder(self, k):
        return self.folder / f"member_{k:04d}"

    def done(self, k):
        return record_of(self.member_folder(k)).get("ended") == "done"

    def run(self, k):
        """Runs a member; its exit code, and the last words of one that failed. Its storm is kept no longer: ensemble.json tells how to make it."""
        values = self.values(k)
        storm = self.folder / f"storm_{k:04d}.nc"
        own = storms.of_storm(values)
        if own:
            values = {pointer: value for pointer, value in values.items() if pointer not in own} | self.storms.make(own, storm)
        try:
            return self.run_with(k, values)
        finally:
            storm.unlink(missing_ok=True)

    def run_with(self, k, values):
        changes = [*self.options.set, *(draws.setting(*item) for item in values.items())]
        changes.append(f"/output_folder={json.dumps(str(self.member_folder(k).resolve()))}")
        steps = ["--steps", str(self.options.steps)] if self.options.steps is not None else []
        with subprocess.Popen([*command(self.options.ranks), str(self.options.scenario), *sets(changes), *steps, "--quiet",
                               "--overwrite"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as process:
            self.running.add(process)
            words = process.communicate()[1].splitlines()
            self.running.discard(process)
        return process.returncode, " ".join([line for line in words if line.startswith("error")] or words[-1:])

    def stop(self, *_):
        """SIGTERM for all: each leaves a restart file, and runs again when the ensemble continues."""
        self.stopped.set()
        for process in list(self.running):
            process.terminate()


def numbers_of(name, text):
    try:
        return [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        raise Refused(f"--{name} {text}: metres, with commas between them") from None


def sets(changes):
    return [word for change in changes for word in ("--set", change)]


def run_members(ensemble, wanted):
    """Runs those that are not done yet, `jobs` at a time; the numbers of those that failed."""
    left = [k for k in wanted if not ensemble.done(k)]
    if len(left) < len(wanted):
        print(f"{len(wanted) - len(left)} of {len(wanted)} runs are already done", flush=True)
    began, failed, ended, lock = time.monotonic(), [], [0], threading.Lock()

    def one(k):
        if ensemble.stopped.is_set():
            return
        code, words = ensemble.run(k)
        with lock:
            if code == STOPPED:
                ensemble.stopped.set()
            if ensemble.stopped.is_set():
                return
            if code != 0:
                failed.append(k)
            ended[0] += 1
            took = time.monotonic() - began
            values = ", ".join(f"{p} {v:.4g}" if isinstance(v, float) else f"{p} {v}" for p, v in ensemble.values(k).items())
            rest = f"about {took / ended[0] * (len(left) - ended[0]):.0f} s left" if ended[0] < len(left) else "none left"
            print(f"run {ended[0]} of {len(left)} {'failed' if code else 'done'}, {took:.0f} s so far, {rest}: member {k}, "
                  f"{values or 'the scenario as it is'}{': ' + words if code else ''}", flush=True)

    signal.signal(signal.SIGTERM, ensemble.stop)
    signal.signal(signal.SIGINT, ensemble.stop)
    with ThreadPoolExecutor(ensemble.options.jobs) as pool:
        list(pool.map(one, left))
    return failed


def quoted(word):
    """One word for bash on one line, whatever it holds: a line break would end a comment or a directive."""
    if word.isprintable():
        return shlex.quote(word)
    return "$'" + "".join(c if c.isprintable() and c not in "\\'" else "".join(f"\\x{byte:02x}" for byte in os.fsencode(c)) for c in word) + "'"


def slurm(ensemble, arguments):
    """A script for sbatch: the members as an array, and the summary after them."""
    if not (ensemble.options.scenario.stem + str(ensemble.folder)).isprintable():
        raise Refused("--slurm: Slurm's directives cannot contain line breaks and the like: rename the scenario or the folder")
    words = [word for word in arguments if word != "--slurm"]
    again = " ".join(quoted(word) for word in ["./maeotis", "ensemble", *words])
    return f"""#!/bin/bash
#SBATCH --job-name={shlex.quote(ensemble.options.scenario.stem)}
#SBATCH --array=0-{ensemble.options.members}
#SBATCH --ntasks={ensemble.options.ranks}
#SBATCH --output={shlex.quote(f"{ensemble.folder}/member_%a.log")}
# Made by ./maeotis ensemble --slurm. Submit it from this folder: mkdir -p {shlex.quote(str(ensemble.folder))} && sbatch FILE
# and, after the array: {again} --summary
{again} --member "$SLURM_ARRAY_TASK_ID"
"""


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    options = parse(arguments)
    ensemble = Ensemble(options)
    if options.slurm:
        print(slurm(ensemble, arguments), end="")
        return 0
    if options.member is not None:
        ensemble.check_draws()
        code, words = ensemble.run(options.member) if not ensemble.done(options.member) else (0, "")
        print(words or f"member {options.member} is done")
        return code
    ensemble.prepare()
    failed = []
    if not options.summary:
        print(f"{options.members} members with drawn values, and member 0, the scenario as it is: {options.members + 1} runs in {ensemble.folder}",
              flush=True)
        failed = run_members(ensemble, range(options.members + 1))
        if ensemble.stopped.is_set():
            print("maeotis ensemble: stopped; the same command continues", file=sys.stderr)
            return STOPPED
    members = [k for k in range(1, options.members + 1) if ensemble.done(k)]
    if len(members) < 2:
        raise Refused(f"{len(members)} members are done; a summary needs two")
    for line in summary.write(ensemble, members):
        print(line)
    return 1 if failed else 0


if __name__ == "__main__":
    start(main, "ensemble")
