"""An engine that looks on instead of playing: then every move counts, not only the best."""

from __future__ import annotations

from dataclasses import replace

from rl_toolkit.players.options import split_spec
from rl_toolkit.players.player import Player
from rl_toolkit.players.registry import engine_kinds, make_engine


def for_analysis(text: str) -> str:
    """The engine that ``text`` names, valuing every move by itself where that is its choice.

    Only engines that would leave it and whose text does not decide it are changed; levels stay
    what they are.

    >>> for_analysis("reversi:time=1"), for_analysis("reversi:every=off"), for_analysis("minimax")
    ('reversi:time=1,every=on', 'reversi:every=off', 'minimax')
    """
    name = text.partition(":")[0].strip().lower()
    options = [o for kind in engine_kinds() if kind.name == name for o in kind.options]
    leaves_it = any(option.name == "every" and option.default is False for option in options)
    if not leaves_it or "every" in split_spec(text)[1]:
        return text
    return f"{text}{',' if ':' in text else ':'}every=on"


def as_reviewer(player: Player) -> Player:
    """The player, by its engine or level, as one who looks at every move of a game."""
    return replace(make_engine(for_analysis(player.spec)), limit=player.limit)
