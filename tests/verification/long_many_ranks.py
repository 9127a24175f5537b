# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
# ctest: timeout 1200
"""A small sea on 128 ranks, many times the cores of this machine: the digests are those of one rank, in short steps and in
steps so long that coarse grids are gathered."""

import cases

SEA = {"/output": [], "/grid/dx_m": 2000, "/grid/levels": {"bottom_m": -14, "dz_m": 7}, "/physics/turbulence": {"closure": "constant", "viscosity_m2_s": 1e-3}}
for name, more, steps in (("storm", {"/time/start": "2014-09-24T10:00:00Z"}, 3), ("long steps", {"/time/step_s": 3600}, 2)):
    alone = cases.run("azov_storm_2014", {**SEA, **more}, 0, ["--steps", str(steps)]).column("digest").tolist()
    cases.equal(f"{name}: steps", len(set(alone)), steps)
    many = cases.run("azov_storm_2014", {**SEA, **more, "/solver/processes": [8, 16]}, 128, ["--steps", str(steps)])
    cases.equal(f"{name}: 128 ranks", many.column("digest").tolist() == alone, True)
cases.finish()
