"""Games by name: ``tictactoe``, ``connect-four-6x8x4`` (rows × columns × length), ``reversi-6``.

A game may have other names, its aliases: ``othello-6`` is ``reversi-6``, ``connect4`` is
``connect-four``. Capitals do not matter, and blanks and underscores are read as hyphens.

The part after the family's name is the variant, which the class of the game parses
(`BaseGameEnv.from_variant`). ``make_game(env.name)`` makes a game like ``env``.

A prefix leads to the games of another library, ``openspiel:hex(board_size=5)``: its module is
imported when the first such name is used.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from string import Formatter
from typing import Any

from rl_toolkit.envs.base_game import BaseGameEnv
from rl_toolkit.envs.connect_four import ConnectFour
from rl_toolkit.envs.derived.own_form import adapting
from rl_toolkit.envs.errors import UnknownGameError
from rl_toolkit.envs.gomoku import Gomoku
from rl_toolkit.envs.reversi import Reversi
from rl_toolkit.envs.tictactoe import TicTacToe
from rl_toolkit.envs.traits import GameTraits, names_from_class, size_text
from rl_toolkit.envs.validation import shown
from rl_toolkit.utils import did_you_mean, listed
from rl_toolkit.utils.plugins import discover, offer_group, remember_plugin
from rl_toolkit.utils.svg import COLOURS, UNSEEN


@dataclass(frozen=True, slots=True)
class GameFamily:
    """The games that one class makes; name, title and variants are those of its traits."""

    game: type[BaseGameEnv]
    traits: GameTraits
    name: str
    title: str
    variants: str

    def make(self, variant: str = "") -> BaseGameEnv | None:
        """The game of that variant, ``None`` if the class does not know it."""
        return self.game.from_variant(variant)


_FAMILIES: dict[str, GameFamily] = {}
#: The entry points of packages that bring games.
_GROUP = "rl_toolkit.games"
_PREFIXES: dict[str, str] = {"openspiel": "rl_toolkit.adapters.openspiel.game"}
#: The names with a prefix that may be used here, ``None`` for all.
_offered: ContextVar[frozenset[str] | None] = ContextVar("offered", default=None)


def register_prefix(prefix: str, module: str) -> None:
    """Let names that begin with ``prefix:`` be made by the ``make_game`` of a module.

    The module is named as text and imported when it is needed. Its ``make_game`` takes the rest of
    the name and raises ``ValueError`` for a name that it does not know.
    """
    _PREFIXES[prefix] = module


@contextmanager
def only_these_prefixed(names: Collection[str]) -> Iterator[None]:
    """Inside the block `make_game` refuses names with a prefix, except ``names``.

    For code that reads names from strangers: a name with a prefix can start another library.
    """
    token = _offered.set(frozenset(names))
    try:
        yield
    finally:
        _offered.reset(token)


def register_game(game: type[BaseGameEnv]) -> GameFamily:
    """Register a game class under the name in its traits.

    A plain class is adapted first; see `envs.adapt_game`. Raises ``ValueError`` if
    the name is taken or the traits contradict the class. Worker processes load a game from outside
    the toolkit by themselves.
    """
    game = _as_class(game)
    check_traits(game)
    family = _add_family(game)
    remember_plugin(game.__module__, game.__qualname__, register_game)
    return family


def _add_family(game: type[BaseGameEnv]) -> GameFamily:
    """Add a class whose traits are right; raises ``ValueError`` if one of its names is taken."""
    traits = game.traits
    family = GameFamily(game, traits, traits.name, traits.title, traits.variants)
    if family.name in _FAMILIES:
        raise ValueError(
            f"there is already a game named {family.name}; give {game.__name__} traits of its own"
        )
    for alias in traits.aliases:
        owner = _named(alias)
        if owner is not None:
            raise ValueError(f"{game.__name__}.traits: {alias} is already a name of {owner.name}")
    _FAMILIES[family.name] = family
    return family


def _as_class(game: Any) -> type[BaseGameEnv]:
    """A game class, adapted if it is a plain one; raises ``TypeError`` for anything else."""
    if isinstance(game, type) and issubclass(game, BaseGameEnv) and game._keeps_own_history:
        return game
    if not isinstance(game, type) or not adapting().looks_playable(game):
        raise TypeError(f"register_game takes a subclass of BaseGameEnv, not {shown(game)}")
    adapted: type[BaseGameEnv] = adapting().adapt_game(game)
    return adapted


def free_name(class_name: str) -> tuple[str, str]:
    """A name and a title for a class from outside; if they are taken, they begin with "my".

    >>> free_name("ConnectFour"), free_name("Hexapawn")
    (('my-connect-four', 'My Connect Four'), ('hexapawn', 'Hexapawn'))
    """
    name, title = names_from_class(class_name)
    prefixes = ("", "my", *(f"my{k}" for k in range(2, 100)))
    prefix = next(p for p in prefixes if _named(f"{p}-{name}" if p else name) is None)
    return (f"{prefix}-{name}", f"{prefix.capitalize()} {title}") if prefix else (name, title)


def game_families() -> list[GameFamily]:
    """All families in the order of their registration, those of plugins included."""
    discover(_GROUP)
    return list(_FAMILIES.values())


def list_games() -> list[str]:
    """The names of all games, each of which `make_game` makes; many have variants besides.

    >>> list_games()[:4]
    ['tictactoe', 'connect-four', 'gomoku', 'reversi']
    """
    return [family.name for family in game_families()]


def make_game(name: str) -> BaseGameEnv:
    """A new game of that name, in its starting position.

    Raises `UnknownGameError` if there is no such game.

    >>> make_game("connect-four-6x8x4").cols
    8
    """
    if not isinstance(name, str):
        raise UnknownGameError(f"the name of a game is text, not {shown(name)}")
    prefix, colon, rest = name.partition(":")
    if colon and prefix.strip().lower() in _PREFIXES:
        return _make_prefixed(prefix.strip().lower(), rest.strip())
    word = _as_written(name)
    family, used = _found(word)
    if family is None:
        raise UnknownGameError(f"there is no game {shown(name)}; {_suggestion(word)}")
    variant = word[len(used) + 1 :]
    try:
        game = family.make(variant) if variant or word == used else None
    except ValueError as error:
        raise UnknownGameError(f"{shown(name)}: {error}") from error
    if game is None:
        offered = f"; use {family.name} {family.variants}" if family.variants else ""
        raise UnknownGameError(f"{shown(name)} is not a variant of {family.name}{offered}")
    return game


def _make_prefixed(prefix: str, rest: str) -> BaseGameEnv:
    name, offered = f"{prefix}:{rest}", _offered.get()
    if offered is not None and name not in offered:
        raise UnknownGameError(f"there is no game {shown(name)} here")
    try:
        module = importlib.import_module(_PREFIXES[prefix])
        env: BaseGameEnv = module.make_game(rest)
    except ValueError as error:
        raise UnknownGameError(f"{shown(name)}: {error}") from error
    return env


def prefixed_family(name: str) -> GameFamily:
    """The family that consists of one game, named with a prefix."""
    env = make_game(name)
    if env.name.partition(":")[0] not in _PREFIXES:
        raise UnknownGameError(f"{env.name} has a page without being named; omit it")
    return GameFamily(type(env), env.traits, env.name, env.traits.title, "")


def full_name(name: str) -> str:
    """The name of a game as the registry writes it, variant included; an unknown one as it is.

    >>> full_name("Othello"), full_name("gomoku"), full_name("go")
    ('reversi-8', 'gomoku-15', 'go')
    """
    try:
        return name if family_of(name) is None else make_game(name).name
    except UnknownGameError:
        return name


def full_names(names: Iterable[str]) -> frozenset[str]:
    """The games that are named, in full; a family stays a family, which means all its variants.

    >>> sorted(full_names(["Othello", "gomoku"]))
    ['gomoku', 'reversi-8']
    """
    return frozenset(name if _is_family(name) else full_name(name) for name in names)


def _is_family(name: str) -> bool:
    family = family_of(name)
    return family is not None and family.name == name


def family_of(name: str) -> GameFamily | None:
    """The family that a game's name or alias belongs to, ``None`` if there is none."""
    return _found(_as_written(name))[0]


