# SPDX-License-Identifier: Apache-2.0
"""The commands that the documents show: their files are in the tree, the program knows them, and tutorials say how long they take."""

import re
import subprocess
from pathlib import Path

import cases

PAGES = [cases.SOURCE / "README.md", *sorted((cases.SOURCE / "docs").glob("*.md"))]
TUTORIALS = ("first_scenario", "your_sea", "tides_of_a_bay", "flume", "kinetics", "open_boundaries", "azov_storm_2014")
launcher = str(cases.SOURCE / "maeotis")
known = re.findall(r"^    \./maeotis ([a-z-]+)", subprocess.run([launcher, "--help"], capture_output=True, text=True).stdout, re.M)
commands, missing, unknown = 0, [], []
for page in PAGES:
    for command in re.findall(r"(?:^ *|`)(?:\w+=\S+ )*\./maeotis ([^`\n]+)", page.read_text(), re.M):
        commands += 1
        words = [word.strip("'\"()[],;:") for word in command.split()]
        for word in words:
            # the gulf, results and what people call their own are not in the tree
            if re.fullmatch(r"(scenarios|docs|tests|bench)/[\w./]+\.\w+", word) and "mine" not in word and not (cases.SOURCE / word).is_file():
                missing.append(f"{page.name}: {word}")
        verb = next((word for word in words if not word.startswith("-")), "")
        if re.fullmatch(r"[a-z]+(-[a-z]+)*", verb) and words[0] == verb and verb not in known:
            unknown.append(f"{page.name}: {verb}")
cases.between("commands in the documents", commands, 50, 1000)
cases.equal("files that they name and that are missing", missing, [])
cases.equal("commands that the program does not know", unknown, [])
rows = subprocess.run([cases.PROGRAM + "-bench", "papers", "--list"], capture_output=True, text=True).stdout.splitlines()
page = (cases.SOURCE / "docs" / "papers.md").read_text()
cases.between("rows on papers that the program writes", len(rows), 20, 100)
cases.equal("those that docs/papers.md lacks", [row for row in rows if f"\n{row} " not in page], [])
cases.equal("its rows that the program does not write", [line for line in page.split("<!--")[0].splitlines() if line.startswith("| ") and not line.startswith(("| ---", "| Where")) and not line.startswith(tuple(rows))], [])
# A row that is measured again takes its own place, and all else stays; a page that does not exist yet says what nobody has measured.
Path("papers.md").write_text(page)
for name, there in ("papers.md", page.splitlines()), ("new.md", rows):
    subprocess.run([cases.PROGRAM + "-bench", "papers", "printed", "-o", name], check=True, capture_output=True)
    here = Path(name).read_text().splitlines()
    other = [line for line in here if line not in there]
    if name == "papers.md":
        cases.equal("a page's lines after a row was measured again", (len(here), [line.split("|")[2] for line in other if "printed" not in line]), (len(there), []))
    else:
        cases.equal("rows of a new page: not measured, but one", sum("| not measured: needs " in line and line.endswith("| |") for line in other), len(rows) - 1)
# Figures of another machine take the place of the page's, and nothing else does.
card = Path("new.md").read_text().replace("| not measured: needs a GPU | |", "| 61 % | a card |", 2)
Path("card.md").write_text(card)
subprocess.run([cases.PROGRAM + "-bench", "papers", "matm", "--from", "card.md", "-o", "papers.md"], check=True, capture_output=True)
taken = [line for line in Path("papers.md").read_text().splitlines() if line not in page.splitlines()]
cases.equal("rows taken from another machine's page", [line in card for line in taken if "printed" not in line], [True, True])
for name in TUTORIALS:
    first = (cases.SOURCE / "docs" / f"{name}.md").read_text().splitlines()[:4]
    cases.equal(f"{name}: says how long it takes", any(re.match(r"Reading time: \w+ minutes", line) for line in first), True)
cases.finish()
