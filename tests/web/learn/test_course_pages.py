"""The course as pages: labs and theory, rendered from the Markdown that people read on disk."""

import re
import tomllib
from html import unescape
from html.parser import HTMLParser

import pytest
from paths import ROOT
from web_lab import started

from rl_toolkit.labs.folder.student_folder import start_folder
from rl_toolkit.labs.model.finding import lab_by_id, labs
from rl_toolkit.utils.installation import STATE_VARIABLE
from rl_toolkit.web import create_app
from rl_toolkit.web.learn.markdown import Picture, Renderer
from rl_toolkit.web.learn.theory import read_theory, theory


@pytest.fixture(scope="module")
def client():
    return create_app().test_client()


class Page(HTMLParser):
    """The addresses, ids and attributes of a page."""

    def __init__(self, text):
        super().__init__()
        self.links, self.pictures, self.ids, self.names = [], [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.names |= set(found)
        self.ids += [found["id"]] if "id" in found else []
        self.links += [found["href"]] if tag == "a" else []
        self.pictures += [found["src"]] if tag == "img" else []


def addresses():
    sheets = [f"/learn/labs/{lab.id}" for lab in labs()]
    return ["/learn", *(f"/learn/theory/{page.name}" for page in theory().pages), *sheets]


@pytest.fixture(scope="module")
def pages(client):
    """Every page of the course, taken apart."""
    found = {}
    for address in addresses():
        response = client.get(address)
        assert response.status_code == 200, address
        found[address] = Page(response.text)
    return found


# ------------------------------------------------------------------------------- all pages


def test_every_link_of_the_course_leads_somewhere(client, pages):
    known = {}
    for address, page in pages.items():
        for link in page.links:
            target, _, fragment = link.partition("#")
            target = target or address
            if target not in known:
                known[target] = 200 if target in pages else client.get(target).status_code
            assert known[target] == 200, (address, link)
            if fragment and target in pages:
                assert fragment in pages[target].ids, (address, link)


def test_every_picture_is_there_and_is_an_svg(client, pages):
    pictures = {picture for page in pages.values() for picture in page.pictures}
    assert len(pictures) > 25
    for picture in pictures:
        response = client.get(picture, buffered=True)
        assert (response.status_code, response.mimetype) == (200, "image/svg+xml"), picture
        response.close()


def test_no_page_has_an_id_twice_or_anything_that_the_policy_forbids(pages):
    for address, page in pages.items():
        assert len(page.ids) == len(set(page.ids)), address
        assert not {name for name in page.names if name == "style" or name.startswith("on")}


@pytest.mark.parametrize("address", [
    "/learn/theory/nothing", "/learn/theory/README", "/learn/theory/..%2Freport",
    "/learn/images/nothing.svg", "/learn/images/..%2Fgame_trees.md", "/learn/labs/L99",
    "/learn/labs/l05_minimax", "/learn/labs/L05/pictures/nothing.svg",
    "/learn/labs/L05/pictures/..%2Flab.toml", "/learn/labs/..%2F..%2Ftemplate",
])  # fmt: skip
def test_no_address_leads_to_another_file(client, address):
    response = client.get(address)
    assert response.status_code == 404
    assert "Choose a game" in response.text


def test_the_front_page_and_the_head_of_every_page_lead_to_the_course(client):
    for address in ("/", "/tictactoe", "/learn"):
        assert 'href="/learn"' in client.get(address).text


# ---------------------------------------------------------------------------------- theory


def test_theory_is_in_the_order_of_the_readme(client):
    listed = (ROOT / "docs" / "learn" / "README.md").read_text("utf-8")
    table = re.findall(r"\]\((\w+)\.md\)", listed[: listed.index("## If you have")])
    in_order = [page.name for page in theory().pages if page.in_order]
    assert in_order == table
    assert {page.name for page in theory().pages} == {
        path.stem for path in (ROOT / "docs" / "learn").glob("*.md")
    } - {"README"}
    text = client.get("/learn").text
    # A reader begins with chapters; commands for a terminal come later.
    first = text.index("/learn/theory/game_trees")
    assert first < text.index("/learn/theory/alpha_beta") < text.index("rl-toolkit lab start")
    text = text[text.index('id="theory-title"') :]
    places = [text.index(f"/learn/theory/{name}") for name in in_order]
    assert places == sorted(places)


def test_a_theory_page_has_its_figure_code_output_and_neighbours(client):
    text = client.get("/learn/theory/alpha_beta").text
    assert re.search(r'<img src="/learn/images/alpha_beta_tree.svg" alt="Alpha-beta on the tree of '
                     r'destinies" width="\d+" height="\d+"', text)  # fmt: skip
    assert '<code class="language-python">from rl_toolkit.algorithms.game_tree' in text
    assert '<code class="language-output">0 25\n0 19\n' in text
    assert '<a href="/learn/labs/L07">L07</a>' in text
    assert re.search(r'rel="prev" href="/learn/theory/minimax_theorem"', text)
    assert re.search(r'rel="next" href="/learn/theory/order"', text)


def test_the_package_brings_the_theory_from_its_one_place():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    wheel = build["targets"]["wheel"]
    assert wheel["sources"]["docs/learn"] == "rl_toolkit/web/learn/docs"
    assert "docs/learn" in wheel["only-include"]
    assert not (ROOT / "rl_toolkit/web/learn/docs").exists()  # no second copy beside it


def test_without_theory_the_course_says_where_it_is(client, monkeypatch, tmp_path):
    empty = read_theory(tmp_path)
    for module in ("pages", "course"):
        monkeypatch.setattr(f"rl_toolkit.web.learn.{module}.theory", lambda: empty)
    text = client.get("/learn").text
    assert "not in this installation" in text
    assert client.get("/learn/labs/L05").status_code == 200


# -------------------------------------------------------------------------------- Markdown


@pytest.fixture
def render():
    known = {"a.md": "/a", "L05": "/labs/L05"}
    pictures = {
        "p.svg": Picture("/p.svg", '<svg viewBox="0 0 1 1" width="46.5" height="62" x="1">')
    }
    return Renderer(known.get, pictures.get, known.get).html


@pytest.mark.parametrize(("text", "html"), [
    ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
    ("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>"),
    ("[a](a.md) [b](../b.md)", '<p><a href="/a">a</a> b</p>'),
    ("[a](a.md#b-c) [d](d.md#e)", '<p><a href="/a#at-b-c">a</a> d</p>'),
    ("[b](#c)", '<p><a href="#at-c">b</a></p>'),
    ("[a](https://a.example/#b)", '<p><a href="https://a.example/#b">a</a></p>'),
    ("[*x* `y`](b.md)", "<p><em>x</em> <code>y</code></p>"),
    ("[a](javascript:alert(1))", "<p>[a](javascript:alert(1))</p>"),
    ("![p](p.svg)![q](../../q.svg)", '<p><img src="/p.svg" alt="p" width="46" height="62" /></p>'),
    ("L05, `L05`, [L05](a.md), L06", '<p><a href="/labs/L05">L05</a>, <code>L05</code>, '
     '<a href="/a">L05</a>, L06</p>'),
    ("## Why √? 1 + 1\n\n## Why √? 1 + 1", '<h2 id="at-why--1--1">Why √? 1 + 1</h2>\n'
     '<h2 id="at-why--1--1-1">Why √? 1 + 1</h2>'),
    ("    x < y\n", "<pre><code>x &lt; y\n</code></pre>"),
    ("```python long\nx\n```", '<pre><code class="language-python">x\n</code></pre>'),
    ('```"onload=x\nx\n```', "<pre><code>x\n</code></pre>"),
])  # fmt: skip
def test_markdown(render, text, html):
    assert render(text).strip() == html


def test_tables_are_aligned_by_classes_and_may_be_scrolled(render):
    html = render("| a | b |\n|---|--:|\n| 1 | <i> |")
    assert '<div class="scroller"><table>' in html
    assert '<td class="right">&lt;i&gt;</td>' in html
    assert "style" not in html


# ------------------------------------------------------------------------------------ labs


def test_the_sheet_of_a_lab_has_everything_that_one_needs(client):
    lab = next(lab for lab in labs() if lab.id == "L05")
    text = client.get("/learn/labs/L05").text
    assert '<h1 id="at-l05-minimax">L05 Minimax</h1>' in text
    assert '<img src="/learn/labs/L05/pictures/tree.svg"' in text
    assert "rl-toolkit lab start L05" in text
    assert "rl-toolkit lab web L05-minimax --open" in text
    words = unescape(re.sub("<[^>]+>", "", text))
    for task in lab.tasks:
        places = [words.index(hint) for hint in task.hints]
        assert places == sorted(places)
    # Each hint is inside the fold of the one before.
    fold = "(?:(?!</details>).)*"
    assert re.search(f"Hint 1: idea{fold}Hint 2: place{fold}Hint 3: nearly", text, re.DOTALL)
    for question in lab.questions:
        assert question.text in words
        assert question.answer not in words
    assert 'href="/learn/theory/game_trees"' in text


def test_the_course_shows_what_is_done_beside_a_students_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(STATE_VARIABLE, str(tmp_path / "state"))
    work, _ = started(tmp_path)
    start_folder(lab_by_id("L01"), tmp_path / "first")
    progress = tmp_path / "first" / ".lab" / "progress.json"
    progress.write_text('{"points": 100, "checks": 3, "finished": "2026-01-01T00:00:00"}')
    client = create_app(lab_folder=work).test_client()
    text = " ".join(client.get("/learn").text.split())
    assert "You are working on <strong>MY01 Who has won?</strong> in work." in text
    assert f"1 of {len(labs()) + 1} done" in text
    assert "✓ done, 100/100" in text
    ids = Page(client.get("/learn/labs/MY01").text).ids
    assert {"result", "questions", "at-questions"} <= set(ids)
    assert len(ids) == len(set(ids))
    assert client.get("/learn/labs/MY01/pictures/diagonal.svg").status_code == 200
    assert create_app().test_client().get("/learn/labs/MY01").status_code == 404
