"""``game review``: what every move of a saved game lost, and what was better."""

from __future__ import annotations

import sys
from dataclasses import asdict, replace
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from rl_toolkit.algorithms import MoveReview, Review
from rl_toolkit.analysis import Limit, words_for
from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.library_options import library_option
from rl_toolkit.cli.options import csv_option, examples, json_option
from rl_toolkit.cli.param_types import ENGINE, FILE, SECONDS
from rl_toolkit.cli.play.game_review import review_lines, review_with
from rl_toolkit.cli.play.sides import SIDES
from rl_toolkit.cli.saved_games import (
    file_argument,
    moves_of_option,
    number_option,
    pick,
    read_file,
)
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.envs import BaseGameEnv, GameTraits
from rl_toolkit.explain import (
    better_than,
    cost_of,
    course_of,
    discs_lost,
    lesson_of,
    moves_lost,
)
from rl_toolkit.players import Player, make_engine, make_player
from rl_toolkit.players.advisers import REVIEW_SECONDS, as_reviewer, reviewer, usual_limit
from rl_toolkit.records import GameRecord, RecordError, csv_text, write_games
from rl_toolkit.records.tree import GameTree
from rl_toolkit.utils import counted

_SIDES = {"x": 1, "o": -1}
#: How games that somebody played here name this person.
_OWN = ("human", "you")


