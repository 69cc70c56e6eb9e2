"""Distinct positions ply by ply, and how many are left if mirror images count as one.

A tree has a node for every order of moves; here a position counts once, at the first ply at which
it can stand on the board.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.experiments import settings
from rl_toolkit.experiments.counting.whole_trees import SMALL_BOARD
from rl_toolkit.experiments.description import Experiment, Progress, Question
from rl_toolkit.experiments.results import Cell, Column, Result
from rl_toolkit.utils.svg import Axis, Plot, Series

#: Positions that are looked at where no depth is given, and at most.
_PATIENCE, MOST_POSITIONS = 30_000, 400_000
#: Positions between two signs of life.
_BEAT = 500


class Ply(NamedTuple):
    """The positions that stand on the board for the first time at this ply.

    ``classes`` counts mirror images as one, ``ended`` the finished games among the positions;
    ``last`` says why there is no further ply, if not for lack of positions.
    """

    number: int
    positions: int
    classes: int
    ended: int
    last: str = ""


def measure(game: str, depth: int | None) -> Iterator[Progress | Ply]:
    """One ply after the other."""
    env = make_game(game)
    plies = len(env.board) if len(env.board) <= SMALL_BOARD else None
    layer, seen = [env], {env.get_state_hash()}
    number = 0
    while layer:
        ended = sum(position.is_terminal() for position in layer)
        last = ""
        if depth is not None and number >= depth:
            last = f"Stopped at ply {depth}, as asked."
        elif depth is None and len(seen) > _PATIENCE:
            last = f"Stopped at ply {number}: choose a depth to look further."
        elif len(seen) > MOST_POSITIONS:
            last = f"Stopped at ply {number}: there are more than {MOST_POSITIONS:,} positions."
        yield Progress(number, plies if depth is None else depth + 1, f"ply {number}")
        yield Ply(number, len(layer), len(_classes(layer)), ended, last)
        if last:
            return
        following: list[BaseGameEnv] = []
        for place, position in enumerate(layer):
            if place % _BEAT == 0:
                yield Progress(number + 1, plies and plies + 1, f"ply {number + 1}")
            _add_children(position, seen, following)
        layer, number = following, number + 1


def _add_children(position: BaseGameEnv, seen: set[Hashable], following: list[BaseGameEnv]) -> None:
    for move in [] if position.is_terminal() else position.get_legal_moves():
        position.step(move)
        key = position.get_state_hash()
        if key not in seen:
            seen.add(key)
            following.append(position.copy())
        position.undo()


def _classes(layer: Sequence[BaseGameEnv]) -> set[tuple[int, bytes]]:
    """One of every class of mirror images: the side to move, and the least of its images."""
    boards = np.stack([position.board for position in layer])
    images = []
    for symmetry in layer[0].symmetries():
        image = np.empty_like(boards)
        image[:, symmetry.cells] = boards
        images.append([row.tobytes() for row in image])
    sides = (position.current_player for position in layer)
    return {(side, min(each)) for side, each in zip(sides, zip(*images, strict=True), strict=True)}


def conclude(measured: Sequence[Ply], complete: bool, game: str, depth: int | None) -> Result:
    """The plies in a table, with their sums."""
    env = make_game(game)
    positions, classes = (
        sum(ply.positions for ply in measured),
        sum(ply.classes for ply in measured),
    )
    ended = sum(ply.ended for ply in measured)
    cells: list[list[Cell]] = [
        [str(ply.number), ply.positions, ply.classes, ply.positions / ply.classes, ply.ended]
        for ply in measured
    ]
    images = len(env.symmetries())
    remarks = [
        f"{positions:,} distinct positions, {classes:,} up to symmetry; {ended:,} are finished "
        "games.",
        f"A position has up to {images} mirror images, fewer if it is its own.",
    ]
    if measured[-1].last:
        remarks.append(measured[-1].last)
    whole = complete and not measured[-1].last
    return Result(
        title=f"Distinct positions of {env.name}, ply by ply",
        columns=[
            Column("ply", "plain"),
            Column("positions"),
            Column("up to symmetry"),
            Column("fewer", "times"),
            Column("games over"),
        ],
        cells=[*cells, ["all", positions, classes, positions / classes, ended]],
        remarks=remarks,
        chart=Plot(
            f"Distinct positions of {env.name}",
            [
                Series("positions", [(ply.number, ply.positions) for ply in measured]),
                Series("up to symmetry", [(ply.number, ply.classes) for ply in measured]),
            ],
            Axis("ply"),
            Axis("positions"),
        ),
        data={
            "game": env.name,
            "positions_by_ply": [ply.positions for ply in measured],
            "classes_by_ply": [ply.classes for ply in measured],
            "positions": positions,
            "classes": classes,
            "ended": ended,
            "whole_game": whole,
        },
    )


POSITIONS = Experiment(
    id="positions",
    title="Distinct positions",
    about="How many different positions there are at every ply, and up to symmetry.",
    unit="plies",
    settings=(
        settings.game("tictactoe", "connect-four", "reversi-4", "reversi"),
        settings.depth(page_most=6),
    ),
    measure=measure,
    conclude=conclude,
    questions=(
        Question(
            "5,478 positions, but 765 up to symmetry: that is a seventh, and not an eighth. Why?",
            "A position that is its own mirror image has fewer than eight images: the empty board "
            "has only one. Such positions are not divided by eight.",
        ),
        Question(
            "The whole game has 549,946 nodes and 5,478 positions. What does a search need in "
            "order to profit from that?",
            "A table of the positions that it has seen, with the side to move in the key, and room "
            "for all of them.",
        ),
    ),
    examples=("connect-four --depth 6",),
)
