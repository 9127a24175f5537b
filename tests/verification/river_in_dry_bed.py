# SPDX-License-Identifier: Apache-2.0
"""A discharge through an edge that is dry comes in as critical flow, up to its level, and ends as Manning's uniform flow."""

import cases
import numpy as np

G, SLOPE, MANNING, LENGTH, DX, STEP = 9.81, 0.002, 0.03, 800.0, 20.0, 2.0


def river(label, discharge, width, across="0*y", steps=1, **settings):
    run = cases.run("verification/culvert", {
        "/grid": {"kind": "cartesian", "length_x_m": LENGTH, "length_y_m": width, "dx_m": DX, "flood_to_m": 20, "levels": {"bottom_m": -2, "dz_m": 2}},
        "/bathymetry": {"bed_m": f"3 - {SLOPE}*x + {across}", "keep": "all"}, "/initial/eta_m": -1.9, "/structures": [], "/rivers": [], "/physics/drag": {"law": "manning", "n": MANNING},
        "/boundaries": [{"name": "river", "edge": "west", "kind": "discharge", "discharge_m3_s": discharge}, {"name": "below", "edge": "east", "kind": "chapman"}],
        "/time/step_s": STEP, "/time/duration_s": STEP * steps, "/output": [{"every_s": STEP * steps, "variables": ["eta", "depth"]}], **settings}, label=label)
    speed = run.column("max_speed_m_s")
    cases.close(f"{label}: what came in [m3]", run.log[0]["boundaries_m3"], discharge * STEP, 1e-9)
    return run, speed


# through 60 m of even ground: a jet of 67 m/s out of a film of 0.1 m before
flow = 200 / 60
for by in ("conveyance", "width"):
    settings = {"/boundaries/0/distribution": "width"} if by == "width" else {}
    run, speed = river(f"even, by {by}", 200, 60, **settings)
    cases.close(f"even, by {by}: speed at first, of critical flow [m/s]", speed[0], np.cbrt(G * flow), 0.03)
inside = {"/bathymetry/subgrid": True, "/bathymetry/pixels": 4}
for label, settings in (("cells", {}), ("ground inside cells", inside)):
    run, speed = river(f"uniform flow, {label}", 20, 60, steps=600, **settings)
    cases.close(f"uniform flow, {label}: depth half-way [m]", run.fields()["depth"][-1, 1, 20], (20 / 60 * MANNING / np.sqrt(SLOPE)) ** 0.6, 0.01)
    cases.below(f"uniform flow, {label}: fastest on the way [m/s]", speed.max(), 2.5)

# a valley, 400 m wide, whose banks rise by 1:10: critical flow reaches up to E, and the banks above are dry
for label, settings in (("cells", {}), ("ground inside cells", inside)):
    run, speed = river(f"valley, {label}", 200, 400, across="0.1*abs(y - 200)", **settings)
    high = (200 / np.sqrt(G) / (2 * 10 / 2.5)) ** 0.4  # 2 * 10 * sqrt(g) * integral of h^1.5 over 0 .. E
    wet = np.sum(run.fields()["depth"][-1][:, 0] > 0) * DX
    cases.between(f"valley, {label}: width of the water at the edge, of 20 E [m]", wet, 20 * high - 2 * DX, 20 * high + 2 * DX)
    cases.below(f"valley, {label}: speed at first, over that of critical flow in the deepest part", speed[0] / np.sqrt(G * high), 1.1)

# by width, through cells that are trenches whose banks rise by 1:5
run, speed = river("trenches, by width", 20, 60, across="0.2*abs(y - 10 - 20*rint((y - 10)/20))", **{**inside, "/bathymetry/pixels": 16, "/boundaries/0/distribution": "width"})
high = (20 / 3 / np.sqrt(G) / (2 * 5 / 2.5)) ** 0.4
cases.between("trenches, by width: speed at first, over that of critical flow in the deepest part", speed[0] / np.sqrt(G * high), 0.7, 1.1)

# through a line aslant, whose staircase of faces lies at many heights: faces of one ghost have one level
run, speed = river("aslant, by width", 5, 400, across="0.006*x", steps=25, **{"/boundaries/0": {"name": "river", "edge": "line", "line": [[60, 0], [200, 400]], "kind": "discharge", "discharge_m3_s": 5, "distribution": "width"}})
cases.below("aslant, by width: fastest [m/s]", speed.max(), 1.5)
cases.finish()
