# SPDX-License-Identifier: Apache-2.0
"""No direction is preferred: a sea that is turned by 90, 180 and 270 degrees, or mirrored, with its winds, edges and rivers, has the
same fields to round-off; every scheme, and every kind of boundary on every edge."""

import json
import re

import cases
import turned

STEPS = 5
EDGES = ("west", "south", "east", "north")  # in the order in which a turn to the left takes each to the one after it
PLAIN = {"name", "title", "kind", "law", "comment"}  # texts that are no formulas


# ---- seas, turned and mirrored ----

def placed(value, x, y):
    """A formula of x and y, with others in their place."""
    if isinstance(value, str):
        return re.sub(r"(?<![\w.])[xy](?!\w)", lambda letter: {"x": x, "y": y}[letter[0]], value)
    return value


def moved(value, turns, sizes, key=""):
    """A part of a scenario in the new coordinates. `turns`: 0 for the mirror that exchanges west and east, else quarter turns to
    the left, one at a time; `sizes`: of the sea as it was."""
    if isinstance(value, list):
        return [moved(one, turns, sizes, key) for one in value]
    if not isinstance(value, dict):
        return value if key in PLAIN else placed(value, *((f"({sizes[0]}-x)", "y") if turns == 0 else ("y", f"({sizes[1]}-x)")))
    new = {key: moved(one, turns, sizes, key) for key, one in value.items()}
    if "x_m" in value:
        x, y = value["x_m"], value["y_m"]
        new["x_m"], new["y_m"] = (sizes[0] - x, y) if turns == 0 else (sizes[1] - y, x)
    for name in ("u_m_s", "stress_x_Pa"):
        other = {"u_m_s": "v_m_s", "stress_x_Pa": "stress_y_Pa"}[name]
        if name in value or other in value:
            u, v = new.get(name, 0), new.get(other, 0)
            new[name], new[other] = (f"-({u})", v) if turns == 0 else (f"-({v})", u)
    if "from_deg" in value:
        new["from_deg"] = f"-({new['from_deg']})" if turns == 0 else f"{new['from_deg']} - 90"
    if "f_s" in value and turns == 0:
        new["f_s"] = -value["f_s"]
    if "edge" in value:
        if value["edge"] in EDGES:
            to = (EDGES.index(value["edge"]) + (1 if turns else 0)) % 4
            upright = value["edge"] in ("west", "east")
            new["edge"] = {"west": "east", "east": "west"}.get(value["edge"], value["edge"]) if turns == 0 else EDGES[to]
            if "range" in value and (turns == 0) != upright:  # the coordinate along the edge runs the other way
                size = sizes[1] if upright else sizes[0]
                new["range"] = [size - value["range"][1], size - value["range"][0]]
    if "box" in value:
        west, east, south, north = value["box"]
        new["box"] = [sizes[0] - east, sizes[0] - west, south, north] if turns == 0 else [sizes[1] - north, sizes[1] - south, west, east]
    return new


def moved_sea(scenario, turns):
    grid = scenario["grid"]
    new = moved(scenario, turns, (grid["length_x_m"], grid["length_y_m"]))
    if turns:
        new["grid"] = {**grid, "length_x_m": grid["length_y_m"], "length_y_m": grid["length_x_m"],
                       "dx_m": grid.get("dy_m", grid["dx_m"]), "dy_m": grid["dx_m"]}
    return new


# ---- the fields at the end ----

def check(name, scenario, turns=(1,), with_mirror=True, limit=1e-10):
    """`turns`: how many quarters; `limit`: what a few steps make of round-off."""
    first = turned.fields(scenario, f"{name}_0", STEPS)
    sea = scenario
    for turn in (1, 2, 3):
        sea = moved_sea(sea, 1)
        if turn not in turns:
            continue
        found = turned.fields(sea, f"{name}_{turn}", STEPS)
        for _ in range(turn):
            found = turned.moved_back(found, 1)
        turned.compare(f"{name}, {90 * turn} degrees", first, found, limit)
    if with_mirror:
        mirrored = turned.fields(moved_sea(scenario, 0), f"{name}_mirrored", STEPS)
        turned.compare(f"{name}, mirrored", first, turned.moved_back(mirrored, 0), limit)


def scenario(name, settings):
    """A scenario of the tree with some values changed."""
    text = (cases.SOURCE / "scenarios" / "verification" / f"{name}.json").read_text()
    result = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.M))
    for pointer, value in settings.items():
        *path, last = pointer.strip("/").split("/")
        inner = result
        for part in path:
            inner = inner[int(part)] if isinstance(inner, list) else inner.setdefault(part, {})
        inner[int(last) if isinstance(inner, list) else last] = value
    return result


