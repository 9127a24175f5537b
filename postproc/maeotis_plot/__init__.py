# SPDX-License-Identifier: Apache-2.0
"""Pictures of what maeotis writes: maps, extremes and station series as PNG files."""
