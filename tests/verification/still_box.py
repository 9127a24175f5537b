# SPDX-License-Identifier: Apache-2.0
"""What tracers do without a current: settling, decay, age, mixing down the column and along the layers, to round-off."""

import cases
import numpy as np

STEP, HEIGHT, SPEED, DECAY = 60.0, 1.0, 0.001, 1e-4


def account(run, name, key):
    return np.array([line["tracers"][name][key] for line in run.log])


def check_accounts(run):
    for name in run.log[0]["tracers"]:
        cases.below(f"account of {name}", np.max(np.abs(account(run, name, "error"))) / np.max(account(run, name, "content")), 1e-13)


still = cases.run("verification/still_box")
check_accounts(still)
steps = np.arange(1, len(still.log) + 1)
cases.below("sand: top layer", np.max(np.abs(account(still, "sand", "least") * (1 + SPEED * STEP / HEIGHT) ** steps / 2 - 1)), 1e-13)
cases.close("sand: none is lost", account(still, "sand", "content")[-1], 2 * 1600 * 300 * 10, 1e-14)
column = np.full(10, 2.0)  # from the surface down, layer by layer
for _ in steps:
    column[0] /= 1 + SPEED * STEP / HEIGHT
    for k in range(1, 10):
        out = SPEED * STEP / HEIGHT if k < 9 else 0
        column[k] = (column[k] + SPEED * STEP / HEIGHT * column[k - 1]) / (1 + out)
found = still.fields()["sand"][-1, ::-1, 1, 3]
cases.below("sand: column", np.max(np.abs(found / column - 1)), 1e-6)  # the file holds float32
cases.below("bacteria", np.max(np.abs(account(still, "bacteria", "most") * (1 + DECAY * STEP) ** steps / 3 - 1)), 1e-13)
cases.below("age", np.max(np.abs(account(still, "age", "least") / (steps * STEP) - 1)), 1e-13)
cases.equal("no mixing: the wave stays", account(still, "wave", "most")[-1], account(still, "wave", "most")[0])

mixed = cases.run("verification/still_box", {"/physics/turbulence/viscosity_m2_s": 0.001, "/time/duration_s": 1440000, "/time/step_s": 3600,
                                             "/output": []})
check_accounts(mixed)
ratio = account(mixed, "sand", "most")[-1] / account(mixed, "sand", "least")[-1]
cases.close("sand: settling against mixing, a cell Peclet number of 1", ratio, np.exp(9 * SPEED * HEIGHT / 0.001), 1e-12)

spread = cases.run("verification/still_box", {"/physics/tracers/horizontal_diffusivity_m2_s": 5})
check_accounts(spread)
loss = STEP * 5 * (2 / 100 * np.sin(np.pi / 1600 * 100 / 2)) ** 2
first = np.cos(np.pi / 1600 * 50)
cases.below("wave: mixing along the layers", np.max(np.abs((account(spread, "wave", "most") - 2) / (first * (1 - loss) ** steps) - 1)), 1e-12)
cases.finish()
