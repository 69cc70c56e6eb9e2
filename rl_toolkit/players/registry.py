"""Engines by name: ``make_engine("minimax:depth=6")``.

Each kind of engine declares its options once, for the parser, the error messages, the command that
lists engines and the web page. Nothing heavy is imported before an engine is made.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

from rl_toolkit.analysis import Engine, Limit
from rl_toolkit.envs import BaseGameEnv, game_families, make_game
from rl_toolkit.envs.traits import size_text
from rl_toolkit.envs.validation import shown
from rl_toolkit.players.options import Option, SpecError, join_spec, spec_name, split_spec
from rl_toolkit.players.player import Player
from rl_toolkit.utils.messages import did_you_mean, listed
from rl_toolkit.utils.plugins import discover, offer_group, remember_plugin


class Knowledge(IntEnum):
    """How well an engine knows a position."""

    NONE = 0  #: does not play this game
    PLAYS = 1  #: plays this game
    STRONG = 2  #: was made or trained for this game and plays it well
    EXACT = 3  #: quickly proves the value of every move


@dataclass(frozen=True, slots=True)
class EngineKind:
    """One kind of engine, by its name.

    Attributes:
        name: its name in a spec.
        help: one line of help.
        make: makes the engine; called with every option that is not a limit as a keyword argument.
            It should import what it needs itself, so that listing engines stays fast.
        options: the options it takes.
        knows: how well it knows a position, which may depend on the size of the board and the
            stage of the game; by default it plays every game.
        needs_heuristic: whether it plays badly in a game without one.
        perfect: the spec that plays a game perfectly, and quickly enough, from every position,
            ``None`` if there is none.
        advice: a sentence on where to get files for other games.
        outside: whether it runs a program or a file that the spec must name. Such kinds are not
            listed among the others, and a request to the web server cannot name them.
        node_step: the most nodes that it searches in a game between two looks at its limit, if
            these are more than a few: a match that limits nodes allows it that many more.
    """

    name: str
    help: str
    make: Callable[..., Engine]
    options: tuple[Option, ...] = ()
    knows: Callable[[BaseGameEnv], Knowledge] = lambda env: Knowledge.PLAYS
    needs_heuristic: bool = False
    perfect: Callable[[BaseGameEnv], str | None] = lambda env: None
    advice: Callable[[], str] | None = None
    outside: bool = False
    node_step: Callable[[BaseGameEnv], int] = lambda env: 0

    def can_play(self, env: BaseGameEnv) -> bool:
        """Whether the engine plays the game of ``env``, on a board of its size."""
        return self.knows(env) > Knowledge.NONE

    def check_plays(self, env: BaseGameEnv, chosen: Mapping[str, str] | None = None) -> None:
        """Raise `SpecError` if it does not play the game of ``env``.

        If ``chosen``, the options in the spec, include a file, the engine itself must check that.
        """
        given = chosen or {}
        files = (option for option in self.options if option.kind == "file")
        if self.can_play(env) or any(o.is_outside(given[o.name]) for o in files if o.name in given):
            return
        others = ", ".join(kind.name for kind in engine_kinds(env))
        advice = f"; {self.advice()}" if self.advice is not None else ""
        raise SpecError(
            f"{self.name} does not play {env.name}; the engines that do are {others}{advice}"
        )

    @property
    def games(self) -> list[str]:
        """The names of the games it plays, with the size where it plays only other boards."""
        names = []
        for family in game_families():
            sizes = (f"{family.name}-{size_text(size)}" for size in family.traits.sizes)
            boards = [family.name, *sizes]
            played = [board for board in boards if self.can_play(make_game(board))]
            names += [family.name] if family.name in played else played
        return names

    def to_dict(self) -> dict[str, Any]:
        """The engine as plain data: name, help, the games it plays, and its options."""
        return {
            "name": self.name,
            "help": self.help,
            "games": self.games,
            "options": [
                {
                    "name": option.name,
                    "kind": option.kind,
                    "default": option.default,
                    "allowed": option.allowed,
                    "help": option.help,
                }
                for option in self.options
            ],
        }

    def option(self, name: str) -> Option:
        """The option of that name; raises `SpecError` if there is none."""
        for option in self.options:
            if option.name == name:
                return option
        if not self.options:
            raise SpecError(f"{self.name} has no option {shown(name)}; it takes no options")
        names = [option.name for option in self.options]
        meant = did_you_mean(name, names)
        hint = f"did you mean {meant}?" if meant else f"its options are {listed(names)}"
        raise SpecError(f"{self.name} has no option {shown(name)}; {hint}")


_KINDS: dict[str, EngineKind] = {}
#: The entry points of packages that bring engines.
_GROUP = "rl_toolkit.engines"

#: What people call engines that have another name here.
_MEANT = {
    "alphabeta": "minimax",
    "alpha-beta": "minimax",
    "negamax": "minimax",
    "uct": "mcts",
    "solver": "exact",
}


def register_engine(kind: EngineKind) -> None:
    """Register a kind of engine under its name; raises ``ValueError`` if the name is taken."""
    for word in (kind.name, *(option.name for option in kind.options)):
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", word):
            raise ValueError(
                f"the name of an engine or option must be lower-case letters, not {shown(word)}"
            )
    names = [option.name for option in kind.options]
    if len(set(names)) < len(names):
        raise ValueError(f"{kind.name} declares an option twice")
    unknown = {option.name for option in kind.options if option.is_limit} - set(_LIMITS)
    if unknown:
        raise ValueError(f"{min(unknown)} is not a limit; limits are {', '.join(_LIMITS)}")
    if kind.name in _KINDS:
        raise ValueError(f"there is already an engine named {kind.name}")
    _KINDS[kind.name] = kind
    remember_plugin(sys._getframe(1).f_globals.get("__name__", ""))  # the calling module


def _register_found(kind: object) -> None:
    """Register what an entry point names: an `EngineKind`, or a function that registers some."""
    if isinstance(kind, EngineKind):
        if kind.name not in _KINDS:
            register_engine(kind)
    elif callable(kind):
        kind()
    else:
        raise TypeError(f"an engine is an EngineKind or a function, not {shown(kind)}")


offer_group(_GROUP, _register_found)


def engine_kinds(env: BaseGameEnv | None = None, *, outside: bool = False) -> list[EngineKind]:
    """All kinds of engines, or those that play the game of ``env``, in order of registration.

    Kinds that run a program or a file are among them only if ``outside`` is true.
    """
    discover(_GROUP)
    return [
        kind
        for kind in _KINDS.values()
        if (outside or not kind.outside) and (env is None or kind.can_play(env))
    ]


def meant_engine(name: str, others: Iterable[str] = ()) -> str | None:
    """The engine, or which of the ``others``, an unknown name probably means, ``None`` if none.

    >>> meant_engine("mtcs"), meant_engine("alphabeta"), meant_engine("zork")
    ('mcts', 'minimax', None)
    >>> meant_engine("my_bot.py,seed=3")
    'my_bot.py:seed=3'
    """
    if ".py," in name:
        return name.replace(".py,", ".py:", 1)
    return _MEANT.get(name) or did_you_mean(name, [*others, *_KINDS])


def engine_kind(name: str) -> EngineKind:
    """The kind of that name; raises `SpecError` if there is none."""
    if name not in _KINDS:
        discover(_GROUP)
    if name not in _KINDS:
        meant = meant_engine(name)
        hint = f"did you mean {meant}?" if meant else f"the engines are {listed(_KINDS)}"
        raise SpecError(f"there is no engine {shown(name)}; {hint}")
    return _KINDS[name]


def reaches_outside(spec: str) -> bool:
    """Whether a spec names a program to run or a file to read.

    Only what a person types may do so: never what a saved game, a link or a request says.

    >>> reaches_outside("mcts:time=1"), reaches_outside("my_bot.py"), reaches_outside("perfect")
    (False, True, False)
    >>> reaches_outside("gomoku:network=off"), reaches_outside("gomoku:network=my.weights")
    (False, True)
    """
    kind = _KINDS.get(spec_name(spec))
    if kind is None or kind.outside:
        return kind is not None
    named = {option.name: option for option in kind.options if option.kind in ("file", "text")}
    try:
        chosen = split_spec(spec)[1]
    except SpecError:  # no engine is made of it; what it mentions counts
        return any(name in spec.lower() for name in named)
    return any(name in named and named[name].is_outside(text) for name, text in chosen.items())


def make_engine(spec: str) -> Player:
    """The player for an engine spec: the engine with the limits in the spec.

    Raises `SpecError` if there is no such engine or option.

    >>> make_engine("Greedy: seed=07").spec
    'greedy:seed=7'
    """
    name, chosen = split_spec(spec)
    kind = engine_kind(name)
    settings: dict[str, Any] = {option.name: option.default for option in kind.options}
    for option_name, text in chosen.items():
        settings[option_name] = kind.option(option_name).read(text)
    limits = {option.name for option in kind.options if option.is_limit}
    return Player(
        engine=kind.make(**{key: settings[key] for key in settings if key not in limits}),
        limit=Limit(**{key: settings[key] for key in limits}),
        spec=join_spec(name, kind.options, settings),
    )


# ------------------------------------------------------------------- shared options

_LIMITS = {
    option.name: option
    for option in (
        Option("time", "number", None, "seconds to think", least=0.001, most=86_400, is_limit=True),
        Option("nodes", "whole number", None, "positions to search", least=1, is_limit=True),
        Option(
            "depth", "whole number", None, "plies to look ahead", least=1, most=1_000, is_limit=True
        ),
        Option("simulations", "whole number", None, "games to play out", least=1, is_limit=True),
    )
}

SEED = Option("seed", "whole number", None, "the same seed gives the same answers", least=0)


def limits(*names: str) -> Sequence[Option]:
    """The options for these parts of a `Limit`.

    >>> [option.name for option in limits("depth", "time")]
    ['depth', 'time']
    """
    return tuple(_LIMITS[name] for name in names)
