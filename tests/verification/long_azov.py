# SPDX-License-Identifier: Apache-2.0
# ctest: long
"""The Azov Sea on the grid of its scenarios, 2 km: period and shape of the free seiche, set-up by a steady wind."""

import azov_checks
import cases

azov_checks.seiche(2000)
azov_checks.steady_wind(2000, 14, 5.0, 6.0)  # one layer: no return flow below; 5.5 m/Pa by the integral of dx/h
azov_checks.steady_wind(2000, 1, 5.2, 6.4)
cases.finish()
