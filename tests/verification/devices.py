# SPDX-License-Identifier: Apache-2.0
"""The same bits on the emulated GPU, whose kernels run later than they were launched: a host part of the step
that does not wait for them would work on old numbers; and on ranks of which some are such GPUs, some are not.
long_devices.py does the same with all scenarios; ranks.py has more kinds of seas, on one such GPU."""

import re

import cases
import emulated
import netCDF4

for name in ("dam_break_dry", "bump", "kelvin_wave", "inverse_barometer", "ekman_layer", "kato_phillips", "lock_exchange",
             "still_box", "heat_box", "sediment_box", "slotted_disc", "wind_setup_no_slip", "channel_tide", "strait_discharge"):
    emulated.compare(f"verification/{name}", 2, [(0, "emu")])
for name, settings in (("stormy_marsh", {"/grid/dx_m": 1000}), ("tracers_marsh", {"/grid/dx_m": 1000}),
                       ("evaporation_box", {}), ("sponge_pulse", {}), ("submerged_bar", {})):
    emulated.compare(f"verification/{name}", 2, [(0, "emu"), (3, "emu,cpu,emu")], settings)
for name in ("vortex_pair", "everything"):
    emulated.compare(f"verification/{name}", 2, [(0, "emu"), (3, "emu")])
refused = cases.run("verification/vortex_pair", {}, 2, ["--steps", "1", "--device", "emu,cpu"], may_fail=True)
cases.equal("lines on two kinds of devices: exit code", refused.code, 2)
emulated.compare("azov_storm_2014", 2, [(2, "emu")], {"/grid/dx_m": 5000})

# every variable that a file can have, from the copy and from the state itself
ROWS = (cases.SOURCE / "settings" / "variable_rows.h").read_text().partition("#define OUTPUT_VARIABLES")[2].replace("\\", "")
NAMES = re.findall(r"\bVARIABLE\([A-Z_]+,\s+(\w+),", ROWS)
cases.equal("variables in the registry", (len(NAMES) >= 33, len(set(NAMES)) == len(NAMES)), (True, True))
EVERYTHING = {"/physics/drag": {"law": "manning", "n": "0.02 + x/1e6"}, "/physics/pressure": "nonhydrostatic",
              "/forcing/waves/stokes_drift": True,
              "/infiltration": {"law": "horton", "rate_mm_h": 4, "first_mm_h": 20, "decay_1_h": 2, "interception_mm": 1,
                                "drains_mm_h": 2}}  # fmt: skip
MOVING = {"/grid/levels": {"kind": "adaptive", "bottom_m": -50, "layers": 10, "adapt": {"every_s": 0}}}
for sea, settings, names, every_s in (("everything", EVERYTHING, [name for name in NAMES if name not in ("equilibrium_tide", "layer_share")], 60),
                                      ("tidal_potential", {}, ["eta", "equilibrium_tide"], 600),
                                      ("kato_phillips", MOVING, ["temperature", "layer_share"], 60)):  # fmt: skip
    output = [{"file": "all.nc", "variables": names, "every_s": every_s, "velocities": "faces"}]
    seen = [cases.run(f"verification/{sea}", {"/output": output, **settings}, options=["--steps", "3", "--device", device]).fields("all.nc")
            for device in ("cpu", "emu")]  # fmt: skip
    for name in names:
        one, other = (fields[name] for fields in seen)
        cases.equal(f"{sea}: {name}, {one.size} values", one.tobytes() == other.tobytes(), True)

# what files see is a copy that is fetched from the GPU
OUTPUT = [{"file": "moments.nc", "variables": ["eta", "u", "v", "w", "temperature", "wind_stress_x"], "every_s": 1800},
          {"file": "means.nc", "variables": ["eta", "speed", "dye"], "every_s": 2700, "mean": True},
          {"file": "extremes.nc", "extremes": ["max_eta", "max_speed", "time_of_max_eta", "inundation_duration"]},
          {"file": "places.nc", "stations": {"here": [8000, 7000]}, "variables": ["eta", "u_east", "temperature"], "every_s": 900}]
SEA = {"/output": OUTPUT, "/grid/dx_m": 1000, "/tracers": [{"name": "dye", "initial": "x > 9000"}], "/initial/temperature_C": "15 + x/9000"}
seen = [cases.run("verification/stormy_marsh", SEA, options=["--steps", "8", "--device", device]).folder for device in ("cpu", "emu")]
for name in ("moments", "means", "extremes", "places"):
    found = [netCDF4.Dataset(next(folder.glob(f"**/{name}.nc"))) for folder in seen]
    for data in found:
        data.set_auto_mask(False)
    for variable in found[0].variables:
        one, other = (data[variable][:].tobytes() for data in found)
        cases.equal(f"{name}.nc: {variable}", one == other, True)
cases.finish()
