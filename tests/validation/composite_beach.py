# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 1800
"""Solitary waves run up three slopes, 1:53, 1:150 and 1:13, to a wall and come back: levels at six gauges of the experiment of the
Coastal Engineering Research Center, with and without non-hydrostatic pressure. The highest wave breaks on its way."""

import cases
import judges
import numpy as np

DATA = judges.folder("MAEOTIS_NTHMP") / "BP05-ElenaT-Solitary_wave_on_composite_beach_laboratory"
DEPTH, START = 0.218, 3.0  # of the comparison, by the clock of the experiment [s]
JUDGE = "experiment (Coastal Engineering Research Center)"


def flume(first):
    """Bed by x, its end, and the gauges 4 to 10; the slopes begin at `first`."""
    knee, foot, wall = first + 4.36, first + 7.29, first + 8.19
    low, high = -DEPTH + 4.36 / 53, -DEPTH + 4.36 / 53 + 2.93 / 150
    bed = (f"x<{first} ? {-DEPTH} : (x<{knee} ? {-DEPTH}+(x-{first})/53 : (x<{foot} ? {low}+(x-{knee})/150 : {high}+(x-{foot})/13))")
    return bed, wall, [0, first, (first + knee) / 2, knee, (knee + foot) / 2, foot, (foot + wall) / 2]


panels = []
for case, first, bounds in (("A", 2.40, (0.08, 0.08)), ("C", 0.64, (1.6, 1.7))):
    lab = np.loadtxt(DATA / f"g{case}.txt")
    clock, levels = lab[:, 0] - lab[0, 0], lab[:, 1:8] - np.median(lab[:60, 1:8], axis=0)
    bed, wall, places = flume(first)
    height = np.max(levels[clock < 12, 0])
    k, c = np.sqrt(0.75 * height / DEPTH) / DEPTH, np.sqrt(9.81 * (DEPTH + height))
    start = first - np.arccosh(np.sqrt(20)) / k  # of the crest: before the slopes the wave is 5 % of it
    eta = f"{height}*cosh({k}*(x-({start})))^-2"
    errors = {}
    for pressure, dx, bound in (("nonhydrostatic", 0.02, bounds[0]), ("nonhydrostatic", 0.01, bounds[0]), ("hydrostatic", 0.02, bounds[1])):
        length = dx * np.ceil((wall - start + 6 / k) / dx)
        run = cases.run("verification/run_up", {
            "/grid": {"kind": "cartesian", "x0_m": wall - length, "length_x_m": length, "length_y_m": dx, "dx_m": dx,
                      "levels": {"bottom_m": -DEPTH, "dz_m": DEPTH}, "flood_to_m": 0.5},
            "/bathymetry/bed_m": bed, "/time/duration_s": 19, "/time/step_s": dx / 4, "/physics/pressure": pressure,
            "/physics/drag": {"law": "manning", "n": 0.01}, "/output_dry_depth_m": 1e-4,
            "/initial": {"eta_m": f"max({bed}, {eta})", "u_m_s": f"x < {first} ? {c}*{eta}/({DEPTH}+{eta}) : 0"},
            "/output": [{"stations": {f"g{n + 4}": [x - 0.001, dx / 2] for n, x in enumerate(places)}, "every_s": 0.02, "variables": ["eta"]}]})
        ours = run.stations()
        # the experiment's clock: by the crest at gauge 4
        crest = ours["time"][np.argmax(np.nan_to_num(ours["eta"][ours["time"] < 6, 2]))]  # at gauge 6, before the wave comes back
        time = ours["time"] + clock[np.argmax(np.where(clock < 12, levels[:, 2], 0))] - crest
        within = (clock > START) & (clock < 16)
        found = np.array([np.interp(clock[within], time, np.nan_to_num(column)) for column in ours["eta"].T])
        error = 100 * np.mean([judges.rms(found[n] - levels[within, n]) for n in range(1, 7)])
        errors[pressure, dx] = error
        label = f"composite beach, case {case}, {pressure}, {100 * dx:.0f} cm cells"
        judges.measure(label, JUDGE, "levels at gauges 5 to 10, rms [cm]", error, bound, "composite_beach")
        if dx == 0.02:
            def draw(axis, found=found, levels=levels, clock=clock, within=within, case=case, pressure=pressure):
                for row, gauge in enumerate((5, 7, 8, 10)):
                    axis.plot(clock[within], 100 * levels[within, gauge - 4] - 12 * row, "k-", linewidth=0.6)
                    axis.plot(clock[within], 100 * found[gauge - 4] - 12 * row, f"C{row}-", linewidth=1, label=f"gauge {gauge}")
                axis.set(xlabel="t [s]", ylabel="level [cm], moved", title=f"case {case}, {pressure}; black: experiment")
                axis.legend(fontsize=6)

            panels.append(draw)
    if case == "C":
        cases.below("case C: non-hydrostatic beside hydrostatic", errors["nonhydrostatic", 0.02], errors["hydrostatic", 0.02])
    cases.below(f"case {case}: half the cells and step change the rms [cm]", abs(errors["nonhydrostatic", 0.01] - errors["nonhydrostatic", 0.02]), 0.05)
judges.picture("composite_beach", panels, columns=2)
cases.finish()
