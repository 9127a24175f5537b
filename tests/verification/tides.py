# SPDX-License-Identifier: Apache-2.0
"""Tides by constituents, given discharges and velocities, sponges, boundaries in boxes; several at once."""

import re
import subprocess

import cases
import numpy as np

G, DEPTH, LENGTH = 9.81, 10.0, 100e3

# a tide with friction: the exact solution for water that sticks to the bed
omega, nu = 2 * np.pi / 44714, 1e-3
kappa = np.sqrt(1j * omega / nu)
wavenumber = omega / np.sqrt(G * DEPTH * (1 - np.tanh(kappa * DEPTH) / (kappa * DEPTH)))


def exact(x):  # the level is given half a cell outside
    return 1e-3 * np.cos(wavenumber * (LENGTH - x)) / np.cos(wavenumber * (LENGTH + 500))


def misfit(step, levels):
    run = cases.run("verification/channel_tide_viscous", {"/time/step_s": step, "/output/0/every_s": 4 * 447.14, "/grid/levels/dz_m": 10 / levels})
    cases.conserves(run, 1e-12)
    series = run.stations()
    late = series["time"] > 12 * 44714
    t, errors = series["time"][late], []
    for name, x in (("middle", 50500), ("head", 99500)):
        matrix = np.stack([np.ones(late.sum()), np.cos(omega * t), np.sin(omega * t)], axis=1)
        _, a, b = np.linalg.lstsq(matrix, series["eta"][late, series["names"].index(name)], rcond=None)[0]
        errors.append(abs(a - 1j * b - exact(x)) / abs(exact(x)))
    return max(errors)


errors = [misfit(step, levels) for step, levels in ((894.28, 10), (447.14, 20), (223.57, 40))]
cases.below("tide with friction: off by", errors[-1], 0.012)
for order in cases.orders(errors):
    cases.between("tide with friction: order", order, 0.7, 1.3)
cases.between("the same without friction: off by", abs(1e-3 / np.cos(omega / np.sqrt(G * DEPTH) * LENGTH) - exact(LENGTH)) / abs(exact(LENGTH)), 0.5, 5)


# M2 in a channel of nearly a quarter wave with strong quadratic drag, against the same differences in space with tiny steps (RK4): the
# error is that of the step alone
CELLS, WIDE, PERIOD, DRAG, MOUTH = 14, 8000.0, 44714.0, 0.3, 1e-3


def first_harmonic(t, eta):
    late = t > 5 * PERIOD + 1e-3
    return 2 * np.mean(eta[late] * np.exp(-2j * np.pi * t[late] / PERIOD))


def fine_tide(steps=400):
    dt = PERIOD / steps

    def change(t, state):
        eta, u = state[:CELLS], state[CELLS:]
        level = np.concatenate([[MOUTH * np.cos(2 * np.pi * t / PERIOD) * min(1, t / PERIOD)], eta])
        return np.concatenate([-DEPTH * np.diff(np.append(u, 0)) / WIDE, -G * np.diff(level) / WIDE - DRAG * np.abs(u) * u / DEPTH])

    state, head = np.zeros(2 * CELLS), []
    for n in range(6 * steps):
        t = n * dt
        a = change(t, state)
        b = change(t + dt / 2, state + dt / 2 * a)
        c = change(t + dt / 2, state + dt / 2 * b)
        state = state + dt / 6 * (a + 2 * b + 2 * c + change(t + dt, state + dt * c))
        head.append(state[CELLS - 1])
    return first_harmonic(dt * np.arange(1, 6 * steps + 1), np.array(head))


