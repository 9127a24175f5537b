# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
"""edges_pass.py with a plume along a coast, too."""

import runpy
import sys
from pathlib import Path

sys.argv = ["edges_pass.py", "--all"]
runpy.run_path(str(Path(__file__).with_name("edges_pass.py")))
