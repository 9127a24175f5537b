# SPDX-License-Identifier: Apache-2.0
"""A run repeated from one of its files: the same data to the last bit, without the scenario's own file; an input that has
changed, or is gone, is named, and data that differ are noticed."""

import shutil
import subprocess
from functools import partial
from pathlib import Path

import cases

try:
    from maeotis_runs import reproduce
except ImportError as missing:
    print(f"{missing}: not checked")
    raise SystemExit(77)
import python_command

repeat = partial(python_command.call, reproduce.main)

for old in ("home", "again", "renamed", "damaged", "other", "forced", "empty", "edited", "older", "older_again", "later_again", "went_on_again", "several_again"):
    shutil.rmtree(old, ignore_errors=True)
home = Path("home")
(home / "wind").mkdir(parents=True)
shutil.copy(cases.SOURCE / "scenarios" / "lagoon.json", home)
shutil.copy(cases.SOURCE / "scenarios" / "wind" / "lagoon.csv", home / "wind")
run = cases.run((home / "lagoon.json").resolve(), {"/physics/drag/n": 0.04, "/output/0/every_s": 600, "/output/0/mean": False, "/output/0/variables": ["eta", "u", "v"],
                "/output/0/velocities": "faces"},
                options=["--steps", "20"], label="original")
file = next(run.folder.glob("**/lagoon.nc"))

code, words = repeat(file, "-o", "again")
cases.equal("the same data", (code, "the same data to the last bit" in words), (0, True))
cases.equal("the rebuilt folder", sorted(p.name for p in Path("again").iterdir()), ["inputs", "results", "scenario.json"])
cases.equal("a folder in use", "is not empty" in repeat(file, "-o", "again")[1], True)

shutil.copy(file, "renamed.nc")
code, words = repeat("renamed.nc", "-o", "renamed")
cases.equal("a renamed file", (code, "the same data to the last bit" in words), (0, True))
with reproduce.netCDF4.Dataset("renamed.nc", "a") as data:
    data.effective_scenario = data.effective_scenario[:100]
cases.equal("a damaged scenario", "is damaged: its scenario cannot be read" in repeat("renamed.nc", "-o", "damaged")[1], True)

shutil.copy(file, "edited.nc")
with reproduce.netCDF4.Dataset("edited.nc", "a") as data:
    data["eta"][1, 3, 3] += 1e-6
Path("edited").mkdir()
shutil.move("edited.nc", "edited/lagoon.nc")
code, words = repeat("edited/lagoon.nc", "-o", "other")
cases.equal("other data are noticed", (code, "different data" in words), (1, True))

# a run that began from a restart file begins there again
settings = {"/output/0/every_s": 600, "/output/0/mean": False, "/restart/every_s": 600}
first = cases.run((home / "lagoon.json").resolve(), settings, options=["--steps", "10"], label="first")
restart = next(first.folder.glob("**/restart_*Z.nc")).resolve()
later = cases.run((home / "lagoon.json").resolve(), settings, options=["--steps", "30", "--restart", str(restart)], label="later")
file_later = next(later.folder.glob("**/lagoon.nc"))
code, words = repeat(file_later, "-o", "later_again")
cases.equal("from a restart file", (code, "the same data to the last bit" in words, "from " + str(restart) in words), (0, True, True))
# and one that a later command continued goes as far as the file
words = [cases.PROGRAM, "run", str((home / "lagoon.json").resolve()), "--quiet", "--restart", str(restart)]
words += [word for key, value in settings.items() for word in ("--set", f"{key}={reproduce.json.dumps(value)}")]
went_on = subprocess.run([*words, "--steps", "30"], cwd=first.folder, capture_output=True, text=True)
code, words = repeat(next(first.folder.glob("**/lagoon.nc")), "-o", "went_on_again")
cases.equal("a run that was continued", (went_on.returncode, code, "the same data to the last bit" in words), (0, 0, True))
shutil.move(home / "lagoon.json", home / "several.json")  # what a file holds is enough

Path("older").mkdir()
shutil.copy(file, "older/lagoon.nc")
with reproduce.netCDF4.Dataset("older/lagoon.nc", "a") as data:  # written when u and v of maps were always on faces
    scenario = reproduce.json.loads(data.effective_scenario)
    cases.equal("the file says where its velocities are", scenario["output"][0].pop("velocities"), "faces")
    data.effective_scenario = reproduce.json.dumps(scenario)
code, words = repeat("older/lagoon.nc", "-o", "older_again")
cases.equal("a file without the key has velocities on faces", (code, "the same data to the last bit" in words), (0, True))

rows = (home / "wind" / "lagoon.csv").read_text().splitlines()
head = next(n for n, row in enumerate(rows) if row.startswith("time"))
for name, part in (("part_1.csv", rows[: head + 3]), ("part_2.csv", [rows[head], *rows[head + 3 :]])):
    (home / "wind" / name).write_text("\n".join(part) + "\n")
several = cases.run((home / "several.json").resolve(), {"/forcing/wind/file": "wind/part_*.csv", "/output/0/every_s": 300}, options=["--steps", "5"], label="several")
(home / "several.json").unlink()
(home / "wind" / "part_3.csv").write_text("\n".join([rows[head], "2024-03-09T00:00:00Z,1,1"]) + "\n")  # a later day's
code, words = repeat(next(several.folder.glob("**/several.nc")), "-o", "several_again")
cases.equal("files of a pattern", (code, "the same data to the last bit" in words), (0, True))
cases.equal("files of a pattern: copied", sorted(path.name for path in Path("several_again/inputs").iterdir()), ["01_part_1.csv", "02_part_2.csv"])

with open(home / "wind" / "lagoon.csv", "a") as wind:
    wind.write("\n")
code, words = repeat(file, "-o", "forced")
cases.equal("a changed input is named", (code, "input wind/lagoon.csv has changed" in words), (2, True))
(home / "wind" / "lagoon.csv").unlink()
code, words = repeat(file, "-o", "empty")
cases.equal("an input that is gone is named", (code, "wind/lagoon.csv" in words and "--inputs" in words), (2, True))
cases.equal("no results", "there is no file" in repeat("nothing.nc")[1], True)
cases.finish()
