# SPDX-License-Identifier: Apache-2.0
#
# A folder's README explains its files in tables: by names that they have.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

# shellcheck disable=SC2016 # the dollar is Python's
files '*' | python3 -c '
import fnmatch, re, sys
from pathlib import Path

files = [Path(line.rstrip("\n")) for line in sys.stdin]
missing = []
for page in (file for file in files if file.name == "README.md"):
    beside = [str(file.relative_to(page.parent)) for file in files if page.parent in file.parents]
    for row in (line.split(" | ")[0] for line in page.read_text().splitlines() if line.startswith("| `")):
        for name in re.findall(r"`([\w/*-]+\.(?:\[ch\]|c|h|py|js|sh))`", row):
            wanted = [name.replace("[ch]", end) for end in "ch"] if name.endswith("[ch]") else [name]
            missing += [f"{page} names {one}, which is not there" for one in wanted if not fnmatch.filter(beside, one)]
sys.stdout.writelines(f"{one}\n" for one in missing)
sys.exit(bool(missing))
' || problem "a README names files that are not there"
finish "files of READMEs"
