# SPDX-License-Identifier: Apache-2.0
"""One self-contained HTML page about a run: maps, series, sections, budgets, and how to repeat it."""
