# SPDX-License-Identifier: Apache-2.0
"""No bit of any scenario depends on what lies behind the ghost cells of open edges, on any number of processes. ctest: long

`MAEOTIS_POISON` fills it with numbers (numerics/grid/poison.h). ctest: timeout 900, ctest: processors 2
"""
import os

import cases

STEPS = {"/output": [], "/restart": {}}


def digest(scenario, poison, ranks=0):
    os.environ.pop("MAEOTIS_POISON", None)
    if poison:
        os.environ["MAEOTIS_POISON"] = poison
    return cases.run(scenario, STEPS, ranks, ("--steps", "4"), label="sea", may_fail=ranks > 1)


seas = sorted(path for path in (cases.SOURCE / "scenarios").glob("**/*.json") if '"boundaries"' in path.read_text())
assert len(seas) > 20
for sea in seas:
    expected = digest(sea, None).digest
    for poison, ranks in [("300", 0), ("-5", 0), *[("300", ranks) for ranks in range(2, 7)]]:
        found = digest(sea, poison, ranks)
        if found.code and "cannot be shared" in found.message:  # too small for so many
            continue
        cases.equal(f"{sea.name}, {poison} behind its edges, {ranks or 1} processes", found.digest, expected)
cases.finish()
