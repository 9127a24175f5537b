# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 1800
"""Run-up of solitary waves on a beach of 1:19.85 against Synolakis's law of waves that do not break, and his of those that do,
which is a fit to his experiments. C. E. Synolakis, J. Fluid Mech. 185 (1987) 523-545."""

import cases
import judges
import numpy as np

SLOPE = 19.85
# Manning's n of glass and smooth metal is 0.010 [s m-1/3]. The laboratory's water was about a quarter of a metre deep, ours is 1 m,
# and n grows with the sixth root of length.
FRICTION = 0.010 * (1 / 0.25) ** (1 / 6)
found, breaking = [], []


def highest(height, friction, dx, dt):
    """Run-up over the depth of 1 m; the wave comes from the left, half its length (5 % of its height) before the toe."""
    k, c = np.sqrt(0.75 * height), np.sqrt(9.81 * (1 + height))
    toe, crest = SLOPE, SLOPE + np.arccosh(np.sqrt(20)) / k
    start = crest + 12 / k
    eta = f"{height}*cosh({k}*(x+{crest}))^-2"
    end = 10 * np.ceil(max(0.2, 3.2 * height**0.75) * SLOPE / 5)
    run = cases.run("verification/run_up", {
        "/grid": {"kind": "cartesian", "x0_m": -10 * np.ceil(start / 10), "length_x_m": 10 * np.ceil(start / 10) + end, "length_y_m": dx, "dx_m": dx,
                  "levels": {"bottom_m": -1, "dz_m": 0.5}, "flood_to_m": 2}, "/output_dry_depth_m": 1e-4,
        "/bathymetry/bed_m": f"x < -{toe} ? -1 : x/{SLOPE}", "/time/duration_s": 30, "/time/step_s": dt, "/physics/pressure": "nonhydrostatic",
        "/physics/drag": {"law": "manning", "n": friction} if friction else {"law": "none"},
        "/initial": {"eta_m": f"max(x < -{toe} ? -1 : x/{SLOPE}, {eta})", "u_m_s": f"x < 0 ? {c}*{eta}/(1+{eta}) : 0"},
        "/output": [{"every_s": 0.2, "variables": ["depth", "eta"]}]})
    fields = run.fields()
    wet = np.nan_to_num(fields["depth"][:, 0]) > 1e-3
    return max(np.max(eta[w]) for eta, w in zip(fields["eta"][:, 0], wet))


for height, bound in ((0.005, 5), (0.01, 5)):
    law = 2.831 * np.sqrt(SLOPE) * height**1.25
    up = highest(height, 0, 0.1, 0.02)
    found.append((height, up))
    judges.measure(f"solitary wave on a beach of 1:19.85, H/d {height}", "Synolakis's law", "run-up [%]", 100 * (up / law - 1), bound, "solitary_run_up")
for height, bound in ((0.1, 10), (0.3, 10)):
    law = 1.109 * height**0.582
    up = highest(height, FRICTION, 0.05, 0.005)
    breaking.append((height, up))
    judges.measure(f"breaking solitary wave on it, H/d {height}, n {FRICTION:.4f}", "Synolakis's experiments, their fit", "run-up [%]", 100 * (up / law - 1), bound, "solitary_run_up")


def draw(axis):
    h = np.geomspace(0.005, 0.6, 50)
    axis.loglog(h[h < 0.06], 2.831 * np.sqrt(SLOPE) * h[h < 0.06] ** 1.25, "k--", label="law, not breaking")
    axis.loglog(h[h > 0.04], 1.109 * h[h > 0.04] ** 0.582, "k:", label="fit to experiments, breaking")
    axis.loglog(*zip(*found, *breaking), "C0o", label="maeotis")
    axis.set(xlabel="H/d", ylabel="R/d", title="run-up, 1:19.85")
    axis.legend(fontsize=6)


judges.picture("solitary_run_up", [draw], width=3.5)
cases.finish()
