# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
# ctest: timeout 1200
"""ranks.py on every number of ranks and every shape of the cut."""

import runpy
import sys
from pathlib import Path

sys.argv = ["ranks.py", "--all"]
runpy.run_path(str(Path(__file__).with_name("ranks.py")))
