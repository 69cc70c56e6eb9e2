"""Which files of the package a piece of code can reach, found by reading the imports as text.

Nothing is imported to find out: importing would load machine code, and shows only what this
process happened to use. Each file is parsed once, and its imports are followed, with those inside
functions::

    from rl_toolkit.kernels.spec import LineSpec    the file of that module
    from rl_toolkit.envs import make_game           the door (`envs/__init__.py`), and of all that
                                                    it names only the home of `make_game`
    "rl_toolkit.utils.isolation.supervisor_main"    a module named as text, to be run or imported
    "reversi.weights"                               a file of the folder `data`

* Imports under ``if TYPE_CHECKING:`` never run and are not followed, except to find the home of a
  name in a door that loads its names lazily.
* A door is among the files, but what else it names is not. If the home of a name cannot be told,
  all modules of that package are followed.
* Code that chooses an engine or a game can reach all of them, but plays with one. So
  its imports of the layers of which it chooses are not followed (`_CHOOSING`), and neither is what
  the caller leaves out: other games than the one that is played, and their solvers. The engines
  and the game are roots.
* The package's own ``__init__.py`` is not among the files: it holds the version number.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

_ENGINES = ("algorithms", "learning", "protocols")
#: Modules that choose by name or by game, and the layers of which they choose.
_CHOOSING = {
    "players.kinds.builtin": _ENGINES,
    "players.kinds.knowledge": _ENGINES,
    "players.advisers": _ENGINES,
    "arena.exact_scores": _ENGINES,
    "arena.sample_games": _ENGINES,
    "envs.registry": ("adapters",),
}

_QUOTED = re.compile(r"""["']([\w.-]+)["']""")


@dataclass(frozen=True, slots=True)
class Import:
    """``from module import name as alias``; ``name`` is "" for ``import module``."""

    module: str
    name: str
    alias: str


@dataclass(slots=True)
class _Source:
    """What one file says: its imports, those for type checkers only, its own names, its texts."""

    imports: list[Import] = field(default_factory=list)
    typing: list[Import] = field(default_factory=list)
    defined: set[str] = field(default_factory=set)
    texts: set[str] = field(default_factory=set)


class ReachedFiles:
    """The files of a package that some of its modules reach.

    Args:
        package: the folder of the package; its name is that of the package.
    """

    def __init__(self, package: Path) -> None:
        self._name = package.name
        self._files: dict[str, Path] = {}
        self._doors: dict[str, Path] = {}  # the packages among the modules
        for file in package.rglob("*.py"):
            module = ".".join((package.name, *file.relative_to(package).with_suffix("").parts))
            if file.name == "__init__.py":
                module = module.removesuffix(".__init__")
                self._doors[module] = file
            self._files[module] = file
        self._data = {file.name: file for file in package.glob("data/*") if file.is_file()}
        self._sources: dict[str, _Source] = {}
        self._digests: dict[Path, bytes] = {}
        self._steps: dict[str, tuple[set[Path], set[str]]] = {}

    def of(self, roots: Iterable[str], without: Collection[str] = ()) -> list[Path]:
        """The files that the modules ``roots`` reach, in order; ``without`` are not followed."""
        files: set[Path] = set()
        waiting = set(roots)
        seen = set(without) - waiting
        while waiting:
            module = waiting.pop()
            seen.add(module)
            own, others = self._step(module)
            files |= own
            waiting |= others - seen
        return sorted(files - {self._doors[self._name]})

    def digest(self, file: Path) -> bytes:
        """The hash of a file, which is read once."""
        if file not in self._digests:
            self._digests[file] = hashlib.sha256(file.read_bytes()).digest()
        return self._digests[file]

    def _step(self, module: str) -> tuple[set[Path], set[str]]:
        """The files that belong to a module, and the modules that it uses; worked out once."""
        if module not in self._steps:
            self._steps[module] = self._new_step(module)
        return self._steps[module]

    def _new_step(self, module: str) -> tuple[set[Path], set[str]]:
        name = module.removesuffix(".*")
        if name not in self._files:
            return set(), set()
        files, modules = {self._files[name], *self._around(name)}, set[str]()
        source = self._source(name)
        for imported in source.imports + (source.typing if module != name else []):
            homes = [home for home in self._homes(imported) if self._follows(name, home)]
            if homes:
                files |= self._around(imported.module)
                modules.update(homes)
        for text in source.texts:
            if text in self._data:
                files.add(self._data[text])
            elif self._follows(name, text):
                modules.add(text)  # what is not a module has no file
        return files, modules

    def imported_by(self, code: str) -> list[str]:
        """The modules of the package that code outside it imports; none if it is not Python."""
        try:
            source = _parsed(code, "")
        except (SyntaxError, ValueError):
            return []
        return [home for imported in source.imports for home in self._homes(imported)]

    def _follows(self, module: str, home: str) -> bool:
        """Whether an import is followed: not from code that chooses, to what it chooses."""
        layer = home.split(".")[1:2]
        return not layer or layer[0] not in _CHOOSING.get(module.partition(".")[2], ())

    def _homes(self, each: Import) -> Iterator[str]:
        """The modules in which an imported name is defined; ``module.*`` is a door with all."""
        if each.module.partition(".")[0] != self._name:
            return
        inside = f"{each.module}.{each.name}"
        if each.name in ("", "*"):
            yield self._whole(each.module)
            return
        if each.module not in self._doors:
            yield each.module
            return
        source = self._source(each.module)
        homes = [home for home in (*source.imports, *source.typing) if home.alias == each.name]
        if each.name in source.defined:
            yield each.module
        elif others := [home for home in homes if home != each]:
            yield from self._homes(others[0])
        elif inside in self._files:
            yield self._whole(inside)
        else:
            folder = self._doors[each.module].parent
            yield from (module for module, file in self._files.items() if file.parent == folder)

    def _whole(self, module: str) -> str:
        """How a module is named among those that wait: a door with all that it names."""
        return f"{module}.*" if module in self._doors else module

    def _around(self, module: str) -> set[Path]:
        """The ``__init__.py`` of the packages around a module, which run before it, and its own."""
        parts = module.split(".")
        names = {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
        return {self._doors[name] for name in names & self._doors.keys()}

    def _source(self, module: str) -> _Source:
        if module not in self._sources:
            package = module if module in self._doors else module.rpartition(".")[0]
            source = _parsed(self._files[module].read_text(encoding="utf-8"), package)
            modules = {text for text in source.texts if text.startswith(f"{self._name}.")}
            source.texts &= modules | self._data.keys()
            self._sources[module] = source
        return self._sources[module]


@lru_cache(maxsize=4)
def reached_files(package: Path) -> ReachedFiles:
    """The files of a package, each read once in a process."""
    return ReachedFiles(package)


#: The attributes of a statement that hold statements.
_BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")


def _parsed(code: str, package: str) -> _Source:
    source = _Source(texts=set(_QUOTED.findall(code)))
    tree = ast.parse(code)
    _read(tree.body, package, source, source.imports)
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            source.defined.add(statement.name)
        elif isinstance(statement, ast.Assign | ast.AnnAssign):
            targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
            source.defined.update(target.id for target in targets if isinstance(target, ast.Name))
    return source


def _read(
    statements: Iterable[ast.AST], package: str, source: _Source, imports: list[Import]
) -> None:
    """Add the imports of some statements and of those inside them."""
    for node in statements:
        if isinstance(node, ast.Import):
            imports += [
                Import(a.name, "", a.asname or a.name.partition(".")[0]) for a in node.names
            ]
        elif isinstance(node, ast.ImportFrom):
            above = package.rsplit(".", node.level - 1)[0] if node.level else ""
            module = ".".join(filter(None, (above, node.module)))
            imports += [Import(module, a.name, a.asname or a.name) for a in node.names]
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in vars(node.test).values():
            _read(node.body, package, source, source.typing)
            _read(node.orelse, package, source, imports)
        else:
            for block in _BLOCKS:
                _read(getattr(node, block, ()), package, source, imports)
