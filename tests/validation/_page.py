#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures and pictures of the validation tests into docs/validation.md.

    tests/validation/_page.py build            after ./maeotis test --long validation
    tests/validation/_page.py build --check    does the page agree with what was measured last?
"""

import argparse
import csv
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE, PICTURES = ROOT / "docs" / "validation.md", ROOT / "docs" / "validation"
BEGIN, END = "<!-- measured -->\n", "<!-- end of what was measured -->\n"
HEAD = "| Case | Judge | Measure | Error | Bound | Test, picture |\n| --- | --- | --- | --- | --- | --- |\n"


def found(build):
    """Rows by test; tests that did not run have none."""
    rows = {}
    for path in sorted(Path(build).glob("**/measures.csv")):
        with path.open() as file:
            rows[path.parent.name.removeprefix("validation-").removesuffix(".d")] = [(path.parent, row) for row in csv.reader(file)]
    return rows


def line(test, row):
    case, judge, what, error, bound, name = row
    shown = f"[{test}](validation/{name}.png)" if name and (PICTURES / f"{name}.png").exists() else test
    return f"| {case} | {judge} | {what} | {error} | {bound} | {shown} |"


def kept(rows):
    """Lines of the page whose tests have not run now."""
    body = PAGE.read_text().split(BEGIN)[1].split(END)[0].splitlines()[2:]
    return [old for old in body if not any(f"[{test}]" in old or old.endswith(f"| {test} |") for test in rows)]


arguments = argparse.ArgumentParser()
arguments.add_argument("build", help="build folder, or another with the tests' folders")
arguments.add_argument("--check", action="store_true")
arguments = arguments.parse_args()
measured = found(arguments.build)
if not measured:
    sys.exit(f"{arguments.build}: no measures.csv; first run ./maeotis test --long validation")
if not arguments.check:
    PICTURES.mkdir(exist_ok=True)
    for rows in measured.values():
        for folder in {folder for folder, _ in rows}:
            for picture in folder.glob("*.png"):
                shutil.copy(picture, PICTURES)
lines = [line(test, row) for test, rows in measured.items() for _, row in rows]
text = PAGE.read_text()
before, rest = text.split(BEGIN)
body, after = rest.split(END)
if arguments.check:
    missing = [new for new in lines if new not in body]
    print("\n".join(missing) if missing else "the page agrees with what was measured")
    sys.exit(1 if missing else 0)
PAGE.write_text(before + BEGIN + HEAD + "\n".join(kept(measured) + lines) + "\n" + END + after)
