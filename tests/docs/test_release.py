"""Releases, and the texts that are made from about.toml once somebody fills it in."""

from __future__ import annotations

import re
import sys
import tomllib
import zipfile
from datetime import date

import pytest
from paths import ROOT

from rl_toolkit import __version__

sys.path.insert(0, str(ROOT))

from tools import release
from tools.site.addresses import About, read_about
from tools.site.package_page import package_page

DAY = date(2027, 2, 3)
FILLED = About(
    repository="https://example.org/games",
    documentation="https://docs.example.org",
    security="safe@example.org",
    authors=("Ada Lovelace", 'Max "Q" Müller', "Euklid"),
)


# --- changelog ---------------------------------------------------------------------------------


def test_the_section_unreleased_gets_version_and_day():
    text = "# Changes\n\n## Unreleased\n\n* New.\n\n## 0.2.0 (2026-11-18)\n\n* Old.\n"
    assert release.dated(text, "0.3.0", DAY) == (
        "# Changes\n\n## Unreleased\n\n## 0.3.0 (2027-02-03)\n\n* New.\n\n"
        "## 0.2.0 (2026-11-18)\n\n* Old.\n"
    )


@pytest.mark.parametrize(
    ("text", "version", "said"),
    [
        ("# Changes\n", "0.3.0", "needs one section"),
        ("## Unreleased\n\n## 0.2.0\n", "0.3.0", "is empty"),
        ("## Unreleased\n\n* New.\n\n## 0.3.0 (2026-01-01)\n", "0.3.0", "already has"),
        ("## Unreleased\n\n* New.\n\n## Unreleased\n", "0.3.0", "needs one section"),
    ],
)
def test_a_changelog_that_cannot_be_dated(text, version, said):
    with pytest.raises(release.ReleaseError, match=said):
        release.dated(text, version, DAY)


def test_the_next_release_can_be_dated():
    text = (ROOT / "CHANGELOG.md").read_text("utf-8")
    if f"## {__version__} (" not in text:
        assert f"## {__version__} (2027-02-03)" in release.dated(text, __version__, DAY)


def test_another_version_than_that_of_the_package_is_refused():
    with pytest.raises(release.ReleaseError, match=r"not 9\.9\.9"):
        release.release("9.9.9", DAY, dry=True)


def test_a_wheel_without_the_pages_of_help_is_refused(tmp_path):
    wheel = tmp_path / "a.whl"
    with zipfile.ZipFile(wheel, "w") as files:
        files.writestr("rl_toolkit/docs/picture.svg", "")
    with pytest.raises(release.ReleaseError, match=r"a\.whl has no pages"):
        release.pages_in(wheel)
    with zipfile.ZipFile(wheel, "a") as files:
        files.writestr("rl_toolkit/docs/start/tour.md", "# A tour")
    assert release.pages_in(wheel) == 1


# --- about.toml --------------------------------------------------------------------------------


def test_nothing_is_made_while_about_is_empty():
    empty = About()
    assert release.security_text(empty) is None
    assert release.citation_text(empty, "0.3.0", DAY) is None
    assert empty.urls() == {}
    assert empty.file("README.md") == ""


def test_about_reads_what_the_file_says_and_refuses_what_it_does_not_know(tmp_path):
    file = tmp_path / "about.toml"
    file.write_text('repository = "https://example.org/games/"\nauthors = ["Ada"]\n')
    about = read_about(file)
    assert (about.repository, about.authors) == ("https://example.org/games", ("Ada",))
    assert about.file("a/b.md") == "https://example.org/games/blob/main/a/b.md"
    file.write_text('homepage = ""\n')
    with pytest.raises(ValueError, match="no entry 'homepage'"):
        read_about(file)
    read_about()  # the project's own


def test_the_texts_name_whom_about_names():
    assert "report a security problem to safe@example.org" in release.security_text(FILLED)
    citation = release.citation_text(FILLED, "0.3.0", DAY)
    assert 'family-names: "Lovelace"\n    given-names: "Ada"\n' in citation
    assert 'family-names: "Müller"\n    given-names: "Max \\"Q\\""\n' in citation
    assert citation.count("given-names") == 2  # Euklid has one name
    assert "version: 0.3.0\ndate-released: 2027-02-03\n" in citation


# --- the package page --------------------------------------------------------------------------


def test_the_package_page_says_what_the_readme_says_without_dead_links():
    readme = (ROOT / "README.md").read_text("utf-8")
    page = package_page(readme, About())
    assert not re.search(r"\]\((?!https?:)", page)
    assert "![" not in page
    assert "| what each move" not in page
    for block in re.findall(r"```(?:python|output).*?```", readme, re.DOTALL):
        assert block in page
    assert "pip install rl-toolkit-games\n" in page
    linked = package_page(readme, FILLED)
    assert "(https://example.org/games/blob/main/docs/start/index.md)" in linked
    assert "blob/main/docs/images/replay.svg?raw=true)" in linked


def test_readme_addresses_and_authors_are_left_to_the_build():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert {"authors", "readme", "urls", "version"} <= set(project["dynamic"])


# --- workflows ---------------------------------------------------------------------------------


def test_the_workflows_run_what_is_run_here():
    folder = ROOT / ".github" / "workflows"
    assert "- run: .ci/run\n" in (folder / "tests.yml").read_text("utf-8")
    assert "- run: make docs\n" in (folder / "docs.yml").read_text("utf-8")
    targets = (ROOT / "Makefile").read_text("utf-8")
    assert re.search(r"^docs: .*##", targets, re.MULTILINE)
    assert re.search(r"^release: .*##", targets, re.MULTILINE)
