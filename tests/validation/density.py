# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""Density of the water against the Gibbs SeaWater library and the seawater library (tables/density.csv)."""

import cases
import judges
import numpy as np

rows = judges.table("density")
temperature, salinity = (np.array([float(row[name]) for row in rows]) for name in ("temperature", "salinity"))
ts, ss = np.unique(temperature), np.unique(salinity)
curves = {}
for equation, judge, bound in (("teos10", "gsw 3.6.23", 2e-3), ("eos80", "seawater 3.3.5", 2e-4)):
    exact = np.array([float(row[equation]) for row in rows]).reshape(len(ts), len(ss))
    run = cases.run("verification/heat_box", {
        "/grid": {"kind": "cartesian", "length_x_m": 500 * len(ts), "length_y_m": 500 * len(ss), "dx_m": 500, "levels": {"bottom_m": -0.02, "dz_m": 0.01}},
        "/bathymetry/bed_m": -0.02, "/time/duration_s": 60, "/time/step_s": 60, "/physics/density": {"equation": equation},
        "/forcing": {}, "/initial": {"temperature_C": f"{ts[1] - ts[0]}*(x - 250)/500", "salinity": f"{ss[1] - ss[0]}*(y - 250)/500"},
        "/output": [{"every_s": 60, "variables": ["density"]}]})
    found = run.fields()["density"][0, -1].T
    # the file is in single precision, 6e-5 kg/m3 at 1000
    judges.measure(f"density, {equation}, 0 to 28 C, 0 to 40 g/kg", judge, "largest difference [kg/m3]", (found - exact).flat[np.argmax(abs(found - exact))], bound, "density")
    curves[equation] = found - exact


def draw(axis):
    for equation, style in (("teos10", "C0o-"), ("eos80", "C1s-")):
        axis.plot(ss, 1e3 * np.max(np.abs(curves[equation]), axis=0), style, markersize=3, label=equation)
    axis.set(xlabel="salinity", ylabel="largest difference [g/m3]", title="density at the surface")
    axis.legend(fontsize=6)


judges.picture("density", [draw], width=3.5)
cases.finish()
