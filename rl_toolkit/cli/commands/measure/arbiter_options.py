"""What matches and tournaments share: openings, clocks, limits and adjudication."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rl_toolkit.cli.options import options
from rl_toolkit.cli.param_types import NATURAL

if TYPE_CHECKING:
    from rl_toolkit.arena import Rules

#: The arguments of `arbitration`.
arbiter_options = options(
    click.option(
        "--openings",
        default="auto",
        help="auto: the openings of the run in --save, else balanced ones if an engine knows the "
        "game; random:K: K random moves; balanced:K: K random moves after which the result is "
        "open; balanced: the shipped openings; a FILE: your own games or positions; swap2: the "
        "engines make them, as in tournaments of Gomoku; start: none.",
    ),
    click.option(
        "--opening-plies",
        type=NATURAL,
        metavar="K",
        help="Take the first K moves of each game of the file of openings.",
    ),
    click.option(
        "--clock",
        metavar="SECONDS+INCREMENT",
        help="A clock for each engine and game, as 60+0.5; an engine that exceeds it loses.",
    ),
    click.option(
        "--limit",
        metavar="NAME=N,...",
        help="A limit of every move for all engines: time, nodes, depth or simulations. "
        "An engine that takes longer, or reports more work, loses the game.",
    ),
    click.option(
        "--adjudicate",
        type=NATURAL,
        metavar="PLIES",
        default=0,
        help="End a game when its result is proven and at most so many plies are left; 0: never.",
    ),
)


def arbitration(
    game: str,
    openings: str,
    opening_plies: int | None,
    clock: str | None,
    limit: str | None,
    adjudicate: int,
) -> dict[str, Any]:
    """The arguments of a `Match` or `Tournament` that the options ask for.

    Raises ``ValueError`` or ``OSError`` for what cannot be played.
    """
    from rl_toolkit.arena.runs.openings import chosen_openings

    rules = _rules(clock, limit, adjudicate)
    chosen = chosen_openings(openings, game, opening_plies)
    return {
        "random_plies": chosen.plies,
        "balanced": chosen.balanced,
        "openings": chosen.listed,
        "swap2": chosen.swap2,
        "rules": rules,
    }


def _rules(clock: str | None, limit: str | None, adjudicate: int) -> Rules:
    from rl_toolkit.arena import NO_LIMIT, GameClock, Rules, limit_from_text

    return Rules(
        clock=None if clock is None else GameClock.from_text(clock),
        limit=NO_LIMIT if limit is None else limit_from_text(limit),
        adjudicate=adjudicate,
    )
