"""A sentence for an import that the lab does not allow.

It keeps no one out: code can import in other ways. What is not allowed is not there at all inside
a sandbox (see `utils.isolation`), so that such code finds nothing.
"""

from __future__ import annotations

import builtins
import os
import sys
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from rl_toolkit.utils.messages import listed

_import = builtins.__import__


class NotAllowedError(ImportError):
    """The student's code imports what the lab does not allow."""


def explain_imports(allowed: Sequence[str]) -> None:
    """From now on, let files in this folder import only the standard library and ``allowed``."""
    folder = os.getcwd() + os.sep
    known = {*sys.stdlib_module_names, *(name.partition(".")[0] for name in allowed)}

    def explaining(
        name: str,
        globals: Mapping[str, Any] | None = None,  # noqa: A002 - their names
        locals: Mapping[str, Any] | None = None,  # noqa: A002
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        first = name.partition(".")[0]
        if level == 0 and first not in known:
            importer = str((globals or {}).get("__file__", ""))
            if importer.startswith(folder):
                packages = listed([each for each in allowed if _is_installed(each)])
                raise NotAllowedError(
                    f"this lab may import the standard library and {packages}, not {first}"
                )
        return _import(name, globals, locals, fromlist, level)

    builtins.__import__ = explaining


def _is_installed(name: str) -> bool:
    """Whether a name is that of a package, and not that of a file in this folder."""
    return not os.path.exists(f"{name}.py") and not os.path.isdir(name)
