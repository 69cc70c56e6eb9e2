"""What each kind of sandbox prevents, part by part: for `doctor`, the guide and the tests."""

from __future__ import annotations

import os
from dataclasses import dataclass

from rl_toolkit.utils.isolation.sandbox.confining import (
    KINDS,
    PROCESSES,
    TOTAL_MB,
    Kind,
)


@dataclass(frozen=True, slots=True)
class Protection:
    """Something that foreign code may try.

    Attributes:
        what: the attempt, as a noun.
        weakest: the weakest kind that prevents it.
        how: what then happens, by kind; "" stands for all that prevent it.
        unless_root: whether a kind below ``namespaces`` does not prevent it when root runs it.
    """

    what: str
    weakest: Kind
    how: dict[Kind | str, str]
    unless_root: bool = False

    def holds(self, kind: Kind) -> bool:
        """Whether a kind prevents it, for the user of this process."""
        if self.unless_root and kind != "namespaces" and os.geteuid() == 0:
            return False
        return KINDS.index(kind) <= KINDS.index(self.weakest)

    def sentence(self, kind: Kind) -> str:
        """What happens with this kind."""
        return self.how.get(kind, self.how[""]) if self.holds(kind) else "not prevented"


PROTECTIONS = (
    Protection(
        "reading and changing your files",
        "landlock",
        {"": "not there", "landlock": "refused; that a file exists can be seen"},
    ),
    Protection("changing Python or this package", "landlock", {"": "refused"}),
    Protection(
        "stopping, tracing or slowing other processes",
        "landlock",
        {"": "not seen", "landlock": "refused; that they exist can be seen"},
    ),
    Protection("network", "landlock", {"": "none", "landlock": "refused"}),
    Protection(
        "importing the solvers in a lab",
        "landlock",
        {"": "not there", "landlock": "refused"},
    ),
    Protection(
        "filling the disk",
        "bubblewrap",
        {"": "64 MB in memory for each folder that it may write, gone afterwards"},
    ),
    Protection(
        "more than 64 processes",
        "landlock",
        {"": f"refused after {PROCESSES}"},
        unless_root=True,
    ),
    Protection(
        "leaving processes behind",
        "limits",
        {"": "all are ended", "limits": "all are ended, unless one ends its supervisor first"},
    ),
    Protection(
        "thinking in the time of others",
        "namespaces",
        {"": "frozen"},
    ),
    Protection(
        "memory, files, output, time",
        "limits",
        {"": f"limited, all processes together to {TOTAL_MB >> 10} GB of memory"},
    ),
)
