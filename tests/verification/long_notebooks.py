# SPDX-License-Identifier: Apache-2.0
"""The notebooks of python/notebooks run as they stand, and show what they say.

ctest: long"""

import json
import os
import sys
from pathlib import Path

import numpy as np

import cases

if "MAEOTIS_SANITIZE:BOOL=ON" in (Path(os.environ["MAEOTIS_BUILD_DIR"]) / "CMakeCache.txt").read_text():
    raise SystemExit(77)
sys.path.insert(0, str(cases.SOURCE / "python"))
try:
    import maeotis  # noqa: F401
    import matplotlib.pyplot  # noqa: F401
except ImportError as missing:
    print(f"{missing}: not checked")
    raise SystemExit(77)


def execute(name):
    """What the cells leave behind; the figure as a PNG file."""
    book = json.loads((cases.SOURCE / "python" / "notebooks" / f"{name}.ipynb").read_text())
    left = {}
    for cell in book["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), name, "exec"), left)
    left["figure"].savefig(f"{name}.png")
    return left


flood = execute("flood_probability")
some = (flood["probability"] > 0) & (flood["probability"] < 1)
cases.equal("the winds differ in what they flood", bool(some.any()), True)
cases.equal("more wind, more land, on the whole", bool(np.corrcoef(flood["factors"], flood["area"])[0, 1] > 0.5), True)
source = execute("own_source")
cases.equal("the pipe was closed", source["closed"] is not None, True)
cases.between("most of the dye is still there", source["content"] / source["leaked"], 0.5, 1 + 1e-9)
cases.finish()
