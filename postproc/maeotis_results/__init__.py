# SPDX-License-Identifier: Apache-2.0
"""What a run left, for all that draw, compare and repeat it: its folder, its files, the series beside gauges."""
