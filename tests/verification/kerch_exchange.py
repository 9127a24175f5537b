# SPDX-License-Identifier: Apache-2.0
"""Two-way exchange through a strait: water leaves above and comes in below, at the same time and in the right amounts."""

import cases
import numpy as np

run = cases.run("kerch_exchange", {"/output/0/velocities": "faces"})
cases.conserves(run, 1e-12)
for name in ("salinity", "temperature"):
    account = run.log[-1]["tracers"][name]
    cases.below(f"{name}: account", abs(account["error"]) / account["content"], 1e-12)
salt = [line["tracers"]["salinity"] for line in run.log]
cases.between("least salinity", min(line["least"] for line in salt), 11 - 1e-9, 11.1)
cases.between("greatest salinity", max(line["most"] for line in salt), 17.9, 18 + 1e-9)
steps = run.column("step_s")
cases.between("steps chosen", np.max(steps), 10, 600)

fields = run.fields()
row = int(np.argmin(np.abs(fields["lat"] - 45.26)))  # where the strait is narrow: through the southern faces of its cells
thickness = 0.5 * (fields["thickness"][-1, :, row - 1] + fields["thickness"][-1, :, row])
flux = np.nan_to_num(fields["v"][-1, :, row] * thickness) * 996
cases.between("leaves the Azov Sea [m3/s]", -flux[flux < 0].sum(), 500, 5000)
cases.between("comes in [m3/s]", flux[flux > 0].sum(), 500, 5000)
mean = [np.sum(flux[k]) / np.nansum(np.where(np.isfinite(fields["v"][-1, k, row]), thickness[k], np.nan) * 996) for k in (-1, -6)]
cases.between("near the surface, to the Black Sea [m/s]", mean[0], -0.5, -0.01)
cases.between("near the bed, to the Azov Sea [m/s]", mean[1], 0.01, 0.5)
first = cases.run("kerch_exchange", {"/output": []}, 0, ["--steps", "20"])
cases.equal("3 ranks", cases.run("kerch_exchange", {"/output": []}, 3, ["--steps", "20"]).column("digest").tolist() == first.column("digest").tolist(), True)
cases.finish()
