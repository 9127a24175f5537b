# SPDX-License-Identifier: Apache-2.0
"""No bit of any scenario depends on what lies behind the ghost cells of open edges, on any number of processes. ctest: long

`MAEOTIS_POISON` fills it with numbers (numerics/grid/poison.h). ctest: timeout 1800, ctest: processors 2
"""
import os
import sys

import cases

sys.path.insert(0, str(cases.SOURCE / "scenarios" / "year"))
import weather  # noqa: E402

STEPS = {"/output": [], "/restart": {}}
HOUR = {"/time/end": "2014-09-23T01:00:00Z"}


def digest(scenario, poison, ranks=0):
    os.environ.pop("MAEOTIS_POISON", None)
    if poison:
        os.environ["MAEOTIS_POISON"] = poison
    return cases.run(scenario, {**STEPS, **made.get(scenario.stem, {})}, ranks, ("--steps", "4"), label="sea", may_fail=ranks > 1)


# What scenarios need of others and of scripts: the sea around the nest, a year's weather.
outside = cases.run("nested/azov_outside", {**HOUR, "/output_folder": "results"}, label="outside").folder / "results" / "azov_outside.nc"
weather.main("era5.nc")
made = {"don_delta": {**HOUR, "/nest": str(outside)},
        "azov_year": {f"/forcing/{section}/file": str(cases.Path.cwd() / "era5.nc") for section in ("wind", "air_pressure", "rain", "heat")}}
seas = sorted(path for path in (cases.SOURCE / "scenarios").glob("**/*.json") if '"boundaries"' in path.read_text() or '"nest"' in path.read_text())
assert len(seas) > 20 and set(made) <= {sea.stem for sea in seas}
for sea in seas:
    expected = digest(sea, None).digest
    for poison, ranks in [("300", 0), ("-5", 0), *[("300", ranks) for ranks in range(2, 7)]]:
        found = digest(sea, poison, ranks)
        if found.code and "cannot be shared" in found.message:  # too small for so many
            continue
        cases.equal(f"{sea.name}, {poison} behind its edges, {ranks or 1} processes", found.digest, expected)
cases.finish()
