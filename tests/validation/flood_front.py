# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 900
"""How fast a flood spreads on a plain: test 4 of the Environment Agency's comparison of two-dimensional flood models, 20 m3/s through a gap of
20 m in a wall onto 1 km by 2 km of even ground. By reflection at the wall it is half of a round flood, which is computed here on a radius
in cells of 1 m (HLL fluxes); depths of the programs of the comparison are read off its figure 4.13, to 0.02 m. S. Neelz, G. Pender,
Benchmarking the latest generation of 2D hydraulic modelling packages, SC120002, Environment Agency 2013."""

import cases
import judges
import numpy as np

G, ROUGH, GAP = 9.81, 0.05, 20.0
POINTS = {"1": (50, 0), "2": (100, 0), "3": (200, 0), "4": (300, 0), "5": (400, 0), "6": (300, 300)}  # from the middle of the gap
AFTER_AN_HOUR = {50: (0.29, 0.36), 100: (0.25, 0.29), 150: (0.21, 0.25), 200: (0.18, 0.21), 250: (0.15, 0.18), 300: (0.11, 0.14), 350: (0.06, 0.10)}


def inflow(t):
    return np.interp(t, [0, 3600, 14400, 18000], [0, 20, 20, 0])


def round_flood(end, every, dr=1.0, outer=900):
    """Depths of a flood that spreads from a disc as wide as the gap, fed twice as much: times, radii, depth[time, radius]."""
    edge = dr * np.arange(int(outer / dr) + 1)
    r, area = edge[:-1] + dr / 2, np.diff(edge**2) / 2
    h, q, t, kept = np.zeros_like(r), np.zeros_like(r), 0.0, []
    fed = np.where(edge[1:] <= GAP / 2, 1.0, 0.0)
    fed /= (fed * area).sum() * 2 * np.pi
    while t < end - 1e-9:
        u = np.where(h > 1e-5, q / np.maximum(h, 1e-5), 0)
        c = np.sqrt(G * h)
        dt = min(0.45 * dr / max(0.5, np.max(np.abs(u) + c)), every - t % every if every - t % every > 1e-9 else every)
        hl, hr, ul, ur, cl, cr = h[:-1], h[1:], u[:-1], u[1:], c[:-1], c[1:]
        sl = np.where(hl > 0, np.minimum(ul - cl, ur - cr), ur - 2 * cr)
        sr = np.where(hr > 0, np.maximum(ul + cl, ur + cr), ul + 2 * cl)
        spread = np.maximum(sr - sl, 1e-12)
        mass = np.where(sl >= 0, hl * ul, np.where(sr <= 0, hr * ur, (sr * hl * ul - sl * hr * ur + sl * sr * (hr - hl)) / spread))
        fl, fr = hl * ul**2 + G * hl**2 / 2, hr * ur**2 + G * hr**2 / 2
        push = np.where(sl >= 0, fl, np.where(sr <= 0, fr, (sr * fl - sl * fr + sl * sr * (hr * ur - hl * ul)) / spread))
        mass, push = np.pad(mass, 1), np.concatenate([[G * h[0] ** 2 / 2], push, [0.0]])
        q = q - dt * (np.diff(edge * push) - G * h**2 / 2 * dr) / area  # the sides of a sector push outwards
        h = np.maximum(0, h - dt * np.diff(edge * mass) / area + dt * 2 * inflow(t + dt / 2) * fed)
        brake = G * ROUGH**2 * np.abs(q) / np.maximum(h, 1e-5) ** (7 / 3)
        q = np.where(h > 1e-5, 2 * q / (1 + np.sqrt(1 + 4 * dt * brake)), 0)
        t += dt
        if t % every < 1e-9 or every - t % every < 1e-9:
            kept.append(h.copy())
    return every * np.arange(1, len(kept) + 1), r, np.array(kept)


