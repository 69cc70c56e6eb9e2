"""A fingerprint of the code that plays for a spec, to notice games of an older version.

For engines and games outside the toolkit it covers the files of their modules and of the modules
that these use, except the standard library and installed packages. What was typed at a prompt, or
stands in the script that is running, has no file of its own: there the functions and constants that
the class uses count, so that the rest of the script may change. For engines of the toolkit it
covers the layers that decide their moves, with their weights and books; networks have a stamp of
their own. The spec itself counts, which for a level or a rating is the one that it stands for, and
so do the engines of a mix, files named in a spec, such as weights, and the files of a program.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any, Literal, Self, get_args

from rl_toolkit import __version__
from rl_toolkit.arena.journal import JournalError
from rl_toolkit.envs import make_game
from rl_toolkit.players import Player
from rl_toolkit.players.mixing import MixedEngine
from rl_toolkit.players.options import spec_name, split_spec, without_folder
from rl_toolkit.players.registry import engine_kind
from rl_toolkit.protocols.program_engine import ProgramEngine
from rl_toolkit.protocols.service.client import PackageEngine

#: What to do with saved games of older code: raise an error, play them again, or count them.
IfChanged = Literal["refuse", "replay", "keep"]
IF_CHANGED: tuple[IfChanged, ...] = get_args(IfChanged)


class ChangedCodeError(JournalError):
    """A file holds games that were played by an older version of an engine's code."""

    @classmethod
    def since(cls, engines: Iterable[str], games: int, file: Path | None) -> Self:
        """The error for these engines and the number of their games in a file."""
        return cls(
            f"the code of {' and '.join(engines)} has changed since {games} games in {file} were "
            "played: play them again, keep them, or choose another file"
        )


_PACKAGE = Path(__file__).parents[1]
#: The parts of the toolkit that decide the moves of its engines.
_DECIDING = (
    "kernels",
    "envs",
    "analysis",
    "algorithms",
    "learning/alphazero",
    "protocols",
    "players",
)
#: Files that its engines play with, by pattern.
_PLAYED_WITH = ("data/*.weights", "data/*.book")
#: What an engine of another version looks up itself: levels, ratings and networks.
_LOOKED_UP = ("players/ladder_data/*.json", "data/networks/*.npz")

_INSTALLED = tuple(
    Path(sysconfig.get_paths()[name]).resolve()
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
)
_CONSTANTS = (bool, int, float, complex, str, bytes, tuple, list, dict, set, frozenset)


def code_of(game: str, player: Player) -> str:
    """A hash that changes when the code of the player, of its game, or a file it names changes.

    An engine of another version of the package is known by the code of that version alone.
    """
    if isinstance(player.engine, PackageEngine):
        code = _toolkit(player.engine.root / _PACKAGE.name, _PLAYED_WITH + _LOOKED_UP)
        return hashlib.sha256(code.encode()).hexdigest()[:16]
    name, chosen = split_spec(player.spec)
    kind = engine_kind(name)
    kept = hashlib.sha256()
    if isinstance(player.engine, MixedEngine):
        mix = player.engine
        parts = (code_of(game, each) for each in (mix.strong, mix.weak))
        kept.update(f"{' '.join(parts)} {mix.slips} {mix.seed}\0".encode())
    else:
        kept.update(f"{without_folder(player.spec)}\0".encode())
    inside = False
    roots = [*type(player.engine).__mro__, kind.make, *type(make_game(game)).__mro__]
    for root in dict.fromkeys(roots):
        if (module := _module_of(root)) is None or module.__name__ == "builtins":
            continue
        if _is_toolkit(module):
            inside = True
        elif module.__name__ == "__main__" or _file_of(module) is None:
            _add_object(root, kept.update, set())
        else:
            for file in _files_of(module):
                kept.update(file.read_bytes())
    if inside:
        kept.update(_toolkit(_PACKAGE).encode())
    for option in kind.options:
        value = chosen.get(option.name)
        if value is not None and option.kind == "file" and option.is_outside(value):
            kept.update(_contents(Path(value)))
    if isinstance(player.engine, ProgramEngine):
        for file in player.engine.files:
            kept.update(_contents(file))
    return kept.hexdigest()[:16]


