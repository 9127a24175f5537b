# SPDX-License-Identifier: Apache-2.0
"""Wind and air pressure of tropical cyclones from their best tracks."""
