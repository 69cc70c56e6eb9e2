"""The kinds of engines by name: the toolkit's own, and those that are registered from outside.

No engine is imported before one is made.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players.kinds import builtin, outside
from rl_toolkit.players.kinds.kind import LIMITS, EngineKind
from rl_toolkit.players.options import SpecError
from rl_toolkit.utils import did_you_mean, listed, shown
from rl_toolkit.utils.plugins import discover, offer_group, remember_plugin

_KINDS = {kind.name: kind for kind in (*builtin.KINDS, *outside.KINDS)}
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
    unknown = {option.name for option in kind.options if option.is_limit} - set(LIMITS)
    if unknown:
        raise ValueError(f"{min(unknown)} is not a limit; limits are {', '.join(LIMITS)}")
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


def registered_kind(name: str) -> EngineKind | None:
    """The kind of that name, of a plugin if need be; ``None`` if there is none."""
    if name not in _KINDS:
        discover(_GROUP)
    return _KINDS.get(name)


def engine_kind(name: str) -> EngineKind:
    """The kind of that name; raises `SpecError` if there is none."""
    kind = registered_kind(name)
    if kind is None:
        meant = meant_engine(name)
        hint = f"did you mean {meant}?" if meant else f"the engines are {listed(_KINDS)}"
        raise SpecError(f"there is no engine {shown(name)}; {hint}")
    return kind
