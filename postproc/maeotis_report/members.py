# SPDX-License-Identifier: Apache-2.0
"""The page of an ensemble: its figures, and what its members have drawn."""

import csv
from html import escape

import numpy as np

from .facts import figure

LIKELY = 0.5


def first(found):
    """Sets of maps of the whole run, their probabilities of depths and of levels before all else."""
    order = ("max_depth_probability", "max_eta_probability")
    for one in found:
        one["variables"].sort(key=lambda entry: next((n for n, begin in enumerate(order) if entry["name"].startswith(begin)), len(order)))
    return found


def key_figures(extremes, attributes):
    """How many members, and for each depth the land that is likely to be under it."""
    cards = [("Members", f"{int(attributes['members'])}", f"seed {int(attributes['seed'])}; {attributes['vary']}")]
    for _, data in extremes:
        if not {"bed", "cell_area"} <= set(data.data_vars):
            continue
        area = np.where(data["bed"].values > 0, data["cell_area"].values, 0.0) / 1e6
        for name in (str(n) for n in data.data_vars if str(n).startswith("max_depth_probability_")):
            likely = float(np.nansum(np.where(np.squeeze(data[name].values) > LIKELY, area, 0.0)))
            cards.append((f"Land under more than {name.rpartition('_')[2]} m", figure(likely, "km²"), "in more than half of the members"))
    return cards


def part(folder, attributes, table):
    """How it was made, and the table of the draws."""
    text = f"<p>Made with</p><pre>{escape(str(attributes.get('command', '')))}</pre>"
    try:
        with (folder / "members.csv").open(newline="") as file:
            head, *rows = csv.reader(file)
    except (OSError, ValueError):
        return text
    return text + table([[row[0], *(short(value) for value in row[1:])] for row in rows], head, "numbers")


def short(value):
    try:
        return f"{float(value):.4g}"
    except ValueError:
        return value
