# SPDX-License-Identifier: Apache-2.0
"""A command of postproc/ called in this process."""

import contextlib
import io

from maeotis_results.program import Refused


def call(main, *arguments):
    """(exit code, what it said)"""
    words = io.StringIO()
    try:
        with contextlib.redirect_stdout(words):
            code = main(list(map(str, arguments)))
    except Refused as refused:
        return 2, words.getvalue() + str(refused)
    return code, words.getvalue()
