# SPDX-License-Identifier: Apache-2.0
"""Rain and evaporation: salt stays, water is accounted for, and levels go as they must; in films and on banks too."""

import cases
import numpy as np


def check(name, run):
    """Of what there was at first: a drought leaves little."""
    cases.below(f"{name}: account of volume", max(abs(run.column("volume_error_m3"))) / run.log[0]["volume_m3"], 1e-14)
    for tracer in ("salinity", "dye", "temperature"):
        accounts = [line["tracers"][tracer] for line in run.log]
        cases.below(f"{name}: account of {tracer}", max(abs(a["error"]) for a in accounts) / accounts[0]["content"], 1e-13)
        if tracer != "temperature":
            cases.equal(f"{name}: {tracer} from the air", {a["air"] for a in accounts}, {0})
    return run


run = check("basin", cases.run("verification/evaporation_box"))
eta = run.fields()["eta"]
deep = run.fields()["depth"][0] > 2
cases.close("level after five days [m]", np.mean(eta[1][deep]), -0.25e-3 * 120 + 0.1e-3 * 0.5, 2e-3)
cases.close("level after ten [m]", np.mean(eta[2][deep]), -0.25e-3 * 240 + 0.1e-3 * 120.5, 2e-3)
temperature = run.log[-1]["tracers"]["temperature"]
cases.equal("temperature", (temperature["least"], temperature["most"]), (20, 20))

flat = {"/bathymetry/bed_m": -6, "/forcing": {"evaporation": {"mm_h": 0.5}}, "/physics/turbulence/viscosity_m2_s": 1}
run = check("flat", cases.run("verification/evaporation_box", flat))
cases.below("flat: speed", np.max(run.column("max_speed_m_s")), 1e-9)
cases.close("flat: salinity", run.log[-1]["tracers"]["salinity"]["most"], 11 * 6 / (6 - 0.5e-3 * 240), 1e-4)

# a film of three layers, which half of it leaves in a step: warm water goes, the colder stays
film = {"/grid/levels": {"interfaces_m": [-0.06, -0.04, -0.02, 0]}, "/bathymetry": {"bed_m": -0.06, "minimum_depth_m": 0.06}, "/forcing": {"evaporation": {"mm_h": 40}},
        "/initial/temperature_C": "20 + 200*z", "/time/duration_s": 3600, "/output": []}
run = check("film", cases.run("verification/evaporation_box", film))
content = run.log[0]["tracers"]["temperature"]["content"] / (10000 * 6000)
cases.close("film: heat after the first step [K m]", content, 0.06 * 14 - 0.02 * 18, 1e-6)

storm = {"/forcing": {"rain": {"mm_h": "80*exp(-((x-5000)/1500)^2)"}, "heat": {"air_temperature_C": 14, "humidity": 0.9},
                      "wind": {"speed_m_s": 15, "from_deg": 200}}, "/time/duration_s": 86400, "/time/step_s": 600,
         "/bathymetry/bed_m": "-1.5 + 2*sin(x/900)*sin(y/800)", "/grid/flood_to_m": 1.2, "/bathymetry/keep": "all"}
run = check("cloudburst over banks", cases.run("verification/evaporation_box", storm))
least = min(line["tracers"]["salinity"]["least"] for line in run.log)
cases.between("cloudburst: least salinity, round-off of the first one below nothing", least, -11 * np.finfo(float).eps, 1)

drought = {"/forcing": {"evaporation": {"mm_h": 20}}, "/bathymetry/bed_m": "-1.5 + 2*sin(x/900)*sin(y/800)", "/bathymetry/keep": "all"}
run = check("drought", cases.run("verification/evaporation_box", drought))
cases.between("drought: water left", run.log[-1]["volume_m3"] / run.log[0]["volume_m3"], 0, 0.2)
cases.finish()