def tide_at_head(steps):
    run = cases.run("verification/channel_tide", {
        "/grid/length_x_m": CELLS * WIDE, "/grid/length_y_m": 3 * WIDE, "/grid/dx_m": WIDE, "/initial/eta_m": 0,
        "/time": {"start": "2000-01-01T00:00:00Z", "step_s": PERIOD / steps, "duration_s": 6 * PERIOD},
        "/physics/drag": {"law": "constant", "cd": DRAG},
        "/boundaries/0/eta_m": f"{MOUTH}*cos(2*pi*t/{PERIOD})*min(1,t/{PERIOD})",
        "/output": [{"stations": {"head": [(CELLS - 0.5) * WIDE, WIDE]}, "every_s": PERIOD / steps, "variables": ["eta"]}]})
    series = run.stations()
    return first_harmonic(series["time"], series["eta"][:, 0])


fine = fine_tide()
errors = [tide_at_head(steps) / fine - 1 for steps in (40, 80)]
cases.below("tide with quadratic drag, 40 steps in a period: off by", abs(errors[0]), 0.015)
cases.between("tide with quadratic drag: order in the step", cases.orders(np.abs(errors))[0], 1.9, 2.1)

# constituents: a short basin has the level of its mouth; f, u, V of M2, O1 on 1 January 2000, noon, as published
PUBLISHED = {"M2": (1.0222, 124.299 - 1.771, 28.9841042), "S2": (1.0, 0.0, 30.0), "O1": (0.913, 293.834 + 10.2, 13.9430356)}
BASIN = {"/grid/length_x_m": 1000, "/grid/length_y_m": 300, "/grid/dx_m": 100, "/time/start": "2000-01-01T12:00:00Z",
         "/time/duration_s": 172800, "/time/step_s": 300, "/initial/eta_m": 0, "/physics/free_surface/theta": 1,
         "/output": [{"stations": {"in": [500, 150]}, "every_s": 900, "variables": ["eta"]}]}
for name, (f, argument, speed) in PUBLISHED.items():
    for nodal in (True, False):
        if not nodal and name != "S2":
            continue
        run = cases.run("verification/channel_tide", {**BASIN, "/boundaries": [
            {"name": "mouth", "edge": "west", "kind": "elevation", "nodal_corrections": nodal, "tide_ramp_s": 0,
             "tide": [{"constituent": name, "amplitude_m": 0.1, "phase_deg": 40}]}]})
        series = run.stations()
        t = series["time"]
        expected = 0.1 * f * np.cos(np.radians(argument - 40 + speed * t / 3600))
        cases.below(f"{name}: level inside, off by [m]", np.max(np.abs(series["eta"][t > 3600, 0] - expected[t > 3600])), 8e-4)

# the same wave as a formula and as a tide; at an edge, and outside of a radiating one
for kind, extra in (("elevation", {}), ("flather", {"velocity_amplitude_m_s": 0.01, "velocity_phase_deg": 70})):
    formula = {"name": "mouth", "edge": "west", "kind": kind, "eta_m": "0.02+0.01*cos(2*pi*t/5000-pi/6)"}
    wave = {"name": "mouth", "edge": "west", "kind": kind, "eta_m": 0.02, "tide_ramp_s": 0,
            "tide": [{"period_s": 5000, "amplitude_m": 0.01, "phase_deg": 30, **extra}]}
    if extra:
        formula["velocity_m_s"] = "0.01*cos(2*pi*t/5000-70*pi/180)"
    levels = [cases.run("verification/channel_tide", {"/initial/eta_m": 0, "/time/duration_s": 20000, "/time/step_s": 100, "/boundaries": [b],
                                                      "/output/0/every_s": 100}).stations()["eta"] for b in (formula, wave)]
    cases.below(f"{kind}: tide and formula differ by [m]", np.max(np.abs(levels[0] - levels[1])), 1e-8)

# a wave that comes in alone
run = cases.run("verification/flather_pulse", {
    "/initial": {"eta_m": 0}, "/boundaries/0/eta_m": "0.005*sin(2*pi*t/7200)*min(1,t/7200)", "/boundaries/0/incoming_wave": True,
    "/time/duration_s": 43200, "/output": [{"stations": {"middle": [50000, 1500]}, "every_s": 200, "variables": ["eta"]}]})
