"""`front_door`: a package that offers names of its modules and imports each when it is first used.

The ``__init__`` of a layer says twice what it offers: to readers in ``__all__``, with a sentence
for each name, and to type checkers in imports that never run. `front_door` reads the second list
to find the module of a name::

    from rl_toolkit.utils.front_door import front_door

    if TYPE_CHECKING:
        from rl_toolkit.records.game_record import GameRecord

    __all__ = [
        "GameRecord",  # one game, finished or not
    ]
    __getattr__, __dir__ = front_door(__name__)

So importing a layer costs nothing, and tools that read imports see where each name comes from.
Modules of the package are attributes too, as if it had imported them.
Nothing is kept at the door: what is replaced in its module, as tests do, is replaced for all who
ask later. Names that are imported for type checkers and not listed in ``__all__`` are older ones,
which work and are no longer offered.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import find_spec
from typing import Any


def front_door(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` for the package of that name."""
    homes: dict[str, str] = {}

    def get_attribute(name: str) -> Any:
        if not homes:
            try:
                homes.update(homes_of(package))
            except ImportError as error:  # inside a sandbox the file is not there
                raise AttributeError(f"module {package!r} has no {name!r} here") from error
        if name in homes:
            return getattr(import_module(homes[name]), name)
        if not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            return import_module(f"{package}.{name}")  # rl_toolkit.envs.tictactoe
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    def list_attributes() -> list[str]:
        module = sys.modules[package]
        return sorted({*vars(module), *module.__all__})

    return get_attribute, list_attributes


def homes_of(package: str) -> dict[str, str]:
    """The module of each name that an imported package imports under ``if TYPE_CHECKING:``."""
    import ast  # needed only once a name is used

    spec = sys.modules[package].__spec__
    assert spec is not None
    loader: Any = spec.loader
    if not hasattr(loader, "get_source"):  # that of pytest, which rewrites what is installed
        loader = SourceFileLoader(package, str(spec.origin))
    source = loader.get_source(package)
    return {
        alias.name: str(statement.module)
        for block in ast.parse(source).body
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for statement in block.body
        if isinstance(statement, ast.ImportFrom)
        for alias in statement.names
    }
