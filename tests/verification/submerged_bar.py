# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 900
"""Waves over a submerged bar, against potential flow (tests/support/potential_flow.py): the levels measured in the flume are not
free to be shipped."""

from pathlib import Path

import cases
import numpy as np

reference = np.loadtxt(Path(__file__).parents[1] / "support" / "submerged_bar.csv", delimiter=",")
run = cases.run("verification/submerged_bar")
cases.conserves(run, 1e-14)
series = run.stations()
time, omega = reference[:, 0], 2 * np.pi / 2.02


def harmonics(time, eta):
    matrix = np.stack([f(n * omega * time) for n in range(1, 5) for f in (np.cos, np.sin)] + [np.ones_like(time)], axis=1)
    found = np.linalg.lstsq(matrix, eta, rcond=None)[0][:-1].reshape(4, 2)
    return np.hypot(found[:, 0], found[:, 1])


for gauge, name in enumerate(series["names"]):
    expected = reference[:, gauge + 1] - np.mean(reference[:, gauge + 1])
    found = np.interp(time, series["time"], series["eta"][:, gauge])
    found -= np.mean(found)
    skill = 1 - np.sum((found - expected) ** 2) / np.sum((np.abs(found) + np.abs(expected)) ** 2)
    cases.between(f"bar, gauge at {name}: skill", skill, 0.95, 1)
    a, b = harmonics(time, expected), harmonics(time, found)
    print(f"      harmonics [mm], potential flow {np.round(1e3 * a, 2)}, found {np.round(1e3 * b, 2)}")
    cases.below(f"bar, gauge at {name}: largest error of a harmonic [mm]", 1e3 * np.max(np.abs(a - b)), 1.85)
cases.finish()
