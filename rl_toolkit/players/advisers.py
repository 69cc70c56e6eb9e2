"""The choice of an engine for a purpose, from what each engine kind knows about the position.

Functions that end in ``_spec`` say which engine it is and make none. `readable_player` is the
engine for a trace: its search is the textbook's.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from rl_toolkit.algorithms import solver_of
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players.kinds.kind import Knowledge
from rl_toolkit.players.levels import is_level, levels_for, make_player, resolve
from rl_toolkit.players.options import SpecError, Value
from rl_toolkit.players.player import Player, make_engine
from rl_toolkit.players.registry import engine_kinds
from rl_toolkit.players.spec import Spec, kind_named

#: Seconds of search for advice by an engine that does not prove its values.
ADVICE_SECONDS = 3.0
#: Seconds of search for each move of a game under review.
REVIEW_SECONDS = 0.2

#: The message for a game whose moves have no known exact values.
NO_SOLVER = "{} has no exact solver; `rl-toolkit match` compares engines"


# ------------------------------------------------------------------------- which engine


def perfect_spec(env: BaseGameEnv) -> Spec | None:
    """The engine that plays the game of ``env`` perfectly, ``None`` if there is none."""
    text = levels_for(env.name).get("perfect")
    return None if text is None else Spec.read(text)


def exact_spec(env: BaseGameEnv) -> Spec | None:
    """The engine that quickly proves every move of this position, ``None`` if there is none."""
    for kind in reversed(engine_kinds(env)):
        if kind.knows(env) is Knowledge.EXACT:
            return for_analysis(Spec.read(kind.perfect(env) or kind.name))
    return None


def adviser_spec(env: BaseGameEnv) -> Spec:
    """The best engine to evaluate every move of this position."""
    exact = exact_spec(env)
    if exact is not None:
        return exact
    blind = not env.traits.has_heuristic
    kinds = engine_kinds(env)
    best = max(kinds, key=lambda kind: (kind.knows(env), not (blind and kind.needs_heuristic)))
    return for_analysis(Spec(best.name))


def reviewer_spec(env: BaseGameEnv) -> Spec | None:
    """The engine that evaluates every move of a whole game, ``None`` if none is good enough."""
    fresh = make_game(env.name)
    if solves_from(fresh) == "start":
        return exact_spec(fresh)
    able = _strong_specs(fresh)
    return able[0].with_(time=REVIEW_SECONDS) if able else None


def prover_spec(env: BaseGameEnv) -> Spec:
    """The engine most likely to prove who wins, where no engine soon proves every move."""
    able = _strong_specs(env)
    return Spec(able[0].kind if able else "minimax")


def _strong_specs(env: BaseGameEnv) -> list[Spec]:
    """The engines made for the game that can value every move, set to do so."""
    strong = [kind for kind in engine_kinds(env) if kind.knows(env) is Knowledge.STRONG]
    specs = [for_analysis(Spec(kind.name)) for kind in strong]
    return [spec for spec in specs if "every" in spec.given]


def solves_from(env: BaseGameEnv) -> Literal["start", "late"] | None:
    """The stage from which positions of this game are solved quickly, ``None`` if never."""
    fresh = make_game(env.name)
    if any(kind.knows(fresh) is Knowledge.EXACT for kind in engine_kinds(fresh)):
        return "start"
    return None if solver_of(fresh) is None else "late"


def for_analysis(spec: Spec) -> Spec:
    """The spec set to value every move, if its engine has that off by default and was not asked.

    >>> for_analysis(Spec.read("reversi:time=1")), for_analysis(Spec.read("reversi:every=off"))
    (Spec('reversi:time=1,every=on'), Spec('reversi:every=off'))
    """
    return spec if "every" in spec.given else _valuing_all(spec)


def _valuing_all(spec: Spec) -> Spec:
    can = spec.takes("every") and Spec(spec.kind)["every"] is False
    return spec.with_(every=True) if can else spec


# ------------------------------------------------------------------------------ players


def perfect_player(env: BaseGameEnv) -> Player | None:
    """The player of `perfect_spec`."""
    spec = perfect_spec(env)
    return None if spec is None else make_engine(spec)


def exact_player(env: BaseGameEnv) -> Player | None:
    """The player of `exact_spec`."""
    spec = exact_spec(env)
    return None if spec is None else make_engine(spec)


def adviser(env: BaseGameEnv) -> Player:
    """The player of `adviser_spec`; unless it proves its values it needs a `usual_limit`."""
    return make_engine(adviser_spec(env))


def reviewer(env: BaseGameEnv) -> Player | None:
    """The player of `reviewer_spec`."""
    spec = reviewer_spec(env)
    return None if spec is None else make_engine(spec)


def prover(env: BaseGameEnv) -> Player:
    """The player of `prover_spec`, set to look for a proof until its limit is reached."""
    spec = prover_spec(env)
    return make_engine(spec.with_(solve=True) if spec.takes("solve") else spec)


def analyst(game: str, text: str, *, seed: int | None = None) -> Player:
    """The player that ``text`` names, set to value every move; a level stays as it is."""
    spec = resolve(game, text, seed=seed)
    player = make_player(game, spec if is_level(text) else for_analysis(spec))
    return replace(player, called=text)


def as_reviewer(player: Player) -> Player:
    """The player with its engine set to evaluate every move."""
    spec = _valuing_all(player.spec)
    return player if spec == player.spec else replace(make_engine(spec), limit=player.limit)


def as_keeper(player: Player) -> Player:
    """The player with its engine set to keep its tree for the next search, if it can.

    >>> print(as_keeper(make_engine("mcts:time=1")).spec)
    mcts:time=1,reuse=on
    """
    if not player.spec.takes("reuse") or "reuse" in player.spec.given:
        return player
    kept = make_engine(player.spec.with_(reuse=True))
    return replace(kept, limit=player.limit, called=player.called)


def usual_limit(player: Player, seconds: float = ADVICE_SECONDS) -> Limit:
    """The default limit: ``seconds``, unless the player has its own limit or needs none."""
    if player.limit != Limit() or player.name == "exact":
        return Limit()
    return Limit(time=seconds)


# ---------------------------------------------- the readable form of an engine: what a trace shows


#: The engines whose searches can be traced, and their options if a spec does not set them: the
#: textbook's, without what makes them strong.
READABLE: dict[str, dict[str, Value]] = {
    "minimax": dict.fromkeys(
        (
            "ordering",
            "symmetry",
            "distance",
            "pvs",
            "threats",
            "dead_lines",
            "iterative_deepening",
        ),
        False,
    ),
    "mcts": {"tactics": False},
    "alphazero": {"batch": 1},
}


def readable_player(game: str | BaseGameEnv, text: str | Spec, *, seed: int = 0) -> Player:
    """The player that ``text`` names, as the textbook has it unless the spec says otherwise.

    Raises `SpecError` as `make_player`, and for a game with ``free_results`` unless it is minimax.
    A level is taken as it is.

    >>> print(readable_player("tictactoe", "mcts:c=1").spec)
    mcts:c=1,tactics=off,seed=0
    """
    kind = kind_named(text)
    name = "" if kind is None else kind.name
    if isinstance(game, BaseGameEnv) and game.traits.free_results and name != "minimax":
        raise SpecError("only minimax searches a tree whose leaves are any numbers")
    if name in READABLE:
        spec = Spec.read(text)
        textbook = READABLE[name].items()
        text = spec.with_(
            **{option: value for option, value in textbook if option not in spec.given}
        )
    return make_player(game, text, seed=seed)
