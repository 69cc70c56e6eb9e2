"""Every import that people were shown still works: see ``public_names.txt``."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from extras import skipped_without_extras

ROOT = Path(__file__).parent.parent
LISTED = [
    [*line.split(), ""][:2]
    for line in (ROOT / "tests/public_names.txt").read_text().splitlines()
    if not line.startswith("#")
]
PRINTED_IN = (
    "README.md",
    "docs/**/*.md",
    "notebooks/*.ipynb",
    "projects/**/*.py",
    "rl_toolkit/labs/catalogue/*/*.md",
    "rl_toolkit/labs/catalogue/*/start/*.py",
    "rl_toolkit/labs/template/**/*.py",
)
IMPORT = re.compile(r"from rl_toolkit[\w.]* import (?:\([^)]*\)|[^\n]+)")


def text_of(path: Path) -> str:
    if path.suffix == ".ipynb":
        return "\n".join("".join(cell["source"]) for cell in json.loads(path.read_text())["cells"])
    return path.read_text()


def printed_imports() -> Iterator[tuple[str, str, str]]:
    """File, module and name of every ``from rl_toolkit… import …`` in what people read."""
    for pattern in PRINTED_IN:
        for path in sorted(ROOT.glob(pattern)):
            for statement in IMPORT.findall(text_of(path)):
                try:
                    (node,) = ast.parse(statement).body
                except SyntaxError:  # the words "from rl_toolkit… import …" in a sentence
                    continue
                assert isinstance(node, ast.ImportFrom)
                for alias in node.names:
                    yield str(path.relative_to(ROOT)), str(node.module), alias.name


@pytest.mark.parametrize(("module", "name"), LISTED)
def test_a_public_name_can_be_imported(module: str, name: str) -> None:
    with skipped_without_extras():
        home = import_module(module)
        if name and not hasattr(home, name):
            import_module(f"{module}.{name}")  # ``from package import module``


def test_every_printed_import_is_listed() -> None:
    printed = list(printed_imports())
    assert len(printed) > 150
    listed = {(module, name) for module, name in LISTED}
    assert not [entry for entry in printed if entry[1:] not in listed]
