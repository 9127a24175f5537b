# SPDX-License-Identifier: Apache-2.0
"""`./maeotis reproduce FILE.nc`: repeats the run that wrote a file. Rebuilds the run's folder from the scenario in the
file, copies the inputs there, lists those that have changed, runs, and compares all data to the last bit."""

import argparse
import fnmatch
import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import netCDF4
import numpy as np
from maeotis_results import run as runs
from maeotis_results.options import Parser, start
from maeotis_results.program import Refused, asked, check, command
from maeotis_results.reading import state_digests

EXAMPLE = """\
Examples:
  ./maeotis reproduce results/azov_storm_2014/azov_storm_2014.nc
  ./maeotis reproduce storm.nc --inputs ~/winds -o again -n 4

Exit codes: 0 the same data, 1 different data, 2 the run cannot be repeated, for example because inputs are gone or have changed.
"""


def parse(arguments):
    parser = Parser(prog="maeotis reproduce", description=__doc__, epilog=EXAMPLE)
    parser.add_argument("file", type=Path, metavar="FILE.nc", help="a file written by a run")
    parser.add_argument("-o", "--output", type=Path, metavar="DIR", help="the folder to rebuild (default: the file's name with _again)")
    parser.add_argument("-i", "--inputs", type=Path, action="append", default=[], metavar="DIR",
                        help="folder of the inputs, if they have moved since the run; may be repeated")
    parser.add_argument("-n", "--processes", dest="ranks", metavar="N", type=int, help="number of processes; the data do not depend on it")
    parser.add_argument("--ranks", type=int, dest="ranks", default=argparse.SUPPRESS, help=argparse.SUPPRESS)  # its former name
    parser.add_argument("--force", action="store_true", help="run even if inputs have changed")
    return parser.parse_args(arguments)


class Original:
    """What the file says of its run."""

    def __init__(self, path):
        if not path.is_file():
            raise Refused(f"there is no file {path}")
        check(path)
        self.path = path
        with netCDF4.Dataset(path) as data:
            attributes = {name: str(data.getncattr(name)) for name in data.ncattrs()}
        if "maeotis_restart" in attributes:
            raise Refused(f"{path} is a restart file: name one of the run's results")
        if "effective_scenario" not in attributes:
            raise Refused(f"{path} contains no scenario: it was not written by a run of maeotis")
        self.attributes = attributes
        try:
            self.scenario = json.loads(attributes["effective_scenario"])
        except ValueError as error:
            raise Refused(f"{path} is damaged: its scenario cannot be read ({error})") from None
        for entry in self.scenario.get("output", []):
            if "variables" in entry and "stations" not in entry:
                entry.setdefault("velocities", "faces")  # where u and v of maps were before there was this key
        self.options, self.scenario_path, self.restart = command_of(attributes.get("history", ""))
        end = attributes.get("time_coverage_end", "")
        if self.options and went_on(self.scenario.get("time", {}), self.options, end):
            self.options = ["--until", end]


def went_on(time, options, end):
    """Does the file reach beyond the command that began it, as a later run continued it?"""
    try:
        start, reached = (np.datetime64(text.removesuffix("Z"), "ms") for text in (time["start"], end))
        if options[0] == "--until":
            return reached > np.datetime64(options[1].removesuffix("Z"), "ms")
        return (reached - start) / np.timedelta64(1, "s") > (int(options[1]) + 0.5) * float(time["step_s"])
    except (KeyError, ValueError, TypeError):  # steps of no fixed length
        return False


def command_of(history):
    """(options that decide how far the run went, the scenario's path, the restart file that it began from) from the command line in `history`."""
    try:
        words = shlex.split(runs.command_of({"history": history}))
    except ValueError:
        words = []
    kept, path, restart, n = [], None, None, 2
    while n < len(words):
        name, equals, value = words[n].partition("=")
        takes = name in ("--steps", "--until", "--restart", "--set", "--device", "--cluster", "--log-json",
                         "--rebalance", "--watch")
        if takes and not equals and n + 1 < len(words):
            n += 1
            value = words[n]
        if name in ("--steps", "--until"):
            kept += [name, value]
        elif name == "--restart":
            restart = value
        elif not words[n].startswith("-") and not takes:
            path = Path(words[n])
        n += 1
    return kept, path, restart


