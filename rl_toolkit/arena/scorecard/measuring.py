"""Measure an engine in a game: accuracy, tactics, rating, speed, positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from rl_toolkit.arena.arbiter.play_game import EngineFailedError
from rl_toolkit.arena.grading import Grade, grade
from rl_toolkit.arena.labelled_samples import label
from rl_toolkit.arena.samples import OnProgress, Sample
from rl_toolkit.arena.scorecard import positions
from rl_toolkit.arena.scorecard.card import GameCard, Speed
from rl_toolkit.arena.scorecard.rating import RatingEstimate, opponents_for, rate
from rl_toolkit.arena.scorecard.tactics import Solved, forced_wins_of, rates, solve
from rl_toolkit.envs import make_game
from rl_toolkit.players.advisers import solves_from
from rl_toolkit.utils.executors import Executor

#: Positions shown of each kind.
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Effort:
    """How much is measured in each game.

    Attributes:
        positions: positions that are compared with exact play.
        puzzles: forced wins of each length, and ``tries`` the positions looked at to find them.
        opponents, games: levels to play, and the games against each.
    """

    positions: int
    puzzles: int
    tries: int
    opponents: int
    games: int


QUICK = Effort(positions=80, puzzles=3, tries=240, opponents=4, games=4)
FULL = Effort(positions=600, puzzles=10, tries=1200, opponents=5, games=20)


def measure(
    game: str,
    engine: str,
    effort: Effort,
    *,
    executor: Executor | None = None,
    on_progress: OnProgress | None = None,
    on_news: Callable[[str], None] | None = None,
    save: Path | None = None,
) -> GameCard:
    """The card of an engine in a game.

    With ``save``, a folder, answers and games are kept there, and an interrupted run resumes. An
    engine that fails has a card with what was measured before, and the reason.
    """
    graded: Grade | None = None
    solved: list[Solved] = []
    rating: RatingEstimate | None = None
    problem, notes = "", list[str]()
    try:
        stage = solves_from(make_game(game))
        if stage is None:
            notes.append("no exact solver: accuracy is not known")
        else:
            if stage == "late":
                notes.append("accuracy: late positions only, as the game is solved only there")
            sample = label(Sample(game, effort.positions), executor, on_progress, None, on_news)
            graded = grade(
                game,
                engine,
                sample,
                executor=executor,
                on_progress=on_progress,
                on_news=on_news,
                save=None if save is None else save / f"{game}-answers.jsonl",
            )
        wins = forced_wins_of(game, effort.puzzles, effort.tries, on_progress)
        if not wins:
            notes.append("no forced wins of a known length")
        solved = solve(game, engine, wins, on_progress)
        rating = rate(
            game,
            engine,
            opponents_for(game, engine, effort.opponents),
            effort.games,
            executor=executor,
            on_progress=on_progress,
            save=None if save is None else save / f"{game}-games.jsonl",
        )
        if rating is None:
            notes.append("none of its games against levels could be played: no rating")
    except EngineFailedError as error:
        problem = str(error)
    return _card(game, graded, solved, rating, problem, notes)


def _card(
    game: str,
    graded: Grade | None,
    solved: list[Solved],
    rating: RatingEstimate | None,
    problem: str,
    notes: list[str],
) -> GameCard:
    if graded is not None:
        strong, weak = positions.strongest(graded, _SHOWN), positions.weakest(graded, _SHOWN)
    else:
        strong, weak = positions.of_tactics(game, solved, _SHOWN)
    seconds = [answer.seconds for answer in graded.answers] if graded is not None else []
    seconds += [puzzle.seconds for puzzle in solved]
    return GameCard(
        game=game,
        grade=graded,
        tactics=rates(solved),
        rating=rating,
        speed=Speed.of(seconds),
        strongest=strong,
        weakest=weak,
        problem=problem,
        notes=notes,
    )