def _as_written(name: str) -> str:
    """``Connect Four`` and ``connect_four`` as the registry writes them: ``connect-four``."""
    return "-".join(name.lower().replace("_", " ").split())


def _found(word: str) -> tuple[GameFamily | None, str]:
    """What `_split` finds; plugins are loaded before it gives up."""
    family, used = _split(word)
    if family is None:
        discover(_GROUP)
        family, used = _split(word)
    return family, used


def _split(word: str) -> tuple[GameFamily | None, str]:
    """The family of a name with or without a variant, and which of its names ``word`` begins with.

    The longest name decides; a name goes before an alias of another game.
    """
    names = {alias: f for f in _FAMILIES.values() for alias in f.traits.aliases} | _FAMILIES
    fitting = [name for name in names if word == name or word.startswith(f"{name}-")]
    longest = max(fitting, key=len, default="")
    return names.get(longest), longest


def _named(word: str) -> GameFamily | None:
    family, used = _split(word)
    return family if used == word else None


def _suggestion(word: str) -> str:
    """The game that ``word`` may mean, else all games."""
    aliases = (alias for family in game_families() for alias in family.traits.aliases)
    meant = did_you_mean(word, [*_FAMILIES, *aliases])
    family = None if meant is None else _named(meant)
    if family is not None:
        return f"did you mean {family.name}?"
    return f"the games are {listed(_FAMILIES)}"


