"""What people look up: what values mean, and what the levels of a game are."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from rl_toolkit.analysis import words_for
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import listing, plain_table
from rl_toolkit.envs import BaseGameEnv, GameTraits
from rl_toolkit.players import levels_for
from rl_toolkit.players.describe import described_levels, rating_text
from rl_toolkit.players.levels import ratings_for

#: Phrases narrower than this leave room for their meaning beside them.
_LEAST_MEANING = 30


def legend_table(game: BaseGameEnv | GameTraits, screen: Screen) -> RenderableType:
    """What each phrase and mark for a value means, beside it or under it as the screen allows."""
    rows = [(screen.fit(text), screen.fit(what)) for text, what in words_for(game).legend()]
    wide = max(len(text) for text, _ in rows)
    if screen.width - wide - 2 < _LEAST_MEANING:
        lines = (Text(text).append(f"\n  {what}", "dim") for text, what in rows)
        return Group(*lines)
    table = plain_table("", "", show_header=False)
    for text, what in rows:
        table.add_row(text, Text(what, "dim"))
    return table


def level_table(game: str, screen: Screen) -> RenderableType:
    """The levels of a game, weakest first: rating, what each does and the engine behind it.

    Without measured ratings there is no column for them.
    """
    rated, said = ratings_for(game), described_levels(game)
    rows = [
        (
            level,
            rating_text(rated.get(level)),
            screen.fit(said[level]),
            spec.replace(",", ", "),  # where lines may break
        )
        for level, spec in levels_for(game).items()
    ]
    heads = ("level", "rating", "what it does", "engine")
    if not rated:
        return listing(heads[:1] + heads[2:], [row[:1] + row[2:] for row in rows], screen.width)
    return listing(heads, rows, screen.width)
