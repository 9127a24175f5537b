# SPDX-License-Identifier: Apache-2.0
"""Waves over ground inside cells: those of a notch beside those of a sea without banks; rough ground on several processes; still water at rest."""

import cases
import numpy as np

GRID = {"kind": "cartesian", "length_x_m": 2400, "length_y_m": 300, "dx_m": 100, "flood_to_m": 3, "periodic": ["y"],
        "levels": {"bottom_m": -5, "layers": 5, "kind": "bed-following", "thinnest_m": 0}}
INSIDE = {"keep": "all", "subgrid": True, "pixels": 4}
NOTCH = {"bed_m": "sin(2*pi*y/100) > 0 ? -5 : 2", **INSIDE}
ROUGH = {"bed_m": "-1.5 + 2*sin(x/37)*cos(y/53) + 1.5*sin(x/11 + y/17)", **INSIDE}
GROWN = {"from_wind": True}
GIVEN = {"height_m": "0.4 + 0.1*sin(x/300)", "peak_period_s": 3.5, "from_deg": 270}
ALL = ["eta", "u", "mud", "mud_bed", "wave_height", "wave_period", "wave_stress", "stokes_east"]


def sea(bed, waves, label, more=(), mass=2, **options):
    settings = {"/grid": GRID, "/bathymetry": bed, "/forcing/waves": waves, "/forcing/wind": {"speed_m_s": 14, "from_deg": 270}, "/initial": {"eta_m": "0.3*cos(pi*x/Lx)"},
                "/time/duration_s": 1800, "/time/step_s": 30, "/physics/turbulence": {"closure": "k-epsilon"}, "/physics/drag": {"law": "log", "z0_m": 0.002}, "/physics/density": {"equation": "constant"}, "/physics/free_surface/theta": 0.6,
                "/tracers": [{"name": "mud", "kind": "suspended", "initial": 0.1, "initial_bed_kg_m2": mass, "settling_m_s": 1e-3, "erosion_kg_m2_s": 3e-4, "critical_erosion_Pa": 0.3, "critical_deposition_Pa": 0.1}],
                "/output": [{"every_s": 600, "velocities": "faces", "variables": ALL}]}
    return cases.run("verification/thacker_curved", {**settings, **dict(more)}, label=label, **options)


# In a notch of half a cell waves, their drift and what they do to the bed are those of a sea of its depth; mass on the bed counts for all of a cell that can be wet.
for kind, waves in (("grown", GROWN), ("given", GIVEN)):
    inside, plain = sea(NOTCH, waves, "notch", mass=1).fields(), sea({"bed_m": -5, "keep": "all"}, waves, "plain", mass=2).fields()
    inside["mud_bed"] *= 2
    for name in ALL:
        off, largest = np.nanmax(np.abs(inside[name][-1] - plain[name][-1])), np.nanmax(np.abs(plain[name][-1]))
        cases.below(f"{kind} waves: {name} in a notch beside a sea without banks, by its largest", off / largest, 1e-4)
cases.between("given waves: mud left on the bed, by that at the start", np.nanmean(plain["mud_bed"][-1]) / 2, 0.01, 0.9)

# over rough ground that falls dry and floods
runs = [sea(ROUGH, GROWN, "rough", {"/time/duration_s": 600}.items(), **options) for options in ({}, {"ranks": 3}, {"options": ["--device", "emu"]})]
cases.conserves(runs[0])
cases.equal("3 processes, the emulator", [run.digest for run in runs[1:]], 2 * [runs[0].digest])
fields = runs[0].fields()
cases.between("greatest height of waves [m]", np.nanmax(fields["wave_height"]), 0.1, 1)
still = sea(ROUGH, GROWN, "still", {"/forcing/wind": {"speed_m_s": 0, "from_deg": 270}, "/initial/eta_m": 0.4, "/time/duration_s": 900, "/output": []}.items())
cases.below("speed of still water without wind [m/s]", np.max(still.column("max_speed_m_s")), 1e-12)
cases.finish()