@click.command(short_help="Say what every move lost, and what was better.")
@file_argument
@moves_of_option
@number_option
@click.option("--engine", type=ENGINE, help="Engine or level. Default: the best for the game.")
@click.option("--time", type=SECONDS, help="Seconds for each move.")
@click.option(
    "--output", "-o", type=FILE, help="Write the game with glyphs and comments to this file."
)
@click.option(
    "--side",
    type=click.Choice(list(_SIDES)),
    default=None,
    show_default=False,
    help="Your side: its mistakes become puzzles. Default: the side that is named human or You.",
)
@library_option
@json_option("one line of JSON, for programs")
@csv_option("one row of CSV for each move")
@examples(
    "rl-toolkit game review game.json",
    "rl-toolkit game review game.sgf -o reviewed.sgf",
    "rl-toolkit game review match.jsonl --number 3",
    "rl-toolkit game review game.json --time 2",
    "rl-toolkit game review match.jsonl --number 3 --side o",
    "echo f5f6e6f4 | rl-toolkit game review - --game reversi --json",
)
def review(
    file: Path,
    game: str | None,
    number: int | None,
    engine: str | None,
    time: float | None,
    output: Path | None,
    side: str | None,
    library: Path | None,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Review a game: what every move lost, and which move was better.

    Where the game can be solved the review is exact; elsewhere it is an estimate, and says so.
    Reversi is counted in discs. A loss that a move hastened and a win that it delayed are counted
    in moves of the winner. A file may have many games: --number says which one. --output writes the
    game with a glyph and a comment on every move that lost something, as the suffix says.

    Your own mistakes become puzzles where that is proven: `puzzle mine` asks them. They are kept in
    the library. --json and --csv make none.
    """
    record, screen = pick(read_file(file, game), number, file), Screen()
    env = record.replay()
    if len(env.history) == record.opening:
        raise refuse("no player made a move, so there is nothing to review")
    player = reviewer_of(env, engine)
    limit = Limit(time=time).or_else(usual_limit(player, REVIEW_SECONDS))
    reviewed = review_with(env, player, screen, Interrupts(), limit, record.opening)
    if output is not None:
        with report_errors(RecordError):
            write_games(output, [annotated(record, player, reviewed, env.traits)])
    if as_json:
        screen.json({**_review_data(env, player, reviewed), "opening": record.opening})
        return
    if as_csv:
        rows = _review_data(env, player, reviewed)["moves"]
        listed = [{**row, "best": " ".join(row["best"])} for row in rows]
        sys.stdout.write(csv_text(list(listed[0]), listed) if listed else "")
        return
    if record.opening:
        opening = counted(record.opening, "move")
        screen.say(f"The opening of {opening} is not reviewed: no player chose it.", "dim")
    screen.say(_review_table(reviewed, env.traits))
    resigned = -record.result if record.ended_by == "resignation" and record.result else None
    for line in review_lines(reviewed, env.traits, resigned):
        screen.say(line)
    own = _own_sides(record) if side is None else {_SIDES[side]}
    costly = {move.player for move in reviewed.moves if cost_of(move, env.traits)}
    if own & costly and not record.start:
        _make_puzzles(record, own & costly, library, screen)


def _own_sides(record: GameRecord) -> set[int]:
    """The sides that a person played here, as pages and the terminal name them."""
    names = zip((1, -1), record.players, strict=True)
    return {side for side, name in names if name.strip().lower() in _OWN}


def _make_puzzles(
    record: GameRecord, sides: set[int], library: Path | None, screen: Screen
) -> None:
    """Keep the puzzles in the mistakes of ``sides``; say how many are new, and why not more."""
    from rl_toolkit.library import LibraryError
    from rl_toolkit.puzzles import MistakeFinder, NoPuzzlesError, PuzzleStore

    try:
        found = MistakeFinder(record.game).in_game(record.moves, sides)
    except NoPuzzlesError:
        return
    added = 0
    if found.puzzles:
        with report_errors(LibraryError), PuzzleStore(library) as store:
            added = store.keep(found.puzzles, datetime.now().timestamp())
    if added:
        screen.say(f"{counted(added, 'new puzzle')} from your mistakes: puzzle mine.")
    elif found.puzzles:
        screen.tell("The puzzles from your mistakes are in your library already.", "dim")
    for sentence in found.sentences:
        screen.tell(sentence, "dim")


def annotated(
    record: GameRecord,
    player: Player,
    reviewed: Review,
    traits: GameTraits,
    *,
    comments: bool = True,
) -> GameRecord:
    """The record with the review in its tree; glyphs that a person gave stay."""
    tree = GameTree(record)
    played, positions = tree.game, list(record.positions())
    for move in reviewed.moves:
        node, cost = played[move.number - 1], cost_of(move, traits)
        judgement = "blunder" if move.threw_away else "mistake" if cost else "good"
        entry = {
            "engine": player.spec.text,
            "judgement": judgement,
            "best": list(move.best),
            "before": move.before,
            "after": move.after,
            "value_lost": move.value_lost / 2,
        }
        lesson = None if judgement == "good" else lesson_of(positions[move.number - 1], move.move)
        if lesson:
            entry["lesson"] = lesson
        glyph = {"blunder": "??", "mistake": "?!"}.get(judgement, "")
        node.note = replace(node.note, glyph=node.note.glyph or glyph, review=entry)
        sentence = " ".join(filter(None, (f"{cost}." if cost else "", better_than(move, traits))))
        told = sentence[:1].upper() + sentence[1:]
        if comments and told not in node.comment:
            node.comment = "\n".join(filter(None, (node.comment, told)))
    return tree.record()


def reviewer_of(env: BaseGameEnv, engine: str | None) -> Player:
    """The engine that reviews, the best for the game unless one is named."""
    if engine is None:
        return reviewer(env) or make_engine("minimax")
    with report_errors():
        return as_reviewer(make_player(env.name, engine))


def _review_table(reviewed: Review, traits: GameTraits) -> Table:
    """A row for each move: what it lost, whether that is proven, and what was better."""
    table = plain_table("move", "", "lost", "better", numbers=("lost",))
    for move in reviewed.moves:
        lost = _lost(move, traits)
        better = " ".join(move.best) if lost else ""
        style = "red" if move.threw_away else "" if lost else "dim"
        table.add_row(f"{move.number}. {SIDES[move.player]}", move.name, lost, better, style=style)
    return table


def _lost(move: MoveReview, traits: GameTraits) -> str:
    """``12``, ``≈ 5``, or how the result changed: ``win → draw``; empty for a good move.

    ``loss in 16 → 2`` is the same result after fewer of the winner's moves.
    """
    if (discs := discs_lost(move, traits)) is not None:
        return f"{'' if move.score_proven else '≈ '}{discs}" if discs else ""
    if move.threw_away:
        return f"{move.before} → {move.after}"
    if (moves := moves_lost(move, traits)) is not None:
        return f"{move.after} in {moves[0]} → {moves[1]}"
    if traits.score_unit:  # the winner is known, the margin is not
        return "" if move.is_best else "?"
    return f"≈ {50 * move.value_lost:.0f} %" if cost_of(move, traits) else ""


def _review_data(env: BaseGameEnv, player: Player, reviewed: Review) -> dict[str, Any]:
    """The review as plain data; what ``/api/review`` also has has the same key and unit."""
    unit = env.traits.score_unit
    sides = {side.lower(): number for number, side in SIDES.items()}
    shares = {side: reviewed.accuracy(number) for side, number in sides.items()}
    course = course_of(reviewed.moves, env.traits)
    return {
        "game": env.name,
        "engine": player.spec.text,
        "units": {
            "accuracy": "per cent",
            "value_lost": "expected result, 0 to 1",
            "value_at_stake": "expected result, 0 to 1",
            "score": f"{unit}s" if unit else None,
            "moves_before": "moves of the winner",
            "moves_after": "moves of the winner",
        },
        "accuracy": {
            side: None if share is None else 100 * share for side, share in shares.items()
        },
        "accuracy_proven": {
            side: reviewed.accuracy_is_proven(number) for side, number in sides.items()
        },
        "course": None if course is None else asdict(course) | {"text": course.text},
        "moves": [_move_data(reviewed, move, env.traits) for move in reviewed.moves],
        "sides": {
            side: {
                "score_lost": reviewed.score_lost(number, proven=True),
                "score_lost_by_estimate": reviewed.score_lost(number, proven=False),
                "costliest": getattr(reviewed.costliest(number), "number", None),
            }
            for side, number in sides.items()
        },
    }


def _move_data(reviewed: Review, move: MoveReview, traits: GameTraits) -> dict[str, Any]:
    data = asdict(move) | {"best": list(move.best)}
    played, accuracy = move.played_candidate, reviewed.accuracy_of(move)
    best_moves, played_moves = moves_lost(move, traits) or (None, None)
    del data["best_candidate"], data["played_candidate"]
    return data | {
        "score_proven": None if move.score_lost is None else move.score_proven,
        "score_lost": move.score_lost,
        "value_lost": move.value_lost / 2,
        "value_at_stake": move.value_at_stake / 2,
        "moves_before": best_moves,
        "moves_after": played_moves,
        "accuracy": None if accuracy is None else 100 * accuracy,
        "text": None if played is None else words_for(traits).full(played, move.player),
        "cost": cost_of(move, traits),
        "better": better_than(move, traits),
    }
