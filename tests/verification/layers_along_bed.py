# SPDX-License-Identifier: Apache-2.0
"""Layers along the bed: no stairs (water of one density moves as with one layer), rest over steep ground, what mixing, drag,
waves and edges do to them, fewer layers in shallow water, restart and refusals."""

import cases
import netCDF4
import numpy as np

ALONG = {"/grid/levels/kind": "bed-following"}
LAKE = "verification/lake_at_rest_stratified"
SMOOTH = {**ALONG, "/physics/turbulence/closure": "constant", "/physics/drag": {"law": "none"}, "/initial/temperature_C": 20, "/initial/salinity": 12,
          "/initial/eta_m": "0.05*cos(pi*x/20000)", "/physics/coriolis": {"f_s": 1e-4}, "/time/duration_s": 6000, "/output/0/every_s": 6000}

# one density, nothing that varies down the column: every layer moves as the whole water does
one = cases.run(LAKE, {**SMOOTH, "/grid/levels": {"kind": "bed-following", "bottom_m": -10, "layers": 1}})
for name, levels in (("equal layers", {"layers": 8}), ("stretched", {"layers": 12, "towards_surface": 2, "towards_bed": 3})):
    many = cases.run(LAKE, {**SMOOTH, "/grid/levels": {"kind": "bed-following", "bottom_m": -10, **levels}})
    cases.conserves(many, 1e-14)
    eta = many.fields()["eta"][-1] - one.fields()["eta"][-1]
    cases.below(f"{name}: level beside one layer [m]", np.nanmax(np.abs(eta)), 2e-8)
    cases.below(f"{name}: velocities of a column's layers differ [m/s]", np.nanmax(np.ptp(many.fields()["u"][-1], axis=0)), 1e-9)
    shares = many.fields()["layer_share"]
    with netCDF4.Dataset(next(many.folder.glob("**/*[!s].nc"))) as file:  # CF's formula, from attributes alone
        sides = file["sigma_bnds"]
        terms = dict(zip(*[iter(sides.formula_terms.replace(":", "").split())] * 2))
        cases.equal(f"{name}: coordinate of CF", (sides.standard_name, file["sigma"].bounds, file["temperature"].coordinates), ("ocean_sigma_coordinate", "sigma_bnds", "sigma"))
        eta, floor, sigma = (np.ma.filled(file[terms[term]][:].astype(float), np.nan) for term in ("eta", "depth", "sigma"))
        upper = eta[:, None] + sigma[:, 1][None, :, None, None] * (eta + floor)[:, None]
        middle = eta[:, None] + np.asarray(file["sigma"][:])[None, :, None, None] * (eta + floor)[:, None]
        thick = shares * (eta - file["bed"][:])[:, None]
    cases.below(f"{name}: heights by CF's formula [m]", np.nanmax(np.abs(upper - (eta[:, None] - np.cumsum(thick[:, ::-1], 1)[:, ::-1] + thick))), 1e-5)
    cases.below(f"{name}: and of the middles [m]", np.nanmax(np.abs(middle - (eta[:, None] - np.cumsum(thick[:, ::-1], 1)[:, ::-1] + thick / 2))), 1e-5)
    wet = np.isfinite(shares).any(0)
    cases.equal(f"{name}: layers of all columns", np.unique(np.isfinite(shares).sum(0)[wet]).tolist(), [levels["layers"]])
    cases.below(f"{name}: shares differ between columns", np.ptp(shares[:, wet], axis=1).max(), 1e-6)
    thick = shares[:, wet][:, 0]
    if name == "stretched":  # bottom up in the file
        cases.equal("thinner towards the surface and, more so, towards the bed", bool(thick[0] < thick[-1] < 0.6 * thick.max()), True)
thinned = cases.run(LAKE, {**SMOOTH, "/grid/levels": {"kind": "bed-following", "bottom_m": -10, "layers": 8, "thinnest_m": 0.9}, "/time/duration_s": 120})
thickness = thinned.fields()["layer_share"] * (6 - thinned.fields()["bed"])  # where the water stands at flood_to_m
cases.close("thinnest layer [m]", np.nanmin(np.where(np.isfinite(thickness).sum(0) > 1, thickness, np.nan)), 0.9, 1e-5)
cases.equal("then CF has no formula", "sigma" in thinned.fields(), False)
cases.equal("some columns have fewer layers", len(np.unique(np.isfinite(thickness).sum(0))) > 3, True)

# rest, where the stratification is a function of height to the last bit, and where it only happens to be one
for name, settings, limit in (("known", {"/initial/eta_m": 0}, 0), ("two levels", {}, 1e-12),
                              ("hidden", {"/initial/eta_m": 0, "/initial/temperature_C": "16 + 8*tanh((z+4.2)/1.1) + 0*x"}, 5e-5)):
    run = cases.run(LAKE, {**ALONG, "/time/duration_s": 24000, "/output": [], **settings})
    cases.below(f"rest over steep ground, {name}: speed [m/s]", np.max(run.column("max_speed_m_s")), limit)
    cases.conserves(run, 1e-15)

