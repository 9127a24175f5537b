# SPDX-License-Identifier: Apache-2.0
"""Runs of the program from Python: a run repeated from its files, and ensembles."""
