"""A tree typed as a handout says, below ``rl_toolkit/``: its files in place of the package's.

The student and the tests see only what the student has written. The package's own modules still
find in such a file what the student's version of it does not have.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.util
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import ModuleType
from typing import Any

import rl_toolkit

PACKAGE = "rl_toolkit"
_HOME = Path(rl_toolkit.__file__).resolve().parent


def take_over(files: Mapping[str, str]) -> None:
    """Import the student's files below ``rl_toolkit/`` in place of ours from now on."""
    places = {
        name.removesuffix(".py").replace("/", "."): Path.cwd() / name
        for name in files
        if name.startswith(f"{PACKAGE}/")
        and name.endswith(".py")
        and not name.endswith("__init__.py")
    }
    for name in places:
        parent, _, last = name.rpartition(".")
        home: Any = sys.modules.get(parent)
        for loaded in [each for each in sys.modules if each == name or each.startswith(name + ".")]:
            del sys.modules[loaded]
        if home is not None:
            vars(home).pop(last, None)
    sys.meta_path.insert(0, _TreeFinder(places))
    for parent in {name.rpartition(".")[0] for name in places}:
        _open(parent)


class _TreeFinder(importlib.abc.MetaPathFinder):
    """Finds modules of the package in the student's tree first."""

    def __init__(self, places: Mapping[str, Path]) -> None:
        self._places = places

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The student's file of this name, if there is one."""
        file = self._places.get(fullname)
        if file is None:
            return None
        loader = _TreeLoader(fullname, str(file))
        return importlib.util.spec_from_file_location(fullname, file, loader=loader)


class _TreeLoader(SourceFileLoader):
    """Loads a student's file; ours that ask it for something else get it from our file."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the student's code; what it lacks is ours, for modules of ours."""
        ours = _ours(module.__name__)
        if ours is not None:
            vars(module)["__getattr__"] = _Lacking(module.__name__, ours)
            if ours.name == "__init__.py":
                module.__path__ = [str(ours.parent)]
        super().exec_module(module)


class _Lacking:
    """``__getattr__`` of a student's module: a name of our file, if a module of ours asks."""

    def __init__(self, name: str, file: Path) -> None:
        self._name, self._file = name, file
        self._module: ModuleType | None = None

    def __call__(self, name: str) -> Any:
        """The attribute; raises `AttributeError` for everybody else."""
        asks = Path(sys._getframe(1).f_code.co_filename)
        if name.startswith("__") or not asks.is_relative_to(_HOME):
            raise AttributeError(f"module {self._name!r} has no attribute {name!r}")
        if self._module is None:
            spec = importlib.util.spec_from_file_location(f"{self._name} (ours)", self._file)
            assert spec is not None
            assert spec.loader is not None
            self._module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(self._module)
        return getattr(self._module, name)


def _ours(name: str) -> Path | None:
    """The file of the package for a module, if it has one."""
    place = _HOME.joinpath(*name.split(".")[1:])
    for file in (place / "__init__.py", place.with_suffix(".py")):
        if file.is_file():
            return file
    return None


def _open(package: str) -> None:
    """Make a package that only the student's tree has."""
    try:
        importlib.import_module(package)
    except ModuleNotFoundError:
        made = ModuleType(package)
        made.__path__ = [str(Path.cwd() / package.replace(".", "/"))]
        sys.modules[package] = made
