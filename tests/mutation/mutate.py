#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
#
# ctest: long
# ctest: timeout 3600
# ctest: processors 2
"""Plants the mistakes of mistakes.py, one at a time, in a copy of the tree, and runs the tests that must notice.

    tests/mutation/mutate.py [PART/PARTS] [--only WORD] [--new] [--fit] [--trust] [--folder FOLDER] [--table FILE]

A mistake is noticed if a named test fails. Exit code 1: some were not noticed, did not compile, or no longer fit the
source. The copy is built as the tree is, in FOLDER, which is kept: the next call builds only what has changed.
"""

import argparse
import functools
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from mistakes import MISTAKES

SOURCE = Path(os.environ.get("MAEOTIS_SOURCE_DIR", Path(__file__).resolve().parents[2]))
LEFT_OUT = ("build", ".git", "results")
TABLE_HEAD = """# The mistakes, and the first test that noticed each

| Subject | File | Right | Planted | Noticed by | On |
| --- | --- | --- | --- | --- | --- |
"""


def files_of(tree):
    """Its files, without what was built or computed."""
    for folder, folders, names in os.walk(tree):
        folders[:] = [name for name in folders if not name.startswith(LEFT_OUT) and name != "__pycache__"]
        for name in set(names) - {".git"}:
            yield (Path(folder) / name).relative_to(tree)


def copy_tree(folder):
    """Copies what differs, so that the build keeps what it has."""
    files = set(files_of(SOURCE))
    for inner in files:
        target = folder / inner
        if not target.exists() or target.read_bytes() != (SOURCE / inner).read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(SOURCE / inner, target)
    for inner in set(files_of(folder)) - files:
        (folder / inner).unlink()


def quiet(command, **settings):
    return subprocess.run(command, capture_output=True, text=True, **settings)


class Copy:
    """The copied tree and its build."""

    def __init__(self, folder):
        self.folder, self.build = folder, folder / "build"
        folder.mkdir(parents=True, exist_ok=True)
        copy_tree(folder)
        self.environment = {**os.environ, "CCACHE_DISABLE": "1", "CMAKE_C_COMPILER_LAUNCHER": ""}
        self.environment.pop("MAEOTIS_SETTINGS", None)
        configured = quiet(["cmake", "--preset", "release"], cwd=folder, env=self.environment)
        if configured.returncode:
            raise SystemExit(configured.stdout + configured.stderr)

    def make(self, tests):
        """Builds the programs and what the tests need; the number of ranks is no part of a target's name."""
        targets = {"maeotis", "maeotis-bench"}
        for test in tests:
            kind, name = test.split("-", 1)
            if kind == "unit":
                targets.add(test)
            if kind == "parallel":
                targets.add(f"parallel-{name.rsplit('-', 1)[0]}")
        return quiet(["cmake", "--build", self.build, "--target", *sorted(targets)], env=self.environment)

    def failing(self, tests):
        """The first of the tests that fails; None: all pass."""
        for test in tests:
            run = quiet(["ctest", "-R", f"^{test}$", "--no-tests=error"], cwd=self.build, env=self.environment)
            if run.returncode:
                return test
        return None


@functools.cache
def files_by_name():
    """The files that mistakes may name, by their names alone or with their folder's."""
    places = {}
    for inner in files_of(SOURCE):
        if inner.parts[0] != "tests":
            for name in {inner.name, "/".join(inner.parts[-2:])}:
                places.setdefault(name, []).append(inner)
    return places


def is_there(test):
    """ctest counts a test that does not exist as one that fails."""
    kind, name = test.split("-", 1)
    name = name.rsplit("-", 1)[0] if kind == "parallel" else name
    return any((SOURCE / "tests" / kind / file).exists() for file in (f"test_{name}.c", f"{name}.py", f"{name}.sh"))


def place_of(mistake):
    """The file that holds the right text exactly once, and what is wrong if there is none."""
    _, name, right, _, tests = mistake
    missing = [test for test in tests if not is_there(test)]
    if missing:
        return None, f"no test is called {missing[0]}"
    found = files_by_name().get(name, [])
    if len(found) != 1:
        return None, f"{len(found)} files are called {name}"
    times = (SOURCE / found[0]).read_text().count(right)
    return found[0], None if times == 1 else f"{found[0]} holds this text {times} times: {right}"


