# SPDX-License-Identifier: Apache-2.0
"""What kernels must move, as `bench bytes` counts it by pages, against their sources: arrays of three and of two dimensions
that they read and write, in a box without land whose pages are nearly all water."""

import json
import os
import re
import subprocess
import sys

import cases

if os.uname().machine != "x86_64":
    sys.exit(77)
NX, NY, NZ = 506, 40, 5
BOX = {"/grid": {"kind": "cartesian", "length_x_m": 1000 * NX, "length_y_m": 1000 * NY, "dx_m": 1000, "levels": {"bottom_m": -10, "dz_m": 2}},
       "/bathymetry": {"bed_m": -10}, "/solver": {"surface": {"method": "cg"}}}
words = [word for key, value in BOX.items() for word in ("--set", f"{key}={json.dumps(value)}")]
command = [os.environ["MAEOTIS"] + "-bench", "bytes", f"{os.environ['MAEOTIS_SOURCE_DIR']}/scenarios/peer_basin.json", *words]
text = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False).stdout
print(text)
cases.equal("wet cells", f"{NX * NY * NZ} wet cells" in text, True)

# launches, and how many arrays of three and of two dimensions are read and written, from the kernels' sources
ABOVE = (NZ - 1) / NZ  # all levels but one
COUNTED = {
    "momentum_update": (2, (4, 8), (2, 2)),  # predicted, response, velocity, phi; flux, predicted
    "vertical_flux": (1, (3 * ABOVE, 6), (ABOVE, 0)),  # flux_u, flux_v, phi; flux_w
    "surface_flux": (2, (0, 3), (0, 2)),
    "stress_fill": (2, (0, 0), (0, 1)),
}
for name, (launches, read, written) in COUNTED.items():
    found = re.search(rf"{name} +(\d+) x +([0-9.]+) +([0-9.]+) +([0-9.]+)", text)
    number, moved, *both = (float(word) for word in found.groups())
    cases.equal(f"{name}: launches", number, launches)
    cases.below(f"{name}: all of it differs from its parts by [B]", abs(moved - sum(both)), 0.16)
    for what, byte, (cells, columns) in zip(("read", "written"), both, (read, written)):
        expected = 8 * launches * (cells + columns / NZ) * 512 / NX  # rows with their halo
        cases.below(f"{name}: {what}, {byte} B, differs from {expected:.1f} B by", abs(byte - expected), 0.06 * expected + 0.06)
cases.finish()
