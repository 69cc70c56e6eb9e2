"""``/puzzles``: puzzles to solve; and the addresses that its script asks.

The server keeps nothing about a player: the page sends the list of its attempts, and hears its
rating, what is due, and which puzzle comes next. A puzzle is named, if it comes with the package;
one's own and those of a teacher's file are sent as their line of text.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Any, TypeVar

from flask import Blueprint, Response, jsonify, render_template

from rl_toolkit.envs import GameError, make_game
from rl_toolkit.envs.registry import family_of
from rl_toolkit.puzzles import (
    KINDS,
    STORM_SECONDS,
    Attempt,
    MistakeFinder,
    Mistakes,
    NoPuzzlesError,
    Puzzle,
    PuzzleError,
    PuzzleSet,
    Review,
    Standing,
    answer,
    climbing,
    daily,
    days_in_a_row,
    hints,
    next_puzzle,
    shipped,
    shipped_games,
    shipped_puzzle,
    standings,
    story,
    task,
)
from rl_toolkit.utils import shown
from rl_toolkit.utils.executors import BackgroundTask
from rl_toolkit.web.api import (
    all_searches,
    asking_client,
    body_fields,
    client_gone,
    server_limits,
)
from rl_toolkit.web.exchange.json_fields import BadRequestError, Fields
from rl_toolkit.web.exchange.looks import title_of
from rl_toolkit.web.exchange.responses import Json

puzzles = Blueprint("puzzles", __name__)

T = TypeVar("T")

#: Attempts and own puzzles that a page may send: years of use.
_MOST_ATTEMPTS, _MOST_OWN = 8_000, 2_000
#: Points of the plot of a rating.
_POINTS = 60
_LONGEST_SET = 200_000
_LATEST = 1e11  # seconds since 1970
_NONE_DUE = "none of your own puzzles is due now"
_SKIPPED = "you skipped all of your own puzzles that are due; Mine shows them again"
_NONE_YET = (
    "you have no puzzles of your own yet; look for your mistakes in games that you have played"
)


@puzzles.get("/puzzles")
def page() -> str:
    """The page; its script reads ``game``, ``theme``, ``mode``, ``id`` and ``set``."""
    games = []
    for name in shipped_games():
        family = family_of(name)
        kinds = [kind for kind in KINDS if any(each.kind == kind for each in shipped(name))]
        games.append(
            {
                "name": name,
                "family": name if family is None else family.name,
                "title": title_of(name),
                "kinds": " ".join(kinds),
                "count": len(shipped(name)),
            }
        )
    themes = {kind: theme for kind, (theme, _) in KINDS.items()}
    return render_template("puzzles.html", games=games, themes=themes, storm_seconds=STORM_SECONDS)


# ------------------------------------------------------------------------------------ choosing


@puzzles.post("/api/puzzles/next")
def next_() -> Response:
    """The puzzle that comes next, and the standing of the player in its game.

    ``mode``: ``next``, ``mine`` (own puzzles that are due), ``daily``, ``streak`` and ``storm``; of
    the last two ``solved`` puzzles are behind the player. ``tried`` names puzzles not to choose:
    those of this run, or those that were skipped.
    If none of one's own is due, ``puzzle`` is null and ``why`` a sentence.
    """
    fields = body_fields()
    mode = fields.text("mode", "next", longest=10)
    game, theme = fields.text("game", longest=60), fields.text("theme", longest=10)
    solved = fields.whole("solved", 0, 1000) or 0
    day = _day(fields)
    tried = set(_texts(fields, "tried"))
    attempts, own = _attempts(fields), _own(fields)
    fields.finish()
    now, rng = time.time(), random.Random()
    found = standings(attempts, _reviews(own))
    skipped = mode == "mine" and _due(found, own, now) is not None
    for standing in found.values():
        for name in tried:
            standing.reviews.pop(name, None)
    with _Refusing():
        if mode == "daily":
            puzzle = daily(day)
        elif mode == "mine":
            due = _due(found, own, now)
            if due is None:
                none = _SKIPPED if skipped else _NONE_DUE if own else _NONE_YET
                return jsonify(puzzle=None, why=none)
            puzzle = due
        else:
            name = make_game(game or shipped_games()[0]).name
            standing = found.get(name, Standing())
            fitting = [*shipped(name), *(each for each, _ in own.values() if each.game == name)]
            standing.seen |= tried
            if mode in ("streak", "storm"):
                puzzle = climbing(fitting, standing, solved, rng)
            else:
                puzzle = next_puzzle(fitting, standing, now, rng, theme=theme)
    return jsonify(puzzle=described(puzzle), standing=_standing(found.get(puzzle.game), now))


def _due(
    found: dict[str, Standing], own: dict[str, tuple[Puzzle, float]], now: float
) -> Puzzle | None:
    ready = [
        review
        for standing in found.values()
        for review in standing.due(now)
        if review.puzzle in own
    ]
    if not ready:
        return None
    return own[min(ready, key=lambda review: review.due).puzzle][0]


@puzzles.post("/api/puzzles/set")
def set_() -> Response:
    """The puzzles of a set: its ``names`` in a link, or the ``text`` of a file."""
    fields = body_fields()
    names, text = fields.text("names", longest=4000), fields.text("text", longest=_LONGEST_SET)
    fields.finish()
    with _Refusing():
        if text:
            found = PuzzleSet.from_text(text)
            chosen, title = [each.checked() for each in found.puzzles], found.title
        else:
            game, _, numbers = names.partition(":")
            chosen = [shipped_puzzle(f"{game}/{number}") for number in numbers.split(",") if number]
            title = ""
        if not chosen:
            raise PuzzleError("this set has no puzzle")
    return jsonify(title=title, puzzles=[described(each, line=bool(text)) for each in chosen])


@puzzles.post("/api/puzzles/one")
def one() -> Response:
    """A puzzle by its name, or one's own by its line."""
    fields = body_fields()
    puzzle = puzzle_in(fields)
    fields.finish()
    return jsonify(puzzle=described(puzzle))