# hybrid: as at fixed heights above -4 m, equal parts of the rest below
HYBRID = {"/grid/levels": {"kind": "hybrid", "bottom_m": -10, "dz_m": 1, "fixed_above_m": -4}}
run, fixed = (cases.run(LAKE, {**levels, "/time/duration_s": 120}).fields() for levels in (HYBRID, {}))
bed, thickness = run["bed"], run["layer_share"] * -np.minimum(run["bed"], 0)
deep, shallow = bed < -4.2, (bed > -4) & (bed < 0)
cases.below("hybrid: upper layers are 1 m thick [m]", np.nanmax(np.abs(thickness[6:, deep] - 1)), 1e-6)
cases.between("hybrid: lower ones [m]", np.nanmin(thickness[:6, deep]), 0.1 - 1e-6, 1)
full = deep & np.isfinite(thickness[0])
cases.below("hybrid: lower ones share what is left", np.ptp(thickness[:6, bed < -5], axis=0).max(), 1e-6)
cases.equal("hybrid: some columns have all, shallow ones those at fixed heights", (bool(full.any()), bool(np.array_equal(
    run["layer_share"][:, shallow], fixed["layer_share"][:, shallow], equal_nan=True))), (True, True))
for name, settings, limit in (("known", {"/initial/eta_m": 0}, 0), ("two levels", {}, 1e-13),
                              ("hidden", {"/initial/eta_m": 0, "/initial/temperature_C": "16 + 8*tanh((z+4.2)/1.1) + 0*x"}, 7e-5)):
    run = cases.run(LAKE, {**HYBRID, "/time/duration_s": 24000, "/output": [], **settings})
    cases.below(f"hybrid, rest over steep ground, {name}: speed [m/s]", np.max(run.column("max_speed_m_s")), limit)
    cases.conserves(run, 1e-15)

# the same over a steep seamount: waves must not grow (6.7e-4 m/s and more without momentum/restoring.h)
run = cases.run("verification/seamount", {"/constants/middle": 64000, "/grid/length_x_m": 128000, "/grid/length_y_m": 128000, "/grid/levels/layers": 10,
                                          "/time/duration_s": 432000, "/output": []})
cases.below("seamount: speed [m/s]", run.column("max_speed_m_s")[-1], 1.6e-4)

# and on hybrid layers, where the bed cuts columns off: 8.7e-5 m/s and growing without it
run = cases.run("verification/seamount", {"/constants/middle": 64000, "/grid/length_x_m": 128000, "/grid/length_y_m": 128000, "/time/step_s": 1800,
                                          "/grid/levels": {"kind": "hybrid", "bottom_m": -5000, "layers": 20, "fixed_above_m": -1000}, "/time/duration_s": 1728000, "/output": []})
cases.below("seamount, hybrid, after 20 days: speed [m/s]", run.column("max_speed_m_s")[-1], 6e-6)

# and on ten layers, at whose surface the density's gap grows more than twofold from layer to layer: 6.9e-3 m/s if a scheme takes the
# last cell for an extreme there
for scheme in ("fct", "van-leer"):
    run = cases.run("verification/seamount", {"/constants/middle": 64000, "/grid/length_x_m": 128000, "/grid/length_y_m": 128000, "/time/step_s": 1800,
                                              "/physics/tracers/scheme": scheme, "/grid/levels": {"kind": "hybrid", "bottom_m": -5000, "layers": 10, "fixed_above_m": -1000},
                                              "/time/duration_s": 691200, "/output": []})
    cases.below(f"seamount, ten hybrid layers, {scheme}, after 8 days: speed [m/s]", run.column("max_speed_m_s")[-1], 1e-4)

# and even over flat ground, for months: 8e-3 m/s if the last cells of columns may not pass what they had at the start
run = cases.run("verification/seamount", {"/constants/height": 0, "/constants/middle": 32000, "/grid/length_x_m": 64000, "/grid/length_y_m": 64000,
                                          "/time/duration_s": 7776000, "/time/step_s": 1800, "/output": []})
cases.below("the same sea over flat ground after 90 days: speed [m/s]", run.column("max_speed_m_s")[-1], 6e-8)

run = cases.run(LAKE, {**HYBRID, "/grid/levels/fixed_above_m": -4.5, "/time/duration_s": 120}, may_fail=True)
cases.equal("hybrid: refused between interfaces", run.code != 0 and "not an interface" in run.message, True)
for name, levels, words in (("two ways at once", {"dz_m": 1, "layers": 4}, "not by several"),
                            ("stretched without a number", {"dz_m": 1, "towards_bed": 1}, "layers"),
                            ("thin layers at fixed heights", {"dz_m": 1, "kind": "fixed-heights", "thinnest_m": 1}, "bed-following")):
    run = cases.run(LAKE, {"/grid/levels": {"kind": "bed-following", "bottom_m": -10, **levels}, "/time/duration_s": 120}, may_fail=True)
    cases.equal(f"{name}: {'warned' if run.code == 0 else 'refused'}", words in run.message, True)
cases.finish()
