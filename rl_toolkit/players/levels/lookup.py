"""The levels of every game, ``beginner`` to ``perfect``, each an engine spec, and their ratings.

A game has ``perfect`` only if an engine plays perfectly, and quickly enough, from every position:
an exact solver, or on small boards a search to the end of the game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

from rl_toolkit.analysis import ChecksFiles
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.players.kinds.mixing import Mix
from rl_toolkit.players.levels.ladders import LEVELS, USUAL, ladder_of
from rl_toolkit.players.levels.ratings import Rating, rated_ladder
from rl_toolkit.players.options import SpecError
from rl_toolkit.players.player import Player, make_engine
from rl_toolkit.players.registry import engine_kind, engine_kinds
from rl_toolkit.players.spec import Spec, kind_named, meant_by
from rl_toolkit.utils import listed, shown

__all__ = [
    "LEVELS",
    "check_player",
    "is_level",
    "is_rating",
    "levels_for",
    "make_level",
    "make_player",
    "rating_range",
    "ratings_for",
    "resolve",
    "spec_of_rating",
    "usual_level",
]


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
    if "perfect" not in levels and (spec := _perfect(env)) is not None:
        levels["perfect"] = spec
    return levels


def _perfect(env: BaseGameEnv) -> str | None:
    """The spec that plays the game perfectly, of the engine that was registered last."""
    perfect = (kind.perfect(env) for kind in reversed(engine_kinds(env)))
    return next(filter(None, perfect), None)


def _check_own(env: BaseGameEnv, levels: Mapping[str, str]) -> None:
    """Raise `SpecError` if one of a game's own levels cannot be played."""
    for level, spec in levels.items():
        if level not in LEVELS:
            raise SpecError(
                f"{env.traits.title}: {shown(level)} is not a level; levels are {', '.join(LEVELS)}"
            )
        try:
            Spec.read(spec).check_plays(env)
        except SpecError as error:
            raise SpecError(f"{env.traits.title}, level {level}: {error}") from error


