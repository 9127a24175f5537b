# SPDX-License-Identifier: Apache-2.0
# ctest: thorough
"""A stratified lake at rest stays at rest: over steps, with islands and banks, at two levels; and how fast the water gets
where the program is not told that the stratification is one of height alone."""

import cases
import numpy as np

BED = ("-9.3 + 16*((x-10000)^2/1.2e8 + (y-7500)^2/5.6e7)^2 + 0.7*sin(x/900)*sin(y/700) + 8.9*exp(-((x-11000)^2 + (y-5000)^2)/3e6)"
       " + (y < 4000 ? 2.6 : 0)")
DEEP = {"/bathymetry/bed_m": f"100*({BED})", "/grid/levels": {"bottom_m": -1000, "dz_m": 100}, "/initial/eta_m": 0,
        "/initial/temperature_C": "10 + 8*tanh((z+420)/300)", "/initial/salinity": "35 - 0.002*z", "/time/step_s": 12, "/time/duration_s": 12000,
        "/output/0/every_s": 12000}
variants = {
    "two levels": {},
    "at the datum": {"/initial/eta_m": 0},
    "linear": {"/physics/density/equation": "linear", "/initial/temperature_C": "15 + z"},
    "teos10 at the datum": {"/physics/density/equation": "teos10", "/initial/eta_m": 0},
    "two layers": {"/initial/temperature_C": "z > -3.5 ? 22 : 9"},
    "teos10": {"/physics/density/equation": "teos10"},
    "two layers at the datum": {"/initial/temperature_C": "z > -3.5 ? 22 : 9", "/initial/eta_m": 0},
    "k-epsilon": {"/physics/turbulence/closure": "k-epsilon"},
    "deep at the datum, teos10": {**DEEP, "/physics/density/equation": "teos10"},
    "deep": {**DEEP, "/initial/eta_m": 0.7},
    "a homogeneous sea": {"/initial/temperature_C": 20, "/initial/salinity": 12},
}
QUICK = ("two levels", "two layers at the datum", "teos10", "deep at the datum, teos10")
for name, settings in variants.items():
    if not cases.THOROUGH and name not in QUICK:
        continue
    run = cases.run("verification/lake_at_rest_stratified", settings)
    cases.below(f"{name}: speed [m/s]", np.max(run.column("max_speed_m_s")), 0 if "datum" in name else 1e-12)
    cases.equal(f"{name}: steps", len(run.log), 1000)
    cases.conserves(run, 1e-15)
    fields = run.fields()
    for tracer in ("temperature", "salinity"):
        moved = np.nanmax(np.abs(fields[tracer][-1] - fields[tracer][0]))
        cases.below(f"{name}: change of {tracer}", moved, 1e-5)

hidden = "16 + 8*tanh((z+4.2)/1.1) + 0*x"
for name, level, limit in (("datum", 0, 0.01), ("a level of 1.7 m", "x < 15250 ? 0 : 1.7", 0.02)):
    run = cases.run("verification/lake_at_rest_stratified", {"/initial/temperature_C": hidden, "/initial/eta_m": level})
    cases.below(f"speed that the layers alone cause, {name} [m/s]", np.max(run.column("max_speed_m_s")), limit)
# compression is a function of height, which the program knows without being told: here of the reference water
run = cases.run("verification/lake_at_rest_stratified", {**DEEP, "/initial/temperature_C": "10 + 0*x", "/initial/salinity": "10 + 0*x"})
cases.below("speed that compression causes [m/s]", np.max(run.column("max_speed_m_s")), 1e-8)
cases.finish()
