#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# cmake --install makes a copy that runs from anywhere, with its own data, and without the source tree's launcher.

set -euo pipefail

fail() {
    printf 'FAIL  %s\n' "$*"
    exit 1
}

rm -rf prefix elsewhere moved
DESTDIR='' cmake --install "$MAEOTIS_BUILD_DIR" --prefix "$PWD/prefix" >install.log || fail "cmake --install"
mv prefix moved
mkdir elsewhere
cd elsewhere
installed=../moved/bin/maeotis
for file in bin/maeotis libexec/maeotis/maeotis libexec/maeotis/maeotis-bench share/maeotis/bathymetry/azov_1km.nc \
    share/maeotis/scenarios/wind/azov_storm_2014.csv share/maeotis/scenario.schema.json share/man/man1/maeotis.1 \
    include/maeotis/maeotis_bmi.h share/maeotis/python/maeotis/__init__.py; do
    [[ -s ../moved/$file ]] || fail "no $file"
done
python3 -c 'import json; json.load(open("../moved/share/maeotis/scenario.schema.json"))' || fail "the schema"

"$installed" run ../moved/share/maeotis/scenarios/azov_storm_2014.json --steps 2 -n 2 --quiet || fail "run"
[[ -s results/azov_storm_2014/azov_storm_2014.nc ]] || fail "no results below the current folder"
"$installed" info results/azov_storm_2014/azov_storm_2014.nc >info.log || fail "info"
code=0
"$installed" test >words 2>&1 || code=$?
((code == 2)) || fail "test in an installed copy: code $code"
grep -q "works only in the source tree" words || fail "test in an installed copy does not say where it works"

# the library, from Python, without anything of the source tree
if python=$(for p in /usr/bin/python3 python3; do "$p" -c 'import numpy, xarray' 2>/dev/null && echo "$p" && break; done) &&
    ! grep -q MAEOTIS_SANITIZE:BOOL=ON "$MAEOTIS_BUILD_DIR/CMakeCache.txt"; then
    env -u MAEOTIS -u MAEOTIS_LIBRARY PYTHONPATH=../moved/share/maeotis/python "$python" -c "
import maeotis
from pathlib import Path
assert Path('../moved').resolve() in maeotis._where.library().parents, maeotis._where.library()
sim = maeotis.Simulation('../moved/share/maeotis/scenarios/lagoon.json', files=False, steps=2)
sim.run()
assert sim.steps == 2" || fail "the library from Python"
fi

# its own depth map, and no other one
echo damaged >../moved/share/maeotis/bathymetry/azov_1km.nc
! "$installed" check ../moved/share/maeotis/scenarios/azov_storm_2014.json 2>/dev/null || fail "another depth map was read"

# commands of the manual page and of the help are the same
help_commands=$("$installed" --help | sed -nE 's/^    \.\/maeotis ([a-z-]+) .*/\1/p' | grep -v COMMAND | sort -u)
for command in $help_commands; do
    grep -q -- "${command//-/\\\\-}" ../moved/share/man/man1/maeotis.1 || fail "the manual page does not know $command"
done
echo "ok    installed, moved, run, its own data"
