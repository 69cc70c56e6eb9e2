"""`Layout`: what foreign code sees of the file system, once as data for every kind of sandbox.

::

    /usr /bin /lib …   read-only             Python, its packages    read-only, same paths
    /etc               fonts, time zone      rl_toolkit              read-only, or not there
    /dev               null zero random …    its own files           read-only
    /proc              its own               a folder of its own     64 MB, gone afterwards

Nothing else is there: no home, no other bot, no results, no name server.
"""

from __future__ import annotations

import os
import site
import sys
import sysconfig
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rl_toolkit.utils.installation import cache_folder

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store")
#: Of /etc only this: no accounts of the machine, no keys, no name server.
_ETC = ("/etc/ld.so.cache", "/etc/localtime", "/etc/alternatives", "/etc/fonts")
#: What an installation of Python or a virtual environment has.
_PARTS = ("bin", "etc", "include", "lib", "lib32", "lib64", "pyvenv.cfg", "share", "ssl")
#: The most entries of a folder that are shown one by one.
_MOST_ENTRIES = 100
_PACKAGE = Path(__file__).resolve().parents[3]


@dataclass(frozen=True, slots=True)
class Layout:
    """Files and folders that can be read; all others are not there.

    Attributes:
        readable: full paths. One may lie inside a hidden one.
        hidden: folders inside readable ones that are empty.
        folder_mb: megabytes of the process's own folder.
        listed: folders whose names can be listed, because Python looks there for modules; of their
            files only the readable ones can be read.
    """

    readable: tuple[str, ...]
    hidden: tuple[str, ...] = ()
    folder_mb: int = 64
    listed: tuple[str, ...] = ()

    def steps(self) -> list[tuple[str, bool]]:
        """Paths in the order in which they are mounted, and whether each is shown or hidden.

        What lies inside a shown folder, with nothing hidden in between, needs no step.
        """
        shown = {path: True for path in self.readable if os.path.lexists(path)}
        steps: dict[str, bool] = {}
        for path, is_shown in sorted((shown | dict.fromkeys(self.hidden, False)).items()):
            above = max((step for step in steps if _is_inside(path, step)), key=len, default="")
            if is_shown != (bool(above) and steps[above]):
                steps[path] = is_shown
        return list(steps.items())

    def without_hidden(self) -> list[str]:
        """The readable paths; a folder with a hidden one inside is given entry by entry."""
        return [path for folder in self.readable for path in self._parts(folder)]

    def _parts(self, path: str) -> list[str]:
        if path in self.hidden or not any(_is_inside(folder, path) for folder in self.hidden):
            return [path] if path not in self.hidden else []
        try:
            entries = sorted(os.listdir(path))
        except OSError:
            return []
        return [part for name in entries for part in self._parts(os.path.join(path, name))]


def python_layout(
    files: Iterable[str] = (), *, only: tuple[str, ...] | None = None, folder_mb: int = 64
) -> Layout:
    """The interpreter and its packages, and ``files``; nothing of the user's home besides.

    Args:
        files: what else can be read.
        only: the packages that can be imported besides the standard library; ``None`` for all that
            are installed and this one.
        folder_mb: megabytes of the process's own folder.
    """
    base = os.path.realpath(sys.base_prefix)
    readable = [*_SYSTEM, *_ETC]
    files = list(files)
    above = dict.fromkeys(os.path.dirname(os.path.abspath(file)) for file in files)
    listed = tuple(folder for folder in above if not _holds_a_home(folder))
    for file in files:  # a home is never shown as a whole
        readable += _python_files(file) if _holds_a_home(file) else [file]
    readable += [sysconfig.get_path("stdlib")] if _holds_a_home(base) else _of_python(base)
    if only is None:
        readable += [str(_PACKAGE), str(cache_folder() / "kernels"), *_package_folders()]
        readable += [] if _holds_a_home(sys.prefix) else _of_python(sys.prefix)
        return Layout(tuple(map(os.path.abspath, readable)), (), folder_mb, listed)
    folders = _package_folders()
    for name in only:
        readable += [path for folder in folders for path in _of_package(folder, name)]
    hidden = tuple(sorted({*folders, *(os.path.realpath(folder) for folder in folders)}))
    return Layout(tuple(map(os.path.abspath, readable)), hidden, folder_mb, listed)


def beside(file: str) -> list[str]:
    """A file and what lies beside it: not hidden files, and of a home only Python files."""
    folder, name = os.path.split(os.path.abspath(file))
    try:
        entries = [entry for entry in sorted(os.listdir(folder)) if entry[0] != "."]
    except OSError:
        return [file]
    if _holds_a_home(folder) or len(entries) > _MOST_ENTRIES:
        return list(dict.fromkeys([os.path.join(folder, name), *_python_files(folder)]))
    return [os.path.join(folder, name) for name in dict.fromkeys((name, *entries))]


def _python_files(folder: str) -> list[str]:
    names = [name for name in sorted(os.listdir(folder)) if name.endswith(".py")]
    return [os.path.join(folder, name) for name in names[:_MOST_ENTRIES]]


def _of_python(prefix: str) -> list[str]:
    """What belongs to an interpreter: somebody may have made it in a folder with other things."""
    return [os.path.join(prefix, name) for name in _PARTS]


def _package_folders() -> list[str]:
    """The folders in which packages are installed."""
    named = [*site.getsitepackages(), site.getusersitepackages(), *sys.path]
    named += [sysconfig.get_path("purelib"), sysconfig.get_path("platlib")]
    named.append("/usr/lib/python3/dist-packages")
    known = dict.fromkeys(os.path.abspath(path) for path in named if path)
    return [
        path
        for path in known
        if os.path.basename(path) in ("site-packages", "dist-packages") and os.path.isdir(path)
    ]


def _of_package(folder: str, name: str) -> list[str]:
    """The files of an installed package, and the libraries that its wheel brought along."""
    names = (name, f"{name}.py", f"{name}.libs")
    paths = [os.path.join(folder, entry) for entry in names]
    return [path for path in paths if os.path.exists(path)]


def _holds_a_home(path: str) -> bool:
    """Whether a folder is a home, is above one, or is where everybody's files are."""
    homes = (os.path.realpath(os.path.expanduser("~")), "/tmp", "/home/x")
    real = os.path.realpath(path)
    return any(_is_inside(home, real) or home == real for home in homes)


def _is_inside(path: str, folder: str) -> bool:
    return path.startswith(folder.rstrip("/") + "/")
