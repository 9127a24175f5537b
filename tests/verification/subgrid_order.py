# SPDX-License-Identifier: Apache-2.0
"""Order 2 in the step with ground inside cells: a standing wave of a tenth of the depth over troughs narrower than cells, with friction and rotation."""

import cases
import numpy as np

TROUGHS = "-3 + 1.5*cos(2*pi*y/100)*(1 + 0.3*cos(pi*x/3000))"


def basin(step):
    """Level and current after 320 s."""
    run = cases.run("verification/thacker_curved", {
        "/grid": {"kind": "cartesian", "length_x_m": 3000, "length_y_m": 2000, "dx_m": 100, "flood_to_m": 2, "levels": {"bottom_m": -7, "dz_m": 7}},
        "/bathymetry": {"bed_m": TROUGHS, "keep": "all", "subgrid": True, "pixels": 8}, "/physics/coriolis": {"f_s": 1e-4}, "/physics/drag": {"law": "manning", "n": 0.03},
        "/initial/eta_m": "0.3*cos(pi*x/3000)*cos(pi*y/2000)", "/physics/momentum/order": 2, "/time/duration_s": 320, "/time/step_s": step,
        "/output": [{"every_s": 320, "velocities": "faces", "variables": ["eta", "u"]}]})
    cases.conserves(run, 1e-14)
    fields = run.fields()
    return fields["eta"][-1], np.nan_to_num(fields["u"][-1, -1])


found = [basin(step) for step in (4, 2, 1)]
for name, values in (("level", [one[0] for one in found]), ("current", [one[1] for one in found])):
    changes = [np.sqrt(np.mean((a - b) ** 2)) for a, b in zip(values, values[1:])]
    cases.below(f"change of the {name} from steps of 2 s to 1 s", changes[1], {"level": 1e-5, "current": 2e-5}[name])
    cases.between(f"order of the {name} in the step", cases.orders(changes)[0], 1.8, 2.3)
cases.finish()
