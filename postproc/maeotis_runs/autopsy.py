# SPDX-License-Identifier: Apache-2.0
"""`./maeotis autopsy FOLDER`: shows what happened before a run became unstable. Takes the worst faces from the folder's autopsy.nc, and repeats
the run from its newest restart file that is old enough, or from its start. In the last steps it records level, depth, velocity and the
terms of momentum at these faces. Runs are reproducible to the last bit, so the repetition fails in the same way. Writes
autopsy.json and autopsy.png into the folder."""

import argparse
import json
import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path

import netCDF4
import numpy as np
from maeotis_results.options import Parser, start
from maeotis_results.program import Refused, command

from . import reproduce

EXAMPLE = """\
Examples:
  ./maeotis autopsy results/my_sea --steps 40 -n 2

Exit codes: 0 done, 1 the repetition did not fail in the same way, 2 the folder contains no failed run, or its inputs are gone.
"""
FACES, APART = 3, 4


def parse(arguments):
    parser = Parser(prog="maeotis autopsy", description=__doc__, epilog=EXAMPLE)
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the output folder of a run that became unstable")
    parser.add_argument("--steps", metavar="N", type=int, default=20, help="number of last steps to show (default: 20)")
    parser.add_argument("-i", "--inputs", type=Path, action="append", default=[], metavar="DIR",
                        help="folder of the inputs, if they have moved since the run; may be repeated")
    parser.add_argument("-n", "--processes", dest="ranks", metavar="N", type=int, help="number of processes; the numbers do not depend on it")
    parser.add_argument("--ranks", type=int, dest="ranks", default=argparse.SUPPRESS, help=argparse.SUPPRESS)  # its former name
    options = parser.parse_args(arguments)
    if options.steps < 2:
        parser.error("--steps: two at least")
    if options.ranks is not None and options.ranks < 1:
        parser.error("-n: one process at least")
    return options


def whole(variable):
    """NaN where there is nothing."""
    return np.ma.filled(variable[:].astype(float), np.nan)


def worst_faces(path):
    """[["u", i, j, level]]: the face that the run named, and those apart from there where the most water moves."""
    candidates, chosen = [], []
    with netCDF4.Dataset(path) as data:
        if "worst_face" in data.ncattrs():
            component, *place = data.getncattr("worst_face").split(",")
            chosen = [[component, *map(int, place)]]
        for name in ("u", "v"):
            land = np.ma.getmaskarray(data[name][:]) | np.ma.getmaskarray(data[f"depth_{name}"][:])
            transport = np.abs(whole(data[name]) * whole(data[f"depth_{name}"]))
            badness = np.where(land, -1, np.where(np.isfinite(transport), transport, np.inf))  # what is no number comes first
            for at in np.argsort(-badness, axis=None, kind="stable")[:4000]:
                k, j, i = np.unravel_index(at, badness.shape)
                candidates.append((badness[k, j, i], name, int(i), int(j), int(k)))
    for moved, *face in sorted(candidates, key=lambda row: -row[0]):
        if moved > 0 and all(max(abs(face[1] - other[1]), abs(face[2] - other[2])) >= APART for other in chosen):
            chosen.append(face)
        if len(chosen) == FACES:
            break
    return chosen


def date_of(path):
    """Of the state in an autopsy or a restart file."""
    with netCDF4.Dataset(path) as data:
        return datetime.fromisoformat(data.getncattr("date").replace("Z", "+00:00"))


def begin_at(folder, end, step, count):
    """The newest restart file from which so many steps lead to the end; None: the start."""
    usable = []
    for path in folder.glob("restart_*.nc"):
        try:
            if (end - date_of(path)).total_seconds() >= (count + 1) * step:
                usable.append((date_of(path), path))
        except (OSError, AttributeError, ValueError):
            continue  # damaged, or not one of ours
    return max(usable)[1] if usable else None


def watched(log):
    rows = []
    for line in log.read_text().splitlines():
        if '"watched"' in line:
            rows.append(json.loads(line))
    return rows


def repeat(original, options, faces):
    """[the last steps], each with what is watched."""
    with tempfile.TemporaryDirectory(prefix="maeotis_autopsy_") as name:
        folder, log = Path(name), Path(name) / "log.json"
        reproduce.rebuild(original, folder, options.inputs)
        time = original.scenario["time"]
        step = time["step_s"] if isinstance(time.get("step_s"), (int, float)) else max(time.get("step_bounds_s", [1, 300]))
        restart = begin_at(options.folder, date_of(original.path), step, options.steps)
        words = [*command(options.ranks), str(folder / "scenario.json"), "--no-files", "--quiet", "--log-json", str(log), *original.options]
        begin = ["--restart", str(restart), "--force"] if restart else reproduce.beginning(original, options.inputs)
        words += begin
        for face in faces:
            words += ["--watch", ",".join(map(str, face))]
        print(f"repeating the run from {begin[1] if begin else 'its start'}", flush=True)
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        rows = watched(log) if log.exists() else []
        if not rows:
            raise Refused(f"the run could not be repeated: {done.stderr.strip()[-600:] or 'it made no step'}")
        return rows[-options.steps:], done.returncode


def is_same(path, row):
    """Does the repetition end with the velocities of the run that broke, to the last bit?"""
    with netCDF4.Dataset(path) as data:
        for face in row["watched"]:
            name, i, j, k = face["face"].split(",")
            was, now = float(whole(data[name])[int(k), int(j), int(i)]), face["velocity_m_s"]
            if was != now if np.isfinite(was) else now is not None:
                return False
    return True


def number(value, width, form):
    return f"{'-' if value is None else format(value, form):>{width}}"


def tell(rows):
    """A table of the steps for each face, with its largest terms."""
    for n, face in enumerate(rows[-1]["watched"]):
        name, i, j, k = face["face"].split(",")
        print(f"\n{n + 1}. {name} at cell i {i}, j {j}, level {k}\n{'step':>8} {'level m':>9} {'depth m':>9} {'m/s':>9}  largest terms [m/s2]")
        for row in rows:
            here = row["watched"][n]
            terms = sorted(here["terms_m_s2"].items(), key=lambda term: -abs(term[1]) if term[1] is not None else -np.inf)[:3]
            words = ", ".join(f"{term} {number(value, 0, '+.2e')}" for term, value in terms if value != 0)
            print(f"{row['step']:>8} {number(here['level_m'], 9, '.3f')} {number(here['depth_m'], 9, '.3f')} "
                  f"{number(here['velocity_m_s'], 9, '.3f')}  {words}")
    print()


def main(arguments=None):
    from maeotis_plot import broken

    options = parse(arguments)
    path = options.folder / "autopsy.nc"
    if not path.is_file():
        raise Refused(f"there is no {path}: only a run that became unstable leaves one, and none with --no-files")
    original = reproduce.Original(path)
    faces = worst_faces(path)
    if not faces:
        raise Refused(f"{path} contains no velocities")
    rows, code = repeat(original, options, faces)
    tell(rows)
    (options.folder / "autopsy.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    broken.draw(path, rows, options.folder / "autopsy.png")
    print(f"{options.folder}/autopsy.png\n{options.folder}/autopsy.json")
    if code in (1, 2) and is_same(path, rows[-1]):
        return 0
    print("the repetition ended differently from the run: is it another program, or have inputs changed?", file=sys.stderr)
    return 1


if __name__ == "__main__":
    start(main, "autopsy")