def inputs_in(tree, where=""):
    """Every {"file": NAME} of a scenario but those of its outputs: [(the object, name, or a list of names and patterns)]."""
    if isinstance(tree, list):
        return [pair for part in tree for pair in inputs_in(part, where)]
    if not isinstance(tree, dict):
        return []
    own = [(tree, tree["file"])] if isinstance(tree.get("file"), (str, list)) else []
    return own + [pair for key, part in tree.items() if key != "output" or where for pair in inputs_in(part, key)]


def find(name, original, folders):
    """An input of this name, by the places where it may be; None if it is nowhere."""
    places = [folder / name for folder in folders] + [folder / Path(name).name for folder in folders]
    if original.scenario_path:
        places.append(original.scenario_path.parent / name)
    places.append(original.path.parent / name)
    return next((place for place in places if place.exists()), None)


def names_of(said, original):
    """The names that a name, a pattern or a list of these stood for when the run read them."""
    recorded = runs.inputs_of(original.attributes)
    names = []
    for part in [said] if isinstance(said, str) else said:
        fits = [] if part in recorded else sorted(name for name in recorded if fnmatch.fnmatchcase(name, part))
        names += fits or [part]
    return names


def beginning(original, folders):
    """Options that begin where the run began; its inputs have other paths now, which a restart file would refuse."""
    if not original.restart:
        return []
    recorded = Path(original.restart)
    found = recorded if recorded.exists() else find(original.restart, original, folders)
    if not found:
        raise Refused(f"the run began from the restart file {original.restart}, which is gone: name its folder with --inputs DIR")
    return ["--restart", str(found.resolve()), "--force"]


def rebuild(original, folder, places):
    """Writes scenario.json and inputs/ into the folder; returns {name there: name in the file}."""
    names, gone = {}, []
    for holder, said in inputs_in(original.scenario):
        if holder is original.scenario.get("bathymetry") and "/" not in said and "." not in said:
            continue  # a grid that comes with the program
        all_known = []
        for name in names_of(said, original):
            known = next((new for new, old in names.items() if old == name), None)
            if known is None:
                found = find(name, original, places)
                if not found:
                    gone.append(name)
                    continue
                known = f"inputs/{len(names) + 1:02d}_{Path(name).name}"
                (folder / "inputs").mkdir(exist_ok=True)
                shutil.copyfile(found, folder / known)
                names[known] = name
            all_known.append(known)
        if all_known:
            holder["file"] = all_known if isinstance(said, list) or len(all_known) > 1 else all_known[0]
    for boundary in original.scenario.get("boundaries", []):
        atlas = boundary.get("tide_atlas", {}).get("files", [])
        for n, name in enumerate(atlas):
            found = find(name, original, places)
            if not found:
                gone.append(name)
                continue
            atlas[n] = str(found.resolve())
            for file in [found] if found.is_file() else found.rglob("*.nc"):
                rest = str(file)[len(str(found)):]
                names[atlas[n] + rest] = name + rest
    module = original.scenario.get("kinetics", {}).get("module", "")
    if "/" in module:  # a library: where it is, it stays
        found = find(module, original, places)
        if found:
            original.scenario["kinetics"]["module"] = str(found.resolve())
        else:
            gone.append(module)
    if gone:
        raise Refused(f"the inputs {', '.join(gone)} are no longer where the run found them: name their folder with --inputs DIR")
    original.scenario["output_folder"] = str((folder / "results").resolve())
    (folder / "scenario.json").write_text(json.dumps(original.scenario, indent=2) + "\n")
    return names


def run(folder, options, more, shown=True):
    """Runs the rebuilt scenario; its messages are shown, or only if it fails. Returns its exit code."""
    done = subprocess.run([*command(options.ranks), str(folder / "scenario.json"), "--overwrite", *more], text=True,
                          stderr=None if shown else subprocess.PIPE)
    if not shown and done.returncode != 0:
        print(done.stderr, file=sys.stderr, end="")
    return done.returncode


def shape_of(path):
    """What tells the files of one run apart: the variables with their dimensions, and the cells and stations that these have."""
    with netCDF4.Dataset(path) as data:
        return ({name: variable.dimensions for name, variable in data.variables.items()},
                {name: len(dimension) for name, dimension in data.dimensions.items() if name != "time"})