EXACT = {"/solver/surface/tolerance": 1e-14, "/solver/pressure/tolerance": 1e-13, "/solver/momentum/tolerance": 1e-14, "/solver/tracers/tolerance": 1e-14}
# quarter turns: without what takes x and y one after the other (the Coriolis term, mixing along lines of cells)
EVEN = {**EXACT, "/physics/coriolis": "none", "/physics/tracers/horizontal_diffusivity_m2_s": 0, "/physics/momentum/viscosity_law": "constant",
        "/grid/dy_m": 475}  # with square cells round-off decides on which side of a corner a ray of the waves' fetch passes
OTHER = {"/physics/tracers/scheme": "van-leer", "/physics/density/equation": "eos80", "/physics/turbulence/stability": "cheng",
         "/physics/drag/law": "manning", "/physics/momentum/side_walls": "free-slip", "/forcing/heat/bulk": "kondo",
         "/forcing/wind/drag/law": "large-pond", "/forcing/waves": {"from_wind": True}}
NUDGED = {"/nudging": [{"variable": "salinity", "to": "20 + x/9000", "time_s": 500, "box": [3000, 9000, 1000, 5000]}]}
PLANTS = {"/physics/vegetation": {"stems_m2": "20*(x > 6000)", "height_m": "2 + y/9000"}}
check("all", scenario("everything", {**EVEN, **NUDGED, **PLANTS}), turns=(1, 2, 3))
check("all_in_lines", scenario("everything", {**EXACT, "/physics/momentum/horizontal_viscosity_m2_s": 50, "/physics/momentum/scheme": "split"}), turns=(2,))
check("others", scenario("everything", {**EVEN, **OTHER, "/physics/pressure": "nonhydrostatic"}))
check("second_order", scenario("everything", {**EVEN, "/physics/momentum/order": 2, "/physics/tracers/scheme": "upwind", "/physics/momentum/advection": "upwind"}))
check("implicit", scenario("everything", {**EVEN, **PLANTS, "/physics/momentum/scheme": "matm", "/physics/tracers/scheme": "matm"}))
check("long_steps", scenario("everything", {**EVEN, "/time/step_s": 900}))
check("compact", scenario("vortex_pair", EXACT))

# each kind of boundary, by the turns on each edge
BAY = {"title": "Bay", "grid": {"kind": "cartesian", "length_x_m": 13000, "length_y_m": 9000, "dx_m": 500, "dy_m": 450,
                                "levels": {"bottom_m": -12, "dz_m": 2}, "flood_to_m": 2},
       "bathymetry": {"bed_m": "-8 + x/3000 + 2*sin(x/1900)*cos(y/1300)"},
       "time": {"start": "2020-06-01T00:00:00Z", "duration_s": 86400, "step_s": 60},
       "physics": {"density": {"equation": "linear"}, "momentum": {"horizontal_viscosity_m2_s": 20}, "turbulence": {"closure": "mixing-length"}},
       "initial": {"temperature_C": "16 + z/5", "salinity": "18 - 5*x/14000 - z/6", "eta_m": "0.3*cos(x/4000)*sin(y/3000)"},
       "solver": {"surface": {"tolerance": 1e-14}, "pressure": {"tolerance": 1e-13}}, "output": []}
WATER = {"salinity": "20 + x/9000", "temperature_C": 15}
LEVEL = {"eta_m": "0.2*sin(t/300 + x/5000 - y/3000)"}
SLOW = {"relaxation": {"in_s": 300, "out_s": 1000}}
KINDS = {
    "flather": {**LEVEL, "velocity_m_s": "0.2*cos(y/2000)", "inflow_relaxation_s": 300, "relaxation_zone": {"cells": 3, "time_s": 500}},
    "elevation": {**LEVEL, "sponge": {"width_m": 2000, "time_s": 300}},
    "chapman": {**LEVEL, **SLOW},
    "radiation": SLOW,
    "velocity": {"velocity_m_s": "0.2*cos(y/2000)*sin(t/100)"},
    "discharge": {"discharge_m3_s": "3000*sin(t/200)"},
}
for one, other, pressure in (("flather", "chapman", "hydrostatic"), ("elevation", "radiation", "hydrostatic"), ("velocity", "discharge", "hydrostatic"),
                             ("elevation", "flather", "nonhydrostatic")):
    edges = [{"name": one, "edge": "west", "range": [1350, 7200], "kind": one, **KINDS[one], **WATER},
             {"name": other, "edge": "north", "range": [3000, 12000], "kind": other, **KINDS[other], **WATER}]
    bay = {**BAY, "physics": {**BAY["physics"], "pressure": pressure}, "boundaries": edges}
    check(f"{one}_and_{other}_{pressure}", bay, turns=(1, 2, 3), with_mirror=False)
cases.finish()
