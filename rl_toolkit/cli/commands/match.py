"""``match``: two engines against each other, with the score so far and then the result."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import make_executor, refuse, report_errors
from rl_toolkit.cli.options import examples, game_option, json_option, seed_option, worker_options
from rl_toolkit.cli.param_types import ENGINE, FILE
from rl_toolkit.cli.ui.progress import ProgressReporter, resumable
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.utils.executors import LostTaskError
from rl_toolkit.utils.statistics import elo, percent

if TYPE_CHECKING:
    from rl_toolkit.arena.matches import MatchResult


@click.command()
@click.argument("engine", type=ENGINE)
@click.argument("opponent", metavar="ENGINE", type=ENGINE)
@game_option("connect-four")
@click.option(
    "--games",
    type=click.IntRange(min=2),
    default=100,
    help="An even number: each opening is played twice.",
)
@click.option(
    "--openings",
    default="random:4",
    help="random:K for K random moves, or start for the empty board.",
)
@seed_option
@click.option("--save", type=FILE, help="Save the games here; an interrupted run resumes.")
@worker_options
@json_option("one line of JSON, for programs")
@examples(
    "rl-toolkit match mcts:simulations=2000 hard --game connect-four --games 40",
    "rl-toolkit match medium easy --game reversi --games 20 --openings random:8",
    "rl-toolkit match expert mcts --game gomoku-9 --games 200 --save match.jsonl --workers 4",
)
def match(
    engine: str,
    opponent: str,
    game: str,
    games: int,
    openings: str,
    seed: int,
    save: Path | None,
    as_json: bool,
    **workers: Any,
) -> None:
    """Let two engines play each other, with paired openings and colours swapped.

    Each opening is played twice, with either engine moving first, and the confidence interval
    counts pairs. With --save the games are saved as they are played, one line of JSON for each
    pair: after Ctrl-C or a crash, run the same command to resume.
    """
    from rl_toolkit.arena.matches import Match, play_match

    if games % 2:
        raise refuse(f"--games must be even (each opening is played twice), not {games}")
    screen, kept = Screen(), f"The games played are in {save}" if save else None

    def show_score(result: MatchResult) -> None:
        score = f"{percent(result.share)} for {engine}"
        progress.update("games", len(result.games), games, score)

    with report_errors(LostTaskError), resumable(screen, kept):
        plan = Match(game, (engine, opponent), games // 2, _opening_plies(openings), seed)
        executor = make_executor(**workers)
        with ProgressReporter(screen) as progress:
            result = play_match(
                plan, executor=executor, on_pair=show_score, on_news=screen.tell, save=save
            )
    if as_json:
        screen.json(result.to_dict())
    else:
        _show(result, screen)


def _opening_plies(openings: str) -> int:
    """The number of random moves that ``random:K`` or ``start`` asks for."""
    found = re.fullmatch(r"random:([0-9]{1,3})|start", openings.strip().lower())
    if found is None:
        raise ValueError(f"openings are random:K or start, not {openings!r}")
    return int(found[1] or 0)


def _show(result: MatchResult, screen: Screen) -> None:
    match, (name, other) = result.match, result.match.engines
    screen.say(f"{name} against {other} on {match.game}, {len(result.games)} games", "bold")
    table = plain_table(f"{name} moves", "won", "drawn", "lost")
    for order, first in (("first", 0), ("second", 1), ("both", None)):
        table.add_row(order, *(str(result.count(end, first)) for end in (1, 0, -1)))
    screen.say(table)
    low, high = result.interval
    screen.say(
        f"{name} scores {percent(result.share)} (95 % interval by pairs: {percent(low)} to "
        f"{percent(high)}), {_elo_text(result.share, low, high)}."
    )
    mine, theirs = (f"{1000 * seconds:.1f} ms" for seconds in result.seconds_per_move())
    screen.say(f"Time per move: {mine} against {theirs}. Seed {match.seed}.", "dim")
    if result.distinct < len(result.games):
        screen.say(
            f"Only {result.distinct} of the {len(result.games)} games differ, so the interval is "
            "too narrow; longer openings make games differ.",
            "yellow",
        )


def _elo_text(share: float, low: float, high: float) -> str:
    """``+120 Elo``; where one side won every game, the end of the 95 % interval.

    >>> _elo_text(0.5, 0.4, 0.6), _elo_text(1.0, 0.9, 1.0)
    ('+0 Elo', 'all games won: at least +382 Elo')
    """
    if share >= 1:
        return f"all games won: at least {elo(low):+.0f} Elo"
    if share <= 0:
        return f"all games lost: at most {elo(high):+.0f} Elo"
    return f"{elo(share):+.0f} Elo".replace("-0 ", "+0 ")
