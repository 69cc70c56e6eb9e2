"""Which kind of sandbox holds on this machine: found by trying, once for each process of ours."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rl_toolkit.utils.isolation.child import ON_LINUX
from rl_toolkit.utils.isolation.errors import NotStartedError
from rl_toolkit.utils.isolation.sandbox.confining import (
    CROWDED,
    FINE,
    KINDS,
    TOTAL_MB,
    UNDECIDED,
    Confinement,
    Kind,
)
from rl_toolkit.utils.isolation.sandbox.layout import Layout, beside, python_layout
from rl_toolkit.utils.isolation.supervisor import Supervisor, idle_supervisor

#: The environment variable that asks for a weaker kind than the best one.
SANDBOX_VARIABLE = "RL_TOOLKIT_SANDBOX"
_NO_LINUX = "only Linux has it"
#: How often a kind is tried until there is an answer.
_TRIALS = 3


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What foreign code may see, and whether it rests while it is not asked.

    Attributes:
        files: files and folders that it can read besides Python.
        beside: files that it can read with what lies beside each.
        only: the packages that it can import besides the standard library; ``None`` for all.
        folder_mb: megabytes of its own folder.
        freezes: whether it is frozen between two questions, where the kind can do that.
        total_mb: megabytes that all of its processes may use together.
    """

    files: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    only: tuple[str, ...] | None = None
    folder_mb: int = 64
    freezes: bool = True
    total_mb: int = TOTAL_MB

    def layout(self) -> Layout:
        """What it sees of the file system."""
        files = [*self.files, *(path for file in self.beside for path in beside(file))]
        return _python_layout(tuple(files), self.only, self.folder_mb)


_python_layout = lru_cache(maxsize=64)(
    lambda files, only, folder_mb: python_layout(files, only=only, folder_mb=folder_mb)
)


@dataclass(frozen=True, slots=True)
class InForce:
    """The kind in force, and why each stronger one is not.

    ``is_crowded`` says that the limit of processes counts all processes of the user.
    """

    kind: Kind
    refused: Mapping[Kind, str]
    is_crowded: bool = False

    def confinement(self, sandbox: Sandbox) -> Confinement | None:
        """How a process is confined; ``None`` if nothing but its limits holds."""
        if self.kind == "limits":
            return None
        return Confinement(self.kind, sandbox.layout(), self.is_crowded)

    @property
    def freezes(self) -> bool:
        """Whether a process that may be frozen is frozen while it is not asked."""
        return self.kind == "namespaces"

    @property
    def what_holds(self) -> str:
        """What holds, in one line."""
        return _SENTENCES[self.kind]

    @property
    def sentence(self) -> str:
        """What holds, for the one who runs foreign code, and where it is explained."""
        is_whole = self.kind in ("namespaces", "bubblewrap")
        return self.what_holds + ("" if is_whole else " `rl-toolkit doctor` says why.")


_SENTENCES: dict[Kind, str] = {
    "namespaces": (
        "Sandbox: on. No network, no files or processes of others; frozen while others think."
    ),
    "bubblewrap": (
        "Sandbox: on (bubblewrap). No network, no files or processes of others; not frozen."
    ),
    "landlock": (
        "Sandbox: partial (Landlock). No network, no files of others; it can fill the disk and "
        "think while others do."
    ),
    "limits": "Sandbox: none. The code can read your files and stop its opponent.",
}
_found: dict[str, InForce] = {}
_lock = threading.Lock()


def in_force(supervisor: Supervisor | None = None, *modules: str) -> InForce:
    """The strongest kind that works here, or that `SANDBOX_VARIABLE` asks for.

    ``supervisor`` is one without a process, which tries; by default one that has imported
    ``modules``. Raises `NotStartedError` if there is none, the variable names no kind, or the
    machine is too busy to try a kind.
    """
    wanted = os.environ.get(SANDBOX_VARIABLE, "")
    with _lock:
        if wanted not in _found:
            _found[wanted] = _find(wanted, supervisor, modules)
        return _found[wanted]


def tried(kinds: tuple[Kind, ...] = KINDS) -> dict[Kind, str]:
    """What a trial of each kind says: `FINE`, `CROWDED`, `UNDECIDED`, or what was refused."""
    if not ON_LINUX:
        return {kind: FINE if kind == "limits" else _NO_LINUX for kind in kinds}
    supervisor = idle_supervisor()
    try:
        return {kind: supervisor.attempt(_confinement(kind)) for kind in kinds}
    finally:
        supervisor.end()


def _find(wanted: str, given: Supervisor | None, modules: tuple[str, ...]) -> InForce:
    if wanted and wanted not in KINDS:
        raise NotStartedError(f"cannot be started: {SANDBOX_VARIABLE} is {wanted}, not a kind")
    kinds = KINDS[KINDS.index(wanted) :] if wanted in KINDS else KINDS
    refused: dict[Kind, str] = {}
    if not ON_LINUX:
        return InForce("limits", dict.fromkeys(KINDS[:-1], _NO_LINUX))
    supervisor = given or idle_supervisor(*modules)
    try:
        for kind in kinds:
            for _ in range(_TRIALS):
                if (answer := supervisor.attempt(_confinement(kind))) != UNDECIDED:
                    break
            else:  # a busy machine is no reason for a weaker kind
                raise NotStartedError(f"cannot be started: of the sandbox {kind}, {UNDECIDED}")
            if answer in (FINE, CROWDED):
                return InForce(kind, refused, answer == CROWDED)
            refused[kind] = answer
    finally:
        if given is None:
            supervisor.end()
    raise AssertionError("limits cannot be refused")


def _confinement(kind: Kind) -> Confinement:
    return Confinement(kind, Sandbox().layout())
