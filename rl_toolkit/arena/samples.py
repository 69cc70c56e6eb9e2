"""Samples: reproducible positions for testing engines.

A sample is described by a game, a part, a seed and a number; nothing is stored. Positions come from
`arena.sample_games`, each from a different game, and are spread evenly over the numbers of stones
that the game's sample covers. Symmetric positions count as one, and only positions with at least
two legal moves are used. Games so small that all their positions can be listed (Tic-Tac-Toe on 3×3:
4,520 of its 5,478 positions are not over) are not sampled: the sample has every position.

**Parts.** A hash of the position decides which part it belongs to, so no position is in two parts,
whatever the seeds::

    judge    for watching a training run, and for choosing settings
    grade    for the final figures; settings chosen with `judge` were never fitted to it

**What "fresh" means.** The sample is drawn independently of all training, by other means than
self-play. No more can be claimed: training for Connect Four visits some hundred million positions
and keeps no list, so a few of the sampled ones, above all those with few stones, will have occurred
in it as well. None of them was ever *labelled with its exact score*: self-play only knows the
results of its own search.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from rl_toolkit.arena.sample_games import play_out, stones_on
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.envs.position import PositionKey, position_key
from rl_toolkit.players.advisers import NO_SOLVER, solves_from
from rl_toolkit.records import position_to_text

#: ``on_progress(what, done, total)``: progress of a step.
OnProgress = Callable[[str, int, int], object]

Part = Literal["judge", "grade"]
PARTS: tuple[Part, ...] = get_args(Part)

#: The seed of the sample used for published figures.
SEED = 2024
#: The number of positions of that sample, unless it has every position.
POSITIONS = 3000
#: Increased whenever the same description gives different positions.
RECIPE = 2
#: A game that is solved only near its end is sampled with at most this many empty squares.
MOST_EMPTY = 14
#: A number of stones is exhausted when this many games in a row gave no new position.
_FRUITLESS = 300


@dataclass(frozen=True, slots=True)
class Sample:
    """The description of a sample.

    Without ``positions`` the sample has every position of a small game, else `POSITIONS`. For each
    number of stones the first positions are the same in every sample of a seed, so a larger sample
    contains the smaller one. Raises ``ValueError`` for fewer than one position, for an unknown
    ``part``, and for a game without samples.
    """

    game: str
    positions: int | None = None
    part: Part = "grade"
    seed: int = SEED

    def __post_init__(self) -> None:
        if self.positions is not None and self.positions < 1:
            raise ValueError(f"positions must be at least 1, not {self.positions}")
        if self.part not in PARTS:
            raise ValueError(f"part must be {' or '.join(PARTS)}, not {self.part!r}")
        stones_of(make_game(self.game))


def stones_of(env: BaseGameEnv) -> Sequence[int]:
    """The numbers of stones that a sample of this game covers; `ValueError` without a solver.

    >>> stones_of(make_game("connect-four"))
    range(1, 41)
    """
    stage = solves_from(env)
    if stage is None:
        raise ValueError(NO_SOLVER.format(env.name))
    cells, begun = env.rows * env.cols, stones_on(env)
    first = cells - MOST_EMPTY if stage == "late" else 0
    return range(max(begun + 1, first), cells - 1)


def draw(sample: Sample, on_progress: OnProgress | None = None) -> list[str]:
    """The positions of a sample as text, by number of stones; fewer if there are not enough."""
    game = make_game(sample.game)
    if _is_small(game):
        return _some_of(every_position(game), sample)
    streams = {stones: _stream(game, stones, sample) for stones in stones_of(game)}
    drawn: dict[int, list[str]] = {stones: [] for stones in streams}
    total = expected = sample.positions or POSITIONS
    while expected > 0 and streams:
        share = max(1, expected // len(streams))
        for stones in list(streams)[:expected]:
            for _ in range(share):
                position = next(streams[stones], None)
                if position is None:
                    del streams[stones]
                    break
                drawn[stones].append(position)
                expected -= 1
            if on_progress is not None:
                on_progress("drawing positions", total - expected, total)
    return [position for positions in drawn.values() for position in positions]


def _is_small(env: BaseGameEnv) -> bool:
    return env.rows * env.cols <= 9


def every_position(game: BaseGameEnv) -> list[str]:
    """Every reachable position that is not over, by number of stones.

    >>> len(every_position(make_game("tictactoe")))
    4520
    """
    listed: list[str] = []
    layer = {position_key(game): game}
    while layer:
        listed.extend(map(position_to_text, layer.values()))
        following: dict[PositionKey, BaseGameEnv] = {}
        for env in layer.values():
            for move in env.get_legal_moves():
                child = BaseGameEnv.after(env, [move])
                if not child.is_terminal():
                    following.setdefault(position_key(child), child)
        layer = following
    return listed


def _some_of(positions: list[str], sample: Sample) -> list[str]:
    """A random selection as large as the sample, in the same order."""
    if sample.positions is None or sample.positions >= len(positions):
        return positions
    rng = random.Random(f"{sample.game} {sample.seed}")
    chosen = set(rng.sample(range(len(positions)), sample.positions))
    return [position for number, position in enumerate(positions) if number in chosen]


def _stream(game: BaseGameEnv, stones: int, sample: Sample) -> Iterator[str]:
    """Yield distinct positions with ``stones`` stones until no new ones are found."""
    rng = random.Random(f"{sample.part} {sample.game} {sample.seed} {stones}")
    seen: set[str] = set()
    fruitless = 0
    while fruitless < _FRUITLESS:
        fruitless += 1
        env = game.copy()
        if not play_out(env, stones, rng) or stones_on(env) != stones:
            continue
        if len(env.get_legal_moves()) < 2:
            continue
        key = canonical(env)
        if key in seen or part_of(key) != sample.part:
            continue
        seen.add(key)
        fruitless = 0
        yield position_to_text(env)


def canonical(env: BaseGameEnv) -> str:
    """A text shared by all images of a position under the symmetries of the game.

    It is text and not a key because the part of a position follows from it.
    """
    if not env.traits.has_grid:  # its text is one of several ways to the position
        return repr(env.get_state_hash())
    texts = []
    for symmetry in env.symmetries():
        image = env.copy()
        image.set_position(symmetry.apply_to_board(env.board), env.current_player)
        texts.append(position_to_text(image))
    return min(texts)


def part_of(key: str) -> Part:
    """The part of a position, given its canonical text."""
    return PARTS[hashlib.sha256(key.encode()).digest()[0] % len(PARTS)]