series = run.stations()
late = series["time"] > 20000
cases.close("incoming wave: amplitude", cases.fit_wave(series["time"][late], series["eta"][late, 0], 2 * np.pi / 7200)[1], 0.005, 0.01)

def edge_mean(fields, column):
    """Mean velocity of the columns at the western (0) or eastern (-1) edge."""
    return np.nansum(fields["u"][-1, :, :, column] * fields["layer_share"][:, :, column], axis=0)


# discharges: the account closes, and as much is in the sea as was let in
run = cases.run("verification/strait_discharge")
cases.conserves(run, 1e-12)
volume = run.column("volume_m3")
cases.below("discharge through: change of the volume", np.max(np.abs(volume / volume[0] - 1)), 1e-12)
fields = run.fields()
depth = fields["depth"][-1]
west, east = edge_mean(fields, 0) / np.sqrt(depth[:, 0]), edge_mean(fields, -1) * depth[:, -1]
cases.below("dealt by depth^1.5: spread of u / sqrt(H)", np.ptp(west) / np.mean(west), 1e-3)
cases.below("dealt by width: spread of u H", np.ptp(east) / np.mean(east), 1e-3)
cases.close("dealt by width: sum", np.sum(east) * 500, 5000, 1e-3)
run = cases.run("verification/strait_discharge", {"/boundaries/1/discharge_m3_s": 0, "/boundaries/0/discharge_m3_s": "300+200*sin(t/3000)"})
cases.conserves(run, 1e-12)
expected = np.sum(300 + 200 * np.sin(np.arange(1, 721) * 60 / 3000)) * 60
cases.close("discharge into a closed channel: volume", run.column("boundaries_m3")[-1], expected, 1e-12)
run = cases.run("verification/strait_discharge", {
    "/grid/flood_to_m": 2, "/bathymetry/bed_m": "1 - x/4000", "/initial/eta_m": 0, "/output": [],
    "/boundaries": [{"name": "in", "edge": "west", "kind": "discharge", "discharge_m3_s": 100}]})
cases.conserves(run, 1e-12)
cases.close("discharge onto dry land: volume", run.column("boundaries_m3")[-1], 100 * 43200, 1e-12)

# a given velocity
run = cases.run("verification/strait_discharge", {
    "/bathymetry/bed_m": -5, "/boundaries": [{"name": "in", "edge": "west", "kind": "velocity", "velocity_m_s": 0.2},
                                              {"name": "out", "edge": "east", "kind": "elevation", "eta_m": 0}]})
cases.conserves(run, 1e-12)
fields = run.fields()
cases.below("velocity given: mean at the edge, off by [m/s]", np.max(np.abs(edge_mean(fields, 0) - 0.2)), 1e-7)
cases.below("velocity given: layers at the edge differ from those farther in by [m/s]",
            np.nanmax(np.abs(np.diff(fields["u"][-1, :, :, :2], axis=2))), 1e-4)


def energy(fields, record):
    return 9.81 * np.sum(fields["eta"][record] ** 2) + 10 * np.sum(fields["ubar"][record] ** 2)


# sponges
for name, settings, low, high in (("sponge", {}, 0, 5e-5), ("none", {"/boundaries/0/sponge/width_m": 0}, 0.97, 1.0),
                                  ("sponge before a radiating edge", {"/boundaries/0/kind": "flather"}, 0, 5e-5)):
    run = cases.run("verification/sponge_pulse", settings)
    cases.conserves(run, 1e-12)
    fields = run.fields()
    cases.between(f"{name}: energy that comes back", energy(fields, -1) / energy(fields, 0), low, high)
