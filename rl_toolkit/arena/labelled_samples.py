"""Samples with their exact scores, computed once and stored in the user's cache folder.

Computing them takes seconds to minutes; scores are saved as they are found, so that an interrupted
run resumes. ``RL_TOOLKIT_CACHE_DIR`` replaces the user's cache folder, as for everything else
stored there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rl_toolkit.arena.exact_scores import Scores, scores_of, solver_spec
from rl_toolkit.arena.runs.journal import Journal
from rl_toolkit.arena.samples import RECIPE, OnProgress, Sample, draw
from rl_toolkit.envs import make_game
from rl_toolkit.learning.alphazero import planes_of
from rl_toolkit.records import position_from_text
from rl_toolkit.utils import PathLike, atomic_writer, cache_folder
from rl_toolkit.utils.executors import Executor, InProcess

#: Positions that are solved and saved together.
_CHUNK = 16
#: The score of an illegal move in `save_arrays`.
ILLEGAL = -999


@dataclass(frozen=True, slots=True)
class Labelled:
    """A position, as samples are stored, and the exact score of each of its moves."""

    position: str
    scores: Scores

    @property
    def stones(self) -> int:
        """The number of occupied cells."""
        return sum(letter in "xo" for letter in self.position.split()[0])


def label(
    sample: Sample,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    folder: Path | None = None,
    on_news: Callable[[str], None] | None = None,
) -> list[Labelled]:
    """The positions of a sample with their scores, from the cache where possible.

    ``on_news`` is told in a sentence if the cache cannot be written; the scores are then found, but
    not saved.
    """
    work = {
        "game": make_game(sample.game).name,
        "part": sample.part,
        "seed": sample.seed,
        "positions": sample.positions,
        "recipe": RECIPE,
        "solver": solver_spec(sample.game).text,
    }
    name = "-".join(str(work[key]) for key in ("game", "part", "seed", "positions"))
    path = (folder or cache_folder() / "labels") / f"{name}-recipe{RECIPE}.jsonl"
    with _journal(path, work, on_news) as journal:
        if not journal.done:
            journal.done.append({"positions": draw(sample, on_progress)})
            journal.add(journal.done[0])
        positions: list[str] = journal.done[0]["positions"]
        scores: dict[int, Scores] = {}
        for line in journal.done[1:]:
            scores.update(_from_line(line))
        todo = [number for number in range(len(positions)) if number not in scores]
        tasks = [
            [(sample.game, positions[number]) for number in todo[start : start + _CHUNK]]
            for start in range(0, len(todo), _CHUNK)
        ]
        for number, found in (executor or InProcess()).map(_label_some, tasks):
            line = _to_line(todo[number * _CHUNK :][: len(found)], found)
            journal.add(line)
            scores.update(_from_line(line))
            if on_progress is not None:
                on_progress("finding exact scores", len(scores), len(positions))
    return [Labelled(position, scores[number]) for number, position in enumerate(positions)]


class _Unsaved:
    """Takes the place of a journal where no file can be written."""

    def __init__(self) -> None:
        self.done: list[dict[str, Any]] = []

    def add(self, line: dict[str, Any]) -> None:
        """Save nothing."""


@contextmanager
def _journal(
    path: Path, work: dict[str, Any], on_news: Callable[[str], None] | None
) -> Iterator[Journal | _Unsaved]:
    try:
        journal = Journal(path, "labels", work)
    except OSError as error:
        if on_news is not None:
            on_news(f"Exact scores are not saved: {path.parent}: {error.strerror or error}.")
        yield _Unsaved()
        return
    with journal:
        yield journal


def _label_some(positions: list[tuple[str, str]]) -> list[Scores]:
    return [scores_of(position_from_text(game, position)) for game, position in positions]


def _to_line(numbers: list[int], scores: list[Scores]) -> dict[str, dict[str, Scores]]:
    return {"scores": {str(number): score for number, score in zip(numbers, scores, strict=True)}}


def _from_line(line: dict[str, dict[str, Scores]]) -> dict[int, Scores]:
    """The scores of a line, with the text keys of JSON converted to numbers."""
    return {
        int(number): {int(move): score for move, score in scores.items()}
        for number, scores in line["scores"].items()
    }


def save_arrays(path: PathLike, game: str, sample: list[Labelled]) -> None:
    """Write a sample as arrays, the format that training reads (``train --judge FILE``).

    ``planes`` (positions, 2, rows, cols): the pieces of the side to move and of the other side, the
    top row first; ``scores`` (positions, moves): `ILLEGAL` for illegal moves; ``plies``.
    """
    envs = [position_from_text(game, labelled.position) for labelled in sample]
    scores = np.full((len(sample), envs[0].num_moves), ILLEGAL, dtype=np.int16)
    for row, labelled in zip(scores, sample, strict=True):
        row[list(labelled.scores)] = list(labelled.scores.values())
    planes = np.moveaxis(planes_of(envs)[..., :2] > 0, -1, 1)
    with atomic_writer(path) as file:
        np.savez_compressed(
            file,
            planes=planes,
            scores=scores,
            plies=np.array([labelled.stones for labelled in sample]),
        )
