"""What one move brings: the end of the game, a reply that wins, or a value of the heuristic.

`PythonLook` is the version to read. `CompiledLook` gives the same candidates from machine code; it
is used where there are many moves, because loading that code takes longer than a move of a small
game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from rl_toolkit.algorithms.by_game.compiled_rules import compiled_rules_for
from rl_toolkit.algorithms.simple.tactics import PlainResult, proven_candidate
from rl_toolkit.analysis import Candidate
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.kernels.status import DRAWN, LOST, RUNNING, WON

if TYPE_CHECKING:
    from rl_toolkit.kernels.rules.compiled import CompiledRules

#: In a game with fewer moves than this, Python is fast enough.
MANY_MOVES = 30

_RESULTS = {WON: 1.0, DRAWN: 0.0, LOST: -1.0}


class Look(Protocol):
    """Evaluates the moves of one position, one by one."""

    def at(self, move: int, *, check_replies: bool) -> Candidate:
        """``move`` as a candidate, evaluated one move ahead, or two with ``check_replies``.

        Moves that end the game, or lose it to the next reply, are proven. Without a heuristic of
        its own, a game leaves the others unknown.
        """
        ...


def look_at(env: BaseGameEnv) -> Look:
    """The fastest way to look at the moves of ``env``, which must not change meanwhile."""
    weights = getattr(env, "heuristic_weights", None)
    if env.num_moves >= MANY_MOVES and env.traits.has_heuristic and weights is not None:
        rules = compiled_rules_for(env)
        if rules is not None:
            return CompiledLook(env, rules)
    return PythonLook(env)


class PythonLook:
    """Plays each move on a copy of the game."""

    def __init__(self, env: BaseGameEnv) -> None:
        self._env = env

    def at(self, move: int, *, check_replies: bool) -> Candidate:
        """See `Look.at`."""
        env = self._env
        player = env.current_player
        game = env.copy()
        game.step(move)
        name, line = env.move_name(move), (move,)
        if game.is_terminal():
            return proven_candidate(move, name, PlainResult(game.get_result(player), line))
        if check_replies and game.current_player != player:
            replies = game.winning_moves(-player)
            if replies:
                return proven_candidate(move, name, PlainResult(-1.0, (move, replies[0])))
        value = game.evaluate_heuristic(player) if env.traits.has_heuristic else None
        return Candidate(move, name, value, line=line)


class CompiledLook:
    """Plays each move in machine code."""

    def __init__(self, env: BaseGameEnv, rules: CompiledRules) -> None:
        from rl_toolkit.kernels.rules.threats import gap_words
        from rl_toolkit.kernels.search import one_move

        self._env, self._kernel = env, one_move
        side, spec = rules.words_per_side, rules.spec
        self._look = one_move.new_look(rules.operations, side, wins_first=env.wins_by_lines)
        self._arrays = (
            self._look,
            rules.encode(np.asarray(env.board, dtype=np.int8), env.current_player),
            rules.geometry,
            rules.evaluation(env.heuristic_weights),  # type: ignore[attr-defined]
            np.zeros(4 * side, np.uint64),
            np.zeros(gap_words(side, getattr(spec, "win_length", 0)), np.uint64),
            np.zeros(spec.num_moves, np.int64),
        )

    def at(self, move: int, *, check_replies: bool) -> Candidate:
        """See `Look.at`."""
        kernel, name, line = self._kernel, self._env.move_name(move), (move,)
        value = kernel.look_at(*self._arrays, move, check_replies)
        status, reply = int(self._look[kernel.STATUS]), int(self._look[kernel.REPLY])
        if status != RUNNING:
            return proven_candidate(move, name, PlainResult(_RESULTS[status], line))
        if reply != kernel.NO_REPLY:
            return proven_candidate(move, name, PlainResult(-1.0, (move, reply)))
        return Candidate(move, name, value, line=line)
