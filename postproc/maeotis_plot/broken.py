# SPDX-License-Identifier: Apache-2.0
"""A run that broke: the speed around its worst faces, and what happened there in the last steps."""

import matplotlib.pyplot as plt
import netCDF4
import numpy as np
from matplotlib.ticker import MaxNLocator

from . import style

COLOURS = ["#b5473a", "#2a6699", "#6b8e23"]
AROUND = 20


def speed_of(data):
    """The greatest speed of each column, from the faces on its west and south; NaN on land."""
    parts = []
    for name in ("u", "v"):
        values = np.abs(np.ma.filled(data[name][:].astype(float), np.nan))
        parts.append(np.where(np.isfinite(values).any(axis=0), np.nanmax(np.nan_to_num(values, nan=-1.0), axis=0), np.nan))
    ny, nx = min(part.shape[0] for part in parts), min(part.shape[1] for part in parts)
    return np.fmax(parts[0][:ny, :nx], parts[1][:ny, :nx])


def values_of(rows, n, key):
    return np.array([np.nan if row["watched"][n][key] is None else row["watched"][n][key] for row in rows], float)


def draw(path, rows, out):
    """`rows`: the lines of the log about the watched faces, the oldest first."""
    faces = [face["face"].split(",") for face in rows[-1]["watched"]]
    steps = [row["step"] for row in rows]
    figure = plt.figure(figsize=(11, 7.2))
    grid = figure.add_gridspec(4, 2, width_ratios=[1, 1.25], left=0.06, right=0.98, top=0.9, bottom=0.08, hspace=0.18, wspace=0.2)
    figure.suptitle(f"Before the run broke at step {steps[-1]}, {rows[-1]['time']}", x=0.06, ha="left", fontsize=12, color=style.INK)
    with netCDF4.Dataset(path) as data:
        map_of(figure, figure.add_subplot(grid[:, 0]), speed_of(data), faces)
    shared = None
    for n, (key, label) in enumerate([("level_m", "level [m]"), ("depth_m", "depth [m]"), ("velocity_m_s", "velocity [m/s]")]):
        shared = panel = figure.add_subplot(grid[n, 1], sharex=shared)
        for face, colour in zip(range(len(faces)), COLOURS):
            panel.plot(steps, values_of(rows, face, key), ".-", color=colour, linewidth=1.2, label=f"{face + 1}: {faces[face][0]}")
        panel.set_ylabel(label, fontsize=9)
        panel.tick_params(labelbottom=False, labelsize=8)
        if n == 0:
            panel.legend(fontsize=8, frameon=False, ncols=3, loc="best")
    terms_of(figure.add_subplot(grid[3, 1], sharex=shared), steps, rows)
    figure.savefig(out, dpi=130)
    plt.close(figure)


def map_of(figure, panel, speed, faces):
    i0, j0 = int(faces[0][1]), int(faces[0][2])
    near = [(int(i), int(j)) for _, i, j, _ in faces if max(abs(int(i) - i0), abs(int(j) - j0)) <= 2 * AROUND]
    west, east = min(i for i, _ in near) - AROUND // 2, max(i for i, _ in near) + AROUND // 2
    south, north = min(j for _, j in near) - AROUND // 2, max(j for _, j in near) + AROUND // 2
    panel.set_facecolor(style.LAND)
    known = np.isfinite(speed)
    drawn = panel.imshow(np.where(known, speed, np.nan), origin="lower", cmap="viridis", interpolation="nearest")
    panel.set_xlim(max(-0.5, west), min(speed.shape[1] - 0.5, east))
    panel.set_ylim(max(-0.5, south), min(speed.shape[0] - 0.5, north))
    if speed.shape[0] * 8 < speed.shape[1]:
        panel.set_aspect("auto")
    for n, (_, i, j, _) in enumerate(faces):
        panel.plot(int(i), int(j), "o", markersize=11, markerfacecolor="none", markeredgecolor=COLOURS[n], markeredgewidth=2)
        panel.annotate(str(n + 1), (int(i), int(j)), xytext=(7, 7), textcoords="offset points", color=COLOURS[n], weight="bold",
                       bbox={"facecolor": "white", "alpha": 0.75, "pad": 1, "edgecolor": "none"},
                       annotation_clip=True)
    panel.set_xlabel("cell i", fontsize=9)
    panel.set_ylabel("cell j", fontsize=9)
    figure.colorbar(drawn, ax=panel, orientation="horizontal", pad=0.09, shrink=0.85).set_label("greatest speed of the column at the end [m/s]",
                                                                                            fontsize=9)


def terms_of(panel, steps, rows):
    """The sizes of the terms at the worst face: those that ever were among the three largest."""
    terms = {name: np.array([np.nan if row["watched"][0]["terms_m_s2"][name] is None else row["watched"][0]["terms_m_s2"][name]
                             for row in rows], float) for name in rows[-1]["watched"][0]["terms_m_s2"]}
    size = {name: np.nanmax(np.abs(values)) if np.isfinite(values).any() else 0 for name, values in terms.items()}
    shown = [name for name in sorted(size, key=size.get, reverse=True) if size[name] > 0][:5]
    for name in shown:
        panel.plot(steps, np.where(terms[name] == 0, np.nan, np.abs(terms[name])), ".-", linewidth=1.1, label=name)
    if shown:
        panel.set_yscale("log")
        panel.legend(fontsize=7, frameon=False, ncols=2, loc="best")
    panel.set_ylabel("size of terms\nat 1 [m/s²]", fontsize=9)
    panel.set_xlabel("step", fontsize=9)
    panel.xaxis.set_major_locator(MaxNLocator(integer=True))
    panel.tick_params(labelsize=8)
