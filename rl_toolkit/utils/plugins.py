"""Plugins: code outside the toolkit that registers games or engines.

There are three ways in, and each is the user's own choice:

* a file that is named on the command line (`load_file`),
* the files in the environment variable ``RL_TOOLKIT_PLUGINS``,
* installed packages with entry points of the groups ``rl_toolkit.games`` and
  ``rl_toolkit.engines`` (`discover`, which loads the files of the variable too).

All of them run in this process and are trusted. Saved games, matches and links never load code.

A worker process starts with the toolkit alone. Executors send it the list of plugins
(`loaded_plugins`), and it loads them before its first task (`load_plugins`), so that it knows the
same games and engines. A plugin is identified by the name of its module, its file, and a hash of
the file: a worker rejects a file that has changed. Most modules register their own classes; for a
class that another module registered, the plugin also names the function that did so. A file that
was loaded as a plugin comes before what it registers, wherever that was defined: the worker runs
it too.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import io
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from weakref import WeakSet

#: Files to load, separated like the folders in PATH.
VARIABLE = "RL_TOOLKIT_PLUGINS"

_PACKAGE = __name__.partition(".")[0]


class PluginError(ValueError):
    """A plugin cannot be loaded."""


class PluginWarning(UserWarning):
    """An installed package has a game or an engine that cannot be loaded."""


class Plugin(NamedTuple):
    """A module outside the toolkit, optionally with a class and the function that registered it."""

    module: str
    file: str
    digest: str
    name: str = ""
    register: str = ""


_loaded: dict[tuple[str, str], Plugin] = {}
#: The modules whose files are being run, and those during which something was registered.
_running: list[ModuleType] = []
_registrars: WeakSet[ModuleType] = WeakSet()


def remember_plugin(
    module: str, name: str = "", register: Callable[..., object] | None = None
) -> None:
    """Add ``module``, which registered something, to the plugins if it is outside the toolkit.

    ``name`` is the class that ``register`` registered.
    """
    if module.partition(".")[0] == _PACKAGE:
        return
    loaded = sys.modules.get(module)
    _registrars.update(_running if loaded is None else (loaded, *_running))
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
        known = _loaded.get((plugin.module, plugin.name))
        if known is not None:
            if known.digest != plugin.digest:
                raise _changed(plugin)
            continue
        before = dict(_loaded)
        module = _imported(plugin)
        key = (module.__name__, plugin.name)
        if not plugin.name:
            _put_after(before, plugin._replace(module=module.__name__))
        if plugin.register and key not in _loaded:  # importing it may have registered the class
            home, _, function = plugin.register.partition(":")
            if not hasattr(module, plugin.name):
                raise PluginError(
                    f"{plugin.name} is not at the top level of {Path(plugin.file).name}, so worker "
                    f"processes cannot load it"
                )
            getattr(importlib.import_module(home), function)(getattr(module, plugin.name))


# --------------------------------------------------------------------------- finding plugins

_groups: dict[str, Callable[[object], object]] = {}
_discovered: set[str] = set()


def offer_group(group: str, register: Callable[[object], object]) -> None:
    """Let ``register`` take the objects that entry points of ``group`` name."""
    _groups[group] = register


def discover(group: str) -> None:
    """Load the files of ``RL_TOOLKIT_PLUGINS`` and the entry points of ``group``, each once.

    A file that cannot be loaded is a `PluginError`; a package that cannot is a warning.
    """
    load_variable()
    if group in _discovered:
        return
    _discovered.add(group)
    if not _mentioned(group):
        return
    from importlib.metadata import entry_points

    for entry in entry_points(group=group):
        try:
            loaded = entry.load()
            if not isinstance(loaded, ModuleType):  # a module registers by being imported
                _groups[group](loaded)
        except Exception as error:  # somebody else's package must not stop the toolkit
            owner = "" if entry.dist is None else f" of {entry.dist.name}"
            text = f"{group} {entry.name!r}{owner} cannot be loaded: {error}"
            warnings.warn(text, PluginWarning, stacklevel=2)


def load_variable() -> None:
    """Load the files of ``RL_TOOLKIT_PLUGINS``, once; raises `PluginError` that names it."""
    if VARIABLE in _discovered:
        return
    _discovered.add(VARIABLE)
    for file in filter(None, os.environ.get(VARIABLE, "").split(os.pathsep)):
        try:
            load_plugin(file)
        except PluginError as error:
            raise PluginError(f"{VARIABLE}: {error}") from error


def _mentioned(group: str) -> bool:
    """Whether an installed package may have entry points of ``group``.

    Reading the files is much quicker than importing `importlib.metadata`.
    """
    for folder in map(Path, filter(os.path.isdir, sys.path)):
        for suffix in ("dist-info", "egg-info"):
            for file in folder.glob(f"*.{suffix}/entry_points.txt"):
                with contextlib.suppress(OSError):
                    if group.encode() in file.read_bytes():
                        return True
    return False


def load_plugin(file: str | os.PathLike[str]) -> ModuleType:
    """Load a file that registers games or engines; raises `PluginError` if it registers none."""
    before = dict(_loaded)
    module = load_file(file)
    if module not in _registrars:
        raise PluginError(
            f"{Path(file).name} registers nothing; it should end with register_game(MyGame) or "
            "register_engine(...)"
        )
    path = Path(file).expanduser().resolve()
    _put_after(before, Plugin(module.__name__, str(path), _digest(path)))
    return module


def _put_after(before: dict[tuple[str, str], Plugin], plugin: Plugin) -> None:
    """Put the file of a plugin after those ``before`` it, and before what it has registered.

    What it registers may be defined elsewhere, or made by a function.
    """
    key = (plugin.module, "")
    if key not in before:
        its = {name: known for name, known in _loaded.items() if name not in before}
        _loaded.clear()
        _loaded.update({**before, key: its.pop(key, plugin), **its})


def load_file(file: str | os.PathLike[str]) -> ModuleType:
    """Import a Python file that the user has named; raises `PluginError` with a sentence.

    What it prints while it is loaded goes to stderr, and it cannot ask for input.
    """
    path = Path(file).expanduser()
    if path.suffix != ".py":
        raise PluginError(f"{path} is not a Python file: its name must end in .py")
    if not path.is_file():
        raise PluginError(f"there is no file {path}")
    path = path.resolve()
    try:
        return _import_file(_module_name(path), path)
    except PluginError:
        raise
    except EOFError as error:
        raise PluginError(
            f"{path.name}{_line(error, path)} asks for input when it is loaded; put that under "
            "if __name__ == '__main__':"
        ) from error
    except SyntaxError as error:
        raise PluginError(f"{path.name}, line {error.lineno}: {error.msg}") from error
    except SystemExit as error:
        raise PluginError(f"{path.name}{_line(error, path)} ends the program") from error
    except Exception as error:
        what = f"{type(error).__name__}: {error}"
        raise PluginError(f"{path.name}{_line(error, path)}: {what}") from error


def _line(error: BaseException, path: Path) -> str:
    """Where in the file the error was raised: ``, line 12``."""
    import traceback

    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == str(path)
    ]
    return f", line {lines[-1]}" if lines else ""


def _module_name(path: Path) -> str:
    """The name of the file's module: that of the file, unless another module has it."""
    stem = path.stem
    for name in (stem, f"_plugin_{stem}", f"_plugin_{stem}_{_digest_of(str(path).encode())[:8]}"):
        loaded = sys.modules.get(name)
        if loaded is not None:
            same = getattr(loaded, "__file__", None)
            if same is not None and Path(same).resolve() == path:
                return name
        elif name != stem or (stem.isidentifier() and _is_free(stem, path)):
            return name
    raise PluginError(f"{path.name} has the name of another module")


