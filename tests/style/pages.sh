# SPDX-License-Identifier: Apache-2.0
#
# The documentation as a site holds every page that one of its pages links to (docs/site/conf.py): its build, which also finds
# wrong anchors, takes Sphinx and a minute.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

PYTHONDONTWRITEBYTECODE=1 python3 - <<'PAGES' || problem "docs/site/conf.py: pages that the site lacks"
import re, sys
from pathlib import Path

sys.path.insert(0, "docs/site")
import conf

pages = [Path(f"{page}.md") for group in conf.PAGES.values() for page in group] + [Path(f"{conf.root_doc}.md")]
held = {page.resolve() for page in pages}
missing = [f"{page}: no such file" for page in pages if not page.exists() and page.parent != Path("docs/site/reference")]
for page in filter(Path.exists, pages):
    for link in re.findall(r"\]\((?!https?:)([^)#\s]+\.md)(?:#[^)]*)?\)", page.read_text()):
        target = (page.parent / link).resolve()
        if target not in held:
            missing.append(f"{page} links to {link}")
print(*missing, sep="\n")
sys.exit(bool(missing))
PAGES
finish "pages of the site"
