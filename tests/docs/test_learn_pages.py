"""The pages of docs/learn/: figures drawn from data of today, and plain Markdown.

Live figures and the numbers that they compute are checked in tests/web/chapters.
"""

import importlib.util
import re
import shutil
import sys
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor

import pytest
from paths import ROOT

FOLDER = ROOT / "docs" / "learn"
PAGES = sorted(FOLDER.glob("*.md"))
PICTURES = sorted((FOLDER / "images").glob("*.svg"))
#: Pages that list or correct; all others explain, with a figure.
WITHOUT_FIGURE = {"README", "alphazero_lite", "errata", "new_game_connect_four"}
INSTALLED = shutil.which("chromium") or shutil.which("chromium-browser")


def load():
    """The script that draws the figures; it lies beside the package."""
    path = ROOT / "tools" / "draw_learn_figures.py"
    spec = importlib.util.spec_from_file_location("draw_learn_figures", path)
    module = importlib.util.module_from_spec(spec)
    kept = list(sys.path)
    spec.loader.exec_module(module)
    sys.path[:] = kept
    return module


drawer = load()


def check_figure(name):
    stored = (FOLDER / "images" / f"{name}.svg").read_text(encoding="utf-8")
    assert drawer.FIGURES[name]().svg() + "\n" == stored


@pytest.mark.parametrize("name", sorted(set(drawer.FIGURES) - drawer.SLOW))
def test_a_figure_shows_what_is_computed_today(name):
    check_figure(name)


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(drawer.SLOW - {"layouts"}))
def test_a_slow_figure_shows_what_is_computed_today(name):
    check_figure(name)


@pytest.mark.full
@pytest.mark.skipif(not INSTALLED, reason="no Chromium on this machine")
def test_the_layouts_are_off_as_the_page_says():
    pytest.importorskip("playwright.sync_api")
    with ThreadPoolExecutor(1) as beside:  # another test may have a browser in this thread
        found = beside.submit(drawer.layouts.measured).result()
        beside.submit(check_figure, "layouts").result()
    assert [round(off) for off in found["two boxes"]] == [0, 20, 120, 287]
    assert max(found["one grid"]) < 0.1
    assert max(found["widths copied"]) > 20


def test_every_figure_has_a_page_and_every_page_a_figure():
    shown = {page.stem: re.findall(r"\]\(images/(\w+)\.svg\)", page.read_text()) for page in PAGES}
    assert {name for names in shown.values() for name in names} == set(drawer.FIGURES)
    assert {picture.stem for picture in PICTURES} == set(drawer.FIGURES)
    live = {page.stem for page in PAGES if "](images/live/" in page.read_text()}
    assert {page for page, names in shown.items() if not names} - live == WITHOUT_FIGURE


@pytest.mark.parametrize("picture", PICTURES, ids=lambda path: path.stem)
def test_a_figure_is_legible_on_light_and_dark_paper(picture):
    """Whatever has a colour has a class, so that the dark style sheet can replace it."""
    root = ET.parse(picture).getroot()
    title = root.find("{http://www.w3.org/2000/svg}title")
    assert title is not None
    assert title.text
    for part in root.iter():
        classes = part.get("class", "").split()
        for attribute, letter in (("fill", "f"), ("stroke", "s")):
            if part.get(attribute, "none") != "none":
                (name,) = [c[2:] for c in classes if c.startswith(f"{letter}-")]
                assert drawer.drawing.COLOURS[name][0] == part.get(attribute)
    style = root.find("{http://www.w3.org/2000/svg}style").text
    assert all(dark in style for _, dark in drawer.drawing.COLOURS.values())


def brightness(colour):
    """Relative luminance, as the rules for accessible pages define it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("theme", [0, 1])
def test_the_colours_stand_out(theme):
    colours = drawer.drawing.COLOURS
    paper = brightness(colours["paper"][theme])
    for name in set(colours) - {"paper", "box", "rule"}:
        low, high = sorted((paper, brightness(colours[name][theme])))
        assert (high + 0.05) / (low + 0.05) > (4.5 if name in ("ink", "soft") else 3), name


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_a_page_is_plain_markdown_and_short(page):
    text = page.read_text(encoding="utf-8")
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    if '"live: ' in text:  # a chapter: comments bind it to its figures, and answers are folded
        prose = re.sub(r"<!--.*?-->|</?details>|<summary>Answer</summary>|!\[.*", "", prose)
    assert not re.search(r"<(?!http)[a-zA-Z/!]", prose), "no HTML"
    assert text.startswith("# ")
    assert max(len(line) for line in prose.split("\n") if not line.startswith("|")) <= 130
    if page.stem not in WITHOUT_FIGURE | {"references"}:
        assert len(prose.split()) < 1100, "a student reads a page in ten minutes"


def test_the_index_lists_every_page_and_every_lab():
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert {page.stem for page in PAGES} - {"README"} == set(re.findall(r"\]\((\w+)\.md\)", text))
    assert {f"L{number:02}" for number in range(1, 21)} == set(re.findall(r"\bL\d\d\b", text))