# ------------------------------------------------------------------------------------- solving


@puzzles.post("/api/puzzles/answer")
def answer_() -> Response:
    """Whether ``move`` is right after the moves ``before``; the reply, or what refutes it."""
    fields = body_fields()
    puzzle = puzzle_in(fields)
    before = fields.wholes("before", len(puzzle.line)) if fields.has("before") else []
    move = fields.whole("move", 0, 10_000)
    fields.finish()
    if move is None:
        raise BadRequestError("move is missing")
    found = _searched(lambda: answer(puzzle, before, move))
    return jsonify(
        right=found.right,
        solved=found.solved,
        reply=found.reply,
        refutation=list(found.refutation),
        sentence=found.sentence,
    )


@puzzles.post("/api/puzzles/hint")
def hint() -> Response:
    """Hint number ``step`` for the move after ``ply`` moves of the line."""
    fields = body_fields()
    puzzle = puzzle_in(fields)
    ply = fields.whole("ply", 0, len(puzzle.line) - 1) or 0
    step = fields.whole("step", 0, 10) or 0
    fields.finish()
    if ply % 2:
        raise BadRequestError("it is the opponent's turn there")
    with _Refusing():
        steps = hints(puzzle, ply)
    found = steps[min(step, len(steps) - 1)]
    return jsonify(sentence=found.sentence, cells=list(found.cells), last=step >= len(steps) - 1)


@puzzles.post("/api/puzzles/solution")
def solution() -> Response:
    """The line of a puzzle."""
    fields = body_fields()
    puzzle = puzzle_in(fields)
    fields.finish()
    with _Refusing():
        names = puzzle.env().line_names(puzzle.line)
    return jsonify(line=list(puzzle.line), names=names)


@puzzles.post("/api/puzzles/mistakes")
def mistakes() -> Response:
    """Puzzles from the mistakes of ``sides`` (1, −1) in a game: ``game`` and ``moves``.

    ``sentences`` say why other mistakes make none. A game whose moves no engine proves has no
    puzzles: there is nothing to say then.
    """
    fields = body_fields()
    game = fields.text("game", longest=60)
    moves = fields.wholes("moves", server_limits().moves)
    sides = fields.wholes("sides", 2)
    fields.finish()
    found = _searched(lambda: _mistakes_in(game, moves, sides), quick=False)
    puzzles = [described(each, line=True) for each in found.puzzles]
    return jsonify(puzzles=puzzles, reasons=found.reasons, sentences=found.sentences)


# ------------------------------------------------------------------------------------ progress


@puzzles.post("/api/puzzles/progress")
def progress() -> Response:
    """What follows from all attempts: standings, themes, and days in a row."""
    fields = body_fields()
    day = _day(fields)
    attempts, own = _attempts(fields), _own(fields)
    fields.finish()
    now = time.time()
    found = standings(attempts, _reviews(own))
    themes = {
        kind: {
            "theme": theme,
            "tried": sum(each.tried.get(kind, 0) for each in found.values()),
            "solved": sum(each.solved.get(kind, 0) for each in found.values()),
        }
        for kind, (theme, _) in KINDS.items()
    }
    return jsonify(
        games={game: _standing(standing, now) for game, standing in found.items()},
        themes={kind: each for kind, each in themes.items() if each["tried"]},
        days=days_in_a_row(attempts, day),
    )


