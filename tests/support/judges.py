# SPDX-License-Identifier: Apache-2.0
"""Comparisons with other models, laboratories and observations: each asserts a bound that the program reaches, and leaves a line in
measures.csv and perhaps a picture in the folder where it runs, for docs/validation.md (tests/validation/_page.py).

    judges.measure("channel, 10 layers", "GOTM 6.0.8", "mean velocity [%]", 0.6, 1.0, picture="channel")
"""

import csv
import os
from pathlib import Path

import cases
import numpy as np

TABLES = Path(__file__).resolve().parents[1] / "validation" / "tables"
_lines = Path("measures.csv")
_lines.unlink(missing_ok=True)


def measure(case, judge, what, error, bound, picture=""):
    """|error| is at most `bound`; the sign tells the reader who has more."""
    cases.below(f"{case}, {judge}: {what}", abs(error), bound)
    with _lines.open("a", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow([case, judge, what, f"{error:+.2g}", f"{bound:g}", picture])


def table(name):
    """Rows of tables/NAME.csv as dicts of text; lines with # are comments."""
    with (TABLES / f"{name}.csv").open() as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def folder(variable):
    """A folder of data that are not in this tree, named by an environment variable; the test is skipped without it."""
    path = os.environ.get(variable)
    if not path:
        print(f"skipped: {variable} names no folder with the data (tests/validation/README.md)")
        raise SystemExit(77)
    return Path(path)


def picture(name, panels, width=7.5, height=2.6, columns=None):
    """Small PNG: `panels` are functions that draw on the axes they are given. Nothing without matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    columns = columns or len(panels)
    rows = -(-len(panels) // columns)
    figure, axes = plt.subplots(rows, columns, figsize=(width, height * rows), squeeze=False)
    with plt.rc_context({"font.size": 8}):
        for draw, axis in zip(panels, axes.flat):
            axis.tick_params(labelsize=7)
            axis.grid(alpha=0.3, linewidth=0.5)
            draw(axis)
        for axis in axes.flat[len(panels):]:
            axis.set_visible(False)
        figure.tight_layout()
        figure.savefig(f"{name}.png", dpi=80)
    plt.close(figure)


def rms(values):
    return float(np.sqrt(np.nanmean(np.square(values))))
