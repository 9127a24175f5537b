# SPDX-License-Identifier: Apache-2.0
"""Kelvin wave: speed, radius of deformation, no flow across; on four sides of the compass."""

import cases
import numpy as np

C = np.sqrt(98.1)
F, LENGTH = 1.05e-4, 600e3




def check(label, fields, along_x, coast_first, forwards):
    eta = fields["eta"] if along_x else np.swapaxes(fields["eta"], 1, 2)
    across = fields["y"] if along_x else fields["x"]
    distance = across if coast_first else 300e3 - across
    wave = np.fft.fft(eta, axis=2)[:, :, 1] * 2 / eta.shape[2]
    near = np.argmin(distance)
    turned = -np.unwrap(np.angle(wave[:, near])) * (1 if forwards else -1)
    speed = np.polyfit(fields["time"], turned, 1)[0] * LENGTH / (2 * np.pi)
    cases.close(f"{label}: speed", speed, C, 0.01)
    radius = -1 / np.polyfit(distance, np.log(np.abs(wave[-1])), 1)[0]
    cases.close(f"{label}: radius", radius, C / F, 0.02)
    cases.close(f"{label}: height after a period", np.abs(wave[-1, near]), np.abs(wave[0, near]), 0.01)
    cross = fields["v"] if along_x else fields["u"]
    cases.below(f"{label}: flow across, of that along", np.nanmax(np.abs(cross)) / (0.01 * np.sqrt(0.981)), 0.01)


run = cases.run("verification/kelvin_wave")
cases.conserves(run)
check("southern coast", run.fields(), True, True, True)

decay = "exp(-{}*1.05e-4/sqrt(98.1))"
north = f"0.01*{decay.format('(300000-y)')}*cos(2*pi*x/600000)"
run = cases.run("verification/kelvin_wave", {"/initial": {"eta_m": north, "u_m_s": f"-sqrt(0.981)*{north}"}})
check("northern coast", run.fields(), True, False, False)

turned = {"/grid/length_x_m": 300000, "/grid/length_y_m": 600000, "/grid/periodic": ["y"]}
east = f"0.01*{decay.format('(300000-x)')}*cos(2*pi*y/600000)"
run = cases.run("verification/kelvin_wave", {**turned, "/initial": {"eta_m": east, "v_m_s": f"sqrt(0.981)*{east}"}})
check("eastern coast", run.fields(), False, False, True)
cases.finish()