def _register_found(game: object) -> None:
    """Register what an entry point names, unless importing it has done so."""
    cls = _as_class(game)
    if all(family.game is not cls for family in _FAMILIES.values()):
        register_game(cls)


offer_group(_GROUP, _register_found)
for _game in (TicTacToe, ConnectFour, Gomoku, Reversi):
    _add_family(_game)  # the tests check their traits


# ---------------------------------------------------------- do the traits fit the game?


def _is_alias(name: object) -> bool:
    return isinstance(name, str) and bool(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name))


def check_traits(cls: type[BaseGameEnv]) -> None:
    """Raise ``ValueError`` if the traits contradict the game."""
    traits = cls.traits

    def wrong(what: str) -> ValueError:
        return ValueError(f"{cls.__name__}.traits: {what}")

    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z][a-z0-9]*)*", traits.name):
        raise wrong(f"name must be lower-case words with hyphens, not {shown(traits.name)}")
    if not isinstance(traits.aliases, tuple) or not all(map(_is_alias, traits.aliases)):
        raise wrong(f"aliases must be lower-case words with hyphens, not {shown(traits.aliases)}")
    if len(traits.pieces) != 2 or len({"", *traits.pieces}) < 3:
        raise wrong(f"pieces must be two different names, not {shown(traits.pieces)}")
    unseen = UNSEEN.get(traits.style, ())
    if traits.colours and len(set(traits.colours) & (set(COLOURS) - set(unseen))) != 2:
        seen = ", ".join(colour for colour in COLOURS if colour not in unseen)
        raise wrong(
            f"colours must be two of {seen} with the style {traits.style}, "
            f"not {shown(traits.colours)}"
        )
    for choice, offered in _CHOICES.items():
        if getattr(traits, choice) not in offered:
            raise wrong(f"{choice} must be {' or '.join(offered)}")
    if not (isinstance(traits.rules, tuple) and isinstance(traits.levels, Mapping)):
        raise wrong("rules must be a tuple of sentences, levels a mapping of levels to engines")

    named = [name for _, name, _, _ in Formatter().parse(traits.variant) if name is not None]
    fields = [field.name for field in traits.fields]
    for name in fields:
        if name not in named:
            raise wrong(f"variant {shown(traits.variant)} does not name the field {{{name}}}")
    for name in named:
        if name not in fields:
            raise wrong(f"variant {shown(traits.variant)} names {{{name}}}, which is not a field")

    def made(variant: str) -> BaseGameEnv:
        try:
            env = cls.from_variant(variant)
        except Exception as error:
            raise wrong(f"the board {shown(variant)} cannot be made: {error}") from error
        if env is None:
            raise wrong(f"{cls.__name__}.from_variant does not know the variant {shown(variant)}")
        return env

    for text in ["", *map(size_text, traits.sizes), _usual_variant(traits)]:
        env = made(text)
        again = made(env.name[len(traits.name) + 1 :])
        if (env.rows, env.cols) != (again.rows, again.cols):
            raise wrong(f"boards of {env.rows} and {again.rows} rows are both named {env.name}")
    if len(traits.pictures) not in (0, len(traits.rules)):
        raise wrong(
            f"there are {len(traits.pictures)} pictures for {len(traits.rules)} rules; "
            "each rule has one, or none has"
        )
    usual = traits.preview_variant
    played = [(f"picture {k} of the rules", m, usual) for k, m in enumerate(traits.pictures, 1)]
    played.append(("the preview", traits.preview, usual))
    played += [
        (f"the position {position.title}", position.moves, position.variant)
        for position in traits.famous
    ]
    for what, moves, variant in played:
        env = made(variant)
        for word in moves.split():
            try:
                env.step(env.parse_move(word))
            except ValueError as error:
                raise wrong(f"{what} cannot be played at {shown(word)}: {error}") from error
    if traits.passes != (env.pass_move is not None):
        raise wrong("passes must be true if and only if the game has a pass_move")
    if traits.swap2_within and not (
        traits.move_by == "cell" and traits.has_grid and traits.alternates
    ):
        raise wrong("swap2_within is for games in which the sides take turns to fill cells")
    if traits.move_by == "column" and env.num_moves != env.cols:
        raise wrong(
            f"moves are columns, but there are {env.num_moves} moves and {env.cols} columns"
        )


_CHOICES = {
    "style": ("marks", "discs", "stones", "flips"),
    "row_one_at": ("top", "bottom"),
    "move_by": ("cell", "column"),
}


def _usual_variant(traits: GameTraits) -> str:
    return traits.variant.format(**{field.name: field.default for field in traits.fields})
