"""The levels of every game, ``beginner`` to ``perfect``, each an engine spec.

A game has ``perfect`` only if an engine plays perfectly, and quickly enough, from every position:
an exact solver, or on small boards a search to the end of the game.
"""

from __future__ import annotations

from collections.abc import Mapping

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.envs.validation import shown
from rl_toolkit.players.ladders import USUAL, ladder_of
from rl_toolkit.players.options import SpecError, spec_name, split_spec
from rl_toolkit.players.player import Player
from rl_toolkit.players.registry import (
    engine_kind,
    engine_kinds,
    make_engine,
    meant_engine,
)
from rl_toolkit.utils.messages import listed

LEVELS = ("beginner", "easy", "medium", "hard", "expert", "perfect")


def levels_for(game: str) -> dict[str, str]:
    """The levels of a game, weakest first, each with its engine spec.

    >>> levels_for("connect-four")["medium"]
    'minimax:depth=4'
    >>> levels_for("connect-four")["perfect"], "perfect" in levels_for("gomoku")
    ('exact', False)
    """
    env = make_game(game)
    levels = ladder_of(env)
    if env.traits.levels:
        _check_own(env, levels)
    perfect = (kind.perfect(env) for kind in reversed(engine_kinds(env)))
    if "perfect" not in levels and (spec := next(filter(None, perfect), None)) is not None:
        levels["perfect"] = spec
    return levels


def _check_own(env: BaseGameEnv, levels: Mapping[str, str]) -> None:
    """Raise `SpecError` if one of a game's own levels cannot be played."""
    for level, spec in levels.items():
        if level not in LEVELS:
            raise SpecError(
                f"{env.traits.title}: {shown(level)} is not a level; levels are {', '.join(LEVELS)}"
            )
        try:
            make_engine(spec)
            engine_kind(spec_name(spec)).check_plays(env, split_spec(spec)[1])
        except SpecError as error:
            raise SpecError(f"{env.traits.title}, level {level}: {error}") from error


def usual_level(game: str) -> str:
    """The level to play against by default: ``medium``, else the one in the middle.

    On 3×3 it is ``perfect``: the courses promise an opponent that cannot be beaten.

    >>> usual_level("tictactoe"), usual_level("tictactoe-5x5x4"), usual_level("gomoku")
    ('perfect', 'medium', 'medium')
    """
    name, levels = make_game(game).name, levels_for(game)
    if name in USUAL:
        return USUAL[name]
    return "medium" if "medium" in levels else list(levels)[len(levels) // 2]


def make_level(game: str, level: str, *, seed: int | None = None) -> Player:
    """The player of a level; ``seed`` decides among equally good moves.

    Raises `SpecError`, listing the levels of the game, if there is no such level.
    """
    levels = levels_for(game)
    spec = levels.get(level.strip().lower()) if isinstance(level, str) else None
    if spec is None:
        raise SpecError(
            f"{make_game(game).name} has no level {shown(level)}; its levels are "
            f"{', '.join(levels)}"
        )
    return _seeded(make_engine(spec), seed)


def make_player(game: str | BaseGameEnv, text: str, *, seed: int | None = None) -> Player:
    """The player that ``text`` names: a level of the game, or an engine spec.

    ``game`` is the name of a game, or a game in progress.
    ``seed`` is used if the engine takes one and the spec does not set it. Raises `SpecError` for an
    unknown name, or an engine that does not play the game.

    >>> make_player("connect-four", "hard").spec, make_player("connect-four", "random").spec
    ('minimax:depth=6', 'random')
    """
    env: BaseGameEnv | None = None
    if isinstance(game, BaseGameEnv):
        env, game = game, game.name  # its class may not be registered
    word = text.strip().lower() if isinstance(text, str) else ""
    if word in LEVELS:
        return make_level(game, word, seed=seed)
    name = spec_name(text) if isinstance(text, str) else ""
    if name not in {kind.name for kind in engine_kinds(outside=True)}:
        meant = meant_engine(name, levels_for(game))
        hint = f"did you mean {meant}?" if meant else f"levels are {listed(levels_for(game))}"
        raise SpecError(f"{shown(text)} is neither a level nor an engine; {hint}")
    engine_kind(name).check_plays(env or make_game(game), split_spec(text)[1])
    return _seeded(make_engine(text), seed)


def _seeded(player: Player, seed: int | None) -> Player:
    """``player`` with the seed, if its engine takes one and its spec does not set it."""
    _, colon, options = player.spec.partition(":")
    takes_seed = any(
        option.name == "seed" for option in engine_kind(spec_name(player.spec)).options
    )
    if seed is None or not takes_seed or "seed=" in options:
        return player
    return make_engine(f"{player.spec}{',' if colon else ':'}seed={seed}")
