"""``scorecard``: what an engine can do, in every game it plays, on one card."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import make_executor, refuse
from rl_toolkit.cli.long_runs import check_writable, measuring, tell_work
from rl_toolkit.cli.options import examples, json_option, worker_options
from rl_toolkit.cli.param_types import ENGINE, FILE, GAME
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.records import position_from_text
from rl_toolkit.utils import percent, write_text_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rl_toolkit.arena import Rate
    from rl_toolkit.arena.scorecard import GameCard, ShownPosition

#: Columns of the terminal for one board.
_BOARD = 34


@click.command()
@click.argument("engine", type=ENGINE)
@click.option(
    "--game",
    "games",
    type=GAME,
    multiple=True,
    help="Measure this game; may be repeated. Default: all that the engine plays.",
)
@click.option(
    "--quick", is_flag=True, help="Measure less: about 100 positions and 16 games in each game."
)
@click.option("--html", type=FILE, help="Write the card with boards here, as one HTML file.")
@click.option("--save", type=FILE, help="A folder for answers and games; a run resumes from it.")
@worker_options
@json_option("one line of JSON, for programs")
@examples(
    "rl-toolkit scorecard hard --quick",
    "rl-toolkit scorecard my_bot.py --game connect-four --html card.html",
    "rl-toolkit scorecard runs/my_training --game gomoku-9 --workers 2",
    "rl-toolkit scorecard mcts:simulations=1000 --save card --json",
)
def scorecard(
    engine: str,
    games: tuple[str, ...],
    quick: bool,
    html: Path | None,
    save: Path | None,
    as_json: bool,
    **workers: Any,
) -> None:
    """Show on one card what ENGINE can do, in every game it plays.

    ENGINE is a level, an engine with options, a bot in a file, or a network: a file of weights or
    the folder of a training run. The card has its accuracy against exact play by stage of the game,
    the forced wins it finds, a rating from games against levels, its speed, and the positions where
    it was strongest and weakest.
    """
    from rl_toolkit.arena.scorecard import (
        FULL,
        QUICK,
        Scorecard,
        check_plays,
        games_of,
        measure,
        spec_of,
    )
    from rl_toolkit.arena.scorecard.card_html import card_html

    screen = Screen()
    check_writable("--html", html)
    if save is not None and save.exists() and not save.is_dir():
        raise refuse(f"--save {save} must be a folder")
    kept = None if save is None else f"answers and games are in {save}"
    cards: list[GameCard] = []
    with measuring(screen, kept):
        spec = spec_of(engine)
        for game in games:
            check_plays(game, spec)
        chosen = games or games_of(spec)
        executor = make_executor(**workers)
        for number, game in enumerate(chosen, 1):
            place = f"{game} ({number} of {len(chosen)})"
            with ProgressReporter(screen) as progress:

                def show(step: str, done: int, total: int, here: str = place) -> None:
                    progress.update(f"{here}: {step}", done, total)

                measured = measure(
                    game,
                    spec,
                    QUICK if quick else FULL,
                    executor=executor,
                    on_progress=show,
                    on_news=screen.tell,
                    save=save,
                )
            cards.append(measured)
            if not as_json:
                _show_game(engine, measured, screen)
        card = Scorecard(engine, quick, cards)
        if html is not None:
            write_text_atomically(html, card_html(card))
            screen.tell(f"The card is in {html}.")
    if as_json:
        screen.json({**card.to_dict(), "work": executor.account.to_dict()})
    else:
        if quick:
            screen.say("Measured quickly: the intervals are wide.", "dim")
        tell_work(screen, executor.account)


def _show_game(engine: str, card: GameCard, screen: Screen) -> None:
    """Write the card of a game as soon as it is there."""
    from rl_toolkit.arena.scorecard import interval_text, length_text, rating_text, scale_text

    screen.say(f"{engine} on {card.game}", "bold")
    if card.problem:
        screen.say(f"Measuring ended early: {card.problem}", "yellow")
    table = plain_table("", "right", "share", "95 % interval", numbers=("right", "share"))
    if card.grade is not None:
        for stage, marks in {**card.grade.by_stage, "all": card.grade.overall}.items():
            _add(table, f"where it matters, {stage}", marks.matters, screen)
        _add(table, "keeps the result, all", card.grade.overall.keeps, screen)
        _add(table, "exactly best, all", card.grade.overall.best, screen)
    for length, rate in card.tactics.items():
        _add(table, f"forced win found: {length_text(length)}", rate, screen)
    if table.row_count:
        screen.say(table)
    if card.rating is not None:
        scores = ", ".join(
            f"{each.name} {each.points:g}/{each.games}" for each in card.rating.opponents
        )
        screen.say(
            f"Rating {rating_text(card.rating)} Elo above random "
            f"({interval_text(card.rating.interval)}). "
            f"{scale_text(card.rating)} {scores}."
        )
    if card.speed is not None:
        screen.say(
            f"{1000 * card.speed.mean:.1f} ms for a move, half of them within "
            f"{1000 * card.speed.median:.1f} ms, the slowest {1000 * card.speed.slowest:.0f} ms."
        )
    for note in card.notes:
        screen.say(f"{note[0].upper()}{note[1:]}.", "dim")
    _show_boards("Strongest", card.strongest, screen)
    _show_boards("Weakest", card.weakest, screen)
    screen.say()


def _add(table: Any, name: str, rate: Rate, screen: Screen) -> None:
    if rate.of:
        low, high = rate.interval
        ends = screen.fit(f"{100 * low:.0f}–{100 * high:.0f} %")
        table.add_row(name, f"{rate.right}/{rate.of}", percent(rate.share), ends)


def _show_boards(title: str, shown: Sequence[ShownPosition], screen: Screen) -> None:
    """Boards side by side where there is room, each under its sentence."""
    from rich.table import Table

    if not shown:
        return
    screen.say()
    screen.say(f"{title} positions", "bold")
    fitting = max(1, screen.width // _BOARD)
    for start in range(0, len(shown), fitting):
        some = shown[start : start + fitting]
        grid = Table.grid(padding=(0, 2))
        for _ in some:
            grid.add_column(width=_BOARD - 2)
        grid.add_row(*(screen.fit(each.sentence) for each in some))
        boards = (position_from_text(each.game, each.position) for each in some)
        grid.add_row(*(draw_board(env, _BOARD - 2) for env in boards))
        screen.say(grid)
