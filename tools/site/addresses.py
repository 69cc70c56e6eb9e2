"""about.toml: addresses and names of people. All of them are empty until somebody fills them in."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).resolve().parents[2] / "about.toml"


@dataclass(frozen=True, slots=True)
class About:
    """What about.toml says.

    Attributes:
        repository: the address of the source, without a slash at its end.
        branch: the branch to which links to files lead.
        documentation: the address of the site.
        security: whom to tell about a security problem, an e-mail address or a page.
        authors: the names of the authors, "Given Family".
    """

    repository: str = ""
    branch: str = "main"
    documentation: str = ""
    security: str = ""
    authors: tuple[str, ...] = ()

    def file(self, path: str) -> str:
        """The address of a file of the repository; empty while no repository is known."""
        return f"{self.repository}/blob/{self.branch}/{path}" if self.repository else ""

    def urls(self) -> dict[str, str]:
        """The links for the package page."""
        known = {"Documentation": self.documentation, "Source": self.repository}
        if self.repository:
            known["Changelog"] = self.file("CHANGELOG.md")
        return {name: address for name, address in known.items() if address}


def read_about(file: Path = FILE) -> About:
    """What the file says. Raises `ValueError` for an entry that it does not know."""
    entries = tomllib.loads(file.read_text("utf-8"))
    unknown = sorted(set(entries) - set(About.__slots__))
    if unknown:
        raise ValueError(f"{file.name} has no entry {unknown[0]!r}")
    entries["authors"] = tuple(entries.get("authors", ()))
    for name in ("repository", "documentation"):
        entries[name] = str(entries.get(name, "")).rstrip("/")
    return About(**entries)
