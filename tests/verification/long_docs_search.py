# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site, opened from the disk: a search without network finds pages, and shows where they speak of it.

ctest: long"""

import os
import subprocess
import sys
from pathlib import Path

import browser
import cases

try:
    import furo  # noqa: F401
    import myst_parser  # noqa: F401
    import sphinx  # noqa: F401
except ImportError:
    print("sphinx, myst_parser and furo are not here: not checked")
    sys.exit(77)

LOOK = """(async () => {
    const found = () => [...document.querySelectorAll("ul.search li")].map(li => [li.querySelector("a").textContent, (li.querySelector("p") || {}).textContent || ""]);
    // results and their excerpts come one after the other: as long as there are more
    for (let n = 0, same = 0, last = ""; n < 1000 && same < 50; n++) {
        await new Promise(done => setTimeout(done, 20));
        const now = JSON.stringify(found());
        same = now == last && found().some(part => part[1]) ? same + 1 : 0;
        last = now;
    }
    return found();
})()"""

site = Path("site").resolve()
made = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-c", str(cases.SOURCE / "docs/site"), str(cases.SOURCE), str(site)],
                      env={**os.environ, "MAEOTIS": cases.PROGRAM}, capture_output=True, text=True)
cases.equal("the site is made, without a warning", (made.returncode, made.stderr), (0, ""))
if not browser.PROGRAM:
    print("there is no Chromium: the search is not tried")
    cases.finish()
with browser.Browser() as chromium:
    chromium.open(site / "search.html", query="?q=gauge")
    found = chromium.ask(LOOK)
    cases.between("pages that speak of gauges", len(found), 3, 500)
    cases.equal("each with an excerpt that does", [title for title, text in found if "gauge" not in text.lower()], [])
    cases.equal("no error of the search, nothing fetched", [error for error in chromium.errors if "furo.js" not in error], [])
cases.finish()
