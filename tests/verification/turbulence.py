# SPDX-License-Identifier: Apache-2.0
# ctest: timeout 300
"""Closures down the column: law of the wall under a wind and in a channel, for any number of layers and any step; solutions of the closures themselves."""

import cases
import numpy as np

KAPPA, DEPTH, Z0 = 0.4, 10.0, 0.002
CLOSURE = "/physics/turbulence/closure"


def profile(scenario, layers, settings):
    """Heights above the bed and the steady velocities there."""
    run = cases.run(f"verification/{scenario}", {"/grid/levels/dz_m": DEPTH / layers, **settings})
    fields = run.fields()
    u = fields["u"][:, :, 0, 4]
    cases.below(f"{scenario}, {layers} layers: change at the end", np.max(np.abs(u[-1] - u[-2])) / np.max(u), 5e-4)
    cases.below(f"{scenario}, {layers} layers: difference along the flow", np.max(np.ptp(fields["u"][-1, :, 0, 2:7], axis=1)), 1e-6)
    return DEPTH * (np.arange(layers) + 0.5) / layers, u[-1]


def named(settings):
    return "".join(f", {key.rsplit('/', 1)[1]} {value}" for key, value in settings.items())


def worst(u, exact):
    return np.max(np.abs(u - exact) / exact)


def law(friction, z):
    return friction / KAPPA * np.log((z + Z0) / Z0)


def by_hand(points=1500, friction=0.05):
    """k-epsilon in the channel without time and layers: the given stress, levels that crowd at both ends, full sweeps."""
    c1, c2, sigma, cmu0 = 1.44, 1.92, 1.2027, 0.5265
    z = DEPTH / (1 + np.exp(-np.linspace(np.log(1e-4), -np.log(1e-3), points)))
    share, wall = 1 - z / DEPTH, np.minimum(z + Z0, DEPTH - z)
    k = friction**2 / cmu0**2 * share
    eps = cmu0**3 * k**1.5 / (KAPPA * wall)
    size = np.gradient(z)
    for _ in range(2000):
        nu = cmu0**4 * k**2 / eps
        production = (friction**2 * share) ** 2 / nu
        across = 0.5 * (nu[1:] + nu[:-1]) / np.diff(z)
        new_k = line(across, size, production + k / 20, eps / k + 1 / 20)
        ends = cmu0**3 * new_k[[0, -1]] ** 1.5 / (KAPPA * wall[[0, -1]])
        new_eps = line(across / sigma, size, eps / k * c1 * production + eps / 20, c2 * eps / k + 1 / 20, ends)
        change = np.max(np.abs(new_k / k - 1)) + np.max(np.abs(new_eps / eps - 1))
        k, eps = new_k, new_eps
        if change < 1e-8:
            break
    cases.below("by hand: change at the end", change, 1e-8)
    slope = friction**2 * share * eps / (cmu0**4 * k**2)
    return z, law(friction, z[0]) + np.concatenate([[0], np.cumsum(0.5 * (slope[1:] + slope[:-1]) * np.diff(z))])


def line(across, size, source, sink, ends=None):
    """Steady diffusion with source - sink x; nothing through the ends, or given values there. Thomas's elimination."""
    diagonal, right = size * sink, size * source
    diagonal[:-1] += across
    diagonal[1:] += across
    upper, lower = -across.copy(), -across.copy()
    if ends is not None:
        diagonal[[0, -1]], right[[0, -1]], upper[0], lower[-1] = 1, ends, 0, 0
    for n in range(1, len(right)):
        part = lower[n - 1] / diagonal[n - 1]
        diagonal[n] -= part * upper[n - 1]
        right[n] -= part * right[n - 1]
    x = right / diagonal
    for n in range(len(x) - 2, -1, -1):
        x[n] = (right[n] - upper[n] * x[n + 1]) / diagonal[n]
    return x


