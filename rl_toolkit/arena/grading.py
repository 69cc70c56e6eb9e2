"""How often an engine is right, by stage of the game, compared with exact scores.

Every position asks two questions. Does the engine's move *keep the result* (a won position stays
won, a drawn one is not lost)? And is it *exactly best* (no move scores more: the fastest win, the
most discs)? In many positions every move keeps the result, so a third count includes only the
positions *that matter*: those where some move would throw the result away.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from rl_toolkit.arena.arbiter.play_game import checked_answer
from rl_toolkit.arena.arbiter.worker_engines import cached_engine, network_of
from rl_toolkit.arena.exact_scores import exactly_best, keeping, results
from rl_toolkit.arena.labelled_samples import Labelled
from rl_toolkit.arena.runs.journal import Journal
from rl_toolkit.arena.runs.stamps import code_of
from rl_toolkit.arena.samples import OnProgress
from rl_toolkit.envs import make_game
from rl_toolkit.players import Player, make_player
from rl_toolkit.records import position_from_text
from rl_toolkit.utils import wilson_interval
from rl_toolkit.utils.executors import Executor, InProcess

K = TypeVar("K", int, str)

#: Positions per task of a worker.
_CHUNK = 8
#: The stages, and the share of occupied cells at which each ends.
STAGES = (("opening", 1 / 3), ("middle", 2 / 3), ("late", 1.0))


@dataclass(frozen=True, slots=True)
class Rate:
    """``right`` answers out of ``of``; ``share`` and ``interval`` are computed from the two."""

    right: int
    of: int

    @property
    def share(self) -> float:
        """The share of right answers; 0 if there are none at all."""
        return self.right / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the share."""
        return wilson_interval(self.share, self.of)

    def to_dict(self) -> dict[str, Any]:
        """The rate as plain data."""
        low, high = self.interval
        return {"right": self.right, "of": self.of, "share": self.share, "low": low, "high": high}


@dataclass(frozen=True, slots=True)
class Marks:
    """The results of an engine on some positions.

    Attributes:
        keeps: moves that keep the result.
        best: moves that are exactly best.
        matters: moves that keep the result, in positions with a move that does not.
        by_chance: how often random play would keep the result.
    """

    keeps: Rate
    best: Rate
    matters: Rate
    by_chance: float

    def to_dict(self) -> dict[str, Any]:
        """The marks as plain data."""
        return {
            "keeps": self.keeps.to_dict(),
            "best": self.best.to_dict(),
            "matters": self.matters.to_dict(),
            "by_chance": self.by_chance,
        }


@dataclass(frozen=True, slots=True)
class Answer:
    """The move that an engine chose in a position, and the seconds it took."""

    move: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Grade:
    """The answers of an engine to a labelled sample.

    ``answers`` has one entry for each position of ``sample``, in the same order. The marks are
    computed from them: of all positions, by stage and by number of stones.
    """

    game: str
    engine: str
    sample: Sequence[Labelled]
    answers: Sequence[Answer]

    @property
    def overall(self) -> Marks:
        """All positions together."""
        return _marks(self._pairs())

    @property
    def accuracy(self) -> float | None:
        """What was kept of the results at stake, as in `Review.accuracy`.

        1 lost nothing, 0 lost as much as random moves would have; ``None`` if nothing could be
        lost.
        """
        lost, stake = 0, 0.0
        for labelled, move in self._pairs():
            outcomes = results(labelled.scores)
            best = max(outcomes.values())
            lost += best - outcomes[move]
            stake += sum(best - result for result in outcomes.values()) / len(outcomes)
        return max(0.0, 1 - lost / stake) if stake else None

    @property
    def by_stage(self) -> dict[str, Marks]:
        """Opening, middle and late, if the sample has them."""
        cells = len(make_game(self.game).board)
        return self._grouped(lambda each: stage_of(each.stones / cells))

    @property
    def by_stones(self) -> dict[int, Marks]:
        """The results for every number of stones in the sample."""
        return self._grouped(lambda each: each.stones)

    @property
    def seconds_per_position(self) -> float:
        """The mean time of an answer."""
        return sum(answer.seconds for answer in self.answers) / max(1, len(self.answers))

    def mistakes(self) -> list[tuple[Labelled, int]]:
        """The positions in which the engine threw the result away, with its move."""
        return [
            (labelled, move)
            for labelled, move in self._pairs()
            if move not in keeping(labelled.scores)
        ]

    def _pairs(self) -> list[tuple[Labelled, int]]:
        moves = [answer.move for answer in self.answers]
        return list(zip(self.sample, moves, strict=True))

    def _grouped(self, key: Callable[[Labelled], K]) -> dict[K, Marks]:
        groups: dict[K, list[tuple[Labelled, int]]] = {}
        for labelled, move in self._pairs():
            groups.setdefault(key(labelled), []).append((labelled, move))
        return {name: _marks(pairs) for name, pairs in groups.items()}

    def to_dict(self) -> dict[str, Any]:
        """The grade as plain data, without positions."""
        return {
            "game": self.game,
            "engine": self.engine,
            "positions": len(self.sample),
            "overall": self.overall.to_dict(),
            "by_stage": {stage: marks.to_dict() for stage, marks in self.by_stage.items()},
            "by_stones": {str(n): marks.to_dict() for n, marks in self.by_stones.items()},
            "seconds_per_position": self.seconds_per_position,
        }