# levels that leave by themselves
bump = "0.1*exp(-((x-50000)/8000)^2)"
for kind, most in (("flather", 5e-4), ("chapman", 1.5e-3), ("radiation", 5e-3)):
    for edge, sign in (("east", 1), ("west", -1)):
        run = cases.run("verification/flather_pulse", {
            "/initial": {"eta_m": bump, "u_m_s": f"{sign}*sqrt(0.981)*{bump}"},
            "/boundaries": [{"name": e, "edge": e, "kind": kind, **({"eta_m": 0} if kind == "flather" else {})} for e in ("west", "east")]})
        cases.conserves(run, 1e-12)
        fields = run.fields()
        cases.below(f"{kind}, pulse to the {edge}: energy that came back", energy(fields, -1) / energy(fields, 0), most)
run = cases.run("verification/flather_pulse", {
    "/initial": {"eta_m": 0.1}, "/time/duration_s": 120000, "/boundaries": [
        {"name": e, "edge": e, "kind": "chapman", "eta_m": 0.02, "relaxation": {"out_s": 10000}} for e in ("west", "east")]})
cases.conserves(run, 1e-12)
cases.below("chapman, drawn to a level: off by [m]", np.max(np.abs(run.fields()["eta"][-1] - 0.02)), 1e-4)
# what it draws the sea to: a wave that comes in passes it
wave = "0.005*sin(2*pi*t/7200)*min(1,t/7200)"
run = cases.run("verification/flather_pulse", {
    "/initial": {"eta_m": 0}, "/boundaries/0/eta_m": wave, "/boundaries/0/velocity_m_s": f"sqrt(0.981)*{wave}",
    "/boundaries/0/sponge": {"width_m": 10000, "time_s": 1000}, "/time/duration_s": 43200,
    "/output": [{"stations": {"middle": [50000, 1500]}, "every_s": 200, "variables": ["eta"]}]})
cases.conserves(run, 1e-12)
series = run.stations()
late = series["time"] > 20000
cases.between("wave through a sponge: amplitude", cases.fit_wave(series["time"][late], series["eta"][late, 0], 2 * np.pi / 7200)[1] / 0.005, 0.6, 1.01)

# a boundary around a corner is the two that it is made of
CORNER = {"/grid/length_y_m": 20000, "/grid/length_x_m": 20000, "/grid/dx_m": 1000, "/initial": {"eta_m": 0}, "/output": [],
          "/time/duration_s": 4000}
part = {"kind": "flather", "eta_m": "0.1*sin(t/500)"}
corner = cases.run("verification/flather_pulse", {**CORNER, "/boundaries": [{"name": "c", "edge": "all", "box": [-1, 8000, -1, 8000], **part}]})
both = cases.run("verification/flather_pulse", {**CORNER, "/boundaries": [
    {"name": "w", "edge": "west", "range": [0, 8000], **part}, {"name": "s", "edge": "south", "range": [0, 8000], **part}]})
whole = cases.run("verification/flather_pulse", {**CORNER, "/boundaries": [{"name": "c", "edge": "all", **part}]})
cases.equal("around a corner", corner.digest, both.digest)
cases.equal("all around is something else", whole.digest != both.digest, True)

# water that comes in after some has left: at first as salty as that was, then by and by as given
SALT = {"/grid/levels": {"bottom_m": -10, "dz_m": 10}, "/initial": {"eta_m": 0, "salinity": 10}, "/grid/length_x_m": 10000,
        "/time/duration_s": 20000, "/time/step_s": 100, "/output": [{"stations": {"edge": [250, 1500]}, "every_s": 100, "variables": ["salinity"]}],
        "/boundaries": [{"name": "w", "edge": "west", "kind": "velocity", "velocity_m_s": 0.2, "salinity": 30, "inflow_relaxation_s": 3000},
                        {"name": "e", "edge": "east", "kind": "elevation", "eta_m": 0}]}
run = cases.run("verification/flather_pulse", SALT)
ledger = run.log[-1]["tracers"]["salinity"]
cases.below("salt: account", abs(ledger["error"]) / ledger["content"], 1e-12)
salt, edge, inside = [10.0], 10.0, 10.0
for n in range(200):  # the cell at the edge, by its own balance: 0.2 m/s through a cell of 500 m in 100 s
    edge += (30 - edge) * 100 / 3100
    inside += 0.2 * 100 / 500 * (edge - inside)
    salt.append(inside)
