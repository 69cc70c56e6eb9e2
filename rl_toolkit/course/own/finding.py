"""Which functions and classes of a file are searches that can be recorded; the file is only read.

Minimax is a function or method with one of `MINIMAX` as its name that calls itself. Monte Carlo
tree search is a class with a method that searches, in a file with a method that backs up.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from rl_toolkit.course.model import CourseError
from rl_toolkit.utils import listed

MINIMAX = (
    *("alpha_beta", "_alpha_beta", "alphabeta", "_alphabeta", "minimax_ab", "minimax", "_minimax"),
    *("minmax", "min_max", "minMax", "negamax", "_negamax"),
)
BACK_UP = (
    *("backpropagate", "_backpropagate", "back_propagate", "_back_propagate", "backprop"),
    *("_backprop", "backup", "_backup", "back_up", "_back_up"),
)
SEARCH = ("search", "get_best_action", "choose_move")
#: The largest file that is read, and the most files of a folder.
_LONGEST, _MOST = 1 << 20, 80
#: What a parameter is, by its name.
_ROLES = {
    "alpha": ("alpha", "a", "lower", "low", "lo"),
    "beta": ("beta", "b", "upper", "high", "hi"),
    "depth": ("depth", "d", "plies", "ply", "depth_left", "remaining"),
    "player": (
        *("player", "player_to_move", "mover", "to_move", "turn", "mark", "side", "who"),
        *("current_player", "symbol"),
    ),
}

Kind = Literal["minimax", "mcts"]


@dataclass(frozen=True, slots=True)
class OwnSearch:
    """A search of a student.

    Attributes:
        file: the file, in its folder. owner: the class, "" for a function.
        name: the function or method; of a tree search "".
        roles: what its parameters are: ``position``, ``alpha``, ``beta``, ``flag``, ``player``,
            ``depth`` → name.
        counts_down: whether it calls itself with a smaller depth.
        negates: whether it turns the sign of what it calls, as negamax does.
    """

    file: str
    kind: Kind
    owner: str
    name: str
    roles: Mapping[str, str]
    counts_down: bool = False
    negates: bool = False

    @property
    def id(self) -> str:
        """How people name it: ``my_game.py:alpha_beta``, ``my_mcts.py``."""
        return self.file if self.kind == "mcts" else f"{self.file}:{self.name}"

    @property
    def title(self) -> str:
        """The function or class: ``alpha_beta``, ``MCTSSolver``."""
        return self.owner if self.kind == "mcts" else self.name


def own_searches(folder: Path) -> list[OwnSearch]:
    """The searches in the files of a folder, or in one file; raises `CourseError`."""
    if not folder.exists():
        raise CourseError(f"there is no folder or file {folder}")
    files = [folder] if folder.is_file() else sorted(folder.glob("*.py"))[:_MOST]
    found: list[OwnSearch] = []
    for path in files:
        if path.stat().st_size <= _LONGEST:
            found += searches_in(path.read_text("utf-8", errors="replace"), path.name)
    return found


def chosen_search(folder: Path, wanted: str = "") -> OwnSearch:
    """The search that a user names, or the first one; raises `CourseError` with what there is."""
    found = own_searches(folder)
    if not found:
        raise CourseError(
            f"{folder} has no search that can be recorded: a function minimax or alpha_beta that "
            "calls itself, or a class with search and backpropagate"
        )
    for each in found:
        if wanted in ("", each.id, each.file, each.title):
            return each
    raise CourseError(f"there is no search {wanted} in {folder}; there is {_named(found)}")


def _named(found: list[OwnSearch]) -> str:
    return listed(each.id for each in found)


def searches_in(source: str, file: str) -> list[OwnSearch]:
    """The searches in the text of a file; none if Python cannot read it.

    >>> [each.id for each in searches_in("def minimax(board, is_max): return minimax(1, 2)", "g.py")]
    ['g.py:minimax']
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    found = [search for search in _minimax(tree, file)]
    found.sort(key=lambda each: MINIMAX.index(each.name))
    functions = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    if any(name in BACK_UP for name in functions):
        for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
            methods = {part.name for part in owner.body if isinstance(part, ast.FunctionDef)}
            if not methods.isdisjoint(SEARCH):
                found.append(OwnSearch(file, "mcts", owner.name, "", {}))
    return found


def own_solvers(files: Mapping[str, str]) -> list[tuple[str, str]]:
    """File and class of each solver in these files: it has a method that chooses a move."""
    found = []
    for file, source in files.items():
        try:
            tree = ast.parse(source) if "/" not in file else ast.Module([], [])
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in (each for each in tree.body if isinstance(each, ast.ClassDef)):
            methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            if not methods.isdisjoint(SEARCH):
                found.append((file, node.name))
    return found


def own_games(files: Mapping[str, str]) -> list[tuple[str, str]]:
    """File and class of each game in these files: it has ``step`` and says which moves are legal."""
    found = []
    for file, source in files.items():
        if not file.endswith(".py") or "/" in file:
            continue
        try:
            tree = ast.parse(source)
        except (SyntaxError, ValueError, RecursionError):
            continue
        for node in tree.body:
            methods = {part.name for part in ast.walk(node) if isinstance(part, ast.FunctionDef)}
            if isinstance(node, ast.ClassDef) and "step" in methods:
                if methods & {"get_legal_moves", "get_legal_actions"}:
                    found.append((file, node.name))
    return found


def _minimax(tree: ast.Module, file: str) -> Iterator[OwnSearch]:
    for node in tree.body:
        parts = [(node.name, part) for part in node.body] if isinstance(node, ast.ClassDef) else []
        for owner, part in parts or [("", node)]:
            if not isinstance(part, ast.FunctionDef) or part.name not in MINIMAX:
                continue
            again = list(_own_calls(part))
            names = [argument.arg for argument in part.args.args]
            names = names[1:] if owner else names
            if not again or not names:
                continue
            roles = _roles(names)
            yield OwnSearch(
                file,
                "minimax",
                owner,
                part.name,
                roles,
                counts_down=_counts_down(part, roles.get("depth", "")),
                negates=any(negated for _, negated in again),
            )


def _roles(names: list[str]) -> dict[str, str]:
    roles = {"position": names[0]}
    for name in names[1:]:
        lower = name.lower()
        for role, spellings in _ROLES.items():
            if lower in spellings and role not in roles:
                roles[role] = name
        if "max" in lower and "depth" not in lower and "flag" not in roles:
            roles["flag"] = name
    return roles


def _own_calls(function: ast.FunctionDef) -> Iterator[tuple[ast.Call, bool]]:
    """The calls of the function to itself, and whether their sign is turned."""
    negated = {
        id(node.operand)
        for node in ast.walk(function)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
            if name == function.name:
                yield node, id(node) in negated


def _counts_down(function: ast.FunctionDef, depth: str) -> bool:
    return any(
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Sub)
        and isinstance(node.left, ast.Name)
        and node.left.id == depth
        for call, _ in _own_calls(function)
        for argument in (*call.args, *(keyword.value for keyword in call.keywords))
        for node in [argument]
    )
