# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
"""Horizontal viscosity that follows the flow: exact for linear flows, a decaying shear wave, energy, tracers, ranks."""

import cases
import numpy as np

LAW = {"/physics/momentum/viscosity_law": "smagorinsky", "/physics/momentum/advection": "none"}
VARIABLES = ["u", "v", "eta", "horizontal_viscosity"]

# linear flows in a square basin of oblong cells, at the start: u = a x + b y, v = c x + d y
STILL = {**LAW, "/grid/periodic": [], "/grid/length_y_m": 1000, "/grid/dy_m": 50, "/physics/momentum/smagorinsky_c": 0.2,
         "/physics/momentum/horizontal_viscosity_m2_s": 3, "/time/duration_s": 10,
         "/output": [{"variables": VARIABLES, "every_s": 10}]}
for name, (a, b, c, d) in {"shear along x": (0, 1e-3, 0, 0), "shear along y": (0, 0, 2e-3, 0), "stretching": (1e-3, 0, 0, -5e-4),
                           "turning": (0, -1e-3, 1e-3, 0), "all": (1e-3, 5e-4, -2e-3, 7e-4)}.items():
    for walls in ("free-slip", "no-slip"):
        flow = {"/initial/u_m_s": f"{a}*x+{b}*y", "/initial/v_m_s": f"{c}*x+{d}*y", "/physics/momentum/side_walls": walls}
        found = cases.run("verification/shear_wave", {**STILL, **flow}).fields()["horizontal_viscosity"][0, :, 1:-1, 1:-1]
        exact = 3 + 0.2 * 100 * 50 * np.sqrt(a**2 + d**2 + 0.5 * (b + c) ** 2)
        cases.below(f"{name}, {walls}: A, relative error", np.max(np.abs(found / exact - 1)), 1e-7)

# on a sphere, turning with it: what is left is round-off
sphere = {**LAW, "/grid": {"kind": "spherical", "west": 0, "east": 3, "south": 44, "north": 47, "dlon_deg": 0.1, "dlat_deg": 0.1,
                           "levels": {"bottom_m": -20, "dz_m": 20}},
          "/initial/u_m_s": "5*cos(lat*pi/180)", "/initial/v_m_s": 0, "/physics/coriolis": "none", "/time/duration_s": 10,
          "/output": [{"variables": VARIABLES, "every_s": 10}]}
found = cases.run("verification/shear_wave", sphere).fields()["horizontal_viscosity"][0, :, 1:-1, 1:-1]
cases.below("turning with a sphere: A [m2/s]", np.max(found), 1e-6)

# a shear wave that wears itself away, with a tracer that is level where |D| has its corners: v_t = (A v_x)_x, c_t = (A/2 c_x)_x, A = 40 + L^2 |v_x| / sqrt(2)
LENGTH, TIME, SCALE, LEAST, PRANDTL = 1600.0, 1600.0, 8e4, 40.0, 2.0


def reference(n=320):
    """By differences of second order on a fine grid and Runge and Kutta's steps of fourth; at the centres of cells."""
    dx = LENGTH / n
    x = (np.arange(n) + 0.5) * dx
    v, c = 0.1 + 0.3 * np.sin(2 * np.pi * x / LENGTH), 2 + np.sin(2 * np.pi * x / LENGTH)

    def slope(field):
        v_x, c_x = ((np.roll(f, -1) - f) / dx for f in field)
        viscosity = LEAST + SCALE * np.abs(v_x) / np.sqrt(2)
        return np.array([(f - np.roll(f, 1)) / dx for f in (viscosity * v_x, viscosity / PRANDTL * c_x)])

    field, steps = np.array([v, c]), int(TIME / (0.3 * dx**2 / 110))
    dt = TIME / steps
    for _ in range(steps):
        one = slope(field)
        two = slope(field + dt / 2 * one)
        three = slope(field + dt / 2 * two)
        field = field + dt / 6 * (one + 2 * two + 2 * three + slope(field + dt * three))
    return field


