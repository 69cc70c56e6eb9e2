"""The claims of a bot, read from the message of its process; see `analysis.claims`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rl_toolkit.analysis import Analysis, TreeView
from rl_toolkit.analysis.claims import VIEWS, Claim, Claims, View, analysis_with, with_tree
from rl_toolkit.envs import BaseGameEnv, GameError
from rl_toolkit.players.bots.claiming import METHOD
from rl_toolkit.utils import JsonObject, listed, shown


def with_answer(env: BaseGameEnv, analysis: Analysis, answer: JsonObject) -> Analysis:
    """The analysis of a bot with what its process has answered about its claims.

    Nothing in the answer is trusted: moves that are not legal are left out, and named.
    """
    if answer.get("none") is True:
        return analysis
    played = analysis.best_move
    assert played is not None
    entries = [entry for entry in answer.get("claims") or () if isinstance(entry, dict)]
    declared = answer.get("view") in VIEWS
    counts = any(_whole(entry.get("visits")) is not None for entry in entries)
    view: View = answer["view"] if declared else "mover" if counts else "first"
    sign = env.current_player if view == "first" else 1
    moves: dict[int, Claim] = {}
    foreign: list[str] = []
    for entry in entries:
        move = _legal_move(env, entry.get("move"))
        if move is None:
            foreign.append(shown(entry.get("move")))
            continue
        number = _number(entry.get("value"))
        moves[move] = Claim(
            move,
            env.move_name(move),
            None if number is None else number * sign + 0.0,
            _whole(entry.get("visits")),
            _number(entry.get("uct")),
            str(entry.get("says") or ""),
            entry.get("is_best") is True,
        )
    tree = read_tree(env, answer.get("tree"), view if declared else "mover")
    claims = Claims(
        analysis.engine,
        env.current_player,
        played,
        tuple(moves.values()),
        view,
        declared,
        _problem(answer, foreign),
        tree is not None and _differ(moves, tree),
    )
    work = answer.get("work")
    found = _with_work(analysis, work if isinstance(work, dict) else {})
    if tree is not None:
        found = with_tree(found, tree)
    return analysis_with(found, claims) if moves or claims.problem else found


def _differ(moves: Mapping[int, Claim], tree: TreeView) -> bool:
    """Whether claims count other visits than the tree does."""
    counted = {child.move: child.visits for child in tree.children}
    return any(
        claim.visits is not None and counted.get(move, claim.visits) != claim.visits
        for move, claim in moves.items()
    )


def without_answer(env: BaseGameEnv, analysis: Analysis, reason: str) -> Analysis:
    """The analysis of a bot whose process failed when it was asked for its claims."""
    assert analysis.best_move is not None
    problem = f"{METHOD} {reason}"
    claims = Claims(analysis.engine, env.current_player, analysis.best_move, problem=problem)
    return analysis_with(analysis, claims)


def _problem(answer: JsonObject, foreign: list[str]) -> str:
    if isinstance(raised := answer.get("raised"), str):
        return f"{METHOD} raised {' '.join(raised.split())}"
    view = answer.get("view")
    if view is not None and view not in VIEWS:
        return f"value_view is {listed(map(repr, VIEWS), 'or')}, not {shown(view)}"
    if foreign:
        which = listed(foreign[:3])
        return f"{METHOD} also speaks of {which}, which {_are(foreign)} legal here"
    return ""


def _are(things: list[str]) -> str:
    return "is not" if len(things) == 1 else "are not"


def _with_work(analysis: Analysis, work: Mapping[str, Any]) -> Analysis:
    """The analysis with the counts that it does not have yet."""
    return replace(
        analysis,
        nodes=analysis.nodes or _whole(work.get("nodes")),
        depth=analysis.depth or _whole(work.get("depth")),
        simulations=analysis.simulations or _whole(work.get("simulations")),
    )


def _legal_move(env: BaseGameEnv, move: Any) -> int | None:
    if isinstance(move, str):
        try:
            move = env.parse_move(move)
        except GameError:
            return None
    return move if _whole(move) is not None and move in env.get_legal_moves() else None


def read_tree(env: BaseGameEnv, root: Any, view: View) -> TreeView | None:
    """The tree that a bot has kept; ``None`` if it is not one of this position.

    A value of a node is that of the player who moved into it, unless the bot says that its values
    are player +1's.
    """
    if not isinstance(root, dict) or not root.get("children"):
        return None
    read = _node(env.copy(), {**root, "move": None}, None, "", view)
    return read if read is not None and read.children else None


def _node(
    env: BaseGameEnv, data: JsonObject, move: int | None, name: str, view: View
) -> TreeView | None:
    """The node whose position is ``env``, after ``move``."""
    mover = -env.current_player if move is None else int(data["mover"])
    children: list[TreeView] = []
    for child in data.get("children") or ():
        if not isinstance(child, dict):
            continue
        step = _legal_move(env, child.get("move"))
        if step is None:
            if move is None:
                return None  # the tree of another position
            continue
        after = env.copy()
        after.step(step)
        below = {**child, "mover": env.current_player}
        found = _node(after, below, step, env.move_name(step), view)
        if found is not None:
            children.append(found)
    visits, mean = _whole(data.get("visits")) or 0, _number(data.get("value"))
    if mean is not None and view == "first":
        mean *= mover
    value = mean if mean is not None and -1 <= mean <= 1 else None
    uct = _number(data.get("uct"))
    bonus = 0.0 if uct is None or mean is None else uct - mean
    exploitation = 0.0 if mean is None else mean
    return TreeView(move, name, visits, value, None, exploitation, bonus, tuple(children))


def _whole(value: Any) -> int | None:
    is_whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return value if is_whole else None


def _number(value: Any) -> float | None:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return float(value) if is_number else None