# k-epsilon under a constant stress: k is the same everywhere, and (ln eps)'' ~ eps^2, so that nu = kappa u* h/pi sin(pi z/h)
for layers, settings, tolerance in ((5, {}, 0.003), (10, {}, 0.003), (25, {}, 0.004), (50, {}, 0.006), (25, {"/time/step_s": 600}, 0.004),
                                    (50, {"/time/step_s": 1800}, 0.006), (25, {"/physics/turbulence/stability": "cheng"}, 0.004), (2, {}, 0.05), (3, {}, 0.005)):
    z, u = profile("couette", layers, settings)
    exact = 0.01 / KAPPA * (np.log(np.tan(0.5 * np.pi * z / DEPTH)) + np.log(2 * DEPTH / (np.pi * Z0)))
    cases.below(f"under a wind, {layers} layers{named(settings)}: profile", worst(u, exact), tolerance)

# a surface that waves roughen: the same law between walls that lie z0 below the bed and two heights above the surface
WAVES = {"/forcing/waves": {"height_m": 0.5, "peak_period_s": 2, "from_deg": 0, "stokes_drift": False, "surface_roughness": 2, "breaking_flux": 0}}
z, u = profile("couette", 10, WAVES)
between = 0.5 * np.pi / (DEPTH + Z0 + 1)
exact = 0.01 / KAPPA * np.log(np.tan(between * (z + Z0)) / np.tan(between * Z0))
cases.below("under a wind with waves: profile", worst(u, exact), 0.008)
cases.below("under a wind with waves: shear of the uppermost layers", abs((u[-1] - u[-2]) / (exact[-1] - exact[-2]) - 1), 0.06)

fine_z, fine_u = by_hand()
for layers, settings, tolerance, flow in ((5, {}, 0.025, 0.022), (10, {}, 0.0155, 0.01), (25, {}, 0.009, 0.002), (50, {}, 0.006, 0.002), (25, {"/time/step_s": 600}, 0.009, 0.002)):
    z, u = profile("open_channel", layers, settings)
    near = z < max(0.07 * DEPTH, 1.01 * z[0])
    cases.below(f"channel, {layers} layers{named(settings)}: law of the wall near the bed", worst(u[near], law(0.05, z[near])), 0.02)
    fine = np.interp(z, fine_z, fine_u)
    cases.below(f"channel, {layers} layers{named(settings)}: profile", worst(u, fine), tolerance)
    cases.below(f"channel, {layers} layers{named(settings)}: flow", abs(np.mean(u - fine)) / np.mean(fine), flow)

LONG = {"/physics/turbulence/viscosity_m2_s": 0, "/time/duration_s": 360000, "/output/0/every_s": 180000}
z, u = profile("couette", 25, {CLOSURE: "parabolic", **LONG})
both = 0.01 / KAPPA * (np.log((z + Z0) / Z0) - np.log((DEPTH - z) / DEPTH))
cases.below("under a wind, parabolic", worst(u, both), 0.02)
z, u = profile("open_channel", 25, {CLOSURE: "parabolic", "/physics/turbulence/viscosity_m2_s": 0})
cases.below("channel, parabolic", worst(u, law(0.05, z)), 0.02)

z, u = profile("couette", 25, {CLOSURE: "mixing-length", **LONG})
cases.below("under a wind, mixing length", worst(u, both), 0.02)
z, u = profile("open_channel", 25, {CLOSURE: "mixing-length"})
root = np.sqrt(1 - z / DEPTH)  # u_z = u*/(kappa z sqrt(1 - z/h))
steps = 0.05 / KAPPA * np.log((1 - root) / (1 + root))
cases.below("channel, mixing length", worst(u, steps - steps[0] + law(0.05, z[0])), 0.02)

for step in (60, 600):
    z, u = profile("couette", 10, {CLOSURE: "azov", **LONG, "/time/step_s": step})
    exact = law(0.01, z[0]) + np.arange(10) * np.sqrt(2) * 0.01 / 0.2  # dz u_z = sqrt(2) u*/Cs, whatever dz
    cases.below(f"under a wind, azov, steps of {step} s", worst(u, exact), 1e-3)
cases.finish()
