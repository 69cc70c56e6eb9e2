"""``match``: two engines against each other, with the score so far and then the result.

Exit codes of a sequential test (``--sprt``): 0 if H1 is accepted, `ACCEPTED_H0` or `UNDECIDED`.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import make_executor, refuse
from rl_toolkit.cli.commands.measure.arbiter_options import arbiter_options, arbitration
from rl_toolkit.cli.library_options import Keeper, keep_options
from rl_toolkit.cli.long_runs import (
    if_changed_option,
    measuring,
    tell_sandbox,
    tell_work,
)
from rl_toolkit.cli.options import csv_option, examples, json_option, seed_option, worker_options
from rl_toolkit.cli.param_types import ENGINE, FILE, GAME, DecimalNumber, GameFirst, WholeNumber
from rl_toolkit.cli.ui.progress import ProgressReporter
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.records import csv_of_games
from rl_toolkit.utils import elo, percent
from rl_toolkit.utils.executors import WorkAccount

if TYPE_CHECKING:
    from rl_toolkit.arena import MatchResult, Sprt, SprtResult
    from rl_toolkit.arena.runs import IfChanged
    from rl_toolkit.utils.executors import AccountingExecutor

#: Exit codes of a sequential test that does not accept H1.
ACCEPTED_H0, UNDECIDED = 3, 4
#: The games of a sequential test, if it does not stop before.
MOST_GAMES = 20_000
#: Seconds between two looks at the score, which takes longer the more games there are.
_LOOK = 0.2


@click.command(cls=GameFirst)
@click.argument("game", type=GAME)
@click.argument("engine", type=ENGINE)
@click.argument("opponent", metavar="ENGINE", type=ENGINE)
@click.option(
    "--games",
    type=WholeNumber(2),
    help="An even number: each opening is played twice. Default: 100; with --sprt at most 20,000.",
)
@click.option(
    "--sprt",
    metavar="ELO0,ELO1",
    help="Stop as soon as a sequential test accepts H0 (ELO0 stronger) or H1 (ELO1 stronger).",
)
@click.option(
    "--alpha",
    type=DecimalNumber(above=0, below=0.5),
    help="With --sprt: the chance to accept H1 by mistake. Default: 0.05.",
)
@click.option(
    "--beta",
    type=DecimalNumber(above=0, below=0.5),
    help="With --sprt: the chance to accept H0 by mistake. Default: 0.05.",
)
@arbiter_options
@seed_option
@click.option("--save", type=FILE, help="Save the games here; an interrupted run resumes.")
@if_changed_option
@keep_options
@worker_options
@json_option("one line of JSON, for programs")
@csv_option("one row of CSV for each game")
@examples(
    "rl-toolkit match connect-four hard medium",
    "rl-toolkit match connect-four mcts:simulations=2000 hard --games 40",
    "rl-toolkit match reversi medium easy --games 20 --openings random:8",
    "rl-toolkit match gomoku-9 expert mcts --games 200 --save match.jsonl --workers 4",
    "rl-toolkit match connect-four new_bot.py old_bot.py --sprt 0,10 --save test.jsonl",
    "rl-toolkit match connect-four mcts minimax --clock 10+0.1 --openings balanced --adjudicate 8",
)
def match(
    game: str,
    engine: str,
    opponent: str,
    games: int | None,
    sprt: str | None,
    alpha: float | None,
    beta: float | None,
    openings: str,
    opening_plies: int | None,
    clock: str | None,
    limit: str | None,
    adjudicate: int,
    seed: int,
    save: Path | None,
    if_changed: IfChanged,
    keep: bool,
    library: Path | None,
    as_json: bool,
    as_csv: bool,
    **workers: Any,
) -> None:
    """Let two engines play GAME against each other, with paired openings and colours swapped.

    Each opening is played twice, with either engine moving first, and the confidence interval
    counts pairs. With --save the games are saved as they are played, one line of JSON for each
    pair: after Ctrl-C or a crash, run the same command to resume. An engine that raises an error or
    plays an illegal move loses that game, and the match continues. An error in the code of the game
    ends it; the games before it count.

    With --sprt 0,10 the match stops by itself: H1 says that the first engine is 10 Elo stronger
    than the second, H0 that it is not stronger. Each is accepted by mistake with a chance of 5 %,
    or of --alpha and --beta. A pair that engines without randomness play again does not count. The
    exit code is 0 if H1 is accepted, 3 if H0 is, and 4 if the games do not suffice or only repeat.
    """
    from rl_toolkit.arena import Match, SprtResult, play_match, play_sprt

    games = games or (100 if sprt is None else MOST_GAMES)
    if games % 2:
        raise refuse(f"--games must be even (each opening is played twice), not {games}")
    if sprt is None and (alpha is not None or beta is not None):
        raise refuse("--alpha and --beta are the chances of mistakes of --sprt")
    screen, kept = Screen(), f"The games played are in {save}" if save else None
    keeper = Keeper(keep, library, screen)
    latest: MatchResult | SprtResult | None = None
    executor: AccountingExecutor | None = None
    looked, score = 0.0, ""

    def show_score(result: MatchResult) -> None:
        nonlocal latest, looked, score
        latest = result
        if time.monotonic() - looked > _LOOK or result.complete:
            share = f"{percent(result.share)} for {engine}" if result.games else ""
            looked, score = time.monotonic(), share
        progress.update("games", result.tried, games, score)

    def show_test(result: SprtResult) -> None:
        nonlocal latest
        latest = result
        progress.update("games at most", result.played, games, _llr_text(result))

    def show() -> None:
        if latest is not None and executor is not None:
            _show(latest, screen, as_json, as_csv, executor.account)
            _keep(latest, keeper)

    with measuring(screen, kept, on_stop=show):
        test = None if sprt is None else _hypotheses(sprt, alpha, beta)
        terms = arbitration(game, openings, opening_plies, clock, limit, adjudicate)
        plan = Match(game, (engine, opponent), games // 2, seed=seed, **terms)
        executor = make_executor(**workers)
        tell_sandbox(screen, (engine, opponent))
        rest: dict[str, Any] = {
            "executor": executor,
            "on_news": screen.tell,
            "save": save,
            "if_changed": if_changed,
        }
        with ProgressReporter(screen) as progress:
            if test is None:
                latest = play_match(plan, on_pair=show_score, **rest)
            else:
                latest = play_sprt(plan, test, on_pair=show_test, **rest)
    show()
    if isinstance(latest, SprtResult) and latest.decision != "H1":
        raise click.exceptions.Exit(ACCEPTED_H0 if latest.decision == "H0" else UNDECIDED)


def _keep(shown: MatchResult | SprtResult, keeper: Keeper) -> None:
    """Save the games in the library; those of a match that is resumed are saved once."""
    result = shown if not hasattr(shown, "result") else shown.result
    match = result.match
    one, other = match.engines
    event = f"match {one} against {other}, seed {match.seed}"
    keeper.run(lambda: [game.record(match) for game in result.games], event, "match")


def _hypotheses(text: str, alpha: float | None, beta: float | None) -> Sprt:
    """The test that ``0,10`` asks for, with the usual chances of mistakes unless they are given."""
    from rl_toolkit.arena import Sprt

    try:
        elo0, elo1 = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"--sprt takes two Elo differences such as 0,10, not {text!r}") from None
    chances = {"alpha": alpha, "beta": beta}
    return Sprt(elo0, elo1, **{name: each for name, each in chances.items() if each is not None})


def _show(
    shown: MatchResult | SprtResult,
    screen: Screen,
    as_json: bool,
    as_csv: bool,
    work: WorkAccount,
) -> None:
    if as_json:
        screen.json({**shown.to_dict(), "work": work.to_dict()})
        return
    _show_result(shown, screen, as_csv)
    tell_work(screen, work)


def _show_result(shown: MatchResult | SprtResult, screen: Screen, as_csv: bool) -> None:
    from rl_toolkit.arena import SprtResult

    test = shown if isinstance(shown, SprtResult) else None
    result = shown.result if isinstance(shown, SprtResult) else shown
    if as_csv:
        sys.stdout.write(csv_of_games([game.record(result.match) for game in result.games]))
        return
    match, (name, other) = result.match, result.match.engines
    played = f"{len(result.games)} games"
    if not shown.complete:
        played = f"{len(result.games)} of {2 * match.pairs} games"
    missing = f"; {result.not_played}" if result.not_played else ""
    words = result.opening_words
    screen.say(f"{name} against {other} on {match.game}, {played}: {words}{missing}", "bold")
    if result.opening_remark:
        screen.say(result.opening_remark, "yellow")
    if result.games:
        _show_score(result, screen)
    if test is not None:
        _show_test(test, screen)
    mine, theirs = (f"{1000 * seconds:.1f} ms" for seconds in result.seconds_per_move())
    screen.say(f"Time per move: {mine} against {theirs}. Seed {match.seed}.", "dim")
    for remark in result.remarks():
        screen.say(remark, "yellow")
    if result.repeated:
        screen.say(
            f"Only {result.distinct} of the {len(result.games)} games differ, so the interval is "
            "too narrow; more openings make games differ.",
            "yellow",
        )


def _show_score(result: MatchResult, screen: Screen) -> None:
    """The games won, drawn and lost by the first engine, and its score."""
    name = result.match.engines[0]
    table = plain_table(f"{name} moves", "won", "drawn", "lost")
    for order, first in (("first", 0), ("second", 1), ("both", None)):
        table.add_row(order, *(str(result.count(end, first)) for end in (1, 0, -1)))
    screen.say(table)
    low, high = result.interval
    screen.say(
        f"{name} scores {percent(result.share)} (95 % interval by pairs: {percent(low)} to "
        f"{percent(high)}), {_elo_text(result.share, low, high)}."
    )


def _llr_text(test: SprtResult) -> str:
    """``LLR +1.20 (-2.94 to 2.94)``."""
    return f"LLR {test.llr:+.2f} ({test.sprt.lower:.2f} to {test.sprt.upper:.2f})"


def _show_test(test: SprtResult, screen: Screen) -> None:
    """The numbers of pairs, the ratio, and the verdict."""
    elo0, elo1 = (f"{elo:+g} Elo" for elo in (test.sprt.elo0, test.sprt.elo1))
    name = test.result.match.engines[0]
    results = ("0", "½", "1", "1½", "2")
    counts = ", ".join(f"{n} × {points}" for points, n in zip(results, test.pairs, strict=True))
    screen.say(f"Points of {name} in pairs of games: {counts}.")
    screen.say(f"{_llr_text(test)} for {elo1} (H1) against {elo0} (H0).")
    if test.repeated:
        screen.say(f"{test.repeated} more pairs repeat earlier ones and do not count.", "yellow")
    if test.stalled:
        screen.say(
            "No decision: the engines only repeat their games; more openings make games differ.",
            "yellow",
        )
    elif test.decision is None:
        screen.say("No decision yet: more games are needed.", "yellow")
    else:
        claim = elo1 if test.decision == "H1" else elo0
        screen.say(f"{test.decision} is accepted: {claim} for {name} fits better.", "bold")


def _elo_text(share: float, low: float, high: float) -> str:
    """``+120 Elo``; where one side won every game, the end of the 95 % interval.

    >>> _elo_text(0.5, 0.4, 0.6), _elo_text(1.0, 0.9, 1.0)
    ('+0 Elo', 'all games won: at least +382 Elo')
    >>> _elo_text(1.0, 0.17, 1.0)
    'all games won, but too few to tell who is stronger'
    """
    if share in (0, 1) and low <= 0.5 <= high:
        return f"all games {'won' if share else 'lost'}, but too few to tell who is stronger"
    if share >= 1:
        return f"all games won: at least {elo(low):+.0f} Elo"
    if share <= 0:
        return f"all games lost: at most {elo(high):+.0f} Elo"
    return f"{elo(share):+.0f} Elo".replace("-0 ", "+0 ")
