# SPDX-License-Identifier: Apache-2.0
# ctest: long
# ctest: processors 2
# ctest: timeout 7200
"""Each call that changes files fails once, or it and all that follow: the n-th, n running over all of them, on one rank and
on each of two. A full disk, a disk that fails, half a write; and the process is killed before the call, so at every place
where its files can be."""

import os

import faults

faults.breaker()
EVERY = int(os.environ.get("MAEOTIS_FAULTS_EVERY", 9))  # 1: every call; 9: each ninth
ENOSPC, EIO, EROFS = 28, 5, 30
HOWS = {"write": ((ENOSPC, True), (EIO, False), ("half", False), ("kill", False)), "open": ((EROFS, False),), "truncate": ((EIO, False),),
        "fsync": ((EIO, False), ("kill", False)), "rename": ((ENOSPC, False), ("kill", False)), "close": ((EIO, False),),
        "unlink": ((EROFS, False), ("kill", False)), "mkdir": ((EROFS, False),)}

assert faults.run("whole").code == 0
whole = faults.contents("whole")
tally = faults.Tally()
plan = []
for ranks, rank in ((0, 0), (2, 0), (2, 1)):
    for call, hows in HOWS.items():
        # Where one process alone cannot open what it could a moment before, Open MPI waits for ever (docs/reliability.md).
        where = {"calls": call, "path": "out/", "rank": rank, **({"own": 1} if call == "open" and rank > 0 else {})}
        number = faults.count("out/count", ranks, where)
        plan += [(ranks, {**where, "at": at, "how": how, **({"lasting": 1} if lasting else {})})
                 for how, lasting in hows for at in range(1, number + 1, EVERY)]
print(len(plan), "trials", flush=True)


def trial(case, folder):
    ranks, fault = case
    ended = faults.run(folder, ranks, fault=fault)
    return ended, faults.judge(ended, folder, whole, ranks, may_be_killed=fault["how"] == "kill")


for (ranks, fault), (ended, wrong) in faults.trials(plan, trial):
    tally.add(f"{fault['calls']}, {fault['how']}{' from then on' if 'lasting' in fault else ''}, rank {fault['rank']} of {ranks or 1}",
              fault, ended, wrong)
tally.finish()
