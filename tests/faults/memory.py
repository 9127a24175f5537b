# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
# ctest: timeout 3600
"""Memory that cannot be had: the n-th allocation of the program fails, n running over all of them, on one rank and on each of
two; and runs that may not have more than so much memory at all."""

import os
import resource

import faults

faults.breaker()
EVERY = int(os.environ.get("MAEOTIS_FAULTS_EVERY", 5))  # 1: every allocation; 5: each fifth
ENOMEM = 12

assert faults.run("whole").code == 0
whole = faults.contents("whole")
tally = faults.Tally()
plan = []
for ranks, rank in ((0, 0), (2, 0), (2, 1)):
    number = faults.count("out/count", ranks, {"calls": "memory", "rank": rank})
    plan += [(ranks, {"calls": "memory", "rank": rank, "at": at, "how": ENOMEM}) for at in range(1, number + 1, EVERY)]
print(len(plan), "trials", flush=True)


def trial(case, folder):
    ranks, fault = case
    ended = faults.run(folder, ranks, fault=fault)
    return ended, faults.judge(ended, folder, whole, ranks)


def limited(mebibytes, folder):
    """Libraries that get no memory may crash; the files must be none the worse."""
    limit = mebibytes << 20
    ended = faults.Ended(faults.command(folder, 0), preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    return ended, faults.judge(ended, folder, whole, may_be_killed=True)


for mebibytes, (ended, wrong) in faults.trials(range(40, 500, 2), limited):
    tally.add("address space of 40 to 500 MiB", mebibytes, ended, wrong)
for (ranks, fault), (ended, wrong) in faults.trials(plan, trial):
    tally.add(f"memory, rank {fault['rank']} of {ranks or 1}", fault, ended, wrong)
tally.finish()
