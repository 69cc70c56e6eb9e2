"""Plugins: modules outside the toolkit that register games or engines.

A worker process starts with the toolkit alone. Executors send it the list of plugins
(`loaded_plugins`), and it loads them before its first task (`load_plugins`), so that it knows the
same games and engines. A plugin is identified by the name of its module, its file, and a hash of
the file: a worker rejects a file that has changed. Most modules register their own classes; for a
class that another module registered, the plugin also names the function that did so.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

_PACKAGE = __name__.partition(".")[0]


class PluginError(ValueError):
    """A plugin cannot be loaded."""


class Plugin(NamedTuple):
    """A module outside the toolkit, optionally with a class and the function that registered it."""

    module: str
    file: str
    digest: str
    name: str = ""
    register: str = ""


_loaded: dict[tuple[str, str], Plugin] = {}


def remember_plugin(
    module: str, name: str = "", register: Callable[..., object] | None = None
) -> None:
    """Add ``module``, which registered something, to the plugins if it is outside the toolkit.

    ``name`` is the class that ``register`` registered.
    """
    if module.partition(".")[0] == _PACKAGE:
        return
    loaded = sys.modules.get(module)
    file = getattr(loaded, "__file__", None)
    # Workers cannot load what was typed at a prompt or in a notebook, or made inside a function.
    if file is None or (name and not hasattr(loaded, name)):
        return
    path = Path(file).resolve()
    by = "" if register is None else f"{register.__module__}:{register.__name__}"
    _loaded[module, name] = Plugin(module, str(path), _digest(path), name, by)


def loaded_plugins() -> tuple[Plugin, ...]:
    """The plugins of this process, in the order in which they first registered something."""
    return tuple(_loaded.values())


def load_plugins(plugins: Iterable[Plugin]) -> None:
    """Load the plugins of another process; raises `PluginError` if one is gone or has changed."""
    for plugin in plugins:
        if (plugin.module, plugin.name) in _loaded:
            continue
        module = _imported(plugin)
        key = (module.__name__, plugin.name)
        if plugin.register and key not in _loaded:  # importing it may have registered the class
            home, _, function = plugin.register.partition(":")
            if not hasattr(module, plugin.name):
                raise PluginError(
                    f"{plugin.name} is not at the top level of {Path(plugin.file).name}, so worker "
                    f"processes cannot load it"
                )
            getattr(importlib.import_module(home), function)(getattr(module, plugin.name))


def _imported(plugin: Plugin) -> ModuleType:
    path = Path(plugin.file)
    if path.is_file():
        if _digest(path) != plugin.digest:
            raise PluginError(f"{path.name} has changed since this run began")
        return _import_file(plugin.module, path)
    try:  # another machine may have it in another place
        return importlib.import_module(plugin.module)
    except ImportError as error:
        raise PluginError(f"{plugin.module} cannot be loaded here: {error}") from error


def _import_file(module: str, path: Path) -> ModuleType:
    """Import ``path`` under the name that the module has in the other process.

    A script run as ``__main__`` is loaded under another name, so that it does not run again; in a
    worker spawned from it, Python calls it ``__mp_main__``.
    """
    names = ("__mp_main__", f"_plugin_{path.stem}") if module == "__main__" else (module,)
    for name in names:
        if name in sys.modules:
            return sys.modules[name]
    name = names[-1]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise PluginError(f"{path.name} is not a Python file")
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    try:
        spec.loader.exec_module(made)
    except BaseException:
        del sys.modules[name]
        raise
    return made


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
