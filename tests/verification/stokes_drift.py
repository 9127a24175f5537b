# SPDX-License-Identifier: Apache-2.0
"""Stokes drift: the Ekman layer that it drives, its profile and transport, what the Coriolis force makes of it without friction,
the flow back in a closed channel, and its part in the mixing."""

import cases
import numpy as np

GRAVITY, DEPTH, NU, F = 9.81, 20.0, 0.01, 1e-4
HEIGHT, PERIOD = 2.0, 6.0


def wave(depth):
    """Wave number and transport."""
    frequency = 2 * np.pi / (0.834 * PERIOD)
    low, high = 1e-6, 100.0
    for _ in range(200):
        k = 0.5 * (low + high)
        low, high = (k, high) if GRAVITY * k * np.tanh(k * depth) < frequency**2 else (low, k)
    return k, GRAVITY * HEIGHT**2 / 16 * k / frequency


def waves(origin=270, **more):
    return {"/forcing/waves": {"height_m": HEIGHT, "peak_period_s": PERIOD, "from_deg": origin, "bed_roughness_m": 1e-6, **more},
            "/forcing/wind": {"stress_x_Pa": 0, "stress_y_Pa": 0}}


def profile(layers, number, transport):
    edges = np.sinh(2 * number * DEPTH * np.arange(layers + 1) / layers) / np.sinh(2 * number * DEPTH)
    return transport * np.diff(edges) * layers / DEPTH


NUMBER, TRANSPORT = wave(DEPTH)

# ---- the steady layer: i f (E + s) = nu E'', E = 0 at the bed, E' = 0 at the surface; the velocity is E + s ----


def exact(layers):
    z = DEPTH * (np.arange(layers * 64) + 0.5) / (layers * 64)
    drift = TRANSPORT * 2 * NUMBER * np.cosh(2 * NUMBER * z) / np.sinh(2 * NUMBER * DEPTH)
    slope = TRANSPORT * 4 * NUMBER**2  # of the drift at the surface
    part = 1j * F / (4 * NU * NUMBER**2 - 1j * F)
    root = np.sqrt(1j * F / NU)
    even = -part * TRANSPORT * 2 * NUMBER / np.sinh(2 * NUMBER * DEPTH)
    odd = -(part * slope / root + even * np.sinh(root * DEPTH)) / np.cosh(root * DEPTH)
    return np.mean((drift * (1 + part) + even * np.cosh(root * z) + odd * np.sinh(root * z)).reshape(layers, 64), axis=1)


def error(layers, turn=1, **settings):
    run = cases.run("verification/ekman_layer", {"/grid/levels/dz_m": DEPTH / layers, **waves(270 if turn == 1 else 180), **settings,
                                                 "/output/0/variables": ["u", "v", "stokes_east", "stokes_north"]})
    fields = run.fields()
    found = (fields["u"][-1, :, 1, 1] + 1j * fields["v"][-1, :, 1, 1]) / turn
    drift = fields["stokes_east"][-1, :, 1, 1] + 1j * fields["stokes_north"][-1, :, 1, 1]
    cases.below(f"{layers} layers: drift", np.max(np.abs(drift / turn - profile(layers, NUMBER, TRANSPORT))), 3e-8)
    return np.sqrt(np.sum(np.abs(found - exact(layers)) ** 2) / np.sum(np.abs(exact(layers)) ** 2))


errors = [error(layers) for layers in (10, 20, 40)]
cases.below("Ekman layer of the drift, 40 layers", errors[-1], 0.002)
cases.between("order in the layers", cases.orders(errors)[-1], 1.8, 2.2)
cases.below("waves along y", error(40, 1j), 0.002)
cases.below("implicit scheme", error(40, **{"/physics/momentum/scheme": "matm"}), 0.002)

# ---- without friction: the velocity, drift included, turns in circles of the same size ----

FREE = {**waves(), "/physics/drag/law": "none", "/physics/turbulence/viscosity_m2_s": 0, "/physics/density": {"equation": "constant"}}
run = cases.run("verification/ekman_layer", {**FREE, "/grid/levels/dz_m": 1, "/output/0/every_s": 57600, "/output/0/variables": ["u", "v"]})
fields = run.fields()
speed = np.hypot(fields["u"][1:, :, 1, 1], fields["v"][1:, :, 1, 1])
struck = profile(20, NUMBER, TRANSPORT) / np.hypot(1, F * 600 / 2)  # by waves that rise in the first step, while it turns
cases.below("circles: speed of the drift, of the largest", np.max(np.abs(speed - struck)) / np.max(speed), 1e-6)
cases.conserves(run)

# ---- a closed channel: as much flows back ----

CLOSED = {**waves(), "/grid/periodic": ["y"], "/physics/coriolis": "none", "/grid/levels/dz_m": 1, "/output/0/variables": ["u", "eta", "stokes_east", "thickness"],
          "/physics/turbulence/viscosity_m2_s": 1e-3, "/forcing/ramp_s": 20000}
closed = cases.run("verification/ekman_layer", CLOSED)
fields = closed.fields()
cases.conserves(closed)
through = np.nansum(fields["u"][-1, :, 1, 1:-1], axis=0)
cases.below("closed: nothing in sum, of the transport", np.max(np.abs(through)) / TRANSPORT, 1e-4)
cases.below("closed: the level stays", np.max(np.abs(fields["eta"][-1])), 0.02)

# ---- turbulence: the shear of the drift works, too ----

MIXED = {"/physics/turbulence": {"closure": "k-epsilon"}, "/physics/drag": {"law": "log"}, "/time/duration_s": 86400, "/output/0/every_s": 86400,
         "/grid/levels/dz_m": 1, "/output/0/variables": ["tke"]}
wind = {**waves(), "/forcing/wind": {"stress_x_Pa": 0.1, "stress_y_Pa": 0}}
with_drift, without = (cases.run("verification/ekman_layer", {**MIXED, **wind, "/forcing/waves/stokes_drift": drift}).fields()["tke"][-1, :, 1, 1]
                       for drift in (True, False))
cases.between("energy of the turbulence near the surface, with the drift over without", with_drift[-2] / without[-2], 1.02, 3)
cases.finish()
