# SPDX-License-Identifier: Apache-2.0
"""Scores of forecasts by lead time: the pairs of many runs, sorted by the time since the start of their run."""

import numpy as np


def scores(found, width_h, measures):
    """Rows of a table from [(what all rows say, start of the run [s], times [s], computed, measured)]: one for each interval of
    `width_h` hours that holds pairs, for each set of what rows say."""
    rows = []
    for said in {tuple(said.items()): said for said, *_ in found}.values():
        runs = [one for one in found if one[0] == said]
        lead = np.concatenate([(times - start) / 3600 for _, start, times, *_ in runs])
        run = np.concatenate([np.full(times.size, n) for n, (_, _, times, *_) in enumerate(runs)])
        computed, measured = (np.concatenate([one[n] for one in runs]) for n in (3, 4))
        # the beginning, and in others the end: a forecast of 48 h has no third day
        interval = np.maximum(0, np.ceil(lead / width_h - 1e-9) - 1).astype(int)
        for n in np.unique(interval):
            here = interval == n
            rows.append({**said, "runs": int(np.unique(run[here]).size), "lead_from_h": n * width_h, "lead_to_h": (n + 1) * width_h,
                         **measures(computed[here], measured[here])})
    return rows


def report(rows, unit):
    for row in rows:
        print(f"{row['station']}, {row['lead_from_h']:g} to {row['lead_to_h']:g} h ahead, runs: {row['runs']}, pairs: {row['pairs']}: "
              f"bias {row['bias']:+.4g} {unit}, rms error {row['rmse']:.4g} {unit}, skill {row['skill']:.4f}")
