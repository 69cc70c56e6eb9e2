"""A sentence for an import that the lab does not allow.

It keeps no one out: code can import in other ways. What is not allowed is not there at all inside
a sandbox (see `utils.isolation`), so that such code finds nothing.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from types import ModuleType

from rl_toolkit.utils import listed

_import = builtins.__import__


def explain_imports(allowed: Sequence[str], own: Iterable[str]) -> None:
    """From now on, say what files in this folder may import: ``allowed`` and their ``own`` names.

    The standard library is allowed, too.
    """
    folder = os.getcwd() + os.sep
    known = {*sys.stdlib_module_names, *own, *(name.partition(".")[0] for name in allowed)}

    def explaining(
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - their names
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        first = name.partition(".")[0]
        if level == 0 and first not in known:
            importer = str((globals or {}).get("__file__", ""))
            if importer.startswith(folder):
                raise ModuleNotFoundError(
                    f"No module named {first!r} in this lab, which may import the standard "
                    f"library and {listed(allowed)}"
                )
        return _import(name, globals, locals, fromlist, level)

    builtins.__import__ = explaining
