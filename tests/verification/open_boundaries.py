# SPDX-License-Identifier: Apache-2.0
"""Open boundaries: a channel that co-oscillates with a given level, pulses that leave, waves that come in; all edges."""

import json
import subprocess

import cases
import numpy as np

C, LENGTH, OMEGA = np.sqrt(98.1), 100e3, 2 * np.pi / 44714
GAIN = 1 / np.cos(OMEGA / C * LENGTH)


def tide(dx, step):
    run = cases.run("verification/channel_tide", {
        "/grid/dx_m": dx, "/grid/dy_m": 1000, "/time/step_s": step, "/output/0/every_s": step, "/time/duration_s": 178800,
        "/output/0/stations": {"head": [LENGTH - dx / 2, 1500]}})
    cases.conserves(run, 1e-12)
    series = run.stations()
    exact = 1e-3 * GAIN * np.cos(OMEGA / C * dx / 2) * np.cos(OMEGA * series["time"])
    return np.sqrt(np.mean((series["eta"][:, 0] - exact) ** 2)) / (1e-3 * GAIN)


errors = [tide(4000, 1200), tide(2000, 600), tide(1000, 300)]
cases.below("tide of a closed channel near resonance, at the head", errors[-1], 0.005)
for order in cases.orders(errors):
    cases.between("tide: order", order, 1.7, 2.3)

eastern = "0.001*cos(2*pi/44714/sqrt(98.1)*x)/cos(2*pi/44714/sqrt(98.1)*100000)"
run = cases.run("verification/channel_tide", {
    "/initial/eta_m": eastern, "/boundaries/0/edge": "east", "/boundaries/0/eta_m": f"{eastern}*cos(2*pi*t/44714)",
    "/output/0/stations": {"head": [500, 1500]}})
series = run.stations()
_, amplitude, _ = cases.fit_wave(series["time"], series["eta"][:, 0], OMEGA)
cases.close("tide, open to the east: gain", amplitude / 1e-3, GAIN, 0.005)


def energy(fields, record, along_x):
    eta, u = fields["eta"][record], fields["ubar" if along_x else "vbar"][record]
    return 9.81 * np.sum(eta**2) + 10 * np.sum(u**2)


bump = "0.1*exp(-(({}-50000)/8000)^2)"
for name, along_x, sign in (("east", True, 1), ("west", True, -1), ("north", False, 1), ("south", False, -1)):
    shape = bump.format("x" if along_x else "y")
    settings = {"/initial": {"eta_m": shape, "u_m_s" if along_x else "v_m_s": f"{sign}*sqrt(0.981)*{shape}"}}
    if not along_x:
        settings.update({"/grid/length_x_m": 3000, "/grid/length_y_m": LENGTH, "/boundaries/0/edge": "south", "/boundaries/1/edge": "north"})
        settings["/output/0/variables"] = ["eta", "vbar"]
    run = cases.run("verification/flather_pulse", settings)
    cases.conserves(run)
    fields = run.fields()
    cases.below(f"pulse to the {name}: energy that came back", energy(fields, -1, along_x) / energy(fields, 0, along_x), 0.001)

# a wave of 2 h that comes in from the west and leaves to the east, the level and the current of which are given
wave = "0.005*sin(2*pi*t/7200)*min(1,t/7200)"
run = cases.run("verification/flather_pulse", {
    "/initial": {"eta_m": 0}, "/boundaries/0/eta_m": wave, "/boundaries/0/velocity_m_s": f"sqrt(0.981)*{wave}",
    "/time/duration_s": 43200, "/output": [{"stations": {"middle": [50000, 1500]}, "every_s": 200, "variables": ["eta"]}]})
cases.conserves(run)
series = run.stations()
late = series["time"] > 20000
omega = 2 * np.pi / 7200
_, amplitude, phase = cases.fit_wave(series["time"][late], series["eta"][late, 0], omega)
cases.close("wave let in: amplitude", amplitude, 0.005, 0.01)
delay = (phase - np.pi / 2) / omega % 7200
cases.close("wave let in: delay", delay, series["x"][0] / C, 0.005)

# a beach that falls dry beside a radiating edge: the film there gets no jet from the level outside
run = cases.run("verification/flather_pulse", {
    "/grid/flood_to_m": 2, "/bathymetry/bed_m": "0.2*cos(y/300)-0.2+x/100000", "/initial": {"eta_m": 0}, "/time/duration_s": 8000,
    "/physics/drag": {"law": "manning"}, "/boundaries/0/eta_m": "0.5*sin(t/600)", "/output": []})
cases.conserves(run, 1e-12)
cases.below("beach beside a radiating edge: speed [m/s]", np.max(run.column("max_speed_m_s")), 2 * np.sqrt(9.81 * 0.5))

# `check` measures a sponge against the way inwards from its edge, not across the channel of 3 km
for edge, width, periodic, expected in (("west", 40e3, [], False), ("west", 120e3, [], True), ("all", 40e3, [], True), ("all", 40e3, ["y"], False)):
    sponge = {"name": "sea", "edge": edge, "kind": "flather", "eta_m": 0, "sponge": {"width_m": width, "time_s": 300}}
    pairs = ["--set", f"/boundaries={json.dumps([sponge])}", "--set", f"/grid/periodic={json.dumps(periodic)}"]
    told = subprocess.run([cases.PROGRAM, "check", str(cases.SOURCE / "scenarios/verification/flather_pulse.json"), *pairs],
                          capture_output=True, text=True)
    cases.equal(f"a sponge of {width:g} m, edge {edge}, periodic {periodic}: through the whole grid",
                (told.returncode, "through the whole grid" in told.stderr), (0, expected))
cases.finish()
