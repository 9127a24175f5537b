# SPDX-License-Identifier: Apache-2.0
"""A disk that is full from the first file on, and a file that one of two processes cannot open: the run ends and says so."""

import faults

import cases

faults.breaker()
for name, fault in (("a full disk", {"calls": "write", "rank": 0, "at": 1, "how": 28, "lasting": 1}),
                    ("a file that the first cannot open", {"calls": "open", "rank": 0, "at": 24, "how": 30}),
                    ("a file that the second cannot open", {"calls": "open", "rank": 1, "at": 11, "how": 30, "lasting": 1})):
    ended = faults.run("out/x", 2, fault={**fault, "path": "out/"}, timeout=30)
    cases.equal(f"{name}: it ends, with a message", (ended.hung, ended.code in (1, 2), "error: " in ended.said), (False, True, True))
cases.finish()
