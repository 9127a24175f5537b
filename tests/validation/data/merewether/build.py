# SPDX-License-Identifier: Apache-2.0
"""Writes the files beside it from the package anuga (PyPI, Apache 2.0; its topography1.lic: "publishable: Yes"):

    pip download --no-deps --no-binary anuga anuga==4.1.0 && tar xf anuga-4.1.0.tar.gz
    python build.py anuga-4.1.0/validation_tests/case_studies/merewether
"""

import gzip
import sys
import zipfile
from pathlib import Path

import numpy as np

X0, Y0 = 382249.79174463, 6354265.4322858  # corner of the map: places are metres from here
source = Path(sys.argv[1])


def polygon(path):
    rows = [line.split(",") for line in path.read_text().split()]
    return " ".join(f"{float(x) - X0:.2f},{float(y) - Y0:.2f}" for x, y in rows)


with zipfile.ZipFile(source / "topography1.zip") as archive, archive.open("topography1.asc") as file:
    bed = np.loadtxt(file, skiprows=6)
for row in bed:  # 73 cells at the edges have no value
    known = np.flatnonzero(row > -9999)
    row[:] = row[known[np.argmin(np.abs(known[:, None] - np.arange(len(row))), axis=0)]]
centimetres = np.rint(100 * bed).astype(int)
differences = np.diff(centimetres, axis=1, prepend=0)  # which are small, from the west, rows from the north
with gzip.GzipFile("bed_cm.txt.gz", "wb", mtime=0) as file:
    file.write("\n".join(" ".join(map(str, row)) for row in differences).encode())
left_out = {"house030.csv", "house032.csv", "house033.csv"}  # as ANUGA does: the last two are one house
houses = [polygon(path) for path in sorted((source / "houses").glob("*.csv")) if path.name not in left_out]
Path("houses.txt").write_text("\n".join(houses) + "\n")
Path("road.txt").write_text(polygon(source / "Road" / "RoadPolygon.csv") + "\n")
