"""Facts about Reversi moves: corners, mobility, stable discs, regions of empty squares.

::

      a b c d                      C  beside a corner on the edge: a C-square
    1 . C C .    a1, d1: corners   X  beside it on the diagonal: an X-square
    2 C X X C
    3 C X X C    A disc there, while the corner is empty, often gives the corner away.
    4 . C C .

Nothing here guesses or looks further than the opponent's next move.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

from rl_toolkit.envs import BaseGameEnv, Reversi
from rl_toolkit.envs.bases import Axis, axes

#: Parity is mentioned when at most this many squares are empty.
LATE = 12


@dataclass(frozen=True, slots=True)
class MustPass:
    """No disc can be placed: the move is a pass."""


@dataclass(frozen=True, slots=True)
class TakesCorner:
    """The move puts a disc on the corner ``cell``."""

    cell: int


@dataclass(frozen=True, slots=True)
class GivesCorner:
    """The opponent can take these corners now, and could not before the move."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LeavesCorner:
    """The opponent could take these corners before the move, and still can."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DeniesCorner:
    """The opponent could take these empty corners before the move, and now cannot."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class NextToCorner:
    """The move plays the X- or C-square ``cell`` next to the empty ``corner``."""

    cell: int
    corner: int
    kind: Literal["X", "C"]


@dataclass(frozen=True, slots=True)
class LeavesNoMove:
    """The opponent has no move and must pass."""


@dataclass(frozen=True, slots=True)
class Mobility:
    """Where the opponent can place a disc now, and the number of such cells before the move."""

    cells: tuple[int, ...]
    before: int


@dataclass(frozen=True, slots=True)
class Secures:
    """These own discs are stable now and were not known to be before; see `stable_discs`."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parity:
    """The sizes of the empty regions that are left, and who is in line for the last square.

    Empty squares that touch, even at a corner, are one region; ``entered`` is the size of the one
    in which the move was made, 0 for a pass. ``opponent_passes`` is whether the opponent must.
    """

    regions: tuple[int, ...]
    entered: int
    opponent_passes: bool = False

    @property
    def mine(self) -> bool:
        """Whether the player of this move fills the last square, if there are no later passes."""
        return (sum(self.regions) % 2 == 0) != self.opponent_passes


ReversiFact: TypeAlias = (
    MustPass
    | TakesCorner
    | GivesCorner
    | LeavesCorner
    | DeniesCorner
    | NextToCorner
    | LeavesNoMove
    | Mobility
    | Secures
    | Parity
)


class ReversiView:
    """A position of Reversi, with what is shared by the facts about all its moves."""

    def __init__(self, env: Reversi) -> None:
        self._env, self._player = env, env.current_player

    @cached_property
    def _enemy_places(self) -> frozenset[int]:
        """Where the opponent could place a disc if it were their turn."""
        other = self._env.copy()
        other.current_player = -self._player
        return _places(other)

    @cached_property
    def _stable(self) -> frozenset[int]:
        return stable_discs(self._env, self._player)

    @cached_property
    def _regions(self) -> list[frozenset[int]]:
        return empty_regions(self._env)

    def facts_of(self, after: Reversi, move: int) -> list[ReversiFact]:
        """The facts about ``move``, which leads to the unfinished game ``after``."""
        places = _places(after)
        facts: list[ReversiFact] = []
        if move == after.pass_move:
            facts.append(MustPass())
        facts += self._corner_facts(after, move, places)
        if secured := stable_discs(after, self._player) - self._stable:
            facts.append(Secures(tuple(sorted(secured))))
        if not places:
            facts.append(LeavesNoMove())
        elif move != after.pass_move:  # a pass changes nothing
            facts.append(Mobility(tuple(sorted(places)), len(self._enemy_places)))
        regions = empty_regions(after)
        if sum(map(len, regions)) <= LATE:
            entered = next((len(region) for region in self._regions if move in region), 0)
            sizes = tuple(sorted(map(len, regions)))
            facts.append(Parity(sizes, entered, opponent_passes=not places))
        return facts

    def _corner_facts(self, after: Reversi, move: int, places: frozenset[int]) -> list[ReversiFact]:
        facts: list[ReversiFact] = []
        if move in corners(after):
            facts.append(TakesCorner(move))
        before = self._enemy_places & corners(after)
        for kind, cells in (
            (GivesCorner, places & corners(after) - before),
            (LeavesCorner, places & before),
            (DeniesCorner, before - places - {move}),
        ):
            if cells:
                facts.append(kind(tuple(sorted(cells))))
        if move != after.pass_move and (beside := _beside(after, move)):
            facts.append(beside)
        return facts


def corners(env: BaseGameEnv) -> frozenset[int]:
    """The four corner cells."""
    last = env.rows * env.cols - 1
    return frozenset((0, env.cols - 1, last - env.cols + 1, last))


def stable_discs(env: Reversi, player: int) -> frozenset[int]:
    """Discs of ``player`` that no sequence of moves can turn over.

    A disc is safe along one of the four lines through it if the line is full, ends at the disc, or
    has a stable disc of the same colour next to it. A disc that is safe along all four is stable.
    Not every stable disc is found, but every disc found is stable.
    """
    cells = env.board.tolist()
    four_axes = axes(env.rows, env.cols)
    stable: set[int] = set()

    def safe(axis: Axis) -> bool:
        if not all(axis):  # the line ends at the disc
            return True
        return any(ray[0] in stable for ray in axis) or all(cells[c] for ray in axis for c in ray)

    waiting = [cell for cell, piece in enumerate(cells) if piece == player]
    while found := {cell for cell in waiting if all(map(safe, four_axes[cell]))}:
        stable |= found
        waiting = [cell for cell in waiting if cell not in found]
    return frozenset(stable)


def empty_regions(env: Reversi) -> list[frozenset[int]]:
    """The empty squares in groups that touch, even at a corner."""
    four_axes = axes(env.rows, env.cols)
    unseen = {cell for cell, piece in enumerate(env.board.tolist()) if not piece}
    regions = []
    while unseen:
        region, edge = set[int](), {min(unseen)}
        while edge:
            region |= edge
            near = {ray[0] for cell in edge for axis in four_axes[cell] for ray in axis if ray}
            edge = near & unseen - region
        unseen -= region
        regions.append(frozenset(region))
    return regions


def _places(env: Reversi) -> frozenset[int]:
    """Where the side to move can place a disc."""
    return frozenset(env.get_legal_moves()) - {env.pass_move}


def _beside(env: Reversi, cell: int) -> NextToCorner | None:
    """The empty corner next to ``cell``, if any; a cell is next to one corner at most."""
    row, col = divmod(cell, env.cols)
    for corner in corners(env):
        down, right = abs(row - corner // env.cols), abs(col - corner % env.cols)
        if max(down, right) == 1 and not env.board[corner]:
            return NextToCorner(cell, corner, "X" if down == right else "C")
    return None
