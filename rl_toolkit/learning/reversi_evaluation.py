"""Learning the evaluation of Reversi: play games, label positions, fit weights.

Everything is kept in a folder, piece by piece, so that learning goes on where it was stopped::

    plan.json               what all this is made by
    round-0-games-000.npz   positions and scores from self-play
    round-0-games-001.npz
    …
    round-0.weights         what was learned from them, with which round 1 is played
    …
    reversi.weights         what was learned last (reversi-6.weights for 6×6)

The first round plays with an evaluation made by hand, every later one with the weights learned
before; those play better games. Weights are fitted to the last two rounds together. See
`kernels.reversi_selfplay` for how games are played and positions labelled, and
`kernels.reversi_patterns` for what the weights mean.
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from rl_toolkit.algorithms.reversi_weights import (
    SHIPPED,
    Weights,
    WeightsError,
    load_weights,
    save_weights,
    with_digits,
)
from rl_toolkit.analysis import StopSignal
from rl_toolkit.kernels.reversi_endgame import Solver
from rl_toolkit.kernels.reversi_endgame_board import CELLS, board_words
from rl_toolkit.kernels.reversi_endgame_estimate import PER_DISC
from rl_toolkit.kernels.reversi_fit import fit_pass
from rl_toolkit.kernels.reversi_patterns import DIGITS, FEATURES, STAGE_WEIGHTS, STAGES
from rl_toolkit.kernels.reversi_selfplay import LONGEST, play_games
from rl_toolkit.utils.atomic_file import atomic_writer, write_text_atomically

#: Positions in one file.
PIECE = 25_000
_PLAN = "plan.json"
_TABLE_MB = 2.0
_HELD_BACK = 20  # one position in so many is not learned from, but used to check
_FIRST_RATE, _SLOWER = 0.35, 0.85
_MOST = 32_000


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be learned from.

    Attributes:
        positions: how many positions to play for each round.
        rounds: how often to play anew with what was learned.
        passes: how often to go through the positions when fitting.
        seed: the same seed gives the same games and the same weights.
        size: rows and columns of the board, 6 or 8.
    """

    positions: int = 3_000_000
    rounds: int = 3
    passes: int = 10
    seed: int = 0
    size: int = 8

    def __post_init__(self) -> None:
        if self.positions < PIECE or self.rounds < 1 or self.passes < 1:
            raise ValueError(f"a plan has at least {PIECE} positions, 1 round and 1 pass")
        if self.size not in SHIPPED:
            raise ValueError(f"an evaluation is learned for 6×6 or 8×8, not for size {self.size}")


@dataclass(frozen=True, slots=True)
class Progress:
    """How far learning is: a step of a round, out of so many; errors in discs once fitting."""

    round: int
    step: str
    done: int
    total: int
    error: float | None = None
    held_back_error: float | None = None


@dataclass(frozen=True, slots=True)
class Examples:
    """Positions, side to move first, with the scores to learn."""

    mine: npt.NDArray[np.uint64]
    theirs: npt.NDArray[np.uint64]
    scores: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.scores)


Listener = Callable[[Progress], object]


def learn(
    folder: str | os.PathLike[str],
    plan: Plan | None = None,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
) -> Weights | None:
    """Carry out ``plan`` in ``folder``, going on from what is there; the weights learned.

    ``None`` if stopped before the end; call it again to go on, with as many rounds as you like. A
    folder that was begun with another plan is refused with a ``ValueError`` and left as it is.
    """
    plan, home = plan or Plan(), Path(folder)
    home.mkdir(parents=True, exist_ok=True)
    _agree(home, plan)
    tell: Listener = on_progress or (lambda _: None)
    weights: Weights | None = None
    for number in range(plan.rounds):
        kept = home / f"round-{number}.weights"
        try:
            weights = load_weights(kept, plan.size)
            continue
        except WeightsError:  # not there yet, or not whole
            pass
        examples = _played(home, number, plan, weights, tell, stop)
        if examples is None:
            return None
        both = _joined([*_kept(home, number - 1), examples])
        weights = fit(both, plan.passes, plan.seed, tell, stop, round_number=number, size=plan.size)
        if weights is None:
            return None
        save_weights(kept, weights, plan.size)
    assert weights is not None
    save_weights(home / SHIPPED[plan.size], weights, plan.size)
    return weights


