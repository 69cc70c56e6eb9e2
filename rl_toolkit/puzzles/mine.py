"""Puzzles from one's own mistakes: where a game was given away, and what was right there.

They need not be as nice as others: the right move need not be the only one, and nothing has to
tempt, since somebody was tempted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.puzzles.difficulty import Meter
from rl_toolkit.puzzles.provers import ASKING, TOO_EARLY, Find, NoPuzzlesError, Prover, prover_of
from rl_toolkit.puzzles.puzzle import Puzzle
from rl_toolkit.utils import counted

if TYPE_CHECKING:
    from rl_toolkit.library import Library
    from rl_toolkit.puzzles.store import PuzzleStore

#: Puzzles of one game at most, and the plies between two of them.
_MOST, _APART = 3, 4
#: The tag of games in the library that were looked at for mistakes.
LOOKED_AT = "looked for puzzles"


@dataclass(slots=True)
class Mistakes:
    """What became of the moves of some games.

    Attributes:
        puzzles: a puzzle for each mistake that makes one.
        reasons: how many moves make none, for each reason.
    """

    puzzles: list[Puzzle] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)

    def add(self, other: Mistakes) -> None:
        """Join what became of other games."""
        self.puzzles += other.puzzles
        self.reasons.update(other.reasons)

    @property
    def sentences(self) -> tuple[str, ...]:
        """Why mistakes make no puzzle, the commonest reason first."""
        told = []
        for reason, number in self.reasons.most_common():
            if reason == TOO_EARLY:
                told.append(f"No puzzle was looked for in {counted(number, 'move')}: {reason}.")
            elif reason:
                verb = "makes" if number == 1 else "make"
                told.append(f"{counted(number, 'mistake')} {verb} no puzzle: {reason}.")
        return tuple(told)


class MistakeFinder:
    """Finds mistakes in games of one name; raises `NoPuzzlesError` if nothing proves them."""

    def __init__(self, game: str) -> None:
        self._start: BaseGameEnv = make_game(game)
        self._prover: Prover = prover_of(self._start.name)
        self._meter = Meter(self._start, self._prover)

    def in_game(self, moves: Sequence[int], sides: Collection[int]) -> Mistakes:
        """Look at each move of ``sides`` (1, −1) that gave the result away."""
        env, last, found = self._start.copy(), -_APART, Mistakes()
        for ply, move in enumerate(moves):
            if ply and env.current_player in sides and len(env.get_legal_moves()) > 1:
                seen = self._look(env, move)
                if not isinstance(seen, str) and ply - last < _APART:
                    seen = f"another puzzle is less than {_APART} plies away"
                elif not isinstance(seen, str) and len(found.puzzles) == _MOST:
                    seen = f"a game gives {_MOST} puzzles at most"
                if isinstance(seen, str):
                    found.reasons[seen] += bool(seen)
                else:
                    found.puzzles.append(self._puzzle(env, seen, move))
                    last = ply
            env.step(move)
        return found

    def _look(self, env: BaseGameEnv, move: int) -> Find | str:
        with ASKING:
            return self._prover.mistake(env, move)

    def _puzzle(self, env: BaseGameEnv, found: Find, move: int) -> Puzzle:
        with ASKING:
            difficulty = self._meter.measure(env, found.kind, found.line)
        return difficulty.puzzle(env, found, move)


class MistakesOf:
    """Makes puzzles from the mistakes of people in games of a library, and keeps them.

    Attributes:
        found: what became of the moves of all games that were looked at.
        added: how many puzzles are new.
    """

    def __init__(self, library: Library, store: PuzzleStore) -> None:
        self._library, self._store = library, store
        self._finders: dict[str, MistakeFinder | None] = {}
        self.found, self.added = Mistakes(), 0

    def at(self, number: int, now: float) -> None:
        """Look at a game, and tag it."""
        head = self._library.head(number)
        finder = self._finder(head.game)
        sides = [
            side for side, is_engine in zip((1, -1), head.engines, strict=True) if not is_engine
        ]
        if finder is not None and sides and not head.start:
            found = finder.in_game(self._library.record(number).moves, sides)
            self.found.add(found)
            self.added += self._store.keep(found.puzzles, now)
        self._library.tag([number], LOOKED_AT)

    def _finder(self, game: str) -> MistakeFinder | None:
        if game not in self._finders:
            try:
                self._finders[game] = MistakeFinder(game)
            except NoPuzzlesError:
                self._finders[game] = None
        return self._finders[game]
