# SPDX-License-Identifier: Apache-2.0
"""Kernels see one column at a time, as on a GPU, in place of eight: the same bits. What one column takes from its neighbours in
a block, or from the deepest of them, shows here. long_one_lane.py does the same with all scenarios."""

import cases
import lanes

for name in ("standing_wave", "submerged_bar", "stormy_marsh", "tracers_marsh", "sediment_box", "lock_exchange", "everything"):
    lanes.compare(f"verification/{name}", 3)
# a slope whose columns have other numbers of layers than their neighbours, within blocks and between them
lanes.compare("verification/lake_at_rest", 5, {"/physics/pressure": "nonhydrostatic", "/initial/eta_m": "1.5*cos(x/5000)"})
lanes.compare("verification/everything", 3, {"/physics/pressure": "nonhydrostatic", "/physics/tracers/scheme": "van-leer",
                                                "/physics/momentum/scheme": "split", "/physics/density/equation": "eos80"})
cases.finish()
