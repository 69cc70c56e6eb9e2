"""The pages lead somewhere: their links, the headings they point to, and the files they name."""

import re
import sys

import pytest
from paths import ROOT

sys.path.insert(0, str(ROOT))

from tools.site.former import FORMER

PAGES = [
    ROOT / "README.md",
    *sorted(ROOT.glob("docs/**/*.md")),
    *sorted(ROOT.glob("projects/*/*.md")),
]
LINK = re.compile(r"\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)")
LAYERS = (
    "utils|kernels|envs|records|algorithms|learning|explain|protocols|players|arena|testing|"
    "adapters|labs|web|cli"
)
FILE = re.compile(rf"`(?:rl_toolkit/)?((?:{LAYERS})/[\w/.]*(?:\.py|/))`")


def anchors(text):
    """The names by which the headings of a page can be linked to."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_and_files_exist(page):
    text = page.read_text(encoding="utf-8")
    for target, anchor in LINK.findall(text):
        path = page.parent / target if target else page
        assert path.exists(), target
        assert not anchor or anchor in anchors(path.read_text(encoding="utf-8")), anchor
    for name in FILE.findall(text):
        assert (ROOT / "rl_toolkit" / name).exists(), name


def test_every_page_can_be_reached_from_the_readme():
    found = {ROOT / "README.md"}
    waiting = list(found)
    for page in waiting:
        for target, _ in LINK.findall(page.read_text(encoding="utf-8")):
            path = (page.parent / target).resolve()
            if path.suffix == ".md" and path not in found:
                found.add(path)
                waiting.append(path)
    former = {ROOT / "docs" / f"{old}.md" for old in FORMER}  # for links from outside alone
    assert set(ROOT.glob("docs/**/*.md")) - former <= found
