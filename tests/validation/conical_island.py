# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 3600
"""A solitary wave runs around a conical island: run-up at 24 places and levels at four gauges of the experiment of the Coastal
Engineering Research Center. M. J. Briggs, C. E. Synolakis, G. S. Harkins, D. R. Green, Pure Appl. Geophys. 144 (1995) 569-593."""

import cases
import judges
import numpy as np

DATA = judges.folder("MAEOTIS_NTHMP") / "BP06-FrankG-Solitary_wave_on_a_conical_island"
DEPTH, X, Y, DX = 0.32, 12.96, 13.80, 0.05
EAST = 22  # from a wall nearer than this the wave comes back to the lee side before the end
JUDGE = "experiment (Briggs et al. 1995)"
GAUGES = {  # half of the basin: 16 stands on the other side
    "6": (9.36, 13.80), "9": (10.36, 13.80), "16": (12.96, 16.38), "22": (15.56, 13.80)}


def numbers(path, columns):
    rows = []
    for text in path.read_text().splitlines():
        try:
            row = [float(word) for word in text.split()]
        except ValueError:
            continue
        if len(row) == columns:
            rows.append(row)
    return np.array(rows)


panels, spreads = [], {}
for case, height, pressure, ups, series, bounds in (
        ("A", 0.045, "nonhydrostatic", "run2a.txt", "ts2a.txt", (30, 13, 21)), ("C", 0.181, "nonhydrostatic", "run2c.txt", "ts2cnew1.txt", (13, 12, 10)),
        ("C", 0.181, "hydrostatic", "run2c.txt", "ts2cnew1.txt", (14, 8, 20))):
    k, c = np.sqrt(0.75 * height) / DEPTH, np.sqrt(9.81 * DEPTH * (1 + height))
    half = np.arccosh(np.sqrt(20)) / k
    begin = 3.4 - half  # crest: the wave ends before the island begins
    eta = f"{height * DEPTH}*cosh({k}*(x-({begin})))^-2"
    west = -DX * np.ceil((6 / k) / DX)
    run = cases.run("verification/run_up", {
        # half of the basin, y from the middle of the island
        "/grid": {"kind": "cartesian", "x0_m": west, "y0_m": Y, "length_x_m": EAST - west, "length_y_m": 10, "dx_m": DX,
                  "levels": {"bottom_m": -DEPTH, "dz_m": DEPTH}, "flood_to_m": 0.29},
        "/bathymetry/bed_m": f"max(-{DEPTH}, min(0.28, 0.9 - {DEPTH} - sqrt((x-{X})^2 + (y-{Y})^2)/4))",
        "/time/duration_s": 14, "/time/step_s": DX / 4, "/physics/pressure": pressure, "/physics/drag": {"law": "manning", "n": 0.012},
        "/initial": {"eta_m": eta, "u_m_s": f"{c}*{eta}/({DEPTH}+{eta})"}, "/output_dry_depth_m": 1e-4,
        "/output": [{"extremes": ["max_eta", "max_depth"]},
                    {"stations": {f"g{name}": [x, y + 0.01] for name, (x, y) in GAUGES.items()}, "every_s": 0.05, "variables": ["eta"]}]})
    found = run.read("*extremes*.nc")
    levels, deepest = found["max_eta"].squeeze(), found["max_depth"].squeeze()
    xs, ys = np.meshgrid(found["x"], found["y"])
    radius, angle = np.hypot(xs - X, ys - Y), np.degrees(np.arctan2(ys - Y, xs - X))  # 0: behind the island
    # run-up is where the water ends: wet cells of the island beside dry ones
    wet = (deepest > 1e-3) & (radius < 2.5)
    around = np.pad(deepest > 1e-3, 1, constant_values=True)
    shore = wet & ~(around[:-2, 1:-1] & around[2:, 1:-1] & around[1:-1, :-2] & around[1:-1, 2:])
    measured = numbers(DATA / ups, 4)
    # degrees of the experiment: 270 faces the wave, 90 is behind; both sides fold onto one half
    from_lee = np.abs((measured[:, 1] - 90 + 180) % 360 - 180)
    ours = []
    for place in from_lee:
        ours.append(100 * np.max(levels[shore & (np.abs(angle - place) < 3)]))
    ours, theirs = np.array(ours), measured[:, 2]
    label = f"conical island, case {case}, {pressure}, 5 cm cells"
    front, behind = np.argmax(from_lee), np.argmin(from_lee)
    spread = spreads[case, pressure] = judges.rms(ours - theirs) / np.mean(theirs)
    judges.measure(label, JUDGE, "run-up, rms at 24 places, of the mean [%]", 100 * spread, bounds[0], "conical_island")
    judges.measure(label, JUDGE, "run-up in front [%]", 100 * (ours[front] / theirs[front] - 1), bounds[1], "conical_island")
    judges.measure(label, JUDGE, "run-up behind [%]", 100 * (ours[behind] / theirs[behind] - 1), bounds[2], "conical_island")
    stations, lab = run.stations(), numbers(DATA / series, 9)
    # the experiment's clock: by the crest at gauge 6
    own = stations["eta"][:, stations["names"].index("g6")]
    lab6 = lab[:, 5]
    shift = lab[np.argmax(lab6[lab[:, 0] < 35]), 0] - stations["time"][np.argmax(own)]
    for name, column in (("6", 5), ("9", 6), ("16", 7), ("22", 8)):
        own = stations["eta"][:, stations["names"].index(f"g{name}")]
        early = lab[:, 0] < shift + 15
        judges.measure(label, JUDGE, f"crest at gauge {name} [%]",
                       100 * (np.nanmax(own) / (np.max(lab[early, column]) - np.median(lab[:50, column])) - 1), 25, "conical_island")
    order = np.argsort(from_lee)

    def draw(axis, ours=ours, theirs=theirs, from_lee=from_lee, order=order, case=case, pressure=pressure):
        axis.plot(from_lee, theirs, "k.", label="experiment")
        axis.plot(from_lee[order], ours[order], "C0-", label="maeotis")
        axis.set(xlabel="degrees from the lee side", ylabel="run-up [cm]", title=f"case {case}, {pressure}")
        axis.legend(fontsize=6)

    def gauge(axis, stations=stations, lab=lab, shift=shift, case=case):
        for n, (name, column) in enumerate((("9", 6), ("22", 8))):
            axis.plot(lab[:, 0] - shift, 100 * (lab[:, column] - np.median(lab[:50, column])) - 8 * n, "k--", linewidth=0.9)
            axis.plot(stations["time"], 100 * stations["eta"][:, stations["names"].index(f"g{name}")] - 8 * n, f"C{n}-", linewidth=1, label=f"gauge {name}")
        axis.set(xlim=(0, 16), xlabel="t [s]", ylabel="level [cm], moved", title=f"case {case}; dashed: experiment")
        axis.legend(fontsize=6)

    panels += [draw, gauge]
cases.below("case C: non-hydrostatic beside hydrostatic", spreads["C", "nonhydrostatic"], spreads["C", "hydrostatic"])
judges.picture("conical_island", panels, columns=2)
cases.finish()
