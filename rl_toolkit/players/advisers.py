"""Whom to ask about a position: the one place that decides it, from what engine kinds know.

=============  ===================================================================================
perfect        plays the game perfectly from every position
exact          soon proves the true value of every move of this position
adviser        exact, else strong, else the readable search: values for every move
reviewer       values every move of a whole game
=============  ===================================================================================
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rl_toolkit.algorithms.exact import solver_of
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players.levels import levels_for
from rl_toolkit.players.options import split_spec
from rl_toolkit.players.player import Player
from rl_toolkit.players.registry import Knowledge, engine_kinds, make_engine

#: Seconds that an engine which does not know may think about its advice.
ADVICE_SECONDS = 3.0
#: Seconds about each move of a game under review.
REVIEW_SECONDS = 0.2

#: Said where the true value of moves is asked for and cannot be had.
NO_SOLVER = "{} has no exact solver; `rl-toolkit match` compares engines"


def perfect_player(env: BaseGameEnv) -> Player | None:
    """Plays the game of ``env`` perfectly; ``None`` where no engine does."""
    spec = levels_for(env.name).get("perfect")
    return None if spec is None else make_engine(spec)


def exact_player(env: BaseGameEnv) -> Player | None:
    """Soon proves the value of every move of this position; ``None`` where no engine does."""
    for kind in reversed(engine_kinds(env)):
        if kind.knows(env) is Knowledge.EXACT:
            return make_engine(for_analysis(kind.perfect(env) or kind.name))
    return None


def solves_from(env: BaseGameEnv) -> Literal["start", "late"] | None:
    """From which stage on positions of this game are solved soon; ``None`` if they never are."""
    fresh = make_game(env.name)
    if any(kind.knows(fresh) is Knowledge.EXACT for kind in engine_kinds(fresh)):
        return "start"
    return None if solver_of(fresh) is None else "late"


def adviser_spec(env: BaseGameEnv) -> str:
    """The engine that values the moves of this position best, as text."""
    exact = exact_player(env)
    if exact is not None:
        return exact.spec
    blind = not env.traits.has_heuristic
    kinds = engine_kinds(env)
    best = max(kinds, key=lambda kind: (kind.knows(env), not (blind and kind.needs_heuristic)))
    return for_analysis(best.name)


def adviser(env: BaseGameEnv) -> Player:
    """That engine; it still needs a limit where it does not prove, see `usual_limit`."""
    return make_engine(adviser_spec(env))


def reviewer(env: BaseGameEnv) -> Player | None:
    """Values every move of a whole game; ``None`` where no engine can be trusted with it."""
    fresh = make_game(env.name)
    if solves_from(fresh) == "start":
        return exact_player(fresh)
    strong = [kind for kind in engine_kinds(fresh) if kind.knows(fresh) is Knowledge.STRONG]
    counting = [kind for kind in strong if env.traits.score_unit]
    if not counting:
        return None
    return make_engine(_with_option(for_analysis(counting[0].name), f"time={REVIEW_SECONDS}"))


def usual_limit(player: Player, seconds: float = ADVICE_SECONDS) -> Limit:
    """The limit where none is given: a clock, unless the player has limits or needs none."""
    if player.limit != Limit() or player.name == "exact":
        return Limit()
    return Limit(time=seconds)


def for_analysis(text: str) -> str:
    """The engine that ``text`` names, valuing every move by itself where that is a choice.

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
    return _with_option(text, "every=on")


def as_reviewer(player: Player) -> Player:
    """The player, by its engine or level, as one who values every move of a game."""
    return replace(make_engine(for_analysis(player.spec)), limit=player.limit)


def _with_option(spec: str, option: str) -> str:
    return f"{spec}{',' if ':' in spec else ':'}{option}"
