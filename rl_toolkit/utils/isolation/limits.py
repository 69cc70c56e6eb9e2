"""The limits of a supervised process, enforced by the operating system."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """What each process may use; those that it starts have limits of their own.

    Attributes:
        memory_mb: megabytes of address space.
        cpu_seconds: seconds of processor time.
        file_mb: megabytes of each file that it writes.
        open_files: files that are open at the same time.
    """

    memory_mb: int = 2048
    cpu_seconds: int = 3600
    file_mb: int = 16
    open_files: int = 256

    def apply(self) -> None:
        """Set the limits of this process, for good; those that the system lacks are left out."""
        import resource

        limits = {
            "RLIMIT_AS": self.memory_mb << 20,
            "RLIMIT_CPU": self.cpu_seconds,
            "RLIMIT_FSIZE": self.file_mb << 20,
            "RLIMIT_NOFILE": self.open_files,
            "RLIMIT_CORE": 0,
        }
        for name, value in limits.items():
            if hasattr(resource, name):
                limit = getattr(resource, name)
                most = resource.getrlimit(limit)[1]
                # At the soft limit of time it gets SIGXCPU, at the hard one it is killed.
                hard = value + 5 if name == "RLIMIT_CPU" else value
                if most != resource.RLIM_INFINITY:
                    value, hard = min(value, most), min(hard, most)
                with suppress(ValueError, OSError):  # not every system has every limit
                    resource.setrlimit(limit, (value, hard))
