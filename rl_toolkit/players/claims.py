"""What a bot claims about a position, beside the truth: for those who look at its answer."""

from __future__ import annotations

from dataclasses import replace

from rl_toolkit.analysis import Analysis, Engine, MakesClaims, StopSignal, unknown
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players.advisers import exact_player
from rl_toolkit.players.player import Player


def with_claims(
    engine: Engine,
    env: BaseGameEnv,
    analysis: Analysis,
    stop: StopSignal | None = None,
    seconds: float | None = None,
) -> Analysis:
    """The engine's ``analysis`` of ``env`` with its claims, and the truth where it is known.

    It is the analysis itself for an engine that claims nothing. This takes as long as a second
    search, up to ``seconds``: it is for a person who looks, and for no game that counts.
    """
    asked = engine.engine if isinstance(engine, Player) else engine
    if not isinstance(asked, MakesClaims) or (stop is not None and stop.is_set()):
        return analysis
    found = asked.with_claims(env, analysis, stop, seconds)
    if found.claims is None or not found.claims.moves:
        return found
    exact = exact_player(env)
    if exact is None or (stop is not None and stop.is_set()):
        return found
    return replace(found, claims=found.claims.beside(exact.analyse(env, None, None, stop)))


def claims_about(
    engine: Engine,
    env: BaseGameEnv,
    move: int,
    stop: StopSignal | None = None,
    seconds: float | None = None,
) -> Analysis | None:
    """What an engine claims about a position in which it has played ``move``; ``None`` if nothing.

    Neither the search for the move nor its tree is repeated, so that the bot's process must still
    be the one that played.
    """
    order = [move, *(other for other in env.get_legal_moves() if other != move)]
    played = Analysis.of(env, engine.name, [unknown(each, env.move_name(each)) for each in order])
    found = with_claims(engine, env, played, stop, seconds)
    return None if found is played else found
