"""Stamps: what played a saved game, to notice games of an older version.

The code of a player is a hash of

* its spec, which for a level or a rating is the one that it stands for; a mix counts by its parts;
* the files of the package that its engine, the game and the run reach (see `reached_files`), and
  the data that they name, such as weights and books; networks have a stamp of their own;
* the files outside the package: modules of an engine or game, with those that they use, except the
  standard library and installed packages; the file of a bot; files named in a spec; a program's.

So a change to one game or engine leaves the saved games of the others as they are. All engines
count for code outside the package that can ask for any of them by name, and all code of another
version of the package for an engine of it.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Literal, NamedTuple, Self, get_args

from rl_toolkit import __version__
from rl_toolkit.algorithms import SOLVERS
from rl_toolkit.analysis import HasFiles
from rl_toolkit.arena.arbiter.worker_engines import network_of
from rl_toolkit.arena.runs.journal import JournalError
from rl_toolkit.arena.runs.reached_files import reached_files
from rl_toolkit.arena.runs.typed_code import add_code
from rl_toolkit.envs import BaseGameEnv, for_game, game_families, make_game
from rl_toolkit.players import MixedEngine, Player, Spec, engine_kind
from rl_toolkit.players.advisers import adviser_spec, prover_spec, solves_from
from rl_toolkit.protocols import PackageEngine

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


class Stamp(NamedTuple):
    """Who plays: the checksum of the network, a hash of the code, the version of the package."""

    network: str | None
    code: str
    version: str | None


def stamp_of(game: str, player: Player, *, judged: bool = False) -> Stamp:
    """The stamp of a player; ``judged`` if the run asks engines of its own (`judges_of`)."""
    code = code_of(game, player, judged=judged)
    return Stamp(network_of(game, player), code, version_of(player))


_PACKAGE = Path(__file__).parents[2]
#: The run itself: what plays pairs of games, and what draws their openings.
_RUN = ("rl_toolkit.arena.runs.playing", "rl_toolkit.arena.runs.openings.drawing")
#: The parts of another version of the package that decide the moves of its engines, with their data
#: and what it looks up itself: levels, ratings and networks.
_DECIDING = (
    "kernels",
    "envs",
    "analysis",
    "algorithms",
    "learning/alphazero",
    "protocols",
    "players",
)
_PLAYED_WITH = (
    "data/*.weights",
    "data/*.book",
    "players/levels/data/*.json",
    "data/networks/*.npz",
)

_INSTALLED = tuple(
    Path(sysconfig.get_paths()[name]).resolve()
    for name in ("stdlib", "platstdlib", "purelib", "platlib")
)


def code_of(game: str, player: Player, *, judged: bool = False) -> str:
    """A hash that changes when the code of the player, of its game, or a file it names changes."""
    if isinstance(player.engine, PackageEngine):
        code = _version_code(player.engine.root / _PACKAGE.name)
        return hashlib.sha256(code.encode()).hexdigest()[:16]
    kind = engine_kind(player.spec.kind)
    kept = hashlib.sha256()
    if isinstance(player.engine, MixedEngine):
        mix = player.engine
        parts = (code_of(game, part) for part in (mix.strong, mix.weak))
        kept.update(f"{' '.join(parts)} {mix.slips} {mix.seed}\0".encode())
    else:
        kept.update(f"{player.spec.portable}\0".encode())
    inside, from_outside = set(_RUN), set[str]()  # modules of the package, and who uses them
    if judged:
        inside.update(engine_kind(judge.kind).module for judge in judges_of(game))
    env = make_game(game)

    def uses(value: object) -> None:
        if (module := _module_of(value)) is not None and _is_toolkit(module):
            from_outside.add(module.__name__)

    for root in dict.fromkeys([*type(player.engine).__mro__, kind.make, *type(env).__mro__]):
        if (module := _module_of(root)) is None or module.__name__ == "builtins":
            continue
        if _is_toolkit(module):
            inside.add(module.__name__)
        elif module.__name__ == "__main__" or _file_of(module) is None:
            add_code(root, kept.update, uses)
        else:
            for file in _files_of(module):
                kept.update(file.read_bytes())
                from_outside.update(_imported_by(file.read_bytes()))
    for name in player.spec.files:
        contents = _contents(Path(name))
        kept.update(contents)
        from_outside.update(_imported_by(contents))
    if isinstance(player.engine, HasFiles):
        for file in player.engine.files:
            kept.update(_contents(file))
    if any(map(_can_choose, from_outside)):
        kept.update(_version_code(_PACKAGE).encode())
    others = {family.game.__module__ for family in game_families()}
    others -= {base.__module__ for base in type(env).__mro__}
    others |= {solver.module for solver in SOLVERS.values()} - {_solver_module(env)}
    kept.update(_files_code(frozenset(inside | from_outside), frozenset(others)).encode())
    return kept.hexdigest()[:16]


def _can_choose(module: str) -> bool:
    """Whether who imports a module of the package can make any engine by its name."""
    return module.split(".")[1:2] in (["*"], ["players"], ["arena"])


def judges_of(game: str) -> list[Spec]:
    """The engines that a run asks itself: to adjudicate games, and to choose balanced openings."""
    env = make_game(game)
    return [adviser_spec(env), prover_spec(env), *([Spec("exact")] if solves_from(env) else [])]


def _solver_module(env: BaseGameEnv) -> str | None:
    solver = for_game(SOLVERS, env)
    return None if solver is None else solver.module


@lru_cache(maxsize=256)
def _files_code(modules: frozenset[str], other_games: frozenset[str]) -> str:
    """A hash of the files of the package that some of its modules reach."""
    reached = reached_files(_PACKAGE)
    return _hash_of(_PACKAGE, reached.of(modules, other_games), reached.digest)


@lru_cache(maxsize=8)
def _version_code(package: Path) -> str:
    """A hash of the engines and games of another version of the package, and of their data."""
    code = (file for part in _DECIDING for file in sorted((package / part).rglob("*.py")))
    data = (file for pattern in _PLAYED_WITH for file in sorted(package.glob(pattern)))
    return _hash_of(package, chain(code, data))


def _hash_of(
    package: Path, files: Iterable[Path], contents: Callable[[Path], bytes] = Path.read_bytes
) -> str:
    kept = hashlib.sha256()
    for file in files:
        kept.update(file.relative_to(package).as_posix().encode() + b"\0" + contents(file))
    return kept.hexdigest()


def version_of(player: Player) -> str | None:
    """The version of the package that a player comes from; ``None`` for bots and programs."""
    if isinstance(player.engine, PackageEngine):
        return player.engine.version or None
    module = _module_of(type(player.engine))
    ours = module is not None and _is_toolkit(module)
    return None if not ours or engine_kind(player.spec.kind).outside else __version__


def _contents(path: Path) -> bytes:
    """The bytes of a file; none if it cannot be read, which the engine will say itself."""
    try:
        return path.expanduser().read_bytes()
    except OSError:
        return b""


def _imported_by(contents: bytes) -> list[str]:
    """The modules of the package that a file outside it imports."""
    return reached_files(_PACKAGE).imported_by(contents.decode(errors="replace"))


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
            waiting += [stamp for stamp in used if stamp is not None]
    return sorted(set(seen.values()))


def _is_installed(file: Path) -> bool:
    return any(file.is_relative_to(folder) for folder in _INSTALLED)
