# SPDX-License-Identifier: Apache-2.0
"""Models of FABM as kinetics modules: a stand-in with FABM's entry points (fabm_stand_in.c), in a box against its exact solution
and in a sea on several ranks; what is refused. With $MAEOTIS_FABM, also FABM's own gotm/npzd beside the built-in npzd."""

import json
import os
import subprocess
from pathlib import Path

import cases
import numpy as np

FOLDER = Path.cwd()
REAL = os.environ.get("MAEOTIS_FABM")
STAND_IN = FOLDER / "libfabm_stand_in.so"
subprocess.run([os.environ.get("MAEOTIS_CC", "cc"), "-O1", "-shared", "-fPIC", cases.SOURCE / "tests/verification/fabm_stand_in.c", "-o", STAND_IN], check=True)


def box(name, kinetics, light=0, wind=0, days=100):
    path = FOLDER / f"{name}.json"
    path.write_text(json.dumps({"title": name, "kinetics": kinetics, "box": {"depth_m": 10, "attenuation_1_m": 0.1, "light_W_m2": light, "wind_m_s": wind},
                                "time": {"start": "2014-03-01T00:00:00Z", "step_s": 1800, "duration_s": 86400 * days, "every_s": 86400}}))
    run = subprocess.run([cases.PROGRAM, "kinetics", "run", path, "-o", f"{name}.csv"], capture_output=True, text=True)
    if run.returncode:
        return run, None
    columns = [head.partition(" [")[0] for head in Path(f"{name}.csv").read_text().splitlines()[0].split(",")]
    return run, np.genfromtxt(f"{name}.csv", delimiter=",", names=columns, skip_header=1)


if REAL:
    Path("npzd.yaml").write_text("instances:\n  npzd:\n    model: gotm/npzd\n    parameters:\n      rpdl: 0.02\n      rpdu: 0.02\n"
                                 "    initialization:\n      nut: 10\n      phy: 0.1\n      zoo: 0.1\n      det: 0.1\n")
    names = {"npzd_nut": "nutrient", "npzd_phy": "phytoplankton", "npzd_zoo": "zooplankton", "npzd_det": "detritus"}
    light = "60*max(0, -cos(2*pi*t/86400))"
    _, of_fabm = box("of_fabm", {"module": "fabm", "file": "npzd.yaml", "scheme": "rk4"}, light)
    _, built_in = box("built_in", {"module": "npzd", "scheme": "rk4", "initial": {"nutrient": 10, "phytoplankton": 0.1, "zooplankton": 0.1, "detritus": 0.1}}, light)
    for name, own in names.items():
        cases.below(f"FABM's gotm/npzd: {own}", np.max(np.abs(of_fabm[name] - built_in[own])) / np.max(built_in[own]), 1e-12)

os.environ["MAEOTIS_FABM"] = str(STAND_IN)
Path("matter.yaml").write_text("matter\n")
Path("ice.yaml").write_text("matter and ice\n")
Path("empty.yaml").write_text("nothing\n")
fabm = {"module": "fabm", "file": "matter.yaml"}
_, table = box("dark", {**fabm, "scheme": "rk4"}, wind=5)
rate, gain, days = (0.1 / 86400 + 1e-6), 5e-6 / 10, 100 * 86400
cases.close("a box in the dark", table["matter"][-1], gain / rate + (3 - gain / rate) * np.exp(-rate * days), 1e-9)
# what is on the bed gains 1e-5 of the matter: the integral of a
integral = gain / rate * days + (3 - gain / rate) * (1 - np.exp(-rate * days)) / rate
cases.close("its bed", table["mud_bed"][-1], 1e-5 * integral, 1e-9)
_, table = box("light", {**fabm, "scheme": "rk4", "initial": {"matter": 1e-9}}, light=100, days=1)
mean = 100 * (1 - np.exp(-1)) / 1  # of the light over 10 m, with 0.1 per m of the box alone
cases.close("a box in light", np.log(table["matter"][0] / table["matter"][-1]) / 86400, 0.1 / 86400 + 0.001 * mean / 86400 + 1e-6, 1e-6)
_, table = box("shade", {**fabm, "scheme": "rk4", "initial": {"matter": 5}}, light=100, days=1)
shade = -np.log(table["matter"][-1] / 5) / 86400
cases.between("its own shade", (shade - 0.1 / 86400 - 1e-6) / (0.001 * mean / 86400), 0.4, 0.8)

sea = {"/kinetics": {**fabm, "file": str(FOLDER / "matter.yaml"), "initial": {"matter": "2 + sin(x/3000)"}}, "/rivers/0/tracers": {"matter": 5}, "/tracers": [],
       "/output": [{"every_s": 3600, "variables": ["matter", "mud_bed"]}]}
MARSH = "verification/kinetics_marsh"
run = cases.run(MARSH, sea, options=["--steps", "4"])
for name in ("matter", "mud"):
    cases.below(f"budget of {name}", max(abs(line["tracers"][name]["error"]) / (abs(line["tracers"][name]["content"]) + abs(line["tracers"][name]["bed"])) for line in run.log), 1e-13)
cases.between("on the bed", run.log[-1]["tracers"]["mud"]["bed"], 1e6, 1e12)
cases.equal("two ranks", cases.run(MARSH, sea, 2, ["--steps", "4"]).digest == run.digest, True)
cases.equal("emulated device", cases.run(MARSH, sea, 0, ["--steps", "4", "--device", "emu"]).digest == run.digest, True)

for label, kinetics, words in (
        ("FABM's own error", {"module": "fabm", "file": "empty.yaml"}, "FABM says: there is no matter"),
        ("what maeotis does not have", {"module": "fabm", "file": "ice.yaml"}, 'needs "ice_thickness"'),
        ("no file", {"module": "fabm"}, '"file": "fabm.yaml"'),
        ("a file for another module", {"module": "npzd", "file": "matter.yaml"}, "takes no \"file\""),
):
    failed, _ = box("refused", kinetics)
    cases.equal(f"refused: {label}", (failed.returncode, words in failed.stderr), (2, True))
os.environ["MAEOTIS_FABM"] = str(FOLDER / "matter.yaml")
failed, _ = box("no_library", fabm)
cases.equal("refused: no library", (failed.returncode, "cannot be loaded" in failed.stderr), (2, True))
cases.finish()
