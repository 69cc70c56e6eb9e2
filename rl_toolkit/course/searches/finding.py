"""Which functions and classes of a file are searches that can be recorded; the file is only read.

Minimax is a function or method with one of `MINIMAX` as its name that calls itself. Monte Carlo
tree search is a class with a method that searches, in a file with a method that backs up.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from rl_toolkit.course.host.own_mcts import BACK_UP
from rl_toolkit.course.model import CourseError
from rl_toolkit.players.bots import CHOOSING
from rl_toolkit.utils import listed

MINIMAX = (
    *("alpha_beta", "_alpha_beta", "alphabeta", "_alphabeta", "minimax_ab", "minimax", "_minimax"),
    *("minmax", "min_max", "minMax", "negamax", "_negamax"),
)
#: The largest file that is read, and the most files of a folder.
_LONGEST, _MOST = 1 << 20, 80
#: What a parameter is, by its name.
_ROLES = {
    "alpha": ("alpha", "a", "lower", "low", "lo"),
    "beta": ("beta", "b", "upper", "high", "hi"),
    "depth": ("depth", "d", "plies", "ply", "depth_left", "remaining"),
    "color": ("color", "colour", "sign"),
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
            ``color``, ``depth`` → name.
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
    def usual_game(self) -> str:
        """The game of the handout in which such a search is written."""
        return "connect-four" if self.kind == "mcts" else "tictactoe"

    @property
    def title(self) -> str:
        """The function or class: ``alpha_beta``, ``MCTSSolver``."""
        return self.owner if self.kind == "mcts" else self.name


def code_files(place: Path) -> dict[str, str]:
    """The Python files of a folder, or those beside a file; a bounded number, none that is hidden.

    Tests, environments and what other people's tools install are left out.
    """
    folder = place.parent if place.is_file() else place
    found: dict[str, str] = {}
    for inside, folders, names in islice(os.walk(folder), _MOST):
        skipped = (".", "__", "tests", "venv", "node_modules", "site-packages")
        folders[:] = sorted(name for name in folders if not name.startswith(skipped))
        if place.is_file():
            folders.clear()
        for name in sorted(names):
            path = Path(inside, name)
            if name.endswith(".py") and not name.startswith(".") and len(found) < _MOST:
                with suppress(OSError):
                    if path.stat().st_size <= _LONGEST:
                        text = path.read_text("utf-8", errors="replace")
                        found[path.relative_to(folder).as_posix()] = text
    if place.is_file() and place.name not in found:
        found[place.name] = place.read_text("utf-8", errors="replace")
    return found


def own_searches(folder: Path) -> list[OwnSearch]:
    """The searches in the files of a folder, or in one file; raises `CourseError`."""
    if not folder.exists():
        raise CourseError(f"there is no folder or file {folder}")
    files = code_files(folder)
    chosen = [folder.name] if folder.is_file() else [name for name in files if "/" not in name]
    return [search for name in chosen for search in searches_in(files[name], name)]


def chosen_search(folder: Path, wanted: str = "") -> OwnSearch:
    """The search that a user names, or the first one; raises `CourseError` with what there is."""
    found = own_searches(folder)
    if not found:
        _refuse_unreadable(folder)
        raise CourseError(
            f"{folder} has no search that can be recorded: a function minimax or alpha_beta that "
            "calls itself, or a class with search and, in it or in its nodes, backpropagate or "
            "update"
        )
    for search in found:
        if wanted in ("", search.id, search.file, search.title):
            return search
    raise CourseError(f"there is no search {wanted} in {folder}; there is {_named(found)}")


def _refuse_unreadable(place: Path) -> None:
    """Raise `CourseError` for the first file that Python cannot read."""
    for name, text in code_files(place).items():
        if "/" in name or (place.is_file() and name != place.name):
            continue
        try:
            ast.parse(text)
        except SyntaxError as error:
            raise CourseError(
                f"Python cannot read {name}: {error.msg} (line {error.lineno})"
            ) from error
        except (ValueError, RecursionError) as error:
            raise CourseError(f"Python cannot read {name}: {error}") from error


def _named(found: list[OwnSearch]) -> str:
    return listed(search.id for search in found)


def searches_in(source: str, file: str) -> list[OwnSearch]:
    """The searches in the text of a file; none if Python cannot read it.

    >>> [each.id for each in searches_in("def minimax(s, is_max): return minimax(1, 2)", "g.py")]
    ['g.py:minimax']
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return []
    found = sorted(_minimax(tree, file), key=lambda search: MINIMAX.index(search.name))
    functions = [node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    if any(name in BACK_UP for name in functions):
        for owner in (node for node in tree.body if isinstance(node, ast.ClassDef)):
            methods = {part.name for part in owner.body if isinstance(part, ast.FunctionDef)}
            if not methods.isdisjoint(CHOOSING):
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
        for node in (part for part in tree.body if isinstance(part, ast.ClassDef)):
            methods = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
            if not methods.isdisjoint(CHOOSING):
                found.append((file, node.name))
    return found


def own_games(files: Mapping[str, str]) -> list[tuple[str, str]]:
    """File and class of each game in these files: it has ``step`` and names the legal moves."""
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
            names_moves = bool(methods & {"get_legal_moves", "get_legal_actions"})
            if isinstance(node, ast.ClassDef) and "step" in methods and names_moves:
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
