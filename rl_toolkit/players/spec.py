"""`Spec`: which engine, with which options, within which limit: a value, read from text once.

::

    "minimax:depth=6,symmetry=off"  ── Spec.read ──►  Spec("minimax", symmetry=False; depth 6)
                                    ◄──── .text ────

The notation is described in `notation`. A level is not a spec: `levels.resolve` turns it into the
spec of its engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, TypeAlias, cast

from rl_toolkit.analysis import Limit
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.players.kinds.kind import EngineKind
from rl_toolkit.players.notation import join_spec, portable, spec_name, split_spec
from rl_toolkit.players.options import Option, SpecError, Value
from rl_toolkit.players.registry import (
    engine_kind,
    engine_kinds,
    meant_engine,
    registered_kind,
)
from rl_toolkit.utils import shown

#: What an option of a spec holds; an option of the kind ``engine`` holds a spec.
Setting: TypeAlias = "Value | Spec"

_NO_LIMIT = Limit()
#: Engines in engines are read to this depth: four mixes, and the engine in the last one.
_DEEPEST = 5
_TOO_DEEP = "{}: a mix of mixes is too deep"


@dataclass(frozen=True, slots=True)
class Spec:
    """An engine kind, its options that differ from the defaults, and the limit of its searches.

    Two specs are equal exactly if they make the same player, however they were typed or made, and
    `read` turns the text of a spec into an equal one. They are hashable and can be pickled. A
    process that does not know the kind can hold a spec, but cannot check, read or write it.

    Attributes:
        kind: the name of the engine kind.
        options: name and value of each option that differs, in the order of their declaration. It
            may be made with others, with limits, and with the text of values.
        limit: the limit of its searches; a part that is not set has the default of the engine.
        given: the options that were set, also to their default; `str` shows them, and equality
            ignores them.

    Raises `SpecError` for an option or a value that the kind does not take.

    >>> spec = Spec.read("Reversi: time=1")
    >>> spec, spec.with_(every=True).text, spec.with_(time=None).text
    (Spec('reversi:time=1'), 'reversi:time=1,every=on', 'reversi')
    >>> typed = Spec.read("reversi:every=off,time=1.0")
    >>> typed["every"], typed == spec, typed.text, str(typed)
    (False, True, 'reversi:time=1', 'reversi:time=1,every=off')
    """

    kind: str
    options: tuple[tuple[str, Setting], ...] = ()
    limit: Limit = _NO_LIMIT
    given: frozenset[str] = field(default=frozenset(), compare=False)

    def __post_init__(self) -> None:
        """Check and order what is given; raises `SpecError` for what the engine does not take."""
        kind = registered_kind(self.kind)
        if kind is None:  # of a plugin that this process does not have
            return
        given = {name: value for name, value in self.options if value is not None}
        limits = {part.name: getattr(self.limit, part.name) for part in fields(Limit)}
        chosen = {name: value for name, value in limits.items() if value is not None} | given
        for name in chosen:
            kind.option(name)
        values = {option: _value(option, chosen.get(option.name)) for option in kind.options}
        own = {option.name: value for option, value in values.items() if option.is_limit}
        options = tuple(
            (option.name, value)
            for option, value in values.items()
            if not option.is_limit and value != _default(option)
        )
        if _depth(options) > _DEEPEST:
            raise SpecError(_TOO_DEEP.format(self.kind))
        object.__setattr__(self, "options", options)
        object.__setattr__(self, "limit", Limit(**cast("dict[str, Any]", own)))
        object.__setattr__(self, "given", self.given | given.keys())

    # -------------------------------------------------------------------------- text

    @classmethod
    def read(cls, text: str | Spec) -> Spec:
        """The spec that ``text`` describes; a spec is returned as it is.

        Raises `SpecError`, with what can be used instead, if there is no such engine or option.
        """
        return text if isinstance(text, Spec) else _read(text, 1)

    @property
    def text(self) -> str:
        """The shortest text that `read` turns into this spec."""
        return self._written(shown=False)

    def __str__(self) -> str:
        """The text with all options that were set, also those that have their default."""
        return self._written(shown=True)

    def __repr__(self) -> str:
        if registered_kind(self.kind) is None:
            return f"Spec({self.kind!r}, {self.options!r}, {self.limit!r})"
        return f"Spec({str(self)!r})"

    @property
    def portable(self) -> str:
        """The text, in which a bot has the name of its file alone."""
        return portable(self.text)

    def _written(self, *, shown: bool) -> str:
        """The options that differ from their defaults, and if shown those that are given."""
        settings, chosen = self.settings, dict[str, str]()
        for option in engine_kind(self.kind).options:
            value = settings[option.name]
            if value == _default(option) and not (shown and option.name in self.given):
                continue
            if isinstance(value, Spec):
                chosen[option.name] = value._written(shown=shown)
            else:
                chosen[option.name] = option.write(value)
        return join_spec(self.kind, chosen)

    # ------------------------------------------------------------------------ values

    @property
    def settings(self) -> dict[str, Setting]:
        """The value of every option and limit that the engine takes, by name."""
        chosen = dict(self.options)
        for option in engine_kind(self.kind).options:
            value = getattr(self.limit, option.name) if option.is_limit else None
            if value is not None:
                chosen[option.name] = value
            elif option.name not in chosen:
                chosen[option.name] = _default(option)
        return chosen

    @property
    def arguments(self) -> dict[str, Setting]:
        """The settings except the limits: what the engine is made with."""
        limits = {option.name for option in engine_kind(self.kind).options if option.is_limit}
        return {name: value for name, value in self.settings.items() if name not in limits}

    def __getitem__(self, name: str) -> Setting:
        """The value of an option or limit; raises `SpecError` if the engine does not take it."""
        option = engine_kind(self.kind).option(name)
        value = getattr(self.limit, name) if option.is_limit else dict(self.options).get(name)
        return _default(option) if value is None else value

    __iter__ = None  # options have names, not places

    def __contains__(self, name: object) -> bool:
        """Whether this option or limit is set, be it to its default.

        >>> [name in Spec.read("minimax:depth=4") for name in ("depth", "seed")]
        [True, False]
        """
        limits = {part.name for part in fields(Limit) if getattr(self.limit, part.name) is not None}
        return name in self.given or name in limits or name in dict(self.options)

    def takes(self, name: str) -> bool:
        """Whether the engine has such an option or limit."""
        return any(option.name == name for option in engine_kind(self.kind).options)

    def with_(self, **changes: Setting) -> Spec:
        """The same spec with other values, or the text of values; ``None`` stands for the default.

        Raises `SpecError` for an option or a value that the engine does not take.
        """
        kind = engine_kind(self.kind)
        replaced = {name: None for name in changes if kind.option(name).is_limit}
        options = tuple((dict(self.options) | changes).items())
        limit = replace(self.limit, **replaced)
        return Spec(self.kind, options, limit, self.given - changes.keys())

    def seeded(self, seed: int | None) -> Spec:
        """The spec with a seed, if its engine takes one and it has none."""
        if seed is None or not self.takes("seed") or self["seed"] is not None:
            return self
        return self.with_(seed=seed)

    @property
    def files(self) -> list[str]:
        """The files that it names, such as weights."""
        options = engine_kind(self.kind).options
        named = ((option, self[option.name]) for option in options if option.kind == "file")
        return [text for option, text in named if isinstance(text, str) and option.is_outside(text)]

    def check_plays(self, env: BaseGameEnv) -> None:
        """Raise `SpecError` if the engine does not play the game of ``env``.

        An engine with a file of its own must check that itself.
        """
        kind = engine_kind(self.kind)
        if kind.can_play(env) or self.files:
            return
        others = ", ".join(other.name for other in engine_kinds(env))
        advice = f"; {kind.advice()}" if kind.advice is not None else ""
        raise SpecError(
            f"{kind.name} does not play {env.name}; the engines that do are {others}{advice}"
        )


def _read(text: str, depth: int) -> Spec:
    name, chosen = split_spec(text)
    kind = engine_kind(name)
    values: dict[str, Setting] = {}
    for option, value in chosen.items():
        values[option] = value
        if kind.option(option).kind == "engine":
            if depth >= _DEEPEST:
                raise SpecError(_TOO_DEEP.format(name))
            values[option] = _read(value, depth + 1)
    return Spec(name, tuple(values.items()))


def _value(option: Option, value: Setting) -> Setting:
    """The value of an option as a spec holds it; raises `SpecError` if it is not allowed."""
    if value is None:
        return _default(option)
    if option.kind != "engine":
        return option.read(value)
    if not isinstance(value, str | Spec):
        raise SpecError(f"{option.name} is {option.allowed}, not {shown(value)}")
    return Spec.read(value)


def _depth(options: Iterable[tuple[str, Setting]]) -> int:
    """How deep the engines in an engine with these options are; 1 if there are none."""
    parts = [value for _, value in options if isinstance(value, Spec)]
    return 1 + max((_depth(part.options) for part in parts), default=0)


def _default(option: Option) -> Setting:
    """The default of an option as a spec holds it."""
    if option.kind == "engine" and isinstance(option.default, str):
        return _default_engine(option.default)
    return option.default


@lru_cache(maxsize=64)
def _default_engine(text: str) -> Spec:
    return Spec.read(text)


# ------------------------------------------------------------- text that may not be a spec


def kind_named(text: str | Spec) -> EngineKind | None:
    """The kind of engine that ``text`` begins with, ``None`` for a level or an unknown name.

    >>> kind_named("Minimax: depth=4").name, kind_named("bots/My_Bot.py:choose").name
    ('minimax', 'file-bot')
    """
    return registered_kind(text.kind if isinstance(text, Spec) else spec_name(text))


def meant_by(text: str, others: Iterable[str] = ()) -> str | None:
    """The engine, or which of the ``others``, that unknown ``text`` probably means."""
    return meant_engine(spec_name(text), others)


def reaches_outside(text: str) -> bool:
    """Whether a spec names a program to run or a file to read.

    Only what a person types may do so: never what a saved game, a link or a request says.

    >>> reaches_outside("mcts:time=1"), reaches_outside("my_bot.py"), reaches_outside("perfect")
    (False, True, False)
    >>> reaches_outside("gomoku:depth=2"), reaches_outside("gomoku:weights=my.weights")
    (False, True)
    """
    kind = kind_named(text)
    if kind is None or kind.outside:
        return kind is not None
    free = {option.name: option for option in kind.options if option.is_free}
    try:
        chosen = split_spec(text)[1]
    except SpecError:  # no engine is made of it; what it mentions counts
        return any(name in text.lower() for name in free)
    return any(name in free and free[name].is_outside(value) for name, value in chosen.items())