def _is_free(name: str, path: Path) -> bool:
    """Whether no installed module has this name."""
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError):
        return True
    return spec is None or (spec.origin is not None and Path(spec.origin).resolve() == path)


# -------------------------------------------------------------------------- loading modules


def _imported(plugin: Plugin) -> ModuleType:
    path = Path(plugin.file)
    if path.is_file():
        if _digest(path) != plugin.digest:
            raise _changed(plugin)
        if "." in plugin.module and _is_free(plugin.module, path):
            return importlib.import_module(plugin.module)  # a module of a package
        return _import_file(plugin.module, path)
    try:  # another machine may have it in another place
        return importlib.import_module(plugin.module)
    except ImportError as error:
        raise PluginError(f"{plugin.module} cannot be loaded here: {error}") from error


def _changed(plugin: Plugin) -> PluginError:
    return PluginError(f"{Path(plugin.file).name} has changed since this run began")


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
    if str(path.parent) not in sys.path:
        sys.path.append(str(path.parent))  # for the modules beside it
    _running.append(made)
    try:
        with _undisturbed():
            spec.loader.exec_module(made)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    finally:
        _running.remove(made)
    return made


@contextlib.contextmanager
def _undisturbed() -> Iterator[None]:
    """What is printed goes to stderr, and nothing can be read from stdin."""
    before, sys.stdin = sys.stdin, io.StringIO()
    try:
        with contextlib.redirect_stdout(sys.stderr):
            yield
    finally:
        sys.stdin = before


def _digest(path: Path) -> str:
    return _digest_of(path.read_bytes())


def _digest_of(content: bytes) -> str:
    from hashlib import sha256  # only plugins need it

    return sha256(content).hexdigest()
