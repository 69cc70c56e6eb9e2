"""``library search | show | explore | stats``: questions that change nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import refuse, report_errors
from rl_toolkit.cli.library_options import (
    filter_of,
    filter_options,
    game_option,
    library_option,
    opened,
)
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.param_types import COUNT, GAME, NATURAL
from rl_toolkit.cli.saved_games import RESULTS, position_of
from rl_toolkit.cli.ui.ascii import numbered_turns
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import Column, fitting, left_out, plain_table
from rl_toolkit.utils import counted, listed, percent

if TYPE_CHECKING:
    from rl_toolkit.envs import BaseGameEnv
    from rl_toolkit.library import Explored, GameHead, MoveCount, Page

#: Seconds for the value of the moves.
_PATIENCE = 3.0
#: Columns of the terminal to which names of players and of events may be cut.
_NARROWEST_NAME, _NARROWEST_EVENT = 8, 12


@click.command(short_help="Games by player, result, date, event, tag, position or pattern.")
@game_option
@filter_options
@click.option("--position", metavar="TEXT", help="Only games that have this position.")
@click.option("--pattern", metavar="TEXT", help="Only games that come to have these cells.")
@click.option("--limit", type=COUNT, default=20, help="How many games to list.")
@click.option("--skip", type=NATURAL, default=0, help="How many to leave out before these.")
@library_option
@json_option("one line of JSON for each game")
@examples(
    "rl-toolkit library search",
    "rl-toolkit library search --player Ada --opponent Max --result won",
    "rl-toolkit library search --game reversi --position f5d6c3",
    "rl-toolkit library search --game gomoku --pattern '*/*/???xxx' --since 2001 --until 2005",
)
def search(
    position: str | None,
    pattern: str | None,
    limit: int,
    skip: int,
    library: Path | None,
    as_json: bool,
    **given: Any,
) -> None:
    """List the games that fit, the newest first.

    A position is written as for `analyse`: moves or a board; --game says of which game. Mirror
    images and other orders of moves are found, too. A pattern is a board (rows from the top,
    separated by /) of x, o, . for a free cell, ? for any cell, and * for the rest of a row; rows
    that are missing may be anything. Every cell is where it is, or mirrored; shapes are not moved.
    """
    from rl_toolkit.library import Pattern

    screen, where = Screen(), filter_of(given)
    if (position is not None or pattern is not None) and not where.game:
        raise refuse("--position and --pattern need --game, the name of the game")
    env = None if position is None else position_of(where.game, position)
    with report_errors():
        shape = None if pattern is None else Pattern.read(where.game, pattern)
    with opened(library) as found:
        page = found.search(where, position=env, pattern=shape, limit=limit, skip=skip)
    if as_json:
        for k, head in enumerate(page.heads):
            ply = {"ply": page.plies[k]} if page.plies else {}
            screen.json({**head.to_dict(), **ply})
        return
    _show_page(page, skip, screen)


def _show_page(page: Page, skip: int, screen: Screen) -> None:
    if not page.heads:
        screen.say("There is no such game." if not page.total else "There are no more games.")
        return
    heads = page.heads
    columns = [
        Column("game", [str(head.id) for head in heads]),
        Column("", [head.game for head in heads]),
        Column("X", [head.players[0] or "?" for head in heads], narrowest=_NARROWEST_NAME),
        Column("O", [head.players[1] or "?" for head in heads], narrowest=_NARROWEST_NAME),
        Column("result", [RESULTS[head.result] for head in heads]),
        Column("moves", [str(head.plies) for head in heads], 2),
        Column("at move", [str(ply) for ply in page.plies], 1),
        Column("date", [head.date for head in heads], 1),
        Column("event", [_event(head) for head in heads], 3, _NARROWEST_EVENT),
    ]
    columns = [column for column in columns if any(column.cells)]
    shown = fitting(columns, screen.width)
    table = plain_table(*(each.head for each in shown), numbers=("game", "moves", "at move"))
    for there, column in zip(table.columns, shown, strict=True):
        there.no_wrap = column.narrowest is None
    for cells in zip(*(column.cells for column in shown), strict=True):
        table.add_row(*map(screen.one_line, cells))  # long names and events are cut
    screen.say(table)
    if missing := left_out(columns, shown):
        screen.tell(missing, "dim")
    screen.left_out(page.total - skip - len(page.heads), " (--limit and --skip show more)")


def _event(head: GameHead) -> str:
    tags = f"[{', '.join(head.tags)}] " if head.tags else ""
    return f"{tags}{head.event}"


@click.command(short_help="A game with its board and its moves.")
@click.argument("number", type=COUNT)
@click.option("--ply", type=NATURAL, metavar="N", help="Show the board after N moves.")
@library_option
@json_option("the game as JSON, as in a file")
@examples("rl-toolkit library show 12", "rl-toolkit library show 12 --ply 20")
def show(number: int, ply: int | None, library: Path | None, as_json: bool) -> None:
    """Show game NUMBER of the library: players, result, board and moves."""
    screen = Screen()
    with opened(library) as found:
        record, head, twins = found.record(number), found.head(number), found.twins(number)
    if as_json:
        screen.json({**json.loads(record.to_json()), "id": number, "tags": list(head.tags)})
        return
    positions = list(record.positions())
    if ply is not None and ply >= len(positions):
        raise refuse(f"the game has {len(record.moves)} moves, so there is no ply {ply}")
    x, o = (name or "unknown" for name in record.players)
    ended = f" ({record.ended_by})" if record.ended_by else ""
    screen.say(
        f"Game {number}: {record.game} · X: {x} · O: {o} · {RESULTS[record.result]}{ended}", "bold"
    )
    event = {"event": head.event} if head.event else {}
    for name, value in {**event, **record.headers}.items():
        screen.say(f"{name}: {value}", "dim")
    if head.tags:
        screen.say(f"tags: {', '.join(head.tags)}", "dim")
    screen.say(draw_board(positions[-1 if ply is None else ply], screen.width))
    names = positions[0].line_names(record.moves)
    screen.say(numbered_turns(names) or "No move was played.")
    for after, text in record.comments.items():
        screen.say(f"After move {after}: {text}" if after else f"At the start: {text}")
    if twins:
        same = listed([str(twin) for twin in twins[:10]], "and")
        screen.say(f"The same moves, or a mirror image of them: {same}.", "dim")


@click.command(short_help="What was played in a position, and how it ended.")
@click.argument("game", type=GAME)
@click.argument("position", default="")
@filter_options
@click.option(
    "--value/--no-value",
    default=True,
    help="Show what each move is worth, where an exact engine or a book knows it at once.",
)
@library_option
@json_option()
@examples(
    "rl-toolkit library explore reversi",
    "rl-toolkit library explore reversi f5d6 --since 2001",
    "rl-toolkit library explore connect-four 44 --engine hard",
    "rl-toolkit library explore gomoku h8 --mine",
)
def explore(
    game: str, position: str, value: bool, library: Path | None, as_json: bool, **given: Any
) -> None:
    """List each move that was played in a position, with the number of games and their results.

    Games that reach the position by other moves, or mirrored, count, too; moves that are mirror
    images of each other are one row. The rating is the mean rating of those who played the move.
    """
    screen, where = Screen(), filter_of({**given, "game": game})
    env = position_of(game, position)
    with opened(library) as found:
        explored = found.explore(env, where=where)
    values = _values(env) if value and explored.moves else {}
    if as_json:
        answer = explored.to_dict()
        for row, move in zip(answer["moves"], explored.moves, strict=True):
            row["value"] = _worth(move, values)
        screen.json(answer)
        return
    _show_explored(env, explored, values, screen)


def _show_explored(
    env: BaseGameEnv, explored: Explored, values: dict[int, str], screen: Screen
) -> None:
    screen.say(draw_board(env, screen.width))
    first, second = env.traits.pieces
    if not explored.games:
        screen.say("No game of the library has this position.")
        return
    undecided = explored.games - explored.x_won - explored.drawn - explored.o_won
    unfinished = f", {undecided:,} undecided" if undecided else ""
    screen.say(
        f"{counted(explored.games, 'game')}: {first} won {explored.x_won:,}, "
        f"{explored.drawn:,} drawn, {second} won {explored.o_won:,}{unfinished}",
        "bold",
    )
    columns = ["move", "games", f"{first}\nwon", "drawn", f"{second}\nwon", f"points\nof {first}"]
    has_rating = any(move.rating is not None for move in explored.moves)
    has_date = any(move.last for move in explored.moves)
    columns += ["rating"] * has_rating + ["last"] * has_date + ["value"] * bool(values)
    table = plain_table(*columns, numbers=("games", *columns[2:6], "rating"))
    for move in explored.moves:
        score = "" if move.score is None else percent(move.score)
        cells = [move.name, f"{move.games:,}", f"{move.x_won:,}", f"{move.drawn:,}"]
        cells += [f"{move.o_won:,}", score]
        if has_rating:
            cells.append("" if move.rating is None else f"{move.rating:.0f}")
        if has_date:
            cells.append(move.last or "")
        if values:
            cells.append(_worth(move, values) or "?")
        table.add_row(*cells)
    screen.say(table)
    if explored.ended:
        verb = "ends" if explored.ended == 1 else "end"
        screen.say(f"{counted(explored.ended, 'game')} {verb} here.", "dim")


def _worth(row: MoveCount, values: dict[int, str]) -> str | None:
    """The value of one of the mirror images that a row joins."""
    return next((values[move] for move in row.same if move in values), None)


def _values(env: BaseGameEnv) -> dict[int, str]:
    """What each move is worth, in words: by an engine that proves it quickly, or by the book."""
    from rl_toolkit.algorithms import book_page
    from rl_toolkit.analysis import Analysis, Limit, words_for
    from rl_toolkit.players import make_engine
    from rl_toolkit.players.advisers import exact_spec

    if env.is_terminal():
        return {}
    spec = exact_spec(env)
    if spec is not None:
        analysis = make_engine(spec).analyse(env, Limit(time=_PATIENCE))
        known = [each for each in analysis.candidates if each.proven]
    else:
        page = book_page(env)
        if page is None:
            return {}
        known = list(page.candidates)
        analysis = Analysis.of(env, "book", known)
    words = words_for(env, analysis)
    return {each.move: each.note or words.short(each) for each in known}


@click.command(short_help="How many games there are, of what, and how they ended.")
@game_option
@filter_options
@library_option
@json_option("one line of JSON for each game")
@examples("rl-toolkit library stats", "rl-toolkit library stats --player Ada")
def stats(library: Path | None, as_json: bool, **given: Any) -> None:
    """Count the games of the library: how many of each name, and how they ended."""
    screen, where = Screen(), filter_of(given)
    with opened(library) as found:
        kinds, events, path = found.stats(where), found.events(), found.path
    if as_json:
        for kind in kinds:
            screen.json(kind.to_dict())
        return
    total = sum(kind.games for kind in kinds)
    screen.say(f"{path}: {counted(total, 'game')}", "bold")
    if kinds:
        heads = ("games", "X won", "drawn", "O won", "moves")
        table = plain_table("", *heads, numbers=heads)
        for kind in kinds:
            counts = (kind.games, kind.x_won, kind.drawn, kind.o_won)
            table.add_row(kind.game, *(f"{count:,}" for count in counts), f"{kind.plies:.1f}")
        screen.say(table)
    if events and not where:
        table = plain_table("event", "from", "games", numbers=("games",))
        for name, origin, count in events[:10]:
            table.add_row(name or "–", origin, f"{count:,}")
        screen.say(table)
        screen.left_out(len(events) - 10)
