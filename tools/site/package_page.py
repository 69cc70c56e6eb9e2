"""The package page: the README, with links that lead somewhere from a package index."""

from __future__ import annotations

import re

from tools.site.addresses import About

_LINK = re.compile(r"(!?)\[([^\]]*)\]\((?!https?:)([^)]*)\)")
_SOURCE = re.compile(
    r"^With Python [^\n]* in the folder of the source:\n\n```sh\n[^\n]*", re.MULTILINE
)
_FROM_INDEX = "With Python 3.11 or newer:\\n\\n```sh\\npip install rl-toolkit-games"
_PICTURES = re.compile(r"^\| what each move is worth.*?\n\n\*.*?\*\n\n", re.DOTALL | re.MULTILINE)


def package_page(readme: str, about: About) -> str:
    """The README as the package page shows it.

    A link to a file leads to the repository, once about.toml names one. Until then the page has
    the words of links alone, and no pictures. It installs the package by its name.
    """

    def linked(link: re.Match[str]) -> str:
        picture, words, target = link.groups()
        address = about.file(target)
        if picture:
            return f"![{words}]({address}?raw=true)"
        return f"[{words}]({address})" if address else words

    readme = _SOURCE.sub(_FROM_INDEX, readme)
    if not about.repository:
        readme = _PICTURES.sub("", readme)
    return _LINK.sub(linked, readme)
