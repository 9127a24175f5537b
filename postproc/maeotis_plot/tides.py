# SPDX-License-Identifier: Apache-2.0
"""`./maeotis tides ... --atlas PATH --place LON,LAT --plot FILE.png`: the constituents of a tidal atlas at a place as a picture: their
amplitudes, the ellipses of their currents, and the level that they make in 30 days."""

import sys
from datetime import datetime, timezone
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from maeotis_results import reading
from maeotis_results.options import start
from maeotis_results.program import asked

from . import style

DAYS = 30


def table(text):
    """{name: numbers}; what an atlas lacks is NaN."""
    rows = [line.split() for line in text.splitlines()[1:]]
    return {row[0]: [float("nan") if word == "-" else float(word) for word in row[1:]] for row in rows}


def value_of(arguments, option, otherwise):
    for n, word in enumerate(arguments):
        if word == option and n + 1 < len(arguments):
            return arguments[n + 1]
        if word.startswith(option + "="):
            return word[len(option) + 1 :]
    return otherwise


def level(tides, at):
    """(dates, levels) of 30 days from a date; the nodal corrections are those of its beginning."""
    moments = table(asked("tides", "--at", at, *tides))
    hours = np.arange(0, DAYS * 24, 0.25)
    total = np.zeros_like(hours)
    for name, row in tides.items():
        speed, argument, f, u = moments[name]
        total += f * row[0] * np.cos(np.radians(speed * hours + argument + u - row[1]))
    start = np.datetime64(datetime.fromisoformat(at.replace("Z", "+00:00")).astimezone(timezone.utc).replace(tzinfo=None))
    return start + (hours * 3600e3).astype("timedelta64[ms]"), total


def draw_amplitudes(panel, tides):
    names = sorted(tides, key=lambda name: -tides[name][0])[:16]
    panel.bar(names, [tides[name][0] for name in names], color="#2a6699", width=0.7)
    panel.set_ylabel("Amplitude of the level [m]")
    panel.tick_params(axis="x", labelrotation=60)


def draw_ellipses(panel, tides):
    strongest = sorted((name for name in tides if np.isfinite(tides[name][2:6]).all()), key=lambda name: -np.hypot(tides[name][2], tides[name][4]))
    turn = np.linspace(0, 2 * np.pi, 361)
    for name, colour in zip(strongest[:4], ("#2a6699", "#b5473a", "#5b8c4a", "#8a6bb0")):
        u, v = (tides[name][k] * np.cos(turn - np.radians(tides[name][k + 1])) for k in (2, 4))
        panel.plot(u, v, color=colour, linewidth=1.4, label=name)
        panel.plot(u[:1], v[:1], "o", markersize=4, color=colour)  # at the argument 0
    panel.axhline(0, color=style.QUIET, linewidth=0.5)
    panel.axvline(0, color=style.QUIET, linewidth=0.5)
    panel.set_aspect("equal", adjustable="datalim")
    panel.set_xlabel("eastward current [m/s]")
    panel.set_ylabel("northward [m/s]")
    if strongest:
        panel.legend(frameon=False, loc="upper right", fontsize=8)
    else:
        panel.text(0.5, 0.5, "the atlas contains no currents", transform=panel.transAxes, ha="center", color=style.QUIET)


def draw_level(panel, tides, at):
    panel.plot(*level(tides, at), color="#2a6699", linewidth=0.9)
    panel.set_ylabel("Level [m]")
    style.date_axis(panel.xaxis, 9, 4)
    panel.margins(x=0)


def main(arguments=None):
    arguments = sys.argv[1:] if arguments is None else arguments
    picture = value_of(arguments, "--plot", None)
    at = value_of(arguments, "--at", "2000-01-01T00:00:00Z")
    place = value_of(arguments, "--place", None)
    if not picture or not place:
        raise reading.Refused("--plot FILE.png draws the constituents of an --atlas at a --place LON,LAT")
    skip = {n + k for n, word in enumerate(arguments) if word == "--plot" for k in (0, 1)}
    text = asked("tides", *(word for n, word in enumerate(arguments) if n not in skip and not word.startswith("--plot=")))
    print(text, end="")
    tides = table(text)
    style.set_up()
    figure = plt.figure(figsize=(9, 6.4))
    grid = figure.add_gridspec(2, 2, width_ratios=(1.6, 1), hspace=0.42, wspace=0.28, left=0.08, right=0.97, top=0.9, bottom=0.07)
    draw_amplitudes(figure.add_subplot(grid[0, 0]), tides)
    draw_ellipses(figure.add_subplot(grid[0, 1]), tides)
    draw_level(figure.add_subplot(grid[1, :]), tides, at)
    figure.suptitle(f"Tide at {place.replace(',', ' E, ')} N, and its level from {at[:10]}", x=0.08, ha="left")
    for panel in figure.axes:
        panel.spines[["top", "right"]].set_visible(False)
    Path(picture).parent.mkdir(parents=True, exist_ok=True)
    style.save(figure, picture, 150)
    print(picture)


if __name__ == "__main__":
    start(main, "tides")
