"""The choice of an engine for a purpose, from what each engine kind knows about the position."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rl_toolkit.algorithms.exact import solver_of
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players.levels import levels_for
from rl_toolkit.players.options import spec_name, split_spec
from rl_toolkit.players.player import Player
from rl_toolkit.players.registry import Knowledge, engine_kinds, make_engine

#: Seconds of search for advice by an engine that does not prove its values.
ADVICE_SECONDS = 3.0
#: Seconds of search for each move of a game under review.
REVIEW_SECONDS = 0.2

#: The message for a game whose moves have no known exact values.
NO_SOLVER = "{} has no exact solver; `rl-toolkit match` compares engines"


def perfect_player(env: BaseGameEnv) -> Player | None:
    """The player that plays the game of ``env`` perfectly, ``None`` if there is none."""
    spec = levels_for(env.name).get("perfect")
    return None if spec is None else make_engine(spec)


def exact_player(env: BaseGameEnv) -> Player | None:
    """The player that quickly proves every move of this position, ``None`` if there is none."""
    for kind in reversed(engine_kinds(env)):
        if kind.knows(env) is Knowledge.EXACT:
            return make_engine(for_analysis(kind.perfect(env) or kind.name))
    return None


def solves_from(env: BaseGameEnv) -> Literal["start", "late"] | None:
    """The stage from which positions of this game are solved quickly, ``None`` if never."""
    fresh = make_game(env.name)
    if any(kind.knows(fresh) is Knowledge.EXACT for kind in engine_kinds(fresh)):
        return "start"
    return None if solver_of(fresh) is None else "late"


def adviser_spec(env: BaseGameEnv) -> str:
    """The spec of the best engine to evaluate every move of this position."""
    exact = exact_player(env)
    if exact is not None:
        return exact.spec
    blind = not env.traits.has_heuristic
    kinds = engine_kinds(env)
    best = max(kinds, key=lambda kind: (kind.knows(env), not (blind and kind.needs_heuristic)))
    return for_analysis(best.name)


def adviser(env: BaseGameEnv) -> Player:
    """The player of `adviser_spec`; unless it proves its values it needs a `usual_limit`."""
    return make_engine(adviser_spec(env))


def reviewer(env: BaseGameEnv) -> Player | None:
    """The player that evaluates every move of a whole game, ``None`` if none is good enough."""
    fresh = make_game(env.name)
    if solves_from(fresh) == "start":
        return exact_player(fresh)
    able = _strong_specs(fresh)
    return make_engine(_with_option(able[0], f"time={REVIEW_SECONDS}")) if able else None


def prover(env: BaseGameEnv) -> Player:
    """The player most likely to prove who wins, where no engine soon proves every move."""
    able = _strong_specs(env)
    return make_engine(spec_name(able[0]) if able else "minimax")


def _strong_specs(env: BaseGameEnv) -> list[str]:
    """The engines made for the game that can value every move, set to do so."""
    strong = [kind for kind in engine_kinds(env) if kind.knows(env) is Knowledge.STRONG]
    specs = [for_analysis(kind.name) for kind in strong]
    return [spec for spec in specs if "every" in split_spec(spec)[1]]


def usual_limit(player: Player, seconds: float = ADVICE_SECONDS) -> Limit:
    """The default limit: ``seconds``, unless the player has its own limit or needs none."""
    if player.limit != Limit() or player.name == "exact":
        return Limit()
    return Limit(time=seconds)


def for_analysis(text: str) -> str:
    """The spec ``text`` with ``every=on``, if the engine has that option off by default.

    A spec that sets the option, and the name of a level, are returned unchanged.

    >>> for_analysis("reversi:time=1"), for_analysis("reversi:every=off"), for_analysis("minimax")
    ('reversi:time=1,every=on', 'reversi:every=off', 'minimax')
    """
    name = spec_name(text)
    options = [o for kind in engine_kinds() if kind.name == name for o in kind.options]
    off_by_default = any(option.name == "every" and option.default is False for option in options)
    if not off_by_default or "every" in split_spec(text)[1]:
        return text
    return _with_option(text, "every=on")


def as_reviewer(player: Player) -> Player:
    """The player with its engine set to evaluate every move."""
    return replace(make_engine(for_analysis(player.spec)), limit=player.limit)


def _with_option(spec: str, option: str) -> str:
    return f"{spec}{',' if ':' in spec else ':'}{option}"
