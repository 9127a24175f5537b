# SPDX-License-Identifier: Apache-2.0
"""Inverse barometer: the level mirrors the air pressure, the volume fixes the constant."""

import cases
import numpy as np

run = cases.run("verification/inverse_barometer")
cases.conserves(run)
cases.below("speed at the end [m/s]", run.log[-1]["max_speed_m_s"], 1e-9)
fields = run.fields()
eta, pressure = fields["eta"][-1], fields["air_pressure"][-1]
wet = np.isfinite(eta)
exact = -pressure[wet] / (1025 * 9.81)
exact -= exact.mean()
cases.below("error of the level [m], of 0.3 m", np.max(np.abs(eta[wet] - exact)), 1e-5)
cases.finish()
