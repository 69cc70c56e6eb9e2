"""The texts of the chapters: numbers computed, stills drawn by the figures, mistakes refused."""

import importlib.util
import json
import re
import sys

import pytest
from paths import ROOT

from rl_toolkit.web.learn.chapters import ChapterReader, Claim
from rl_toolkit.web.learn.figures import Figure, FigureError
from rl_toolkit.web.learn.markdown import Picture

pytest_plugins = ["web_browser"]


def load():
    """The script that writes the numbers; it lies beside the package."""
    spec = importlib.util.spec_from_file_location("chapters_tool", ROOT / "tools" / "chapters.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


tool = load()
CHAPTERS = tool.chapters()
JUDGE = "async (parts) => (await import('/static/figures/frame/claims.js')).judged(parts)"
DRAW = """async ([parts, width, height]) => {
  const { loadKind } = await import('/static/figures/kinds.js');
  const { svgText } = await import('/static/figures/frame/picture.js');
  const { changesOf } = await import('/static/figures/frame/state.js');
  document.documentElement.dataset.theme = 'light';
  const drawn = [];
  for (const { figure, start } of parts) {
    const kind = await loadKind(figure);
    const state = { ...kind.start, ...changesOf(kind, Object.entries(start), { strict: true }) };
    drawn.push(svgText(kind, state, kind.think(state), { width, height }, document.body, 1));
  }
  return drawn;
}"""


def without_pixels(svg):
    """A picture without what is painted: browsers compress it differently."""
    return re.sub(r'href="data:[^"]*"', "", svg)


def read(text):
    reader = ChapterReader(lambda file: file, lambda src: Picture(src, ""), lambda lab: None)
    return reader.chapter(text)


def test_every_number_answer_and_claim_is_what_the_figure_computes(open_page):
    page = open_page("/figures/tree")
    count = 0
    for path, chapter in CHAPTERS.items():
        verdicts = page.evaluate(JUDGE, tool.as_json(chapter))
        assert [v for v in verdicts if v["wrong"]] == [], path.name
        assert tool.written(path.read_text("utf-8"), verdicts) == path.read_text("utf-8")
        count += len(verdicts)
    assert count > 60


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_questions_say_what_they_are_and_come_after_a_scene_that_does_not_answer_them(path):
    text = path.read_text("utf-8")
    asked = re.findall(r"<!-- (ask|guess):(.*?)-->\n\*\*(\w+) first\.\*\*", text)
    assert len(asked) == len(re.findall(r"<!-- (?:ask|guess):", text))
    assert {(kind, word) for kind, _, word in asked} <= {("ask", "Think"), ("guess", "Guess")}
    for section in text.split("\n## "):
        first = re.search(r"<!-- (scene|ask|guess):", section)
        assert first is None or first[1] == "scene", section.split("\n")[0]
    assert ("```python" in text) == ("You may skip all Python." in text)


def test_a_wrong_number_is_noticed_and_written_anew(open_page):
    page = open_page("/figures/tree")
    picture = "![A tree](a.svg \"live: tree tree='(3 12) (2 4)'\")"
    text = f"# T\n\n## S\n\n{picture}\n\nIt reads 9<!--= leaves --> of 4<!--= all -->.\n"
    wrong = f"{text}Not so<!--! leaves == 4 -->. No fact<!--! nothing == 1 -->.\n"
    verdicts = page.evaluate(JUDGE, tool.as_json(read(wrong)))
    assert [v["wrong"] for v in verdicts] == [
        "it is 3", None, "it does not hold", "the figure has no “nothing”",
    ]  # fmt: skip
    assert "reads 3<!--= leaves --> of 4<!--" in tool.written(wrong, verdicts)
    asked = f"{text}\n<!-- ask: at=end -->\nHow many?\n\n- 4 <!--? leaves == 4 -->\n"
    asked += "- 5 <!--? 1 == 0 -->\n"
    asked += "\n<details><summary>Answer</summary>\n\nSo.\n\n</details>\n"
    verdicts = page.evaluate(JUDGE, tool.as_json(read(asked)))
    assert {"no answer is right", "a key without a fact"} <= {v["wrong"] for v in verdicts}


def test_the_still_pictures_are_what_the_figures_draw(open_page):
    page = open_page("/figures/tree")
    stills = set()
    for path, chapter in CHAPTERS.items():
        parts = tool.live_parts(chapter)
        drawn = page.evaluate(DRAW, [tool.as_json(chapter), *tool.STILL])
        for part, svg in zip(parts, drawn, strict=True):
            stored = (path.parent / part.still).read_text("utf-8")
            assert without_pixels(svg) == without_pixels(stored), part.still
            assert len(stored) <= 110_000
            stills.add((path.parent / part.still).resolve())
    folder = tool.FOLDER / "images" / "live"
    assert stills == {path.resolve() for path in folder.glob("*.svg")}


def test_a_section_is_taken_apart():
    chapter = read(
        "# Title\n\nLead.\n\n## One\n\n![Alt](x.svg \"live: tree at=cut tree='(1 2) (3 4)'\")\n\n"
        "<!-- scene: at=A -->\nα is 1<!--= value.A --> and c is 1.4<!--~ c 0 4 0.1 -->.\n\n"
        "Later 2<!--= value -->.\n\n## Two\n\nText.\n"
    )
    one, two = chapter.parts
    assert (one.figure, one.start, one.alt, one.still) == (
        "tree", {"at": "cut", "tree": "(1 2) (3 4)"}, "Alt", "x.svg",
    )  # fmt: skip
    assert one.claims == [
        Claim("=", "value.A", "1", "at=A"),
        Claim("~", "c 0 4 0.1", "1.4", "at=A"),
        Claim("=", "value", "2", ""),  # a block without a scene speaks of the start
    ]
    assert '<p data-scene="at=A">' in one.html
    assert (two.figure, two.claims) == ("", [])


@pytest.mark.parametrize(("text", "problem"), [
    ("<b>x</b>", "means nothing"),
    ("<script>alert(1)</script>", "means nothing"),
    ("<!-- sceen: at=1 -->\nText", "means nothing"),
    ("**bold**<!--= value -->", "no number before"),
    ("an answer <!--? value == 1 -->", "not in the list"),
    ("![a](a.svg \"live: tree at=1\")\n\n![a](a.svg \"live: tree at=1\")", "two live figures"),
])  # fmt: skip
def test_what_means_nothing_is_refused(text, problem):
    with pytest.raises(ValueError, match=problem):
        read(f"# T\n\n## S\n\n{text}\n")


def test_a_figure_refuses_what_it_does_not_have():
    with pytest.raises(FigureError, match="'spiral' is not a figure: tree"):
        Figure("spiral")
    with pytest.raises(FigureError, match="tree has no field 'colour': tree, at"):
        Figure("tree", {"colour": "red"})
    with pytest.raises(FigureError, match="pruning is on or off, not 'yes'"):
        Figure("tree", {"pruning": "yes"})
    with pytest.raises(FigureError, match="high is a number, not 'tall'"):
        Figure("tree", {"high": "tall"})
    with pytest.raises(FigureError, match="width is from 200 to 4000, not 1"):
        Figure("tree").svg(width=1)


def test_the_file_of_a_figure_is_the_figure(browser, tmp_path):
    file = tmp_path / "tree.html"
    file.write_text(Figure("tree", {"at": "cut", "pruning": True}).html(), "utf-8")
    page = browser.new_page()
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector("body[data-ready]")
    assert page.locator(".said").inner_text().startswith("Cut: α = 3 ≥ β = 2.")
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert json.loads(page.evaluate("JSON.stringify(Object.keys(localStorage))")) == []
    page.close()