cases.below("salt at the edge: off by", np.max(np.abs(run.stations()["salinity"].squeeze() - salt)), 0.15)
at_once = cases.run("verification/flather_pulse", {**SALT, "/boundaries/0/inflow_relaxation_s": 0})
cases.between("salt at once: ahead by", np.max(at_once.stations()["salinity"].squeeze() - salt), 3, 20)

# what is allowed, but hardly meant, is said; what goes with another kind is refused
tide = {"name": "t", "edge": "west", "tide": [{"constituent": "M2", "amplitude_m": 1, "phase_deg": 0}]}
for name, boundary, message in (
        ("tide without velocity", {**tide, "kind": "flather"}, "its velocity does not"),
        ("thin sponge", {**tide, "kind": "elevation", "sponge": {"width_m": 900, "time_s": 100}}, "reflects most"),
        ("flows only", {"name": "t", "edge": "west", "kind": "discharge", "discharge_m3_s": 1}, "no boundary prescribes a level")):
    run = cases.run("verification/channel_tide", {"/boundaries": [boundary], "/time/duration_s": 300, "/output": []})
    cases.equal(f"said: {name}", message in run.message, True)
for name, boundary, message in (
        ("discharge and level", {"name": "t", "edge": "west", "kind": "discharge", "discharge_m3_s": 1, "eta_m": 1}, "depends on the kind"),
        ("no level", {"name": "t", "edge": "west", "kind": "elevation"}, 'needs "eta_m" or "tide"'),
        ("no such constituent", {**tide, "kind": "flather", "tide": [{"constituent": "m2"}]}, 'did you mean "M2"'),
        ("neither name nor period", {**tide, "kind": "flather", "tide": [{"amplitude_m": 1}]}, "either its"),
        ("constituent twice", {**tide, "kind": "flather", "tide": 2 * tide["tide"]}, "given twice"),
        ("range of all edges", {**tide, "edge": "all", "kind": "flather", "range": [0, 1]}, 'give a "box"'),
        ("box without a cell", {**tide, "kind": "flather", "box": [0, 100, 0, 1]}, "meets no wet cell")):
    run = cases.run("verification/channel_tide", {"/boundaries": [boundary], "/output": []}, may_fail=True)
    cases.equal(f"refused: {name}", (run.code, message in run.message), (2, True))


# steps in the period of the shortest tide, as `check` counts them; few of them are a warning where layers have a constant viscosity,
# which is of first order in the step
def checked(**settings):
    """Hours, steps, and whether the step is called long."""
    pairs = [word for key, value in settings.items() for word in ("--set", f"/{key}={value}")]
    told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/verification/channel_tide_viscous.json"), *pairs],
                          capture_output=True, text=True)
    hours, steps = re.search(r"^tide .* of ([0-9.]+) h, has .*?([0-9]+) steps", told.stdout, re.M).groups()
    return float(hours), int(steps), "first order" in told.stderr


M2_M4 = '[{"constituent":"M2","amplitude_m":1e-3,"phase_deg":0},{"constituent":"M4","amplitude_m":1e-4,"phase_deg":0}]'
for name, settings, expected in (
        ("50 steps", {"time/step_s": 894.28}, (12.42, 50, True)),
        ("100 steps", {}, (12.42, 100, False)),
        ("50 steps, one layer", {"time/step_s": 894.28, "grid/levels/dz_m": 10}, (12.42, 50, False)),
        ("50 steps, k-epsilon", {"time/step_s": 894.28, "physics/turbulence": '{"closure":"k-epsilon"}', "physics/drag": '{"law":"manning"}'},
         (12.42, 50, False)),
        ("M2 and M4", {"boundaries/0/tide": M2_M4}, (6.21, 50, True))):
    cases.equal(f"check: {name}", checked(**settings), expected)
cases.finish()