def result(original, folder):
    """The file of the rebuilt run that has the original's name or, if the original was renamed, its variables."""
    files = [file for files in runs.Run(folder / "results", "**/*.nc").outputs.values() for file in files]
    same = [file for file in files if file.name == original.path.name]
    found = same or [file for file in files if shape_of(file) == shape_of(original.path)]
    if len(found) == 1:
        return found[0]
    raise Refused(f"{original.path} was renamed since the run, and {len(found)} files of the rebuilt run hold the same "
                  f"variables: name it as one of {', '.join(sorted(file.name for file in files))}")


def changed(original, again, names):
    """What is not as it was: [(what, is an input)]."""
    now, then = again.attributes, original.attributes
    found = []
    checksums = runs.inputs_of(now)
    for name, checksum in runs.inputs_of(then).items():
        new = next((n for n, old in names.items() if old == name), name)
        if checksums.get(new) != checksum:
            found.append((f"input {name} has changed: its checksum was {checksum} and is {checksums.get(new, 'unknown')}", True))
    grounds = [re.findall(r"fnv1a64:[0-9a-f]+", a.get("ground", "")) for a in (then, now)]
    if grounds[0] != grounds[1]:
        name = at_name(original.scenario, names)
        found.append((f"bathymetry {name} has changed: its checksum was {', '.join(sorted(set(grounds[0])))} and is "
                      f"{', '.join(sorted(set(grounds[1])))}", True))
    for key, label in (("maeotis_version", "version"), ("maeotis_commit", "commit"), ("maeotis_build", "build")):
        if now.get(key) != then.get(key):
            found.append((f"the program's {label} was {then.get(key)} and is {now.get(key)}", False))
    return found


def at_name(scenario, names):
    file = scenario.get("bathymetry", {}).get("file", "")
    return names.get(file, file)


def first_other_digest(before, after):
    """The first record whose digest of the whole state differs, as text; nothing where the files hold none or all are equal."""
    with netCDF4.Dataset(before) as a, netCDF4.Dataset(after) as b:
        rows = [state_digests(f.variables) for f in (a, b)]
        if None in rows:
            return ""
        for n in range(min(map(len, rows))):
            if rows[0][n] != rows[1][n]:
                return f"record {n}, {a['time'][n]:g} s after the start, is the first with a different digest: {rows[0][n]}, now {rows[1][n]}"
    return ""


def compare(original, again):
    """Says whether the data are the same; the exit code."""
    digests = [asked("digest", path).split()[0] for path in (original.path, again)]
    if digests[0] == digests[1]:
        print(f"the same data to the last bit: digest {digests[0]} of {original.path} and of {again}")
        return 0
    print(f"different data: digest {digests[0]} of {original.path}, {digests[1]} of {again}")
    text = first_other_digest(original.path, again)
    print(text or f"where: ./maeotis diff {original.path} {again}")
    return 1


def main(arguments=None):
    options = parse(arguments)
    original = Original(options.file)
    folder = options.output or options.file.with_name(f"{options.file.stem}_again")
    if (folder / "scenario.json").exists() or (folder.exists() and any(folder.iterdir())):
        raise Refused(f"{folder} is not empty: choose another folder with -o")
    begin = beginning(original, options.inputs)
    folder.mkdir(parents=True, exist_ok=True)
    names = rebuild(original, folder, options.inputs)
    print(f"{folder}/scenario.json: the scenario of {options.file}" + (f", with {len(names)} input{'s' if len(names) > 1 else ''}"
                                                                       if names else ""), flush=True)
    trial = run(folder, options, ["--steps", "0", "--quiet"], shown=False)
    if trial != 0:
        raise Refused("the rebuilt run does not start; its messages are above")
    again = result(original, folder)
    differences = changed(original, Original(again), names)
    for text, _ in differences:
        print(text, flush=True)
    if any(is_input for _, is_input in differences) and not options.force:
        raise Refused("the data cannot be the same with other inputs: find the original ones (--inputs DIR), or run with --force")
    if begin:  # which would add to the trial's files
        shutil.rmtree(folder / "results")
        print(f"from {begin[1]}, as the run did", flush=True)
    if run(folder, options, [*original.options, *begin]) != 0:
        print("the rebuilt run failed; its messages are above")
        return 1
    return compare(original, result(original, folder))  # of an output that is cut, the trial wrote the first file alone


if __name__ == "__main__":
    start(main, "reproduce")
