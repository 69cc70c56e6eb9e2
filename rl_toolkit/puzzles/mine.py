"""Puzzles from one's own mistakes: where a game was given away, and what was right there.

They need not be as nice as others: the right move need not be the only one, and nothing has to
tempt, since somebody was tempted.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.puzzles.difficulty import Meter
from rl_toolkit.puzzles.provers import ASKING, Prover, prover_of
from rl_toolkit.puzzles.puzzle import Puzzle, number_of

#: Puzzles of one game at most, and the plies between two of them.
_MOST, _APART = 3, 4


class MistakeFinder:
    """Finds mistakes in games of one name; raises `NoPuzzlesError` if nothing proves them."""

    def __init__(self, game: str) -> None:
        self._start: BaseGameEnv = make_game(game)
        self._prover: Prover = prover_of(self._start.name)
        self._meter = Meter(self._start, self._prover)

    def in_game(self, moves: Sequence[int], sides: Collection[int]) -> Iterator[Puzzle]:
        """A puzzle for each move of ``sides`` (1, −1) that gave the result away."""
        env, last, count = self._start.copy(), -_APART, 0
        for ply, move in enumerate(moves):
            if count == _MOST:
                return
            if ply and ply - last >= _APART and env.current_player in sides:
                puzzle = self._puzzle(env, move)
                if puzzle is not None:
                    last, count = ply, count + 1
                    yield puzzle
            env.step(move)

    def _puzzle(self, env: BaseGameEnv, move: int) -> Puzzle | None:
        if len(env.get_legal_moves()) < 2:
            return None
        with ASKING:
            found = self._prover.mistake(env, move)
            if found is None:
                return None
            facts = self._meter.measure(env, found.kind, found.line)
        return Puzzle(
            env.name,
            number_of(env),
            tuple(env.history),
            found.line,
            found.kind,
            facts.rating,
            facts.tempting,
            move,
        )
