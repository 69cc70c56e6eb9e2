"""Advice on structure and readability: what can be counted. The points are the teacher's."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

#: The longest function, in lines, that needs no word.
LONG_FUNCTION = 30
#: The fewest lines that count as written twice.
_DOUBLED = 4


@dataclass(frozen=True, slots=True)
class StyleNotes:
    """Counts over the student's Python files.

    Attributes:
        functions: how many there are; ``longest`` the lines of the longest, ``longest_name`` its
            name.
        documented: those with a docstring. short_names: those named by one or two letters.
        unused: names that are assigned or imported and never read.
        doubled: groups of at least four equal lines that are written twice.
        readable: whether the files could be read as Python.
    """

    functions: int = 0
    longest: int = 0
    longest_name: str = ""
    documented: int = 0
    short_names: tuple[str, ...] = ()
    unused: tuple[str, ...] = ()
    doubled: int = 0
    readable: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The fields as values that JSON can hold."""
        return asdict(self)


def style_of(files: Mapping[str, str]) -> StyleNotes:
    """Count what can be counted; one file that is not Python makes it unreadable."""
    spans: list[tuple[int, str]] = []
    documented, short, unused, doubled = 0, list[str](), list[str](), 0
    for name, text in files.items():
        if not name.endswith(".py"):
            continue
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return StyleNotes()
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                spans.append(((node.end_lineno or node.lineno) - node.lineno + 1, node.name))
                documented += ast.get_docstring(node) is not None
                if len(node.name) <= 2:
                    short.append(node.name)
        unused += _unused(tree)
        doubled += _doubled(text)
    longest, longest_name = max(spans, default=(0, ""))
    return StyleNotes(
        functions=len(spans),
        longest=longest,
        longest_name=longest_name[:60],
        documented=documented,
        short_names=tuple(name[:60] for name in short[:10]),
        unused=tuple(name[:60] for name in sorted(set(unused))[:10]),
        doubled=doubled,
        readable=True,
    )


def advice(style: Mapping[str, Any], most: int) -> tuple[int, list[str]]:
    """A proposal of points out of ``most``, and the reasons; nothing for files without code."""
    if not style.get("readable"):
        return 0, ["The files cannot be read as Python."]
    parts = 4
    reasons: list[str] = []
    if style["longest"] > LONG_FUNCTION:
        reasons.append(f"{style['longest_name']} has {style['longest']} lines.")
    missing = style["functions"] - style["documented"]
    if 2 * style["documented"] < style["functions"]:
        reasons.append(f"{missing} of {style['functions']} functions have no docstring.")
    if style["unused"] or style["short_names"]:
        unused = ", ".join(style["unused"])
        short = ", ".join(style["short_names"])
        reasons += [f"Never used: {unused}."] if unused else []
        reasons += [f"Names that say little: {short}."] if short else []
    if style["doubled"]:
        reasons.append(f"{style['doubled']} passages of four or more lines are written twice.")
    lost = min(parts, len(reasons))
    return round(most * (parts - lost) / parts), reasons


def _unused(tree: ast.AST) -> list[str]:
    """Names that are imported or assigned in a function and never read."""
    read = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
    }
    made: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            made += [(alias.asname or alias.name).partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.FunctionDef):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Assign):
                    made += [t.id for t in inner.targets if isinstance(t, ast.Name)]
    exempt = {"annotations", "_", "*", *dir(builtins)}
    return [name for name in made if name not in read and name not in exempt]


def _doubled(text: str) -> int:
    """Groups of equal lines, each counted once."""
    lines = [line.strip() for line in text.splitlines()]
    code = [line for line in lines if line and not line.startswith("#")]
    groups = Counter(
        tuple(code[at : at + _DOUBLED])
        for at in range(len(code) - _DOUBLED + 1)
        if sum(len(line) for line in code[at : at + _DOUBLED]) >= 60
    )
    return sum(count > 1 for count in groups.values())
