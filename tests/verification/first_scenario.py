# SPDX-License-Identifier: Apache-2.0
"""The lagoon of docs/first_scenario.md: what the page says of it is so, and a stopped run goes on with the command it prints."""

import json
import re
import shlex
import subprocess

import cases
import numpy as np

# what the page builds, block by block, is the scenario that it names
page = (cases.SOURCE / "docs" / "first_scenario.md").read_text().split("## Your own sea")[0]
built = {}
for block in re.findall(r"```json\n(.*?)```", page, re.S):
    built |= json.loads(block if block.startswith("{") else "{" + block.strip().rstrip(",") + "}")
lagoon = json.loads(re.sub(r"//.*", "", (cases.SOURCE / "scenarios" / "lagoon.json").read_text()))
cases.equal("the page ends at the lagoon, but for its title", built | {"title": lagoon["title"]}, lagoon)

DISCHARGE, SECONDS = 50, 2 * 86400

run = cases.run("lagoon", label="lagoon")
cases.conserves(run)
means, series, extremes = run.fields("lagoon.nc"), run.stations(), run.fields("lagoon_extremes.nc")
cases.equal("hourly means", (len(means["time"]), means["time"][0]), (48, 1800))
cases.equal("stations", series["names"], ["mouth", "head"])
mouth, head = series["eta"].T
cases.between("highest level at the mouth", mouth.max(), 0.40, 0.43)
cases.between("highest level at the head, in the gale", head.max(), 0.7, 0.9)
cases.close("river", means["volume_from_sources"][-1], DISCHARGE * SECONDS, 1e-12)
cases.equal("extremes are not below the series", bool(np.nanmax(extremes["max_eta"]) >= head.max()), True)
cases.equal("land floods", bool(np.nanmax(extremes["inundation_duration"]) > 0), True)
cases.equal("cells below the ground hold nothing", bool(np.isnan(means["u_east"][0, 0]).all()), True)

other = cases.run("lagoon", {"/boundaries/0/kind": "flather", "/output/2/extremes": ["min_eta", "time_of_min_eta"]}, label="flather")
lowest = other.fields("lagoon_extremes.nc")
always = np.isfinite(lowest["min_eta"])
cases.equal("the lowest level is not that of ground that falls dry", (bool(np.max(lowest["min_eta"][always]) < 0), bool((lowest["bed"][always.reshape(lowest["bed"].shape)] < 0).all())), (True, True))
cases.between("share of cells that have a lowest level", np.mean(always), 0.8, 0.95)
cases.equal("and it has a time", bool((np.isfinite(lowest["time_of_min_eta"]) == always).all()), True)
weaker = other.stations()
told = subprocess.run([cases.PROGRAM, "diff", *(next(r.folder.glob("**/lagoon.nc")) for r in (run, other))], capture_output=True, text=True).stdout
named = re.findall(r"^(\w+): \d+ of", told, re.M)
cases.equal("diff tells of the level first, of the digest last", (named[0], named[1], named[-1]), ("eta", "u_east", "digest_low"))
difference = means["eta"] - other.fields("lagoon.nc")["eta"]
cases.close("the largest difference of the level", float(re.search(r"^eta: .* by up to ([^,]*),", told, re.M)[1]), float(np.nanmax(np.abs(difference))), 1e-6)
cases.close("the RMS difference of the level", float(re.search(r"^eta: .* RMS ([\d.e-]*)", told, re.M)[1]),
            float(np.sqrt(np.nanmean(difference**2))), 5e-3)
cases.between("the tide without its current, through a boundary that lets waves leave", weaker["eta"][:, 0].max(), 0.2, 0.3)

# an apostrophe and blanks, which a shell would take for its own
changes = {"/title": "Neptune's own lagoon", "/forcing/wind/factor": 0.5}
whole = cases.run("lagoon", changes, label="whole")
part = cases.run("lagoon", {**changes, "/restart/at_end": True}, options=("--steps", "700"), label="part")
words = shlex.split(next(line for line in part.message.splitlines() if line.startswith("continue with: "))[len("continue with: "):])
processes = words.index("-n")  # of the launcher
goes_on = subprocess.run([cases.PROGRAM, *words[1:processes], *words[processes + 2:], "--quiet"], cwd=part.folder, capture_output=True, text=True)
cases.equal("goes on with the command that it prints", goes_on.returncode, 0)
for name in ("lagoon.nc", "lagoon_stations.nc", "lagoon_extremes.nc"):
    files = [folder.folder / "results" / "lagoon" / name for folder in (whole, part)]
    cases.equal(f"{name} is that of a run in one go", subprocess.run([cases.PROGRAM, "diff", *files], capture_output=True).returncode, 0)
cases.finish()