def _marks(pairs: Sequence[tuple[Labelled, int]]) -> Marks:
    """The marks for pairs of a position and a move."""
    right = best = matter = right_where_it_matters = 0
    chance = 0.0
    for labelled, move in pairs:
        good = keeping(labelled.scores)
        matters = len(good) < len(labelled.scores)
        right += move in good
        best += move in exactly_best(labelled.scores)
        matter += matters
        right_where_it_matters += matters and move in good
        chance += len(good) / len(labelled.scores)
    count = len(pairs)
    return Marks(
        keeps=Rate(right, count),
        best=Rate(best, count),
        matters=Rate(right_where_it_matters, matter),
        by_chance=chance / max(1, count),
    )


def stage_of(taken: float) -> str:
    """The stage of a game with this share of occupied cells.

    >>> stage_of(0.2), stage_of(0.5), stage_of(0.95)
    ('opening', 'middle', 'late')
    """
    return next(name for name, end in STAGES if taken < end or end == 1.0)


def grade(
    game: str,
    engine: str,
    sample: Sequence[Labelled],
    *,
    seed: int = 0,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    on_news: Callable[[str], object] | None = None,
    save: Path | None = None,
) -> Grade:
    """Have an engine (a spec or a level) answer every position of ``sample``.

    With ``save``, answers are written to that file, and an interrupted run resumes from it. If the
    engine has a new network or new code since, its old answers are set aside, and ``on_news`` is
    called. Raises `EngineFailedError` if the engine fails.
    """
    player = make_player(game, engine, seed=seed)
    spec = player.spec.text
    answers: dict[int, Answer] = {}
    journal = None
    if save is not None:
        journal = Journal(
            save, "grade", _work(game, player, sample), outdated_by=("network", "code")
        )
    try:
        if journal is not None and journal.set_aside is not None and on_news is not None:
            source = "another network" if "network" in journal.outdated else "older code"
            on_news(
                f"The answers in {save} came from {source}. They were moved to "
                f"{journal.set_aside}, and all positions will be answered again."
            )
        for line in journal.done if journal is not None else ():
            answers.update(_from_line(line))
        todo = [number for number in range(len(sample)) if number not in answers]
        chunks = [todo[start : start + _CHUNK] for start in range(0, len(todo), _CHUNK)]
        tasks = [(game, spec, [sample[number].position for number in chunk]) for chunk in chunks]
        for task, found in (executor or InProcess()).map(_answer_some, tasks):
            line = {"answers": [[n, *pair] for n, pair in zip(chunks[task], found, strict=True)]}
            if journal is not None:
                journal.add(line)
            answers.update(_from_line(line))
            if on_progress is not None:
                on_progress(f"testing {engine}", len(answers), len(sample))
    finally:
        if journal is not None:
            journal.close()
    return Grade(game, spec, sample, [answers[number] for number in range(len(sample))])


def _work(game: str, player: Player, sample: Sequence[Labelled]) -> dict[str, Any]:
    """The description that a file of answers must match."""
    digest = hashlib.sha256(
        "\n".join(labelled.position for labelled in sample).encode()
    ).hexdigest()
    work = {"game": game, "engine": player.spec.text, "positions": len(sample), "digest": digest}
    work["code"] = code_of(game, player)
    network = network_of(game, player)
    return work if network is None else {**work, "network": network}


def _from_line(line: dict[str, Iterable[tuple[int, int, float]]]) -> dict[int, Answer]:
    return {number: Answer(move, seconds) for number, move, seconds in line["answers"]}


def _answer_some(task: tuple[str, str, list[str]]) -> list[tuple[int, float]]:
    game, spec, positions = task
    player = cached_engine(game, spec)
    answers = []
    for position in positions:
        env = position_from_text(game, position)
        started = time.perf_counter()
        best = checked_answer(player, env).candidates[0].move
        answers.append((best, time.perf_counter() - started))
    return answers