def _standing(standing: Standing | None, now: float) -> Json:
    standing = standing or Standing()
    step = max(1, len(standing.history) // _POINTS)
    return {
        "rating": round(standing.glicko.rating),
        "deviation": round(standing.glicko.deviation),
        "rated": standing.rated,
        "due": len(standing.due(now)),
        "tried": sum(standing.tried.values()),
        "solved": sum(standing.solved.values()),
        "run": standing.run,
        "best_run": standing.best_run,
        "history": [[when, round(rating)] for when, rating in standing.history[::step]],
    }


# ------------------------------------------------------------------------------------- helpers


class _Refusing:
    """Context manager: errors about puzzles and games become refusals of the request."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, (PuzzleError, GameError)):
            raise BadRequestError(str(error)) from error


@lru_cache(maxsize=8)
def _finder(game: str) -> MistakeFinder:
    return MistakeFinder(game)


def _mistakes_in(game: str, moves: list[int], sides: list[int]) -> Mistakes:
    try:
        return _finder(game).in_game(moves, sides)
    except NoPuzzlesError:
        return Mistakes()


def _searched(work: Callable[[], T], *, quick: bool = True) -> T:
    """The result of work that searches, in the queue of the server."""
    searches = all_searches()
    job: BackgroundTask[None, T] = searches.pool.submit(
        asking_client(), lambda task: work(), quick=quick
    )
    with _Refusing():
        searches.wait(job, client_gone())
        return job.result()


def puzzle_in(fields: Fields) -> Puzzle:
    """The puzzle that ``puzzle`` names, or that ``line`` is together with it."""
    name, line = fields.text("puzzle", longest=80), fields.text("line", longest=4000)
    with _Refusing():
        if line:
            return Puzzle.read(name.rpartition("/")[0], line).checked()
        return shipped_puzzle(name)


def described(puzzle: Puzzle, *, line: bool = False) -> Json:
    """A puzzle as the page shows it, without its solution; with ``line`` as its line of text."""
    env, family = puzzle.env(), family_of(puzzle.game)
    return {
        **puzzle.to_dict(),
        "family": puzzle.game if family is None else family.name,
        "moves": list(puzzle.moves),
        "last": env.line_names(puzzle.moves)[-1] if puzzle.moves else "",
        "side": env.traits.pieces[env.current_player < 0],
        "task": task(puzzle),
        "story": story(puzzle),
        **({"line": puzzle.to_text()} if line else {}),
    }


def _attempts(fields: Fields) -> list[Attempt]:
    given = fields.raw("attempts")
    if given is None:
        return []
    if not isinstance(given, list) or len(given) > _MOST_ATTEMPTS:
        raise BadRequestError(f"attempts is a list of at most {_MOST_ATTEMPTS} entries")
    with _Refusing():
        return [Attempt.from_dict(each) for each in given]


def _own(fields: Fields) -> dict[str, tuple[Puzzle, float]]:
    given: Any = fields.raw("own")
    if given is None:
        return {}
    if not isinstance(given, list) or len(given) > _MOST_OWN:
        raise BadRequestError(f"own is a list of at most {_MOST_OWN} puzzles")
    found = {}
    for each in given:
        added = each.get("added") if isinstance(each, dict) else None
        if not isinstance(added, (int, float)) or not 0 <= added < _LATEST:
            raise BadRequestError(f"this is not a puzzle of one's own: {shown(each)}")
        game = str(each.get("name", "")).rpartition("/")[0]
        with _Refusing():
            puzzle = Puzzle.read(game, str(each.get("line", "")))
        found[puzzle.name] = puzzle, float(added)
    return found


def _reviews(own: dict[str, tuple[Puzzle, float]]) -> list[Review]:
    return [
        Review(name, puzzle.kind, puzzle.rating, added) for name, (puzzle, added) in own.items()
    ]


def _texts(fields: Fields, name: str) -> list[str]:
    given = fields.raw(name)
    if given is None:
        return []
    if (
        not isinstance(given, list)
        or len(given) > 1000
        or not all(isinstance(t, str) for t in given)
    ):
        raise BadRequestError(f"{name} is a list of names")
    return given


def _day(fields: Fields) -> date:
    text = fields.text("date", longest=10)
    try:
        return date.fromisoformat(text) if text else date.today()
    except ValueError as error:
        raise BadRequestError(f"date is written 2026-05-31, not {shown(text)}") from error
