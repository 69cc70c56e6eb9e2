"""`record_search`: a student's own search as a trace for the theatre, with its faults in words.

::

    from rl_toolkit.course import record_search

    staged = record_search("my_minimax.py", position="x1o/1x1/2o x")
    print(staged.faults)      # sentences; () if nothing is wrong
    staged                    # in a notebook: the search as a figure
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from rl_toolkit.algorithms.traces import (
    OwnCall,
    OwnChild,
    OwnSimulation,
    Trace,
    TraceBounds,
    TraceError,
    is_small,
    trace_calls,
    trace_simulations,
)
from rl_toolkit.course.model import CourseError
from rl_toolkit.course.own.finding import OwnSearch, chosen_search
from rl_toolkit.course.own.process import OwnProcess
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.envs.hand_trees import HandTreeGame, TreeNotationError
from rl_toolkit.explain.traces import Line, tell_ends, tell_faults, tell_own, tell_own_steps
from rl_toolkit.records import position_to_text, read_position

#: Where a recorded minimax begins if nothing is said: six plies before the end, not at the start.
USUAL_POSITION = "x1o/1x1/2o x"
#: The plies that a search looks ahead on a board that is not small, unless told otherwise.
USUAL_DEPTH = 3
USUAL_SIMULATIONS, MOST_SIMULATIONS = 200, 3000
#: The most calls of a search: what a message from its process can hold.
MOST_CALLS = 40_000
#: Faults → the erratum of the handouts that describes them.
ERRATA = {"sign": "R27", "memory": "R6", "side": "R44"}


@dataclass(frozen=True, slots=True)
class Staged:
    """A recorded search.

    Attributes:
        search: which one. trace: what it did.
        faults: what is wrong, in sentences; () if nothing was found.
        is_small: whether every sentence about it was checked against the true values.
    """

    search: OwnSearch
    trace: Trace
    faults: tuple[str, ...]
    is_small: bool

    def lines(self) -> list[Line]:
        """A minimax search told event by event."""
        return tell_own(self.trace, is_small=self.is_small)

    def steps(self, first: int, count: int) -> list[list[str]]:
        """Simulations of a tree search told step by step."""
        return tell_own_steps(self.trace, first, count, is_small=self.is_small)

    def ends(self) -> tuple[str, str]:
        """What is said before the first and after the last simulation."""
        return tell_ends(self.trace)

    @property
    def address(self) -> str:
        """The page of the theatre that shows it."""
        page = "mcts" if self.search.kind == "mcts" else "search"
        return f"/theatre/{page}"

    def _repr_html_(self) -> str:
        """The trace as a figure, for notebooks; a faulty one as its sentences."""
        if not self.faults:
            return self.trace._repr_html_()
        return "".join(f"<p>{text}</p>" for text in self.faults)


def record_search(
    place: str | os.PathLike[str],
    search: str = "",
    *,
    game: str | None = None,
    position: str | None = None,
    tree: str = "",
    depth: int | None = None,
    simulations: int = USUAL_SIMULATIONS,
    seed: int = 0,
) -> Staged:
    """Run a search of the student's in a process of its own and record what it does.

    Args:
        place: the file, or the folder.
        search: which one of it: ``alpha_beta``, ``my_game.py:minimax``; the first if left out.
        game, position: where it begins; Tic-Tac-Toe for minimax, Connect Four for a tree search.
        tree: a tree in the notation of `envs.hand_trees`, instead of a game.
        depth: the plies that minimax looks ahead, if it takes a depth.
        simulations: of a tree search.

    Raises `CourseError` with a sentence if there is no such search or it cannot be recorded.
    """
    folder = Path(place)
    found = chosen_search(folder, search)
    with OwnProcess.of_folder(folder) as process:
        return record_with(
            process,
            found,
            position_of(found, game, position, tree),
            depth=depth,
            simulations=simulations,
            seed=seed,
        )


def position_of(
    search: OwnSearch, game: str | None = None, position: str | None = None, tree: str = ""
) -> BaseGameEnv:
    """Where a search begins; raises `CourseError`."""
    try:
        if tree:
            if search.kind == "mcts":
                raise CourseError("a tree search needs a game, not a tree that was typed")
            return HandTreeGame(tree)
        if search.kind == "mcts":
            return read_position(game or "connect-four", position or "")
        if position is None and game in (None, "tictactoe"):
            position = USUAL_POSITION
        return read_position(game or "tictactoe", position or "")
    except TreeNotationError as error:
        raise CourseError(f"this is not a tree: {error}") from error
    except ValueError as error:
        raise CourseError(str(error)) from error


def record_with(
    process: OwnProcess,
    search: OwnSearch,
    env: BaseGameEnv,
    *,
    depth: int | None = None,
    simulations: int = USUAL_SIMULATIONS,
    seed: int = 0,
    bounds: TraceBounds | None = None,
) -> Staged:
    """The recording of a search from ``env``, in a running process; raises `CourseError`."""
    if env.is_terminal():
        raise CourseError("the game is over here, so there is nothing to search")
    free = bool(env.traits.free_results)
    where = {
        "game": "" if free else env.name,
        "position": "" if free else position_to_text(env),
        "tree": env.tree.text if isinstance(env, HandTreeGame) else "",
        "file": search.file,
        "owner": search.owner,
        "seed": seed,
    }
    try:
        if search.kind == "mcts":
            trace = _tree_search(process, search, env, where, simulations, bounds)
        else:
            if depth is None and not is_small(env):
                depth = USUAL_DEPTH
            trace = _minimax(process, search, env, where, depth, bounds)
    except TraceError as error:
        raise CourseError(str(error)) from error
    texts = tell_faults(trace)
    if texts and trace.data.get("cause") != "ends":
        erratum = ERRATA.get(trace.data["faults"][0]["kind"])
        texts[0] += f" (Erratum {erratum}.)" if erratum else ""
    return Staged(search, trace, tuple(texts), is_small(env))


def _minimax(
    process: OwnProcess,
    search: OwnSearch,
    env: BaseGameEnv,
    where: dict[str, object],
    depth: int | None,
    bounds: TraceBounds | None,
) -> Trace:
    roles = {**search.roles, "counts_down": search.counts_down}
    most = min(MOST_CALLS, bounds.nodes if bounds else MOST_CALLS)
    answer = process.ask("minimax", **where, name=search.name, roles=roles, depth=depth, most=most)
    if answer.get("too_many"):
        advice = "begin later in the game, or let it leave moves out"
        if "depth" in search.roles or search.owner:
            advice = "begin later in the game, or limit the depth"
        raise CourseError(f"{search.name} visits more than {most:,} positions: {advice}")
    calls = [OwnCall(*row) for row in answer["calls"]]
    return trace_calls(env, calls, search.name, negates=search.negates, bounds=bounds)


def _tree_search(
    process: OwnProcess,
    search: OwnSearch,
    env: BaseGameEnv,
    where: dict[str, object],
    simulations: int,
    bounds: TraceBounds | None,
) -> Trace:
    answer = process.ask("mcts", **where, simulations=min(simulations, MOST_SIMULATIONS))
    rows = [
        OwnSimulation(*row[:5], [[OwnChild(*child) for child in choice] for choice in row[5]])
        for row in answer["simulations"]
    ]
    return trace_simulations(
        env, rows, search.title, c=answer["c"], best=answer["best"], bounds=bounds
    )
