"""Puzzles made from games: proven, and nice by the rules below.

1. The point can be shown: a win comes soon, and so does the loss after a wrong move.
2. Nothing is forced: no side wins at once, and there are several moves to choose from.
3. Something is at stake: the result, or a few discs of a close game.
4. A wrong move tempts: a short search likes it as much, or it was played in the game. Each such
   move is judged, and none of them may be right: a quiet move, too, can win by threats.
5. A win takes two or more own moves; the line ends where several moves are right.
6. The moves of the game are kept, so that the opponent's last move can be shown.
7. No twins: a position comes once in all its images, a motif twice, and a game has at most one
   puzzle in four plies.
8. Both sides solve about as often.
9. Turns without a choice are not counted, and at most one puzzle in ten is found by the lowest
   level.

Rules 1 to 3 and 5 are those of the `provers`; the others stand here.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from rl_toolkit.analysis import use_machine_code
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players import make_player
from rl_toolkit.puzzles.difficulty import Meter
from rl_toolkit.puzzles.provers import Find, Prover, prover_of
from rl_toolkit.puzzles.puzzle import Puzzle, number_of

#: A motif comes this often, and a game has one puzzle in this many plies.
_MOTIFS, _APART = 2, 4
#: One puzzle in this many may be found by the lowest level.
_EASY = 10
#: How far the two sides may differ, and puzzles from which on that is looked at.
_SIDES, _ENOUGH = 0.55, 20
#: Cells around the centre in which the random moves of a game on a large board lie.
_LARGE, _REACH = 100, 3

OnGame = Callable[[int, Counter[str]], None]


class Maker:
    """Makes puzzles of one game; raises `NoPuzzlesError` for a game that cannot have any.

    Attributes:
        known: puzzles that exist; new ones are none of their twins.
        reasons: how many positions were looked at, and why they became no puzzle.
    """

    def __init__(self, game: str, known: Iterable[Puzzle] = ()) -> None:
        self._start = make_game(game)
        self._prover: Prover = prover_of(self._start.name)
        self._meter = Meter(self._start, self._prover)
        self.reasons: Counter[str] = Counter()
        self._numbers: set[str] = set()
        self._motifs: Counter[Hashable] = Counter()
        self._sides: Counter[int] = Counter()
        self._easy = 0
        for puzzle in known:
            env = puzzle.env()
            find = Find(puzzle.kind, puzzle.line)
            self._keep(env, puzzle.number, self._prover.motif(env, find))

    @property
    def made(self) -> int:
        """The number of puzzles, with those that were known."""
        return len(self._numbers)

    def _keep(self, env: BaseGameEnv, number: str, motif: Hashable) -> None:
        self._numbers.add(number)
        self._motifs[motif] += 1
        self._sides[env.current_player] += 1

    # ----------------------------------------------------------------------------- making

    def played(self, seed: int, first: int, games: int, on_game: OnGame) -> Iterator[Puzzle]:
        """Puzzles from games of weak players, number ``first`` and the ``games`` after it.

        Each game depends on the seed and its number alone. ``on_game`` is called after each.
        """
        for number in range(first, first + games):
            rng = random.Random(f"puzzles {self._start.name} {seed} {number}")
            yield from self.in_game(self._weak_game(rng))
            on_game(number, self.reasons)

    def in_game(self, moves: Sequence[int]) -> Iterator[Puzzle]:
        """The puzzles in a game."""
        env, last = self._start.copy(), -_APART
        self.reasons["games"] += 1
        for ply, move in enumerate(moves):
            if ply and ply - last >= _APART and self._prover.wanted(env):
                puzzle = self._puzzle(env, move)
                if puzzle is not None:
                    last = ply
                    yield puzzle
            env.step(move)

    def _puzzle(self, env: BaseGameEnv, played: int) -> Puzzle | None:
        self.reasons["positions"] += 1
        find = self._prover.find(env)
        reason = find if isinstance(find, str) else self._twin(env, find)
        if reason or isinstance(find, str):
            self.reasons[reason] += 1
            return None
        difficulty = self._meter.measure(env, find.kind, find.line)
        if not difficulty.tempting and played == find.line[0]:
            self.reasons["nothing tempts"] += 1
            return None
        if difficulty.easy and (self._easy + 1) * _EASY > self.made + _EASY:
            self.reasons["too easy"] += 1
            return None
        puzzle = difficulty.puzzle(env, find, played)
        if any(self._prover.judge(env, puzzle.kind, move).right for move in puzzle.wrong):
            self.reasons["a tempting move is right, too"] += 1
            return None
        self._easy += difficulty.easy
        self._keep(env, puzzle.number, self._prover.motif(env, find))
        self.reasons["made"] += 1
        return puzzle

    def _twin(self, env: BaseGameEnv, find: Find) -> str:
        if number_of(env) in self._numbers:
            return "a twin"
        if self._motifs[self._prover.motif(env, find)] >= _MOTIFS:
            return "a known motif"
        mine = self._sides[env.current_player] + 1
        if self.made >= _ENOUGH and mine > _SIDES * (self.made + 1):
            return "the other side's turn"
        return ""

    # ------------------------------------------------------------------------- weak games

    def _weak_game(self, rng: random.Random) -> list[int]:
        """A game of two weak players, after a few random moves."""
        env = self._start.copy()
        for _ in range(self._prover.opening):
            env.step(rng.choice(_near_the_centre(env)))
        sides = []
        for _ in range(2):
            spec = rng.choice(self._prover.players)
            player = make_player(env.name, spec, seed=rng.randrange(10**6))
            use_machine_code(player.engine)
            sides.append(player)
        while not env.is_terminal():
            move = sides[len(env.history) % 2].analyse(env).best_move
            assert move is not None
            env.step(move)
        return list(env.history)


def _near_the_centre(env: BaseGameEnv) -> list[int]:
    """The legal moves; on a large board those near its centre, as people begin."""
    legal = env.get_legal_moves()
    if env.rows * env.cols < _LARGE:
        return legal
    row, col = env.rows // 2, env.cols // 2
    return [
        move
        for move in legal
        if abs(move // env.cols - row) < _REACH and abs(move % env.cols - col) < _REACH
    ]
