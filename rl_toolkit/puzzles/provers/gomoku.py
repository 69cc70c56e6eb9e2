"""Puzzles of five in a row: wins by fours, wins by threats, and the only defence.

Searches by threats prove wins. That a move does *not* win, or that a defence holds, is known where
such a search ends without one; a position where a search does not end is not a puzzle.
"""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, Gomoku
from rl_toolkit.kernels.gomoku import cell_tables as tiers
from rl_toolkit.kernels.gomoku.workspace import Workspace
from rl_toolkit.kernels.spec import LineSpec
from rl_toolkit.players.advisers import prover
from rl_toolkit.puzzles.provers.prover import Find, Judged

#: Nodes of a search when a puzzle is made, and when an answer is judged.
_NODES, _NODES_TO_JUDGE = 20_000, 200_000
#: Stones on the board from which there is something to attack with.
_STONES = 8
#: Own moves of a line by threats at most, and plies of the shortest win by fours.
_MOST_OWN, _LEAST_FOURS = 4, 5
#: Answers of `find` after which a move may still have been a mistake.
_OPEN = ("forced", "undecided", "a four in between")
_ATTACKS = ("fours", "threats")
#: Small tables, which are emptied for each question: its answer then depends on nothing before.
_MEGABYTES = 4


class GomokuProver:
    """A `Prover` by threats."""

    players = (
        "greedy:slips=0.35",
        "greedy:slips=0.05",
        "mix:strong=gomoku:depth=1,weak=greedy,slips=0.4",
        "gomoku:depth=1",
    )
    glance = "gomoku:depth=2,proofs=off,every=on"
    opening = 3

    def __init__(self, env: BaseGameEnv) -> None:
        assert isinstance(env, Gomoku)
        self._space = Workspace(env.rows, env.win_rule, megabytes=_MEGABYTES)
        self._space.make()
        self._lines = prover(env)

    # --------------------------------------------------------------------------- finding

    def wanted(self, env: BaseGameEnv) -> bool:
        """Whether a position may hold a puzzle; a quick look."""
        return int(np.count_nonzero(env.board)) >= _STONES

    def solves(self, env: BaseGameEnv) -> bool:
        """Every search has a limit."""
        return True

    def find(self, env: BaseGameEnv) -> Find | str:
        """The puzzle in a position, or why there is none."""
        return self._find(env, only=True)

    def _find(self, env: BaseGameEnv, *, only: bool) -> Find | str:
        """`find`; without ``only`` several moves may be right, and a win may be a short one."""
        space, side = self._space, self._load(env)
        space.forget()
        if self._has(side, tiers.FIVES) or self._has(1 - side, tiers.FIVES):
            return "forced"
        if only and self._has(side, tiers.OPEN_FOURS):
            return "the line is too short"
        plies, _ = space.fours(side, _NODES)
        if plies:
            if only and plies < _LEAST_FOURS:
                return "the line is too short"
            winners = self._winning_fours(side)
            if len(winners) != 1:
                some = Find("fours", tuple(winners[:1])) if winners and not only else None
                return some or "several moves are right"
            return Find("fours", self._line_of_fours(env, side, winners[0]))
        if not self._proves(1 - side):
            return "nothing is threatened"  # and if this side wins, a quiet move may win as well
        won = self._proves(side)
        if won:
            threats = self._winning_threats(side)
            if threats is None or len(threats) != 1:
                some = Find("threats", tuple(threats[:1])) if threats and not only else None
                return some or ("several moves are right" if threats else "undecided")
            return Find("threats", self._line_of_threats(env, side, threats[0]))
        return "undecided" if won is None else self._defence(side, only=only)

    def _defence(self, side: int, *, only: bool) -> Find | str:
        space = self._space
        if self._has(side, tiers.FOURS):
            return "a four in between"
        kept = []
        for cell in self._defences(side):
            with space.stone(cell, side):
                lost = self._proves(1 - side)
            if lost is None:
                return "undecided"
            if not lost:
                kept.append(cell)
                if not only:
                    break
                if len(kept) > 1:
                    return "several moves are right"
        return Find("defend", (kept[0],)) if kept else "nothing helps"

    def _defences(self, side: int) -> list[int]:
        """The moves near a stone; those where the other side would make a threat come first.

        They hold most often, and with two that hold the question is answered.
        """
        made = (tiers.OPEN_FOURS, tiers.FOURS, tiers.THREES)
        first = {cell for tier in made for cell in self._cells(1 - side, tier)}
        return sorted(self._space.near(side), key=lambda cell: cell not in first)

    def _winning_fours(self, side: int) -> list[int]:
        """The fours of a side that win by fours."""
        fours = self._cells(side, tiers.FOURS) + self._cells(side, tiers.OPEN_FOURS)
        return [cell for cell in fours if self._four_wins(side, cell)]

    def _four_wins(self, side: int, cell: int) -> bool:
        space = self._space
        with space.stone(cell, side):
            fives = self._cells(side, tiers.FIVES)
            if not fives or self._has(1 - side, tiers.FIVES):
                return False
            if len(fives) > 1:
                return True
            with space.stone(fives[0], 1 - side):
                return space.fours(side, _NODES)[0] > 0

    def _winning_threats(self, side: int) -> list[int] | None:
        """The threats that are proven to win; ``None`` if one is undecided."""
        winners = []
        for tier in (tiers.OPEN_FOURS, tiers.FOURS, tiers.THREES):
            for cell in self._cells(side, tier):
                won = self._wins_with(side, cell, _NODES)
                if won is None:
                    return None
                if won:
                    winners.append(cell)
        return winners

    def _wins_with(self, side: int, cell: int, nodes: int) -> bool | None:
        """Whether a side has won with a stone on ``cell``; ``None`` if that is not decided."""
        space = self._space
        with space.stone(cell, side):
            if self._has(1 - side, tiers.FIVES):
                return False  # the other side completes five
            with space.allowing(nodes):
                return space.prove(side, attacking=False)

    def _line_of_fours(self, env: BaseGameEnv, side: int, move: int) -> tuple[int, ...]:
        """Fours and blocks while exactly one four wins."""
        line, game = [move], env.after([move])
        while True:
            self._load(game)
            fives = self._cells(side, tiers.FIVES)
            if len(fives) != 1:
                return tuple(line)
            game.step(fives[0])
            self._load(game)
            winners = [] if self._has(side, tiers.FIVES) else self._winning_fours(side)
            if len(winners) != 1:
                return tuple(line)
            line += [fives[0], winners[0]]
            game.step(winners[0])

    def _line_of_threats(self, env: BaseGameEnv, side: int, move: int) -> tuple[int, ...]:
        """Threats, and the defences that leave exactly one win and hold out longest."""
        space, line, game = self._space, [move], env.after([move])
        while len(line) < 2 * _MOST_OWN - 1:
            self._load(game)
            fives = self._cells(side, tiers.FIVES)
            if len(fives) > 1:
                break
            best: tuple[int, int, int] | None = None
            legal = set(game.get_legal_moves())
            for reply in fives or space.replies(side):
                after = game.after([reply]) if reply in legal else game
                if after is game or after.is_terminal():
                    continue
                self._load(after)
                if self._has(side, tiers.FIVES) or self._has(1 - side, tiers.FIVES):
                    continue
                winners = self._cells(side, tiers.OPEN_FOURS) or self._winning_threats(side)
                if winners is None or len(winners) != 1:
                    continue
                plies = space.fours(side, _NODES)[0] or 2 * _STONES
                if best is None or plies > best[0]:
                    best = plies, reply, winners[0]
            if best is None:
                break
            line += best[1:]
            game = game.after(best[1:])
        return tuple(line)

    # --------------------------------------------------------------------------- judging

    def judge(self, env: BaseGameEnv, kind: str, move: int) -> Judged:
        """What a legal move is worth: an attack must win, a defence must not lose by threats."""
        after = env.after([move])
        if after.is_terminal():
            result = int(after.get_result(env.current_player))
            return Judged(result > 0 or kind not in _ATTACKS, result, 0)
        side = self._load(env)
        self._space.forget()
        won = self._wins_with(side, move, _NODES_TO_JUDGE)
        distance, line = self._best(after)
        if won:
            return Judged(True, 1, distance, line=line)
        self._load(after)
        with self._space.allowing(_NODES_TO_JUDGE):
            lost = self._space.prove(1 - side)
        if lost:
            return Judged(False, -1, distance, line=line)
        return Judged(kind not in _ATTACKS, None, line=line)

    def mistake(self, env: BaseGameEnv, move: int) -> Find | str:
        """A winning move that was missed, or a defence; else why there is no puzzle."""
        if not self.wanted(env):
            return ""
        found = self.find(env)
        if isinstance(found, str):
            found = self._find(env, only=False)
        if isinstance(found, str):
            return self._passed_over(env, move) if found in _OPEN else ""
        if found.line[0] == move or self.judge(env, found.kind, move).right:
            return ""
        return found

    def _passed_over(self, env: BaseGameEnv, move: int) -> str:
        """Why a move that lost is no puzzle; "" if it did not lose by threats."""
        side = self._load(env)
        fives = self._cells(side, tiers.FIVES) or self._cells(1 - side, tiers.FIVES)
        if fives:
            return "" if move in fives else "five in a row had to be made or stopped at once"
        after = env.after([move])
        if after.is_terminal():
            return ""
        self._load(after)
        lost = self._proves(1 - side)
        return "no search found a move that was right" if lost else ""

    def motif(self, env: BaseGameEnv, find: Find) -> Hashable:
        """The shape of the own moves; of a short line the stones around the first move."""
        own = [divmod(move, env.cols) for move in find.line[::2]]
        if len(own) < 3:
            board = env.board.reshape(env.rows, env.cols) * env.current_player
            row, col = own[0]
            around = np.pad(board, 3, constant_values=2)[row : row + 7, col : col + 7]
            turned = [np.rot90(each, k) for each in (around, around.T) for k in range(4)]
            return find.kind, len(own), min(each.tobytes() for each in turned)
        return find.kind, min(
            tuple(
                (a * rows + b * cols, c * rows + d * cols)
                for rows, cols in ((r - own[0][0], k - own[0][1]) for r, k in own)
            )
            for a, b, c, d in _TURNS
        )

    # --------------------------------------------------------------------------- helpers

    def _load(self, env: BaseGameEnv) -> int:
        """Put the stones of a game on the board; the number of the side to move."""
        cells = enumerate(env.board.tolist())
        self._space.set_up([(cell, int(stone < 0)) for cell, stone in cells if stone])
        return int(env.current_player < 0)

    def _cells(self, side: int, tier: int) -> list[int]:
        return self._space.cells_of(side, tier)

    def _has(self, side: int, tier: int) -> bool:
        return bool(self._cells(side, tier))

    def _proves(self, side: int) -> bool | None:
        with self._space.allowing(_NODES):
            return self._space.prove(side)

    def _best(self, env: BaseGameEnv) -> tuple[int | None, tuple[int, ...]]:
        """Plies to the end, if proven, and the line that an engine proves or expects."""
        found = self._lines.analyse(env, Limit(nodes=_NODES_TO_JUDGE))
        return (found.distance if found.proven else None), found.line


#: Rows and columns of the eight turns and reflections of a shape.
_TURNS = (
    (1, 0, 0, 1),
    (-1, 0, 0, 1),
    (1, 0, 0, -1),
    (-1, 0, 0, -1),
    (0, 1, 1, 0),
    (0, -1, 1, 0),
    (0, 1, -1, 0),
    (0, -1, -1, 0),
)


def plays(env: BaseGameEnv) -> bool:
    """Whether five in a row win on this board."""
    spec = env.kernel_spec()
    return isinstance(spec, LineSpec) and spec.win_length == 5 and env.rows == env.cols