def usual_level(game: str) -> str:
    """The level to play against by default: ``medium``, else the one in the middle.

    On 3×3 it is ``easy``: a first game is one that can be won.

    >>> usual_level("tictactoe"), usual_level("tictactoe-5x5x4"), usual_level("gomoku")
    ('easy', 'medium', 'medium')
    """
    name, levels = make_game(game).name, levels_for(game)
    if name in USUAL:
        return USUAL[name]
    return "medium" if "medium" in levels else list(levels)[len(levels) // 2]


# ------------------------------------------------------------------------ ratings


def is_rating(text: str) -> bool:
    """Whether ``text`` is a number, which is taken as a rating.

    >>> is_rating("1200"), is_rating(" 850.5 "), is_rating("hard"), is_rating("1e3")
    (True, True, False, False)
    """
    return re.fullmatch(r"[0-9]{1,5}(\.[0-9]+)?", text.strip(), re.ASCII) is not None


def is_level(text: str) -> bool:
    """Whether ``text`` is the name of a level or a rating, in some game.

    >>> is_level("Hard"), is_level("1200"), is_level("minimax")
    (True, True, False)
    """
    return text.strip().lower() in LEVELS or is_rating(text)


def ratings_for(game: str) -> dict[str, Rating]:
    """The measured rating of each level of a game that has one; empty if none was measured."""
    env = make_game(game)
    ladder = rated_ladder(env.name)
    if ladder is None:
        return {}
    ratings = {level: ladder.of(spec) for level, spec in levels_for(env.name).items()}
    return {level: rating for level, rating in ratings.items() if rating is not None}


def rating_range(game: str) -> tuple[float, float] | None:
    """The lowest and the highest rating that `spec_of_rating` takes, ``None`` if unknown."""
    rated = ratings_for(game)
    return (0.0, max(rating.rating for rating in rated.values())) if rated else None


def spec_of_rating(game: str, rating: float) -> Spec:
    """The spec that plays about as strong as ``rating``: a mix of the two levels around it.

    0 is random play. Raises `SpecError` for a game without measured levels, and for a rating above
    its strongest level.
    """
    name = make_game(game).name
    reach = rating_range(name)
    if reach is None:
        raise SpecError(
            f"the levels of {name} have no ratings; they are {listed(levels_for(name))}"
        )
    if not reach[0] <= rating <= reach[1]:
        raise SpecError(f"ratings of {name} go from 0 to {reach[1]:.0f}, not {rating:g}")
    steps = [(Spec("random"), 0.0)]
    for each in ratings_for(name).values():
        if each.rating > steps[-1][1]:
            steps.append((Spec.read(each.spec), each.rating))
    for (weak, low), (strong, high) in pairwise(steps):
        slips = round((high - rating) / (high - low), 4)
        if 0 < slips < 1:
            return Mix(strong, weak, slips).spec
        if slips == 1:
            return weak
    return steps[-1][0]


# ------------------------------------------------------------------------ players


def resolve(game: str | BaseGameEnv, text: str | Spec, *, seed: int | None = None) -> Spec:
    """The engine that ``text`` names: a level of the game, a rating in Elo, or an engine spec.

    No engine is made. ``game`` is the name of a game, or a game in progress. ``seed`` is used if
    the engine takes one and the spec does not set it. Raises `SpecError` for an unknown name, or an
    engine that does not play the game.

    >>> resolve("connect-four", "hard"), resolve("connect-four", "Random", seed=1)
    (Spec('minimax:depth=6'), Spec('random:seed=1'))
    """
    env = game if isinstance(game, BaseGameEnv) else None  # its class may not be registered
    name = game if isinstance(game, str) else game.name
    word = text.strip().lower() if isinstance(text, str) else ""
    if word in LEVELS:
        return _level(name, word).seeded(seed)
    if is_rating(word):
        return spec_of_rating(name, float(word)).seeded(seed)
    if not isinstance(text, Spec) and (not word or kind_named(text) is None):
        levels = levels_for(name)
        meant = meant_by(str(text).strip(), levels)
        hint = f"did you mean {meant}?" if meant else f"levels are {listed(levels)}"
        raise SpecError(f"{shown(text)} is neither a level nor an engine; {hint}")
    spec = Spec.read(text)
    spec.check_plays(env or make_game(name))
    return spec.seeded(seed)


def _level(game: str, level: str) -> Spec:
    levels = levels_for(game)
    if level not in levels:
        raise SpecError(
            f"{make_game(game).name} has no level {shown(level)}; its levels are "
            f"{', '.join(levels)}"
        )
    return Spec.read(levels[level])


def check_player(game: str, text: str) -> None:
    """Raise ``ValueError`` if the player that ``text`` names cannot play a game.

    An engine is made only where there is a program or a file to look for.
    """
    spec = resolve(game, text)
    if spec.files or engine_kind(spec.kind).outside:
        make_player(game, spec)


def make_level(game: str, level: str, *, seed: int | None = None) -> Player:
    """The player of a level; ``seed`` decides among equally good moves.

    Raises `SpecError`, listing the levels of the game, if there is no such level.
    """
    word = level.strip().lower() if isinstance(level, str) else level
    return replace(make_engine(_level(game, word).seeded(seed)), called=word)


def make_player(game: str | BaseGameEnv, text: str | Spec, *, seed: int | None = None) -> Player:
    """The player that ``text`` names; see `resolve`.

    Raises also ``ValueError`` for files that are not for the game.

    >>> print(make_player("connect-four", "hard").spec)
    minimax:depth=6
    """
    player = make_engine(resolve(game, text, seed=seed))
    if isinstance(player.engine, ChecksFiles):
        player.engine.check_files(make_game(game) if isinstance(game, str) else game)
    return player if isinstance(text, Spec) else replace(player, called=text.strip())
