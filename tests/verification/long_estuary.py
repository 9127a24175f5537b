# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: timeout 1800
"""The estuary on cells of 500 m and 40 layers, in steps of 60 s."""

import runpy
import sys
from pathlib import Path

sys.argv.append("fine")
runpy.run_path(str(Path(__file__).with_name("estuary.py")))
