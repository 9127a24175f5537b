# SPDX-License-Identifier: Apache-2.0
"""Every key of a scenario as pages of the site: from the program's own JSON Schema, with a value from a scenario that uses the key."""

import json
import os
import re
import subprocess
from pathlib import Path

LONGEST_EXAMPLE = 160


def branches(schema):
    return [part for word in ("anyOf", "oneOf", "allOf") for part in schema.get(word, [])]


def members(schema):
    """Keys of an object, whichever form of it the schema allows; `*` stands for the place in a list."""
    found = {}
    for part in [schema, *branches(schema)]:
        found.update(part.get("properties", {}))
        if isinstance(part.get("items"), dict) and (part["items"].get("properties") or branches(part["items"])):
            for key, value in members(part["items"]).items():
                found[f"*/{key}"] = value
    return found


def kind(schema):
    if branches(schema):
        return " or ".join(dict.fromkeys(kind(part) for part in branches(schema)))
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    words = schema.get("type", "anything")
    words = " or ".join(words) if isinstance(words, list) else words
    if words == "array":
        inner = schema.get("items")
        return f"list of {kind(inner)}" if isinstance(inner, dict) else "list"
    if "pattern" in schema or words == "string" and "format" not in schema:
        return "text"
    low, high = schema.get("minimum", schema.get("exclusiveMinimum")), schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is not None:
        words += f" {'above' if 'exclusiveMinimum' in schema else 'from'} {low:g}"
    if high is not None:
        words += f" {'below' if 'exclusiveMaximum' in schema else 'to'} {high:g}"
    return words


def values(node, pointer=""):
    """(pointer, value) of everything in a scenario."""
    yield pointer, node
    if isinstance(node, dict):
        for key, value in node.items():
            yield from values(value, f"{pointer}/{key}")
    elif isinstance(node, list):
        for value in node:
            yield from values(value, f"{pointer}/*")


COMMENTS = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/', re.DOTALL)


def read(path):
    """A scenario: JSON, with or without comments."""
    return json.loads(COMMENTS.sub(lambda found: found[1] or "", path.read_text()))


def examples(root):
    """The first scenario that sets each key, and its value: those at the top of the folder before the tests' own."""
    found = {}
    paths = sorted((root / "scenarios").rglob("*.json"), key=lambda path: (len(path.parts), path))
    for path in paths:
        for pointer, value in values(read(path)):
            if len(json.dumps(value)) <= LONGEST_EXAMPLE:
                found.setdefault(pointer, (path.relative_to(root), value))
    return found


def rows(schema, pointer, found, lines):
    for key, part in members(schema).items():
        place = f"{pointer}/{key}"
        inner = members(part)
        if "description" in part or not inner:
            lines += ["", f"### `{place}`", "", part.get("description", "").replace("<", "&lt;") or "."]
            facts = [f"**Value:** {kind(part)}"] if not inner else []
            if "default" in part:
                facts.append(f"**Default:** `{json.dumps(part['default'])}`")
            if key.split("/")[-1] in schema.get("required", []):
                facts.append("**Required**")
            if facts:
                lines += ["", " · ".join(facts)]
            if place in found:
                path, value = found[place]
                lines += ["", f"**Example:** `\"{key.split('/')[-1]}\": {json.dumps(value, ensure_ascii=False)}` in `{path}`"]
        if inner:
            rows(part, place, found, lines)


def write(root, folder):
    """Writes keys.md and one page for each key at the top."""
    program = os.environ["MAEOTIS"]
    schema = json.loads(subprocess.run([program, "schema"], check=True, capture_output=True, text=True).stdout)
    found = examples(root)
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.md"):
        old.unlink()
    small, large = [], []
    for key, part in schema["properties"].items():
        (large if members(part) else small).append(key)
    top = ["# Scenario keys", "", "Every key of a scenario, from the program's own schema. A star stands for each entry of a list.",
           "`./maeotis schema --keys` prints the same in a terminal; `./maeotis check` says which keys a scenario leaves at their defaults.", ""]
    top += ["```{toctree}", ":maxdepth: 1", "", *large, "```", "", "## Others"]
    rows({**schema, "properties": {key: schema["properties"][key] for key in small}}, "", found, top)
    (folder / "keys.md").write_text("\n".join(top) + "\n")
    for key in large:
        part = schema["properties"][key]
        lines = [f"# {key}", "", part.get("description", "").replace("<", "&lt;")]
        rows(part, f"/{key}", found, lines)
        (folder / f"{key}.md").write_text("\n".join(lines) + "\n")
