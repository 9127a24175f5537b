# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""A solitary wave on a slope of 1:34.7 grows as in the laboratory of Grilli et al. (1994) up to where it breaks, and comes when it
did, on one layer and on four of fixed heights, with the criterion of breaking that is the default."""

import cases
import numpy as np

# crests of the laboratory [d], and when they came after that at g0 [sqrt(d/g)], read from its figure
LABORATORY = {"g1": (0.268, 25.06), "g3": (0.282, 26.81), "g5": (0.292, 27.95), "g7": (0.320, 29.06), "g9": (0.341, 30.53)}

for name, settings, within in (("one layer", {}, 0.04), ("four layers", {"/grid/levels/dz_m": 0.25}, 0.035)):
    run = cases.run("verification/solitary_shoaling", {"/time/duration_s": 13.5, **settings})
    cases.conserves(run, 1e-13)
    found = run.stations()
    time, eta = found["time"] * np.sqrt(9.81), dict(zip(found["names"], found["eta"].T))
    start = time[np.argmax(eta["g0"])]
    for gauge, (crest, arrival) in LABORATORY.items():
        cases.close(f"{name}, {gauge}: crest", np.max(eta[gauge]), crest, within)
        cases.close(f"{name}, {gauge}: arrival", time[np.argmax(eta[gauge])] - start, arrival, 0.008)
cases.finish()
