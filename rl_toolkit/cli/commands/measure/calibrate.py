"""``calibrate``: rate the levels of a game, until every rating is exact enough."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.arguments import failure, make_executor
from rl_toolkit.cli.long_runs import (
    check_different,
    check_writable,
    if_changed_option,
    measuring,
    tell_work,
)
from rl_toolkit.cli.options import examples, json_option, seed_option, worker_options
from rl_toolkit.cli.param_types import FILE, GAME, NATURAL, DecimalNumber
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import plain_table
from rl_toolkit.utils import write_text_atomically

if TYPE_CHECKING:
    from rl_toolkit.arena import CalibrationResult
    from rl_toolkit.arena.runs import IfChanged
    from rl_toolkit.players.levels import RatedLadder


@click.command()
@click.argument("game", type=GAME)
@click.option(
    "--save", type=FILE, help="Save the games here; an interrupted run resumes. Default: not saved."
)
@click.option("--output", type=FILE, help="Write the ladder here, as data for the package.")
@click.option(
    "--hours",
    type=DecimalNumber(0),
    help="Stop after about this time. Default: when every interval is small enough.",
)
@click.option(
    "--target",
    type=DecimalNumber(1),
    default=40,
    help="Half of a 95 % interval, in Elo, that is small enough.",
)
@click.option(
    "--judge",
    type=NATURAL,
    default=0,
    metavar="MOVES",
    help="Moves of each level to compare with exact play, in games that can be solved.",
)
@seed_option
@if_changed_option
@worker_options
@json_option("the ladder as JSON")
@examples(
    "rl-toolkit calibrate tictactoe --save tictactoe.jsonl",
    "rl-toolkit calibrate connect-four --save c4.jsonl --hours 2 --workers 2",
    "rl-toolkit calibrate reversi --save r8.jsonl --output reversi-8.json --hours 0.5",
)
def calibrate(
    game: str,
    save: Path | None,
    output: Path | None,
    hours: float | None,
    target: float,
    judge: int,
    seed: int,
    if_changed: IfChanged,
    as_json: bool,
    **workers: Any,
) -> None:
    """Rate the levels of GAME in Elo, on a scale where random play is 0.

    Neighbouring levels play most games; distant levels play only where the result says something.
    Each pair of levels plays every opening twice. The command plays next the pairs that help most,
    until it knows all ratings to --target. With --save it saves each game at once: run the same
    command to resume. --hours 0 plays nothing and shows the ratings of the saved games.
    """
    from rl_toolkit.arena import Calibration
    from rl_toolkit.arena import calibrate as play

    screen, kept = Screen(), f"the games played are in {save}" if save else None

    def show(result: CalibrationResult) -> None:
        fit = result.ratings()
        wide = sum(result.wide(fit))
        screen.tell(f"{result.count:,} games; {wide} ratings are not within ±{target:g} yet")

    check_different(save=save, output=output)
    check_writable("--output", output)
    with measuring(screen, kept):
        plan = Calibration.of_game(game, seed=seed, target=target)
        executor = make_executor(**workers)
        result = play(
            plan,
            executor=executor,
            on_round=show,
            save=save,
            if_changed=if_changed,
            seconds=None if hours is None else 3600 * hours,
        )
        if not result.ratings().connected:
            raise failure("not every level has played yet; run the same command for longer")
        accuracies = result.accuracies(judge, executor) if judge else {}
        ladder = result.ladder(datetime.now(UTC).date().isoformat(), accuracies)
        if output is not None:
            write_text_atomically(output, ladder_text(ladder))
    if as_json:
        missing = {"not_played": result.unplayed} if result.unplayed else {}
        screen.json({**ladder.to_dict(), **missing, "work": executor.account.to_dict()})
    else:
        _show(ladder, target, screen, result.not_played)
        tell_work(screen, executor.account)


def ladder_text(ladder: RatedLadder) -> str:
    """The ladder as JSON, with a line for each rating and each game, for diffs."""
    data = ladder.to_dict()
    lists = {key: data.pop(key) for key in ("ratings", "stored")}
    head = "".join(f"  {json.dumps(key)}: {json.dumps(value)},\n" for key, value in data.items())
    parts = []
    for key, rows in lists.items():
        lines = ",\n".join(f"    {json.dumps(row)}" for row in rows)
        parts.append(f"  {json.dumps(key)}: [\n{lines}\n  ]")
    return "{\n" + head + ",\n".join(parts) + "\n}\n"


def _show(ladder: RatedLadder, target: float, screen: Screen, not_played: str = "") -> None:
    from rl_toolkit.players.levels import STEPS

    names = {step.spec: step.name for step in STEPS[ladder.game]}
    missing = f"; {not_played}" if not_played else ""
    screen.say(f"{ladder.game}, {ladder.games:,} games{missing}", "bold")
    table = plain_table(
        "level", "Elo above random", "95 % interval", "gap", "games", "ms/move", "engine"
    )
    below = 0.0
    for each in ladder.ratings:
        low, high = each.interval
        table.add_row(
            names.get(each.spec, ""),
            f"{each.rating:.0f}",
            f"{low:.0f} to {high:.0f}",
            f"{each.rating - below:+.0f}",
            f"{each.games:,}",
            f"{each.milliseconds:.1f}",
            each.spec,
        )
        below = each.rating
    screen.say(table)
    wide = [each for each in ladder.ratings if each.error > target]
    if wide:
        screen.say(
            f"{len(wide)} of {len(ladder.ratings)} ratings are not within ±{target:g}; run the "
            "same command with more --hours.",
            "yellow",
        )
