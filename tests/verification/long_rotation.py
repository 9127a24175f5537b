# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 1800
"""Seas left alone for 300 days: their energy never grows. Inertial motion for 1000 turns."""

import cases
import left_alone
import numpy as np

for name, settings in left_alone.SEAS.items():
    left_alone.check(name, settings, 300)
for scheme in ("matm", "split"):
    left_alone.check(f"rough, {scheme}", {"/bathymetry/bed_m": left_alone.ROUGH, "/physics/momentum/scheme": scheme}, 300)
    left_alone.check(f"rough and stratified, {scheme}", {**left_alone.SEAS["rough and stratified"], "/physics/momentum/scheme": scheme}, 100)
left_alone.check("rough and stratified, implicit tracers", {**left_alone.SEAS["rough and stratified"], "/physics/tracers/scheme": "matm"}, 100)
left_alone.check("rough, a thermocline", {**left_alone.SEAS["rough and stratified"], **left_alone.THERMOCLINE}, 100)
JUMP = {**left_alone.SEAS["rough and stratified"], **left_alone.JUMP}
DEEPER = {**JUMP, **left_alone.DEEP_JUMP}
for name, settings in (("a jump", {}), ("a deep jump", left_alone.DEEP_JUMP), ("a jump below the top layer", left_alone.TOP_JUMP)):
    left_alone.check(f"rough, {name}, 300 days", {**JUMP, **settings}, 300, most=1.0001)
left_alone.check("rough, a deeper jump, water's own viscosity", {**DEEPER, **left_alone.WATERS_VISCOSITY}, 300)
left_alone.check("rough, a jump, implicit tracers", {**JUMP, "/physics/tracers/scheme": "matm"}, 40)
left_alone.check("rough, a jump, at rest", {**JUMP, **left_alone.RESTING}, 40, most=1.05)
for name, settings in (("a jump", {}), ("a jump below the top layer", left_alone.TOP_JUMP), ("a thermocline", left_alone.THERMOCLINE),
                       ("even layers", {"/initial/salinity": "15 - z/10"})):
    left_alone.check(f"rough, {name}, tracers of second order", {**JUMP, **settings, **left_alone.SECOND_ORDER}, 100)
left_alone.check("rough, a jump, at rest, tracers of second order", {**JUMP, **left_alone.RESTING, **left_alone.SECOND_ORDER}, 40, most=1.05)
left_alone.check("rough, long steps", {"/bathymetry/bed_m": left_alone.ROUGH, "/time/step_s": 10500}, 300)
left_alone.check("Azov", left_alone.AZOV, 300, "azov_seiche")
left_alone.check("Azov in layers", {**left_alone.AZOV, "/grid/levels": {"bottom_m": -14, "dz_m": 3.5}}, 300, "azov_seiche")

TURN = 2 * np.pi * 1e4
every = 50000
series = cases.run("verification/inertial_circle", {
    "/grid/length_x_m": 4000, "/time/step_s": 1000, "/time/duration_s": every * int(1000 * TURN / every),
    "/output": [{"stations": {"here": [3500, 1500]}, "every_s": every, "variables": ["u", "v"]}]}).stations()
speed = np.hypot(series["u"][:, 0, -1], series["v"][:, 0, -1])
cases.below("f dt 0.1: change of the speed in 1000 turns", np.max(np.abs(speed / 0.3 - 1)), 1e-6)
cases.finish()