@lru_cache(maxsize=8)
def _toolkit(package: Path, data: tuple[str, ...] = _PLAYED_WITH) -> str:
    """A hash of the engines and games of a version of the toolkit, and of their data."""
    kept = hashlib.sha256()
    code = (file for part in _DECIDING for file in sorted((package / part).rglob("*.py")))
    others = (file for pattern in data for file in sorted(package.glob(pattern)))
    for file in chain(code, others):
        kept.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    return kept.hexdigest()


def version_of(player: Player) -> str | None:
    """The version of the package that a player comes from; ``None`` for bots and programs."""
    if isinstance(player.engine, PackageEngine):
        return player.engine.version or None
    module = _module_of(type(player.engine))
    ours = module is not None and _is_toolkit(module)
    return None if not ours or engine_kind(spec_name(player.spec)).outside else __version__


def _contents(path: Path) -> bytes:
    """The bytes of a file; none if it cannot be read, which the engine will say itself."""
    try:
        return path.expanduser().read_bytes()
    except OSError:
        return b""


# ------------------------------------------------------------------------ modules


def _module_of(value: object) -> ModuleType | None:
    """The module that ``value`` is, or in which it was defined."""
    if isinstance(value, ModuleType):
        return value
    name = getattr(value, "__module__", None)
    return sys.modules.get(name) if isinstance(name, str) else None


def _file_of(module: ModuleType) -> Path | None:
    file = getattr(module, "__file__", None)
    return Path(file).resolve() if isinstance(file, str) and Path(file).is_file() else None


def _is_toolkit(module: ModuleType) -> bool:
    return module.__name__.partition(".")[0] == _PACKAGE.name


def _files_of(root: ModuleType) -> list[Path]:
    """The file of a module and those of the modules that it uses and that belong to it."""
    package = root.__name__.partition(".")[0]
    seen: dict[str, Path] = {}
    waiting = [root]
    while waiting:
        module = waiting.pop()
        file = _file_of(module)
        if file is None or module.__name__ in seen:
            continue
        ours = module.__name__.partition(".")[0] == package or not _is_installed(file)
        if ours and not _is_toolkit(module):
            seen[module.__name__] = file
            used = map(_module_of, list(vars(module).values()))
            waiting += [each for each in used if each is not None]
    return sorted(set(seen.values()))


def _is_installed(file: Path) -> bool:
    return any(file.is_relative_to(folder) for folder in _INSTALLED)


# --------------------------------------------------------------- code without a file


def _add_object(value: Any, add: Callable[[bytes], object], seen: set[int]) -> None:
    """Add what a class, function or constant does, and the names of its module that it uses."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, _CONSTANTS):
        add(_stable(value).encode())
    elif isinstance(value, type):
        for name, member in vars(value).items():
            function = getattr(member, "__func__", getattr(member, "fget", member))
            own = isinstance(function, _CONSTANTS) and not name.startswith("__")
            if own or isinstance(function, FunctionType):
                add(name.encode())
                _add_object(function, add, seen)
    elif isinstance(value, FunctionType):
        add(_stable((value.__defaults__, value.__kwdefaults__)).encode())
        for code in _codes(value.__code__):
            constants = [each for each in code.co_consts if not isinstance(each, CodeType)]
            add(code.co_code + _stable([code.co_names, constants]).encode())
            for name in code.co_names:
                used = value.__globals__.get(name)
                if _module_of(used) is _module_of(value) or isinstance(used, _CONSTANTS):
                    _add_object(used, add, seen)


def _stable(value: object) -> str:
    """Text for a constant that is the same in every process."""
    if isinstance(value, (set, frozenset)):
        return f"{{{', '.join(sorted(map(_stable, value)))}}}"
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_stable, value))}]"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{_stable(k)}: {_stable(v)}' for k, v in value.items())}}}"
    return repr(value) if isinstance(value, _CONSTANTS) else type(value).__name__


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)
