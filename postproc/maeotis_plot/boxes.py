# SPDX-License-Identifier: Apache-2.0
"""The table of a box (`maeotis kinetics run`): each variable over time, and the elements' totals."""

import csv

import matplotlib.pyplot as plt
import numpy as np
from maeotis_results import reading

from . import style


def read(path):
    with open(path, newline="", errors="replace") as file:
        rows = list(csv.reader(file))
    try:
        values = np.array([[float(value) for value in row] for row in rows[1:]])
    except ValueError:
        values = np.empty(0)
    if not rows or rows[0][0] != "days" or values.ndim != 2 or values.shape[1:] != (len(rows[0]),):
        raise reading.Refused(f"{path} is not the table of a box: its first column must be days, and all others numbers")
    return dict(zip(rows[0], values.T))


def title_of(head):
    """`phytoplankton_bed [mmol m-2]` for people; older tables name no unit."""
    name, _, unit = head.removesuffix("]").partition(" [")
    unit = style.unit_for_people(unit)
    return name.replace("_", " ") + (f" [{unit}]" if unit else "")


def draw(path):
    """Yields the one figure with the end of its name."""
    columns = read(path)
    days = columns.pop("days")
    totals = {name[6:].partition(" ")[0]: columns.pop(name) for name in list(columns) if name.startswith("total_")}
    totals = {name: values / np.abs(values).max() for name, values in totals.items() if values.any()}
    names, panels = list(columns), len(columns) + bool(totals)
    rows = (panels + 2) // 3
    figure, axes = plt.subplots(rows, 3, figsize=(10, 2.1 * rows), sharex=True, squeeze=False, layout="constrained")
    for axis, name in zip(axes.flat, names):
        axis.plot(days, columns[name], color="#2a6699", linewidth=1.2)
        axis.set_title(title_of(name), fontsize=9, loc="left", color=style.INK)
        axis.set_ylim(bottom=min(0, columns[name].min()))
    if totals:
        last = axes.flat[len(names)]
        for name, values in totals.items():
            last.plot(days, values, linewidth=1.2, label=name)
        last.set_title("totals, of their largest", fontsize=9, loc="left", color=style.INK)
        last.set_ylim(min([-0.05, *(1.1 * values.min() for values in totals.values())]), 1.1)
        last.legend(fontsize=8, frameon=False)
    for axis in axes.flat[panels:]:
        axis.set_visible(False)
    for axis in axes.flat[max(0, panels - 3):panels]:  # the lowest of each column
        axis.set_xlabel("days")
        axis.tick_params(labelbottom=True)
    yield "box", figure