def plant(copy, mistake):
    """What became of the mistake: the name of the test that noticed it, or what went wrong."""
    _, _, right, wrong, tests = mistake
    inner, problem = place_of(mistake)
    if problem:
        return None, problem
    path = copy.folder / inner
    text = path.read_text()
    try:
        path.write_text(text.replace(right, wrong))
        built = copy.make(tests)
        if built.returncode:
            return None, "does not compile: " + built.stdout[-2000:]
        test = copy.failing(tests)
        return test, None if test else f"not noticed by {', '.join(tests)}"
    finally:
        path.write_text(text)


def check_clean(copy, mistakes):
    """All named tests pass without a mistake, else a failure says nothing."""
    tests = sorted({test for mistake in mistakes for test in mistake[4]})
    built = copy.make(tests)
    if built.returncode:
        raise SystemExit(built.stdout + built.stderr)
    for test in tests:
        started = time.time()
        if copy.failing([test]):
            raise SystemExit(f"{test} fails without any mistake")
        print(f"clean     {test}: {time.time() - started:.1f} s", flush=True)


def row(mistake):
    """What a row of the table says of the mistake itself."""
    what, name, right, wrong, _ = mistake
    code = " ".join(right.split()), " ".join(wrong.split())
    cells = [what, f"`{name}`", f"`{code[0]}`", f"`{code[1]}`" if code[1] else "(left out)"]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def read_table(path):
    """Its rows by what they say of the mistake itself."""
    lines = path.read_text().splitlines() if path.exists() else []
    return {line.rsplit(" | ", 2)[0] + " |": line for line in lines}


def write_table(path, noticed):
    """`noticed`: {subject: test} of what was planted today. Rows of other mistakes stay as long as these have not changed."""
    before = read_table(path)
    lines = []
    for mistake in MISTAKES:
        key = row(mistake)
        if mistake[0] in noticed:
            lines.append(f"{key} `{noticed[mistake[0]]}` | {time.strftime('%Y-%m-%d')} |")
        elif key in before:
            lines.append(before[key])
    path.write_text(TABLE_HEAD + "\n".join(lines) + "\n")


def choose(arguments):
    part, parts = (int(word) for word in arguments.part.split("/"))
    chosen = MISTAKES[len(MISTAKES) * (part - 1) // parts:len(MISTAKES) * part // parts]
    known = read_table(arguments.table) if arguments.new else {}
    return [mistake for mistake in chosen if arguments.only in f"{mistake[0]} {mistake[1]}" and row(mistake) not in known]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", default="1/1", help="such as 2/4: the second quarter of the mistakes")
    parser.add_argument("--only", default="", help="mistakes whose subject or file holds this")
    parser.add_argument("--new", action="store_true", help="mistakes that have no row in the table")
    parser.add_argument("--fit", action="store_true", help="only look whether all mistakes fit source and tests")
    parser.add_argument("--trust", action="store_true", help="take it for granted that the tests pass without mistakes")
    parser.add_argument("--folder", type=Path, default=Path.cwd() / "build-mutation")
    parser.add_argument("--table", type=Path, help="the table, in which the rows of what was planted are written anew")
    arguments = parser.parse_args()
    mistakes = choose(arguments)
    if arguments.fit:
        problems = [f"{mistake[0]}: {problem}" for mistake in mistakes if (problem := place_of(mistake)[1])]
        raise SystemExit("\n".join(problems) or None)
    copy = Copy(arguments.folder.resolve())
    if not arguments.trust:
        check_clean(copy, mistakes)
    found, unnoticed = {}, 0
    for mistake in mistakes:
        started = time.time()
        noticed, problem = plant(copy, mistake)
        unnoticed += noticed is None
        found[mistake[0]] = noticed or "none"
        print(f"{'noticed ' if noticed else 'UNNOTICED'}  {mistake[0]}: {noticed or problem} ({time.time() - started:.0f} s)", flush=True)
        if arguments.table:  # at once: a call that is ended has done something
            write_table(arguments.table, found)
    print(f"{len(mistakes)} mistakes, {unnoticed} not noticed")
    sys.exit(1 if unnoticed else 0)


if __name__ == "__main__":
    main()
