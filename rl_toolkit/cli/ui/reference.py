"""What people look up: what values mean, and what the levels of a game are."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.text import Text

from rl_toolkit.analysis import words_for
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import listing, plain_table
from rl_toolkit.envs import BaseGameEnv, GameTraits
from rl_toolkit.players import levels_for, ratings_for
from rl_toolkit.players.levels import (
    RATING_UNIT,
    accuracy_text,
    described_levels,
    named_levels,
    overlooked_by_level,
    rating_text,
)

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


#: Columns of a screen on which the table of levels has all that is known.
_WIDE = 140


def level_table(game: str, screen: Screen) -> RenderableType:
    """The levels of a game, weakest first: rating, what each does and the engine behind it.

    Levels with the same engine are one row.

    There is no column for what was not measured, and on a narrow screen none for what a level
    overlooks.
    """
    rated, described, names = ratings_for(game), described_levels(game), named_levels(game)
    specs = {level: spec for level, spec in levels_for(game).items() if level in names}
    columns = {
        "level": [names[level] for level in specs],
        RATING_UNIT: [rating_text(rated.get(level)) for level in specs],
        "right": [accuracy_text(rated.get(level)) for level in specs],
        "what it does": [screen.fit(described[level]) for level in specs],
        "overlooks": [overlooked_by_level(game, level) or "" for level in specs],
        "engine": [spec.replace(",", ", ") for spec in specs.values()],  # where lines may break
    }
    if screen.width < _WIDE:
        del columns["overlooks"]
    shown = {head: cells for head, cells in columns.items() if any(cells)}
    return listing(tuple(shown), list(zip(*shown.values(), strict=True)), screen.width)
