"""Adjudication: a game ends as soon as an engine proves its result near the end.

The engine is chosen by what it knows about the position (see `players.advisers`): one that proves
every move (Tic-Tac-Toe, Connect Four, the end of Reversi), else the one most likely to find a proof
(Gomoku: a win by threats). Only a proof counts, never an estimate, and only if few plies are left:
most games of Connect Four are decided by the theory of the opening, and still have to be won.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rl_toolkit.analysis import Limit
from rl_toolkit.arena.arbiter.worker_engines import cached_engine, new_engine
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players import Spec
from rl_toolkit.players.advisers import exact_spec, prover_spec, solves_from

#: Positions that an engine which does not prove every move searches for a proof.
_PROOF_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Adjudication:
    """A result that was proven before the end of the game.

    Attributes:
        winner: +1, −1, or 0 for a draw.
        by: the engine that proved it.
        plies: how many plies were left with best play.
    """

    winner: int
    by: str
    plies: int

    def __str__(self) -> str:
        result = {1: "X wins", -1: "O wins", 0: "a draw"}[self.winner]
        left = "1 ply" if self.plies == 1 else f"{self.plies} plies"
        return f"{self.by} proves {result}, {left} before the end"


def adjudication(env: BaseGameEnv, plies: int) -> Adjudication | None:
    """The proven result of an unfinished game that has at most ``plies`` left, else ``None``."""
    stage = solves_from(env)
    empty = int(np.count_nonzero(np.asarray(env.board) == 0)) if env.traits.has_grid else 0
    if stage == "late" and empty > plies:
        return None
    exact = exact_spec(env)
    if exact is None and stage is not None:
        return None
    if exact is not None:
        judge = cached_engine(env.name, _without_lines(exact))
        analysis = judge.analyse(env.copy())
    else:  # it remembers nothing, so that a game ends in the same place whatever was judged before
        judge = new_engine(env.name, prover_spec(env), seed=0)
        analysis = judge.within(Limit(nodes=_PROOF_NODES)).analyse(env.copy())
    left = analysis.distance if analysis.distance is not None else empty
    if not analysis.proven or analysis.outcome is None or left > plies:
        return None
    result = {"win": 1, "draw": 0, "loss": -1}[analysis.outcome]
    return Adjudication(result * env.current_player, judge.name, left)


def _without_lines(spec: Spec) -> Spec:
    """The spec without best lines, if its engine shows them: they take longer than the proof."""
    shows = spec.takes("lines") and spec["lines"] is True
    return spec.with_(lines=False) if shows else spec
