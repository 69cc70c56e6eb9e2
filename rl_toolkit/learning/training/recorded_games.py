"""Games in files as training samples: self-play of any engine, made on any executor.

::

    self-play --ray ─► games.jsonl ─► positions, policies, results ─► chunks ─► ring of positions

The policy target of a position are the visits of its search (else priors, else its best moves); the
value target is the result of the game, discounted by the plies that are left. Positions whose
record has no analysis teach nothing and are left out.

Samples do not depend on the order in which workers finished, nor on which file a game is in: games
are sorted by their moves. So the same games and the same seed give the same training run.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.analysis import Analysis, Candidate
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.learning.training.settings import SettingsError
from rl_toolkit.records import GameRecord, RecordError, read_games

#: The first line of a file of self-play says this; such a file is read line by line.
_SELF_PLAY = "rl_toolkit self-play"


class Chunk(NamedTuple):
    """Some samples, and the games that they come from; an entry for each sample.

    Attributes:
        planes, policy, wdl: as in `loop.replay.Samples`.
        is_last: whether it is the last position of its game.
        trail: a hash of the start and all moves of its game.
        length: the number of moves of its game.
        first_result: +1, 0 or −1 for the player who made the first move of its game.
    """

    planes: NDArray[Any]
    policy: NDArray[Any]
    wdl: NDArray[Any]
    is_last: NDArray[Any]
    trail: NDArray[Any]
    length: NDArray[Any]
    first_result: NDArray[Any]


@dataclass(frozen=True, slots=True)
class RecordedGames:
    """All samples of some files.

    Attributes:
        samples: in the order of the sorted games.
        games: the number of games with at least one sample.
        unused: the number of games without any: they have no result, or no analysis of a move.
    """

    samples: Chunk
    games: int
    unused: int = 0

    def __len__(self) -> int:
        return len(self.samples.planes)

    def chunk(self, number: int, size: int, seed: int) -> Chunk:
        """``size`` samples: piece ``number`` of all samples, over and over, shuffled every time.

        It depends on nothing else, so a run that resumes continues where it was.
        """
        places = np.arange(number * size, (number + 1) * size)
        chosen = np.empty(size, np.int64)
        for turn in range(places[0] // len(self), places[-1] // len(self) + 1):
            here = places // len(self) == turn
            order = np.random.default_rng([seed, turn]).permutation(len(self))
            chosen[here] = order[places[here] % len(self)]
        return Chunk(*(part[chosen] for part in self.samples))


def read_recorded_games(
    files: Sequence[Path], game: str, moves: int, discount: float
) -> RecordedGames:
    """The samples of the games in ``files``; ``moves`` is the number of moves that ``game`` has.

    `SettingsError` if a file cannot be read, holds another game, or if there is no sample at all.
    """
    env = make_game(game)
    chunks: list[Chunk] = []
    unused = 0
    for path in files:
        try:
            for record in _games_in(path):
                samples = _samples(record, env, moves, discount, path)
                if samples is None:
                    unused += 1
                else:
                    chunks.append(samples)
        except OSError as error:
            raise SettingsError(f"cannot read {path}: {error.strerror}") from error
        except (RecordError, _LineError) as error:
            raise SettingsError(f"{path} cannot be learned from: {error}") from error
    if not chunks:
        names = ", ".join(map(str, files))
        raise SettingsError(
            f"there is nothing to learn in {names}: games need a result and an analysis of their "
            f"moves, as `rl-toolkit self-play {game} ENGINE --save FILE` writes them"
        )
    chunks.sort(key=lambda each: (int(each.trail[0]), *(part.tobytes() for part in each)))
    return RecordedGames(
        Chunk(*map(np.concatenate, zip(*chunks, strict=True))), len(chunks), unused
    )


# -------------------------------------------------------------------------- files


class _LineError(ValueError):
    """A line of a file of self-play, or the analysis of a move, is damaged."""


def _games_in(path: Path) -> Iterator[GameRecord]:
    """The games of a file; those of self-play one after the other, since there may be many."""
    with open(path, encoding="utf-8", errors="replace") as lines:
        first = lines.readline(1_000)
        if f'"{_SELF_PLAY}"' not in first:
            yield from read_games(path)
            return
        last: dict[int, int] = {}  # a game that was played again counts once
        for number, line in enumerate(lines, 2):
            if line.endswith("\n"):  # the last line may be cut off by a crash
                last[int(_line(line, number)["game_number"])] = number
        wanted = set(last.values())
        lines.seek(0)
        for number, line in enumerate(lines, 1):
            if number in wanted:
                yield GameRecord.from_json(_line(line, number)["record"])


def _line(text: str, number: int) -> dict[str, Any]:
    try:
        line: dict[str, Any] = json.loads(text)
        int(line["game_number"]), str(line["record"])
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise _LineError(f"line {number} is not a game") from error
    return line


# ------------------------------------------------------------------------ samples


def _samples(
    record: GameRecord, env: BaseGameEnv, moves: int, discount: float, path: Path
) -> Chunk | None:
    """The samples of one game; ``None`` if it has none."""
    if record.game != env.name:
        raise SettingsError(f"{path} has a game of {record.game}, not of {env.name}")
    if record.result is None or not any(record.analyses):
        return None
    boards, policies, values, last = [], [], [], []
    for ply, (at, noted) in enumerate(zip(record.positions(), record.analyses, strict=False)):
        if noted is None:
            continue
        try:
            analysis = Analysis.from_dict(noted)
        except ValueError as error:
            raise SettingsError(f"{path} has an analysis that cannot be read: {error}") from error
        policy = _policy(analysis, at, moves)
        if policy is None:
            continue
        board, mover = np.asarray(at.board), at.current_player
        boards.append(np.concatenate([board == mover, board == -mover]))
        policies.append(policy)
        values.append(_wdl(record.result * mover, discount ** (len(record.moves) - ply - 1)))
        last.append(ply == len(record.moves) - 1)
    if not boards:
        return None
    count = len(boards)
    trail = zlib.crc32(f"{record.start} {' '.join(map(str, record.moves))}".encode())
    return Chunk(
        np.array(boards, bool),
        np.array(policies, np.float32),
        np.array(values, np.float32),
        np.array(last, bool),
        np.full(count, trail, np.uint32),
        np.full(count, len(record.moves), np.int32),
        np.full(count, record.result * record.starting_position().current_player, np.int8),
    )


def _policy(analysis: Analysis, env: BaseGameEnv, moves: int) -> NDArray[np.float32] | None:
    """What the analysis recommends, as a distribution; ``None`` if it is of another position."""
    legal = set(env.get_legal_moves())
    if not analysis.candidates or any(c.move not in legal for c in analysis.candidates):
        return None
    kept, found_weights = recommended(analysis)
    weights = found_weights or [1.0] * len(kept)
    if min(weights) < 0 or not 0 < sum(weights) < inf:
        raise _LineError("an analysis has visits or priors below 0, or without a sum")
    policy = np.zeros(moves, np.float32)
    for candidate, weight in zip(kept, weights, strict=True):
        policy[candidate.move] = weight
    share: NDArray[np.float32] = policy / policy.sum()
    return share


def _wdl(result: int, sure: float) -> tuple[float, float, float]:
    """Win, draw and loss for the side to move; far from the end a result is less than sure."""
    return sure * (result > 0), 1.0 - sure * (result != 0), sure * (result < 0)


# ------------------------------------------- the policy target: which moves an analysis recommends


def recommended(analysis: Analysis) -> tuple[list[Candidate], list[float] | None]:
    """The moves worth playing with their weights: visits, else priors, else all best ones equally.

    A result that is proven is never given away: beside a proven win there are only other proven
    wins, and a proven loss only if there is nothing better. ``None`` stands for equal weights.
    """
    best = analysis.candidates[0]
    kept = [candidate for candidate in analysis.candidates if not _gives_away(candidate, best)]
    for weights in ([float(c.visits or 0) for c in kept], [c.prior or 0.0 for c in kept]):
        if any(weights):
            return kept, weights
    return [c for c in kept if _worth(c) == _worth(best)], None


def _gives_away(candidate: Candidate, best: Candidate) -> bool:
    """Whether ``best`` is a proven win and ``candidate`` is not, or only ``candidate`` loses."""
    mine, others = (c.outcome if c.proven else None for c in (best, candidate))
    return mine != others and (mine == "win" or others == "loss")


def _worth(candidate: Candidate) -> tuple[object, ...]:
    """What makes two candidates equally good; draws may take longer or shorter."""
    distance = None if candidate.outcome == "draw" else candidate.distance
    return candidate.value, candidate.outcome, candidate.proven, candidate.score, distance