def wave(n, scheme, steps, **others):
    dx = LENGTH / n
    settings = {**LAW, "/grid/dx_m": dx, "/grid/dy_m": 400, "/grid/levels/dz_m": 20, "/physics/momentum/scheme": scheme,
                "/physics/momentum/smagorinsky_c": SCALE / (dx * 400), "/physics/momentum/horizontal_viscosity_m2_s": LEAST,
                "/physics/tracers/prandtl": PRANDTL, "/initial/u_m_s": 0, "/initial/v_m_s": "0.1 + 0.3*sin(2*pi*x/1600)", "/time/step_s": TIME / steps, "/solver/momentum/tolerance": 1e-11,
                "/tracers": [{"name": "dye", "initial": f"2 + sin(2*pi*x/{LENGTH})"}],
                "/output": [{"variables": [*VARIABLES, "dye"], "every_s": TIME}], **others}
    run = cases.run("verification/shear_wave", settings)
    fields = run.fields()
    return run, fields["v"][:, 0, 0, :], fields["dye"][-1, 0, 0, :]


fine = reference()
cells = {n: [f.reshape(n, -1)[:, 160 // n - 1:160 // n + 1].mean(axis=1) for f in fine] for n in (20, 40, 80)}
for scheme in ("explicit-z", "matm", "split"):
    errors = {"v": [], "dye": []}
    for n, steps in ((20, 100), (40, 400), (80, 1600)):
        run, v, dye = wave(n, scheme, steps)
        for name, found, exact in zip(errors, (v[-1], dye), cells[n]):
            errors[name].append(np.sqrt(np.mean((found - exact) ** 2)))
        cases.below(f"{scheme}, {n} cells: momentum gained", abs(np.mean(v[-1]) - 0.1), 1e-9)
    cases.between(f"{scheme}: order of the wave", np.min(cases.orders(errors["v"])), 1.8, 2.2)
    cases.below(f"{scheme}: wave on 80 cells, error [m/s]", errors["v"][-1], 1e-4)
    cases.between(f"{scheme}: order of the dye", np.min(cases.orders(errors["dye"])), 1.8, 2.2)
    cases.below(f"{scheme}: dye on 80 cells, error", errors["dye"][-1], 3e-4)

# steps twenty times too long for an explicit scheme: no wave grows
for scheme in ("explicit-z", "matm", "split"):
    run, v, _ = wave(80, scheme, 40, **{"/initial/v_m_s": "0.3*sin(2*pi*x/1600) + 0.1*cos(2*pi*x/40) - 0.05*sin(2*pi*x/100)",
                                        "/output": [{"variables": [*VARIABLES, "dye"], "every_s": 40}]})
    energy = np.sum(v**2, axis=1)
    cases.below(f"{scheme}, long steps: energy, growth in a step", np.max(np.diff(energy) / energy[0]), 0)
    cases.below(f"{scheme}, long steps: beyond the bounds", np.max(np.abs(v)) - np.max(np.abs(v[0])), 0)

# with flooding and tracers, line by line, where lines break and join
STORM = {"/physics/momentum/viscosity_law": "smagorinsky", "/physics/momentum/scheme": "split", "/physics/momentum/side_walls": "no-slip",
         "/grid/dx_m": 4000, "/time/start": "2014-09-24T10:00:00Z", "/time/step_s": 600, "/grid/levels": {"bottom_m": -14, "dz_m": 2},
         "/initial/salinity": "10 + (lon-36)", "/output": []}
alone = cases.run("azov_storm_2014", STORM, options=["--steps", "16"])
cases.conserves(alone, 1e-13)
for words, run in {"3 ranks": {"ranks": 3}, "emulated device": {"options": ["--device", "emu"]}}.items():
    run = {"options": [], **run}
    run["options"] = [*run["options"], "--steps", "16"]
    cases.equal(f"storm, split: digest, {words}", cases.run("azov_storm_2014", STORM, **run).digest, alone.digest)
cases.finish()
