# SPDX-License-Identifier: Apache-2.0
"""Transport in an even current, cell by cell against the formulas of model/tracers/transport.h, substeps.h and implicit_transport.h:
in one step, in small steps, implicit in part (beyond 12 cells in a step), and implicit; and in an eddy."""

import cases
import netCDF4
import numpy as np

CELLS, WIDTH, SPEED, STEPS, MOST_PARTS = 24, 10.0, 0.5, 2, 12


def behind(c, cells=1):
    return np.roll(c, cells)


def solve(diagonal, coupling, right):
    """diagonal x_i - coupling x_(i-1) = right_i, around."""
    return np.linalg.solve(diagonal * np.eye(CELLS) - coupling * np.roll(np.eye(CELLS), 1, axis=0), right)


def limited(before, low, through):
    """The low order with the limited corrections through the faces behind cells."""
    least, most = np.minimum(before, low), np.maximum(before, low)
    least = np.minimum(least, np.minimum(behind(least), behind(least, -1)))
    most = np.maximum(most, np.maximum(behind(most), behind(most, -1)))
    ahead = behind(through, -1)
    rise = np.maximum(through, 0) + np.maximum(-ahead, 0)
    fall = np.maximum(-through, 0) + np.maximum(ahead, 0)
    above, below = np.minimum(1, (most - low) / np.maximum(rise, 1e-300)), np.minimum(1, (low - least) / np.maximum(fall, 1e-300))
    kept = through * np.where(through > 0, np.minimum(above, behind(below)), np.minimum(below, behind(above)))
    return low + kept - behind(kept, -1)


def third_order(c, low, courant, theta):
    """Corrections through the faces behind cells, over their volume, of a part of the step in which `courant` cells pass."""
    u, d, uu, lu, ld, luu = behind(c), c, behind(c, 2), behind(low), low, behind(low, 2)
    part = min(1, courant)
    across = lu - u - courant / (1 - theta * courant + courant) * (uu - u)
    old = (2 - part) * (1 - part) / 6 * (d - u) + (1 - part**2) / 6 * (u - uu) + across / 2
    rest = (u + lu) / 2 + ((d + ld) - (u + lu)) / 6 + ((u + lu) - (uu + luu)) / 12 - lu
    return courant * (theta * old + (1 - theta) * rest)


def explicit(c, courant, corrected):
    parts = min(MOST_PARTS, int(np.ceil(courant)))
    part = courant / parts
    theta = min(1, 1 / part)
    for _ in range(parts):
        low = solve(1 - theta * part + part, part * (1 - theta), (1 - theta * part) * c + part * theta * behind(c))
        c = limited(c, low, third_order(c, low, part, theta)) if corrected else low
    return c


def implicit(c, courant, _):
    low = solve(1 + courant, courant, c)
    mean = (c + low) / 2
    u = behind(mean)
    return limited(c, low, courant * ((mean - u) / 3 + (u - behind(mean, 2)) / 6 + u - behind(low)))


def check(scheme, courant, along_x=True, backwards=False):
    sign = -1 if backwards else 1
    across = 8 * WIDTH
    place, lengths = ("x", (CELLS * WIDTH, across)) if along_x else ("y", (across, CELLS * WIDTH))
    name = f"{scheme}, {courant} cells a step along {'-' if backwards else ''}{place}"
    run = cases.run("verification/swirl", {
        "/grid/periodic": [place], "/grid/length_x_m": lengths[0], "/grid/length_y_m": lengths[1], "/grid/dx_m": WIDTH,
        "/time/step_s": courant * WIDTH / SPEED, "/time/duration_s": STEPS * courant * WIDTH / SPEED,
        "/physics/momentum/streamfunction_m3_s": f"{sign * SPEED}*{'(-y)' if along_x else 'x'}", "/physics/momentum/streamfunction_factor": 1,
        "/physics/tracers/scheme": scheme, "/solver/tracers/tolerance": 1e-14, "/output": [], "/restart/at_end": True,
        "/tracers": [{"name": "mark", "initial": f"2 + sin(pi*{place}/120) + 0.3*cos({place}*{place})"}]})
    with netCDF4.Dataset(next(run.folder.glob("**/restart_*.nc"))) as data:
        found = np.array(data["mark"][0])
    s = WIDTH * (np.arange(CELLS) + 0.5)
    c = 2 + np.sin(np.pi * s / 120) + 0.3 * np.cos(s * s)
    for _ in range(STEPS):
        c[::sign] = (implicit if scheme == "matm" else explicit)(c[::sign], courant, scheme == "fct")
    cases.below(f"{name}: difference", np.max(np.abs(found - (c[None, :] if along_x else c[:, None]))), 1e-13)


for courant in (0.6, 2.5, 30):
    check("fct", courant)
check("fct", 2.5, along_x=False)
check("fct", 30, along_x=False, backwards=True)
check("upwind", 30, backwards=True)
check("matm", 2.5)
check("matm", 2.5, along_x=False, backwards=True)

# A closed eddy of 9 x 7 cells that turns half a million times in a step mixes all of its water, but for the cell in the middle, which stands still; the correction
# of the implicit scheme undoes much of that, but loses nothing.
for scheme, lost in (("upwind", 1e-11), ("matm", 1e-10)):
    eddy = cases.run("verification/swirl", {
        "/grid/length_x_m": 90, "/grid/length_y_m": 70, "/time/step_s": 86400, "/time/duration_s": 86400, "/output": [], "/allow": ["scales"], "/restart/at_end": True,
        "/physics/momentum/streamfunction_m3_s": "1e4*(sin(pi*x/90)*sin(pi*y/70))^2", "/physics/momentum/streamfunction_factor": 1,
        "/physics/tracers/scheme": scheme, "/tracers": [{"name": "mark", "initial": "x > 30"}, {"name": "other", "initial": "x < 30"}]}, label=f"eddy_{scheme}")
    data = eddy.read("restart_*.nc")
    for name, there in (("mark", 41), ("other", 21)):
        if scheme == "upwind":
            cases.below(f"{scheme}: {name} in an eddy of many turns: difference from its mean", np.max(np.abs(np.delete(data[name][0].ravel(), 31) - there / 62)), 1e-9)
        account = eddy.log[-1]["tracers"][name]
        cases.below(f"{scheme}: {name} in an eddy of many turns: budget", abs(account["error"]) / account["content"], lost)
cases.finish()
