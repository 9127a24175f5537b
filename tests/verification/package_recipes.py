# SPDX-License-Identifier: Apache-2.0
"""The recipes of packaging/: what they name is there, and their versions and scripts are in order. Nothing is built."""

import ast
import json
import re
import shutil
import subprocess

import cases

ROOT, RECIPES = cases.SOURCE, cases.SOURCE / "packaging"
texts = {name: (RECIPES / name).read_text() for name in ("Dockerfile", "apptainer.def", "conda/recipe.yaml", "spack/package.py")}
lists = (ROOT / "CMakeLists.txt").read_text()

# versions
version = re.search(r"project\(maeotis VERSION ([\d.]+)", lists)[1]
citation = (ROOT / "CITATION.cff").read_text()
cases.equal("version to cite", re.search(r"^version: \"?([\d.]+)", citation, re.M)[1], version)
cases.equal("version of the manual page", re.search(r'"maeotis ([\d.]+)"', (ROOT / "docs" / "maeotis.1").read_text())[1], version)
cases.equal("version of conda", re.search(r'^  version: "([\d.]+)"', texts["conda/recipe.yaml"], re.M)[1], version)
cases.equal("version of Spack", re.findall(r'version\("([\d.]+)"', texts["spack/package.py"]), [version])

# options of the build that the recipes set
known = set(re.findall(r"option\((MAEOTIS_\w+)", lists))
for name in ("conda/recipe.yaml", "spack/package.py"):
    named = set(re.findall(r"MAEOTIS_\w+", texts[name]))
    cases.equal(f"options in {name}", (bool(named), named - known), (True, set()))

# all need the libraries that the build looks for
for name, libraries in (("conda/recipe.yaml", ("openmpi", "libpnetcdf", "libnetcdf", "cjson", "muparser", "udunits2")),
                        ("spack/package.py", ("mpi", "parallel-netcdf", "netcdf-c", "cjson", "muparser", "udunits"))):
    lines = texts[name].replace('depends_on("', "- ").replace('")', "").splitlines()
    there = [library for library in libraries if f"- {library}" in (line.strip() for line in lines)]
    cases.equal(f"libraries in {name}", there, list(libraries))
found = re.findall(r"^maeotis_require\((\w+)|find_package\(MPI", (ROOT / "cmake" / "Dependencies.cmake").read_text(), re.M)
cases.equal("libraries of the build: as many", len(found), 6)

# files: a scenario in the installed copy, the licence, the folder of the packages
cases.equal("scenario", all((ROOT / path).is_file() for path in re.findall(r"share/maeotis/([\w./]+\.json)", texts["conda/recipe.yaml"])), True)
cases.equal("licence", (ROOT / re.search(r"license_file: (\S+)", texts["conda/recipe.yaml"])[1]).is_file(), True)
presets = {p["name"]: p for p in json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
folder = presets["package"]["binaryDir"].rsplit("/", 1)[1]
for name in ("Dockerfile", "apptainer.def"):
    cases.equal(f"folder in {name}", set(re.findall(r"\b(build-\w+)", texts[name])), {folder})
cases.equal("what makes a Debian package ask for its libraries", "dpkg-dev file" in texts["Dockerfile"], True)

# forms
tree = ast.parse(texts["spack/package.py"])
bases = [base.id for node in tree.body if isinstance(node, ast.ClassDef) for base in node.bases]
imported = {name.name for node in tree.body if isinstance(node, ast.ImportFrom) for name in node.names}
cases.equal("Spack's classes are imported", [base for base in (*bases, "generator") if base not in imported], [])
try:
    import yaml

    recipe = yaml.safe_load(re.sub(r'\$\{\{ (.*?) \}\}', lambda m: m[1].replace('"', ""), texts["conda/recipe.yaml"]))
    cases.equal("sections of conda's recipe", {"package", "source", "build", "requirements", "tests", "about"} <= set(recipe), True)
except ImportError:
    print("no yaml: the form of conda's recipe is not checked")
scripts = {"conda": "\n".join(re.search(r"  script:\n((?:    - .*\n)+)", texts["conda/recipe.yaml"])[1].replace("    - ", "").splitlines())}
for section in ("post", "runscript", "test"):
    scripts[f"apptainer {section}"] = re.search(rf"^%{section}\n((?:    .*\n|\n)+)", texts["apptainer.def"], re.M)[1]
for n, run in enumerate(re.findall(r"^RUN ((?:.*\\\n)*.*)$", texts["Dockerfile"], re.M)):
    scripts[f"Dockerfile {n}"] = re.sub(r"--mount=\S+ *\\?\n?", "", run)
cases.equal("scripts", len(scripts), 6)
if shutil.which("shellcheck"):
    for name, script in scripts.items():
        # CMAKE_ARGS comes from conda, in words
        checked = subprocess.run(["shellcheck", "-s", "sh", "-e", "SC2086,SC2154", "-"], input=script, capture_output=True, text=True)
        cases.equal(f"shellcheck: {name}", checked.stdout, "")
cases.finish()
