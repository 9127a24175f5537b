# SPDX-License-Identifier: Apache-2.0
"""Layers that move with the stratification: what is even stays even, budgets close, layers gather where the density changes,
a mixed layer deepens as with twice as many equal layers, a lake over rough ground stays nearly at rest."""

import cases
import netCDF4
import numpy as np

DEPTH, FRICTION, STABILITY = 50.0, 0.01, 0.01
DEEPENING, LAKE, SEICHE = "verification/kato_phillips", "verification/lake_at_rest_stratified", "verification/internal_seiche"


def levels(kind, layers, **adapt):
    return {"/grid/levels": {"kind": kind, "bottom_m": -DEPTH, "layers": layers, **({"adapt": adapt} if adapt else {})}}


def middles(share):
    return -DEPTH + DEPTH * (np.cumsum(share, axis=0) - 0.5 * share)


def edge(values, heights, threshold=1e-5):
    """Depth at which `values` fall below the threshold, from the surface down."""
    k = np.flatnonzero(values[1:] > threshold)[0] + 1
    part = (threshold - values[k - 1]) / (values[k] - values[k - 1])
    return -(heights[k - 1] + part * (heights[k] - heights[k - 1]))


def deepening(name, settings):
    """Errors of the mixed layer's depth from the 12th hour on."""
    run = cases.run(DEEPENING, settings)
    cases.conserves(run, 1e-15)
    errors = [line["tracers"]["temperature"] for line in run.log]
    cases.below(f"{name}: account of heat", max(abs(e["error"]) / abs(e["content"]) for e in errors), 4e-15)
    fields = run.fields("kato_phillips.nc")
    share = fields["layer_share"] if fields["layer_share"].ndim == 4 else np.broadcast_to(fields["layer_share"], fields["temperature"].shape)
    cases.below(f"{name}: shares add up to 1", np.max(np.abs(share.sum(axis=1) - 1)), 1e-6)
    cases.below(f"{name}: difference between columns [K]", np.max(np.ptp(fields["temperature"], axis=(2, 3))), 1e-5)
    error = [edge(fields["tke"][hour, :, 1, 4], middles(share[hour, :, 1, 4])) / (1.05 * FRICTION * np.sqrt(hour * 3600 / STABILITY)) - 1 for hour in range(12, 31, 3)]
    return np.sqrt(np.mean(np.square(error))), share[-1, :, 1, 4], fields["temperature"][-1, :, 1, 4]


# ten layers that move do what twenty equal ones do
error, share, temperature = deepening("10 that move", levels("adaptive", 10))
equal, _, _ = deepening("10 equal ones", levels("bed-following", 10))
cases.below("mixed layer of 10 layers that move, rms error", error, 0.05)
cases.below("the same, of that of 10 equal ones", error / equal, 0.65)
cases.between("thinnest layer, of an equal one", 10 * share.min(), 0.1, 0.6)
cases.below("thinnest layer is where the temperature changes most [layers]", abs(int(np.argmin(share)) - int(np.argmax(np.diff(temperature)))), 1.5)

# an even dye stays as it is to the last bit, whatever layers, tides and thin water do; least shares are kept
STRONG = {"bed": 0.2, "density": 0.5, "zone_m": 1, "relaxation_s": 600, "every_s": 0, "thinnest_part": 0.3}
run = cases.run(LAKE, {"/grid/levels": {"kind": "adaptive", "bottom_m": -10, "layers": 8, "adapt": STRONG}, "/time/duration_s": 12000,
                       "/initial/eta_m": "0.3*cos(pi*x/20000)", "/tracers": [{"name": "dye", "kind": "dye", "initial": 7.3}], "/physics/turbulence/closure": "k-epsilon", "/restart/at_end": True,
                       "/output": [{"every_s": 12000, "variables": ["dye", "temperature", "speed"]}]})