def _agree(home: Path, plan: Plan) -> None:
    """Note the plan in its folder; refuse to mix what two plans have made."""
    path = home / _PLAN
    wanted = {name: value for name, value in asdict(plan).items() if name != "rounds"}
    try:
        begun = json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        write_text_atomically(path, json.dumps(wanted))
        return
    except ValueError:
        begun = None
    if begun != wanted:
        made = f"{path} says {begun}" if begun else f"{path} cannot be read"
        raise ValueError(f"{home} was begun with another plan ({made}); choose another folder")


def _played(
    home: Path,
    number: int,
    plan: Plan,
    weights: Weights | None,
    tell: Listener,
    stop: StopSignal | None,
) -> Examples | None:
    """The positions of a round, played where the folder lacks them; ``None`` if stopped."""
    pieces = []
    total = -(-plan.positions // PIECE)
    for index in range(total):
        path = home / f"round-{number}-games-{index:03d}.npz"
        piece = _read(path)
        if piece is None:
            if stop is not None and stop.is_set():
                return None
            seed = (plan.seed * 1000 + number) * 1_000_000 + index
            piece = play(weights, PIECE, seed, plan.size)
            with atomic_writer(path) as file:
                np.savez(file, mine=piece.mine, theirs=piece.theirs, scores=piece.scores)
        pieces.append(piece)
        tell(Progress(number, "play", index + 1, total))
    return _joined(pieces)


def _kept(home: Path, number: int) -> list[Examples]:
    """The positions of a round that are in the folder."""
    paths = sorted(home.glob(f"round-{number}-games-*.npz"))
    return [piece for piece in map(_read, paths) if piece is not None]


def _joined(pieces: list[Examples]) -> Examples:
    return Examples(
        np.concatenate([piece.mine for piece in pieces]),
        np.concatenate([piece.theirs for piece in pieces]),
        np.concatenate([piece.scores for piece in pieces]),
    )


def _read(path: Path) -> Examples | None:
    """The positions in a file; ``None`` where there are none to be had."""
    try:
        with np.load(path) as data:
            return Examples(data["mine"], data["theirs"], data["scores"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None


def play(weights: Weights | None, positions: int, seed: int, size: int = 8) -> Examples:
    """About so many positions of games played with ``weights``, or with the evaluation by hand."""
    solver = Solver(size, _TABLE_MB, weights)
    room = positions + LONGEST
    mine, theirs = np.zeros(room, np.uint64), np.zeros(room, np.uint64)
    scores = np.zeros(room, np.int64)
    written = play_games(np.uint64(seed), solver.block, mine, theirs, scores)
    return Examples(mine[:written], theirs[:written], scores[:written])


def fit(
    examples: Examples,
    passes: int,
    seed: int = 0,
    on_progress: Listener | None = None,
    stop: StopSignal | None = None,
    *,
    round_number: int = 0,
    size: int = 8,
) -> Weights | None:
    """The weights under which evaluations are nearest to the scores; ``None`` if stopped."""
    learned = len(examples) - len(examples) // _HELD_BACK  # the games played last are held back
    order = np.random.default_rng(seed).permutation(learned)
    columns = (examples.mine, examples.theirs, examples.scores)
    mine, theirs, scores = (np.concatenate([c[:learned][order], c[learned:]]) for c in columns)
    weights = np.zeros(STAGES * STAGE_WEIGHTS)
    pulls = np.zeros_like(weights)
    scratch = np.zeros(FEATURES, dtype=np.int64)
    table, cells = DIGITS.ctypes.data, np.uint64(board_words(size)[CELLS])
    for number in range(passes):
        if stop is not None and stop.is_set():
            return None
        rate = _FIRST_RATE * _SLOWER**number
        errors = [
            fit_pass(mine, theirs, scores, cells, first, last, weights, pulls, table, pace, scratch)
            / max(1, last - first)
            for first, last, pace in ((0, learned, rate), (learned, len(examples), 0.0))
        ]
        if on_progress is not None:
            roots = [float(error**0.5) for error in errors]
            on_progress(Progress(round_number, "fit", number + 1, passes, *roots))
    rounded = np.clip(np.rint(weights * PER_DISC), -_MOST, _MOST).astype(np.int16)
    return with_digits(rounded.reshape(STAGES, STAGE_WEIGHTS)[:, DIGITS.size :])
