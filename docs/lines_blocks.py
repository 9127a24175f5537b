#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws docs/lines_blocks.png from what `maeotis bench lines blocks` prints:

    ./maeotis bench lines blocks | docs/lines_blocks.py docs/lines_blocks.png
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def main():
    chains, optima, cores = {}, {}, {}
    for line in sys.stdin:
        word = line.split()
        if word[0] == "chain":
            chains.setdefault(int(word[1]), []).append((float(word[2]), 1e6 * float(word[3])))
        elif word[0] == "optimum":
            optima[int(word[1])] = (float(word[2]), 1e6 * float(word[3]))
        elif word[0] == "core":
            cores.setdefault((int(word[1]), int(word[4])), []).append((int(word[2]), float(word[3])))

    figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.2), layout="constrained")
    for levels, points in sorted(chains.items()):
        name = "one partition" if levels == 1 else f"nested {levels - 1} time{'s' * (levels > 2)}"
        (drawn,) = left.plot(*zip(*points), ".-", label=name)
        left.plot(*optima[levels], "v", color=drawn.get_color(), markersize=11, markeredgecolor="black")
    left.plot([], [], "v", color="white", markeredgecolor="black", label="predicted optimum (eq. 7, 8)")
    left.set(xscale="log", yscale="log", xlabel="blocks of the first partition", ylabel="time of the longest chain [µs]",
             title="300,000 rows, a processor for every block")
    left.legend()
    for (rows, levels), points in sorted(cores.items()):
        right.plot(*zip(*points), ".-" if levels == 1 else ".--",
                   label=f"{rows} rows" + (", nested once" if levels == 2 else ""))
    right.set(xscale="log", xlabel="rows of a block", ylabel="time of a row [ns]", ylim=(0, None),
              title="many lines on one core, in its caches")
    right.legend()
    figure.savefig(sys.argv[1], dpi=110)


if __name__ == "__main__":
    main()
