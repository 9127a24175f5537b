# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
"""Exact and manufactured solutions with all of the horizontal terms, in closed and in periodic seas: orders on three grids, steps by
the square of the spacing."""

import re

import cases
import numpy as np


def distance(run, exact):
    """Root of the mean square error at the end, of each variable; exact(x, y, t) gives them by name."""
    fields = run.fields()
    found = []
    for name, x, y in (("eta", "x", "y"), ("u", "x_u", "y"), ("v", "x", "y_v")):
        wanted = exact(*np.meshgrid(fields[x], fields[y]), fields["time"][-1] - fields["time"][0])[name]
        values = np.nan_to_num(fields[name][-1].reshape((-1, *fields[name].shape[-2:]))[-1])
        found.append(np.sqrt(np.mean((values - wanted) ** 2) / np.mean(wanted**2)))
    return np.array(found)


def check(name, errors, least, most, components=("eta", "u", "v")):
    for component, ones in zip(("eta", "u", "v"), np.transpose(errors)):
        if component not in components:
            continue
        orders = cases.orders(ones)
        print(f"      {name}: errors of {component} {', '.join(f'{one:.2e}' for one in ones)}, orders {np.round(orders, 2)}")
        cases.between(f"{name}: order of {component}", orders[-1], least, most)


K = np.pi / 1000


def taylor_green(x, y, t):
    decay = np.exp(-2 * K**2 * t)
    return {"u": 0.1 * np.sin(K * x) * np.cos(K * y) * decay, "v": -0.1 * np.cos(K * x) * np.sin(K * y) * decay,
            "eta": 0.01 / (4 * 9.81) * (np.cos(2 * K * x) + np.cos(2 * K * y)) * decay**2}


PERIODIC = {"/grid/periodic": ["x", "y"], "/grid/length_x_m": 2000, "/grid/length_y_m": 2000}
for name, settings, least, most in (("no advection", {"/physics/momentum/advection": "none"}, 1.9, 2.1), ("tvd", {}, 1.9, 2.6),
                                    ("tvd, periodic", PERIODIC, 1.9, 2.6), ("order 2, periodic", {"/physics/momentum/order": 2, **PERIODIC}, 3.4, 4.1), ("compact6", {"/physics/momentum/advection": "compact6"}, 1.85, 2.1)):
    if name == "tvd" and not cases.THOROUGH:  # as in the periodic sea
        continue
    errors = [distance(cases.run("verification/taylor_green", {"/grid/dx_m": 1000 / cells, "/time/step_s": 25600 / cells**2,
                                                               "/time/duration_s": 8000, "/output/0/every_s": 8000, **settings}), taylor_green)
              for cells in (8, 16, 32)]
    check(f"Taylor-Green, {name}", errors, least, most, ("u", "v") if name == "no advection" else ("eta", "u", "v"))
    if name.startswith("order 2"):  # 40 and 24 times smaller than with order 1
        cases.below("Taylor-Green, order 2: largest error", np.max(errors[-1]), 1.8e-4)


def manufactured(x, y, t):
    k, w = np.pi / 1e4, np.pi / 3600
    eta = np.cos(k * x) * np.cos(k * y) * np.cos(w * t)
    depth, wave = 8 + 2 * np.cos(k * x) + eta, w / (2 * k) * np.sin(w * t)
    return {"eta": eta, "u": np.sin(k * x) * np.cos(k * y) * (wave - 3) / depth, "v": np.cos(k * x) * np.sin(k * y) * (wave + 3) / depth}


SEA = (cases.SOURCE / "scenarios" / "verification" / "manufactured_sea.json").read_text()
STRESS = [re.search(f'"stress_{one}_Pa": "(.*)"', SEA)[1] for one in "xy"]
flux = [f"{a}(pi*x/1e4)*{b}(pi*y/1e4)*(25/18*sin(pi*t/3600) {c} 3)" for a, b, c in (("sin", "cos", "-"), ("cos", "sin", "+"))]
TURNING = {"/physics/coriolis": {"f_s": 1e-4}, "/forcing/wind/stress_x_Pa": f"{STRESS[0]} - 0.1*{flux[1]}",
           "/forcing/wind/stress_y_Pa": f"{STRESS[1]} + 0.1*{flux[0]}", "/grid/periodic": ["x", "y"], "/grid/length_x_m": 20000, "/grid/length_y_m": 20000}
for name, settings, grids, least in (("closed", {}, (8, 16, 32), 1.9), ("closed, implicit", {"/physics/momentum/scheme": "matm"}, (8, 16, 32), 1.9),
                                     ("periodic, with Coriolis", TURNING, (6, 12, 24), 1.5)):
    most = 2.8
    if name != "closed" and not cases.THOROUGH:  # the two coarser grids, on which the level is of nearly third order
        grids, least, most = grids[:2], 1.8, 3.4
    errors = [distance(cases.run("verification/manufactured_sea", {"/grid/dx_m": 1e4 / cells, "/time/step_s": 3600 / round(cells**2 / 2.2), **settings}),
                       manufactured) for cells in grids]
    check(f"manufactured sea, {name}", errors, least, most)

# with order 2 steps of 30 s and of 7.5 s differ by a tenth of what they do with order 1: waves, advection and stress, each in the middle of the step
ends = []
for steps in (120, 480):
    fields = cases.run("verification/manufactured_sea", {"/grid/dx_m": 625, "/time/step_s": 3600 / steps, "/physics/momentum/order": 2,
                                                         "/physics/momentum/scheme": "explicit-z", "/physics/free_surface/theta": 0.5}).fields()
    ends.append({name: np.nan_to_num(np.squeeze(fields[name][-1])) for name in ("eta", "u", "v")})
for name, most in (("eta", 2.1e-4), ("u", 5.5e-4), ("v", 3.6e-4)):
    off = np.sqrt(np.mean((ends[0][name] - ends[1][name]) ** 2) / np.mean(ends[1][name] ** 2))
    cases.below(f"manufactured sea, order 2: what the step changes in {name}", off, most)


def cloud(x, y, t):
    """The sum of the clouds of nine seas that lie side by side."""
    spread = 1e4 + 10 * t
    return sum(1e4 / spread * np.exp(-((x - 400 - 0.6 * t - 1600 * i) ** 2 + (y - 600 - 0.3 * t - 1600 * j) ** 2) / (2 * spread))
               for i in (-1, 0, 1) for j in (-1, 0, 1))


for scheme, least, most in (("fct", 2.8, 3.4), ("van-leer", 1.8, 2.3)):
    errors = []
    for cells in (16, 32, 64):
        run = cases.run("verification/spreading_cloud", {"/grid/dx_m": 1600 / cells, "/time/step_s": 12800 / cells**2, "/output/0/every_s": 1600, "/time/duration_s": 1600,
                                                         "/physics/tracers/scheme": scheme})
        account = run.log[-1]["tracers"]["cloud"]
        cases.below(f"cloud, {scheme}, {cells} cells: account", abs(account["error"]) / account["content"], 1e-13)
        fields = run.fields()
        wanted = cloud(*np.meshgrid(fields["x"], fields["y"]), 1600.0)
        errors.append(np.sqrt(np.mean((fields["cloud"][-1, 0] - wanted) ** 2)) / np.max(wanted))
    print(f"      cloud, {scheme}: {errors}")
    cases.between(f"cloud, {scheme}: order", cases.orders(errors)[-1], least, most)
cases.finish()