cases.conserves(run, 1e-15)
last = run.log[-1]["tracers"]
for tracer in last:
    cases.below(f"account of {tracer}", max(abs(line["tracers"][tracer]["error"] / line["tracers"][tracer]["content"]) for line in run.log), 1e-14)
with netCDF4.Dataset(next(run.folder.glob("**/restart_*.nc"))) as file:  # in double precision
    dye, share = (np.ma.filled(file[name][:], np.nan)[..., 10, 10] for name in ("dye", "layer_share"))
    whole = np.ma.filled(file["dye"][:], np.nan)[..., np.ma.filled(file["depth"][:], 0) > 0.01]
cases.equal("bounds of an even dye", (float(whole.min()), float(whole.max())), (7.3, 7.3))
cases.equal("shares of a column make 1 and are multiples of 2^-40", (float(share.sum()), bool(np.all(np.ldexp(share, 40) % 1 == 0))), (1.0, True))
fields = run.fields("lake_at_rest_stratified.nc")
share = fields["layer_share"]
cases.below("shares move by", -np.nanmax(np.abs(share[-1] - share[0])), -0.02)
cases.between("thinnest layer, of an equal one", 8 * np.nanmin(share), 0.3 - 1e-6, 0.9)
cases.between("temperature stays between the limits of the formula [K]", np.nanmin(fields["temperature"]), 8, np.nanmin(fields["temperature"][0]) + 1e-3)
cases.below("and below the upper one [K]", np.nanmax(fields["temperature"]), 24)

# an internal seiche, from layers that have found its thermocline: the force is that of fine layers, and the thermocline stays thin
THIN = {"/initial/temperature_C": "20 + 5*tanh((z + 4 - 0.5*cos(pi*x/10000))/0.7)", "/time/step_s": 200, "/time/duration_s": 172800,
        "/output": [{"every_s": 1000, "velocities": "faces", "variables": ["u"]}, {"every_s": 172800, "file": "layers.nc", "variables": ["temperature", "thickness"]}]}


def seiche(kind, layers):
    run = cases.run(SEICHE, {**THIN, "/grid/levels": {"kind": kind, "bottom_m": -10, "layers": layers}})
    cases.conserves(run, 1e-14)
    fields = run.fields("layers.nc")
    middle = np.cumsum(fields["thickness"], axis=1) - 0.5 * fields["thickness"]
    steepest = np.max(np.diff(fields["temperature"], axis=1) / np.diff(middle, axis=1), axis=1)
    return run.fields("internal_seiche.nc")["u"][:, :, 0, 10], np.mean(10 / steepest, axis=(1, 2)), np.max(run.column("max_speed_m_s"))


few, thickness, fastest = seiche("adaptive", 10)
equal, thick, _ = seiche("bed-following", 10)
fine, _, fastest_fine = seiche("bed-following", 40)
cases.close("10 that move: current at the bed after 1000 s", few[1, 0], fine[1, 0], 0.01)
cases.close("10 that move: current at the surface after 1000 s", few[1, -1], fine[1, -1], 0.01)
cases.close("10 that move: fastest current in two days", fastest, fastest_fine, 0.1)
cases.close("10 that move: thickness of the thermocline at first [m]", thickness[0], 1.4, 0.03)
cases.close("10 that move: after two days [m]", thickness[-1], 1.4, 0.1)
cases.below("it is thinner than in equal layers by [m]", thickness[-1] - thick[-1], -0.2)

# a lake over a hill of half its depth: layers slope on it
HILL = {"/bathymetry/bed_m": "-10 + 4*exp(-((x-10000)^2 + (y-7500)^2)/4000^2)", "/initial/salinity": 0, "/initial/eta_m": 0, "/time/duration_s": 24000, "/output": []}
run = cases.run(LAKE, {**HILL, "/grid/levels": {"kind": "adaptive", "bottom_m": -10, "layers": 10}})
cases.below("rest over a hill: speed [m/s]", np.max(run.column("max_speed_m_s")), 1.5e-3)
cases.conserves(run, 1e-15)
cases.finish()
