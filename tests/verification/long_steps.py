# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
"""Steps of the Azov storm in which long waves cross 2 to 200 cells: at most 35 iterations each time that the level is found, all
Newton iterations together, in either precision, and a few Newton iterations (without rotation, with which such steps find it several
times); and the same bits on 1 to 4 processes and behind a restart,
also where the solver changes its grids. With cells of 1 km a step of three hours moves columns between wet and dry four times."""

import cases

STORM = str(cases.SOURCE / "scenarios/azov_storm_2014.json")
STEPS = 4
# Seconds of a step, and its Courant number.
COURANT = {240: 2, 1200: 10, 1440: 12, 2400: 20, 3600: 29, 7200: 58, 12960: 105, 21600: 175, 24840: 200}


def storm(step, precision, ranks=0, label=None, steps=STEPS, options=(), **settings):
    settings = {"/time/step_s": step, "/grid/levels/dz_m": 14, "/solver/surface/precision": precision, "/output": [], **settings}
    return cases.run(STORM, settings, ranks, ["--steps", str(steps), *options], label)


for step, courant in COURANT.items():
    for precision in ("double", "single"):
        run = storm(step, precision, label=f"{precision}_{step}", steps=10 if courant > 110 else STEPS,
                    **{"/physics/coriolis": "none", "/time/end": "2014-09-25T21:00:00Z" if courant == 200 else "2014-09-26T00:00:00Z"})
        cases.below(f"Courant {courant}, {precision} precision: iterations", run.column("iterations").max(), 35)
        cases.below(f"Courant {courant}, {precision} precision: Newton iterations", run.column("newton").max(), 6)
        cases.conserves(run)
fine = storm(10800, "single", label="fine", steps=6, **{"/grid/dx_m": 1000, "/physics/coriolis": "none"})
cases.below("cells of 1 km, Courant 174: iterations", fine.column("iterations").max(), 35)
for step in (1200, 1440, 7200):
    name = f"Courant {COURANT[step]}"
    alone = storm(step, "auto", label=f"alone_{step}").column("digest").tolist()
    for ranks in (2, 3, 4):
        cases.equal(f"{name}, {ranks} ranks", storm(step, "auto", ranks, f"ranks_{ranks}_{step}").column("digest").tolist(), alone)
    half = storm(step, "auto", label=f"half_{step}", steps=STEPS // 2, **{"/restart/at_end": True})
    files = sorted(half.folder.glob("**/restart_*.nc"))
    rest = storm(step, "auto", 3, f"rest_{step}", options=["--restart", str(files[0])])
    cases.equal(f"{name}, behind a restart", rest.column("digest").tolist(), alone[STEPS // 2:])
cases.finish()
