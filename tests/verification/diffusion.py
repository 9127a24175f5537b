# SPDX-License-Identifier: Apache-2.0
"""Mixing along the layers against exp(-K k^2 t), on any step: orders, bounds, accounts, both directions, the new volumes."""

import cases
import numpy as np

LENGTH, DIFFUSIVITY, TIME = 1600.0, 20.0, 9600.0
WAVE = "2 + cos(pi*x/1600)"


def box(dx, step, diffusivity=DIFFUSIVITY, initial=WAVE, duration=TIME, **others):
    settings = {"/grid/dx_m": dx, "/grid/length_y_m": 300, "/grid/levels/dz_m": 5, "/time/step_s": step,
                "/time/duration_s": duration, "/physics/tracers/horizontal_diffusivity_m2_s": diffusivity,
                "/tracers": [{"name": "wave", "initial": initial}], "/output": [], **others}
    run = cases.run("verification/still_box", settings)
    found = {key: np.array([line["tracers"]["wave"][key] for line in run.log]) for key in ("least", "most", "error", "content")}
    cases.below("account", np.max(np.abs(found["error"])) / found["content"][-1], 1e-13)
    return found


def amplitude(dx, step):
    """What is left of the cosine, by the highest value, which is half a cell from the wall."""
    return (box(dx, step)["most"][-1] - 2) / np.cos(np.pi / LENGTH * dx / 2)


def decay(dx):
    return DIFFUSIVITY * (2 / dx * np.sin(np.pi / LENGTH * dx / 2)) ** 2


exact = np.exp(-DIFFUSIVITY * (np.pi / LENGTH) ** 2 * TIME)
errors = [abs(amplitude(20, step) - np.exp(-decay(20) * TIME)) for step in (1200, 600, 300)]
cases.between("order in the step", np.min(cases.orders(errors)), 0.9, 1.1)
errors = [abs(amplitude(dx, step) - exact) for dx, step in ((100, 192), (50, 48), (25, 12))]
cases.between("order in the spacing, the step by its square", np.min(cases.orders(errors)), 1.9, 2.1)
cases.below("error on 64 cells", errors[-1], 2.5e-4)

# hundreds and hundreds of thousands of times the step that is explicitly stable
for diffusivity in (1e3, 1e6):
    steps = box(100, 3600, diffusivity, duration=36000)
    loss = 3600 * diffusivity * (2 / 100 * np.sin(np.pi / LENGTH * 50)) ** 2
    wanted = np.cos(np.pi / LENGTH * 50) / (1 + loss) ** np.arange(1, 11)
    cases.below(f"K = {diffusivity:g}: decay in steps of 3600 s", np.max(np.abs(steps["most"] - 2 - wanted)), 1e-16 * 3600 * diffusivity / 100**2)
    cases.below(f"K = {diffusivity:g}: beyond the bounds", max(1 - np.min(steps["least"]), np.max(steps["most"]) - 3), 0)

# both directions, each with its own factor: with lines, and at once where a step passes at most half of a cell through two faces
for dt, implicit in ((60, False), (120, False), (130, True), (300, True)):
    both = box(100, dt, initial="2 + cos(pi*x/1600)*cos(pi*y/800)", duration=20 * dt, **{"/grid/length_y_m": 800})
    loss = [dt * 20 * (2 / 100 * np.sin(np.pi / length * 50)) ** 2 for length in (1600, 800)]
    factor = 1 / np.prod([1 + z for z in loss]) if implicit else np.prod([1 - z for z in loss])
    wanted = np.cos(np.pi / 32) * np.cos(np.pi / 16) * factor ** np.arange(1, 21)
    cases.below(f"both directions, steps of {dt} s", np.max(np.abs((both["most"] - 2) / wanted - 1)), 1e-13)

# over banks, where volumes and faces differ: a step between two values
banks = box(100, 600, 500, initial="x > 700", duration=60000, **{"/bathymetry/bed_m": "-10 + 8*exp(-((x-700)/300)^4)",
                                                                              "/grid/levels/dz_m": 10})
cases.below("banks: beyond the bounds", max(-np.min(banks["least"]), np.max(banks["most"]) - 1), 0)
spread = banks["most"] - banks["least"]
cases.below("banks: all alike at last", spread[-1], 1e-3)

# on layers along a bank, 5 K in 1000 s away from it: at equal height, and along surfaces of density, what depends on that alone stays
BANK = {"/bathymetry/bed_m": "-10 + 3*exp(-((x-700)/300)^2)", "/grid/levels": {"kind": "bed-following", "bottom_m": -10, "layers": 8},
        "/time/duration_s": 6000, "/physics/density": {"equation": "linear", "expansion_1_K": -1e-3}, "/physics/momentum/scheme": "prescribed",
        "/physics/momentum/streamfunction_m3_s": 0, "/physics/tracers/horizontal_diffusivity_m2_s": 5, "/initial/temperature_C": "20 - z + x/400",
        "/tracers": [{"name": "height", "initial": "20 - z"}, {"name": "wave", "initial": WAVE}, {"name": "front", "initial": "x > 700"}],
        "/output": [{"every_s": 6000, "variables": ["temperature", "height", "wave", "front"]}]}
exact = np.exp(-5 * (np.pi / LENGTH) ** 2 * 6000)
for along, settings, stays in (("layers", {}, ()), ("heights", {}, ("height",)), ("density", {}, ("temperature",)),
                               ("density, all too steep", {"/physics/tracers/steepest": 1e-5}, ("height",))):
    run = cases.run("verification/still_box", {**BANK, **settings, "/physics/tracers/mix_along": along.split(",")[0]})
    fields = run.fields()
    for name in ("height", "temperature"):
        change = np.nanmax(np.abs(fields[name][-1] - fields[name][0]))
        words = f"along {along}: change of what depends on {'height' if name == 'height' else 'density'}"
        cases.below(words, change, 0) if name in stays else cases.between(words, change, 0.3, 1)
    for name, account in run.log[-1]["tracers"].items():
        least, most = np.nanmin(fields[name][0]), np.nanmax(fields[name][0])
        cases.below(f"along {along}: account of {name}", abs(account["error"]) / account["content"], 1e-15)
        cases.below(f"along {along}: {name} beyond its bounds", max(least - account["least"], account["most"] - most), 1e-7 * most * (name != "front"))
    if along == "heights":
        left = np.mean((fields["wave"][-1, -1, 1] - 2) * 2 * np.cos(np.pi * fields["x"] / LENGTH))
        cases.close("at equal height: what is left of a cosine above the bank", left, exact, 4e-4)
cases.finish()
