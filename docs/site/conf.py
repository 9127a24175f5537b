# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site: `./maeotis docs`. Its pages are the Markdown files of the tree, where they are, so that every
link that works in the tree works there; only the reference of the scenario's keys is made here, from the program's schema."""

import json
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))
import reference  # noqa: E402

PAGES = {
    "Start": ["docs/compared", "docs/first_scenario", "docs/your_sea", "docs/flood_of_a_town", "docs/forecasting", "docs/tides_of_a_bay", "docs/flume", "scenarios/README", "docs/gallery", "docs/README"],
    "Seas": ["docs/azov_storm_2014", "docs/azov_summer", "docs/azov_year", "docs/azov_bloom"],
    "How to": ["docs/open_boundaries", "docs/two_way_nests", "docs/structures", "docs/infiltration", "docs/projected_maps", "docs/layers", "docs/subgrid", "docs/kinetics", "docs/kinetics_module/README", "docs/clusters", "python/README", "bmi/README", "postproc/README", "bathymetry/README"],
    "Reference": ["docs/site/reference/keys", "output/README", "program/README", "CHANGELOG"],
    "How it works": ["model/README", "model/forcing/README", "model/pressure/README", "model/momentum/compact/README", "numerics/README",
                     "numerics/matm/README", "numerics/lines/README", "kinetics/README"],
    "How good it is": ["docs/validation", "docs/reliability", "docs/performance", "docs/lines_that_pay", "docs/papers", "docs/measurements", "tests/clients/table", "tests/mutation/table"],
    "For developers": ["CONTRIBUTING", "base/README", "gpu/README", "settings/README", "bench/README", "tests/README", "tests/mutation/README",
                       "tests/validation/README", "tests/validation/data/README", "tests/clients/README", "docs/releases", "packaging/README", "scenarios/verification/README", "scenarios/wind/README"],
}

project = "maeotis"
author = "the maeotis authors"
copyright = "the maeotis authors, Apache-2.0"
root_doc = "README"
extensions = ["myst_parser"]
include_patterns = [f"{page}.md" for pages in PAGES.values() for page in pages] + [f"{root_doc}.md", "docs/site/reference/*.md"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header", "misc.highlighting_failure"]  # sections at any level; "..." in JSON
html_theme = "furo"
html_title = "maeotis"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["style"]
html_css_files = ["wide.css"]
html_js_files = ["offline.js"]
smartquotes = False


def with_contents(app, name, source):
    """The first page ends with the list of all pages, which the sidebar shows."""
    if name == root_doc:
        for caption, pages in PAGES.items():
            names = "\n".join(f"/{page}" for page in pages)
            source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {caption}\n\n{names}\n```\n"


def last_files(app, failed):
    """Where a browser looks first; and the text of every page for the search, see style/offline.js."""
    if not failed:
        texts = {name: app.env.get_doctree(name).astext() for name in app.env.found_docs}
        (Path(app.outdir) / "_static" / "excerpts.js").write_text(f"window.EXCERPTS = {json.dumps(texts)};\n")
        shutil.copyfile(Path(app.outdir) / "README.html", Path(app.outdir) / "index.html")


def setup(app):
    reference.write(ROOT, Path(__file__).parent / "reference")
    app.connect("source-read", with_contents)
    app.connect("build-finished", last_files)