END, EVERY, CELL = 7200, 60, 5
run = cases.run("tidal_bay", {
    "/constants": {}, "/boundaries": [], "/initial": {"eta_m": -1}, "/output_dry_depth_m": 1e-4,
    "/grid": {"kind": "cartesian", "length_x_m": 1000, "length_y_m": 1000, "dx_m": CELL, "levels": {"bottom_m": -0.5, "dz_m": 0.5}, "flood_to_m": 2},
    "/bathymetry": {"bed_m": 0}, "/physics": {"drag": {"law": "manning", "n": ROUGH}, "coriolis": "none"},
    "/rivers": [{"name": f"gap {n}", "x_m": CELL / 2, "y_m": CELL * (n + 0.5), "discharge_m3_s": f"{10 / 2}*min(1, t/3600)"} for n in range(2)],
    "/time": {"start": "2010-05-01T00:00:00Z", "duration_s": END, "step_s": 2}, "/output": [{"every_s": EVERY, "variables": ["depth"]}]})
cases.conserves(run)
fields = run.fields()
depth = np.nan_to_num(np.ma.filled(fields["depth"], 0))
time, r, exact = round_flood(END, EVERY)


def ours(x, y):
    i, j = x / CELL - 0.5, max(y / CELL - 0.5, 0)
    i0, j0 = int(i), int(j)
    a, b = i - i0, j - j0
    d = depth[1:]
    return (1 - b) * ((1 - a) * d[:, j0, i0] + a * d[:, j0, i0 + 1]) + b * ((1 - a) * d[:, j0 + 1, i0] + a * d[:, j0 + 1, i0 + 1])


def arrives(series):
    n = np.argmax(series > 0.01)
    return np.interp(0.01, series[n - 1:n + 1], time[n - 1:n + 1])


errors = {"arrival": [], 3600: [], 7200: []}
for name, (x, y) in POINTS.items():
    here, there = ours(x, y), np.array([np.interp(np.hypot(x, y), r, row) for row in exact])
    errors["arrival"].append(arrives(here) / arrives(there) - 1)
    for t in (3600, 7200):
        errors[t].append(here[time == t][0] - there[time == t][0])
    print(f"point {name}: arrives after {arrives(here):.0f} s ({arrives(there):.0f}); depth after 1 h {here[time == 3600][0]:.3f} ({there[time == 3600][0]:.3f}), 2 h {here[time == 7200][0]:.3f} ({there[time == 7200][0]:.3f})")
worst = {key: value[np.argmax(np.abs(value))] for key, value in errors.items()}
judges.measure("flood on a plain (EA test 4), cells of 5 m", "round flood, cells of 1 m", "arrival at six points, largest error [%]", 100 * worst["arrival"], 2.5, "flood_front")
for t in (3600, 7200):
    judges.measure("flood on a plain (EA test 4), cells of 5 m", "round flood, cells of 1 m", f"depth at six points after {t // 3600} h, largest error [m]", worst[t], 0.005, "flood_front")
beyond = 0.0
for x, (low, high) in AFTER_AN_HOUR.items():
    found = ours(x, 0)[time == 3600][0]
    beyond = max(beyond, low - found, found - high)
    print(f"{x} m: {found:.3f}, others {low} to {high}; round flood {np.interp(x, r, exact[time == 3600][0]):.3f}")
judges.measure("flood on a plain (EA test 4), cells of 5 m", "programs in SC120002, figure 4.13", "depth on the axis after 1 h, farthest beyond their range [m]", beyond, 0.001, "flood_front")


def draw(axis):
    for t, colour in ((3600, "C0"), (7200, "C1")):
        axis.plot(r, exact[time == t][0], colour, linewidth=0.8, label=f"round flood, {t // 3600} h")
        axis.plot(CELL * (np.arange(200) + 0.5), depth[1:][time == t][0, 0], colour + ".", markersize=2, label=f"maeotis, {t // 3600} h")
    axis.vlines(list(AFTER_AN_HOUR), *zip(*AFTER_AN_HOUR.values()), colors="k", linewidth=1, label="others, 1 h")
    axis.set(xlim=(0, 900), ylim=(0, 0.5), xlabel="distance from the gap [m]", ylabel="depth [m]")
    axis.legend(fontsize=6)


judges.picture("flood_front", [draw], width=5)
cases.finish()
