# SPDX-License-Identifier: Apache-2.0
#
# Words that users do not read: each has a better one. Looked for in Markdown outside of code, in the literals of C, and in the
# help of the launcher and the manual page. Records of earlier work keep their words.

source "$(dirname "${BASH_SOURCE[0]}")/_tree.sh"

mapfile -t pages < <(files '*.md' '*.[ch]' maeotis maeotis.1)
printf '%s\n' "${pages[@]}" | PYTHONDONTWRITEBYTECODE=1 python3 /dev/fd/3 3<<'WORDS' || problem "words that have a better one"
import re, sys
from pathlib import Path

BETTER = {r"checkpoints?": "restart file", r"anew": "again, or a verb such as rebuild", r"but for": "except for",
          r"by and by": "gradually", r"many grids": "multigrid", r"calculators?": "core or GPU", r"chess ?board": "checkerboard",
          r"whoever|who wants": "name the person, or use the passive", r"of one's own": "of your own",
          r"without a word": "silently", r"(?<!MPI )(?<![/.\w-])ranks?(?![\w.]| of a tensor)": "process"}
# names of functions and files, a paper's word where it is explained, and records of what was
EXEMPT = {"CHANGELOG.md", "docs/validation.md", "tests/mutation/table.md"}
PAPER = {("docs/clusters.md", "calculator"), ("numerics/README.md", "calculator")}

def markdown(text):
    """Lines without code."""
    fence = False
    for n, line in enumerate(text.split("\n"), 1):
        fence ^= line.lstrip().startswith("```")
        yield n, "" if fence or line.startswith("    ") else re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)


def literals(text):
    text = re.sub(r"/\*.*?\*/|//[^\n]*", lambda m: "\n" * m.group().count("\n"), text, flags=re.S)
    for n, line in enumerate(text.split("\n"), 1):
        if not line.lstrip().startswith("#include"):
            yield n, " ".join(s for s in re.findall(r'"((?:\\.|[^"\\])*)"', line) if " " in s)


def plain(text):
    return enumerate(text.split("\n"), 1)


def help_of_launcher(text):
    return enumerate(text.split("END\n")[0].split("\n"), 1)


problems = 0
for name in map(str.rstrip, sys.stdin):
    if name in EXEMPT or re.match(r"tests/.*\.[ch]$", name):
        continue
    read = (markdown if name.endswith(".md") else literals if re.search(r"\.[ch]$", name) else
            help_of_launcher if name == "maeotis" else plain if name == "docs/maeotis.1" else None)
    if not read:
        continue
    for n, line in read(Path(name).read_text(errors="replace")):
        for word, better in BETTER.items():
            for hit in re.finditer(rf"\b(?:{word})(?!\w)", line, re.I) if word[0] != "(" else re.finditer(word, line):
                if (name, hit.group().rstrip("s")) not in PAPER:
                    print(f"{name}:{n}: \"{hit.group()}\"   <- {better}")
                    problems += 1
sys.exit(bool(problems))
WORDS
finish "words"
