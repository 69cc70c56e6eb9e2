"""The modules of `envs` and `adapting` import each other in one direction only."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import rl_toolkit

ROOT = Path(rl_toolkit.__file__).parent


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(tree: ast.AST) -> set[tuple[str, str]]:
    """Module and name of every import, inside functions too; not those for type checkers alone."""
    names: set[tuple[str, str]] = set()
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Import):
            names.update((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            names.update((node.module, alias.name) for alias in node.names)
        names |= imports(node)
    return names


def graph(*packages: str) -> dict[str, set[str]]:
    """Module → the modules of the packages that it imports."""
    files = [file for package in packages for file in (ROOT / package).rglob("*.py")]
    trees = {module_name(file): ast.parse(file.read_text("utf-8")) for file in files}
    return {
        name: {
            f"{module}.{part}" if f"{module}.{part}" in trees else module
            for module, part in imports(tree)
        }
        & trees.keys()
        for name, tree in trees.items()
    }


def cycle(needs: dict[str, set[str]]) -> list[str]:
    """Modules that import each other in a circle, empty if there are none."""
    state: dict[str, bool] = {}

    def visit(name: str, path: list[str]) -> list[str]:
        if name in state:
            return path[path.index(name) :] if not state[name] else []
        state[name] = False
        for other in sorted(needs[name]):
            if circle := visit(other, [*path, other]):
                return circle
        state[name] = True
        return []

    return next((circle for name in sorted(needs) if (circle := visit(name, [name]))), [])


@pytest.mark.parametrize("package", ["envs", "adapting"])
def test_no_module_imports_itself_on_a_detour(package):
    assert cycle(graph(package)) == []


def layer_above(tree: ast.AST) -> set[str]:
    """The modules of `adapting` that are imported, or named by a text: ``import_module("…")``."""
    texts = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {
        name
        for name in {module for module, _ in imports(tree)} | texts
        if re.fullmatch(r"rl_toolkit\.adapting(\.\w+)*", name)
    }


def test_no_module_of_envs_imports_the_layer_above():
    """The door offers its names, and loads them when they are used.

    Objects in their own form are answered by the layer above, which is imported by its name.
    """
    trees = {
        module_name(file): ast.parse(file.read_text("utf-8"))
        for file in (ROOT / "envs").rglob("*.py")
    }
    above = {name: modules for name, tree in trees.items() if (modules := layer_above(tree))}
    assert above == {"rl_toolkit.envs.derived.own_form": {"rl_toolkit.adapting"}}


def test_modules_that_are_named_by_a_text_are_noticed():
    code = "'See rl_toolkit.adapting.'\nimport_module('rl_toolkit.adapting.game')"
    assert layer_above(ast.parse(code)) == {"rl_toolkit.adapting.game"}
    assert layer_above(ast.parse("from rl_toolkit import envs")) == set()


def test_a_circle_is_found():
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []
