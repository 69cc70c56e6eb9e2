"""Facts about Gomoku moves: the fours and threes that a stone makes, those it blocks, the replies.

::

    . x x x x .    an open four: five on both sides        o x x x x .    a four: five on one side
    . . x x x .    an open three: makes an open four       . x . x x .    a broken three

Everything stands on the board: stones are tried, and nothing is searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from rl_toolkit.envs import BaseGameEnv, Gomoku
from rl_toolkit.explain.gomoku.lines import Lines

Kind = Literal["open four", "double four", "four", "open three", "broken three"]


@dataclass(frozen=True, slots=True)
class Shape:
    """A four or a three on one line.

    ``stones`` are those of a three or of an open four; ``cells`` are where five is completed, or
    for a three where an open four is made.
    """

    kind: Kind
    stones: tuple[int, ...]
    cells: tuple[int, ...]

    @property
    def is_four(self) -> bool:
        """Whether five is threatened."""
        return self.kind.endswith("four")


@dataclass(frozen=True, slots=True)
class Makes:
    """The move makes these shapes; two or more are a double threat."""

    shapes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class BlocksThrees:
    """The opponent could make an open four of each of these threes, and no longer can."""

    threes: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class MustReply:
    """The opponent can stop the threats of the move only on ``cells``, if at all.

    ``or_four`` is whether the opponent can make a four instead, which must be answered first.
    """

    cells: tuple[int, ...]
    or_four: bool = False


GomokuFact: TypeAlias = Makes | BlocksThrees | MustReply


class GomokuView:
    """A position of Gomoku to five in a row, with what is shared by the facts about its moves."""

    def __init__(self, env: Gomoku) -> None:
        self._side = env.current_player
        self._lines = lines_of(env)
        self._plays_five = env.is_five

    @cached_property
    def _enemy_threes(self) -> list[tuple[int, int, Shape]]:
        """The opponent's threes, each with one of its stones and its direction."""
        threes: dict[tuple[int, ...], tuple[int, int, Shape]] = {}
        for cell, stone in enumerate(self._lines.board):
            if stone == -self._side:
                for direction in range(4):
                    three = three_of(self._lines, cell, direction)
                    if three is not None:
                        threes.setdefault(three.stones, (cell, direction, three))
        return list(threes.values())

    def facts_of(self, after: BaseGameEnv, move: int) -> list[GomokuFact]:
        """The facts about ``move``, which was played in ``after`` and did not end the game."""
        if not self._plays_five:
            return []
        lines, facts = self._lines, list[GomokuFact]()
        enemy_threes = self._enemy_threes  # before the stone is there
        with lines.stone(move, self._side):
            blocked = tuple(
                three
                for cell, direction, three in enemy_threes
                if not set(lines.open_four_cells(cell, direction)) & set(three.cells)
            )
            if blocked:
                facts.append(BlocksThrees(blocked))
            shapes = shapes_of(lines, move)
            if shapes:
                facts.append(Makes(shapes))
                made = {cell for shape in shapes if shape.is_four for cell in shape.cells}
                missed = set(lines.all_five_cells(self._side)) - made  # a five that was there
                if not missed and not lines.all_five_cells(-self._side):
                    facts.append(self._replies(move, shapes, made))
        return facts

    def _replies(self, move: int, shapes: tuple[Shape, ...], fives: set[int]) -> MustReply:
        """What stops the shapes that the stone on ``move`` made, with these cells for five."""
        lines, enemy = self._lines, -self._side
        if fives:
            return MustReply(tuple(sorted(fives)) if len(fives) == 1 else ())
        ways = [d for d in range(4) if lines.open_four_cells(move, d)]
        tried = {cell for shape in shapes for cell in shape.cells}
        tried |= {cell for d in ways for cell in lines.near(move, d) if not lines.board[cell]}
        stops = []
        for cell in sorted(tried):
            with lines.stone(cell, enemy):
                if not any(lines.open_four_cells(move, direction) for direction in ways):
                    stops.append(cell)
        empty = [cell for cell, stone in enumerate(lines.board) if not stone]
        return MustReply(tuple(stops), any(lines.makes_four(cell, enemy) for cell in empty))


def lines_of(env: Gomoku) -> Lines:
    """A copy of the board."""
    return Lines([int(stone) for stone in env.board], env.rows, env.win_rule)


def shapes_of(lines: Lines, move: int) -> tuple[Shape, ...]:
    """The fours and threes through the stone on ``move``, one for each line, fours first."""
    shapes = []
    for direction in range(4):
        shape = four_of(lines, move, direction) or three_of(lines, move, direction)
        if shape is not None:
            shapes.append(shape)
    return tuple(sorted(shapes, key=lambda shape: not shape.is_four))


def four_of(lines: Lines, cell: int, direction: int) -> Shape | None:
    """The four through the stone on ``cell``."""
    fives = lines.five_cells(cell, direction)
    if not fives:
        return None
    if len(fives) == 1:
        return Shape("four", (), tuple(fives))
    run = lines.run(cell, direction)
    straight = len(run) == 4 and len(fives) == 2
    return Shape("open four" if straight else "double four", tuple(run), tuple(fives))


def three_of(lines: Lines, cell: int, direction: int) -> Shape | None:
    """The three through the stone on ``cell`` that can become an open four."""
    cells = lines.open_four_cells(cell, direction)
    if not cells or lines.five_cells(cell, direction):
        return None
    side, stones = lines.board[cell], set[int]()
    for other in cells:
        with lines.stone(other, side):
            for five in lines.five_cells(cell, direction):
                with lines.stone(five, side):
                    stones |= {*lines.run(cell, direction)} - {other, five}
    if len(stones) != 3:
        return None
    straight = len(lines.run(cell, direction)) == 3
    return Shape("open three" if straight else "broken three", tuple(sorted(stones)), tuple(cells))
