# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
"""boundary_files.py with every layout of files, interpolation and refusal."""

import runpy
import sys
from pathlib import Path

sys.argv = ["boundary_files.py", "--all"]
runpy.run_path(str(Path(__file__).with_name("boundary_files.py")))
