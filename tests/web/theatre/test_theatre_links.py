"""Links to the theatre from texts, and the counts that the lesson names."""

import html
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from paths import ROOT
from stopping import PATIENCE
from web_requests import answer

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import trace_search
from rl_toolkit.envs.hand_trees import HandTreeGame
from rl_toolkit.records import read_position
from rl_toolkit.web import ServerLimits
from rl_toolkit.web.app import create_app
from rl_toolkit.web.theatre.pages import PLAYS, SCENES

TEXTS = [
    *sorted(ROOT.glob("docs/**/*.md")),
    *sorted(ROOT.glob("rl_toolkit/labs/catalogue/*/lab.toml")),
]
#: ``](/theatre/…)`` with parentheses in it, and ``]: http://localhost:5001/theatre/…``
LINK = re.compile(r"(?:\]\(|\]: http://localhost:5001)(/theatre/(?:[^()\s\"]|\([^)\s]*\)+)+)")
EXAMPLE = "x1o/1x1/2o x"


@pytest.fixture(scope="module")
def client():
    return create_app(ServerLimits(time=PATIENCE, trace_time=PATIENCE)).test_client()


def links():
    for text in TEXTS:
        name = text.parent.name[:3] if text.name == "lab.toml" else text.name
        for link in LINK.findall(text.read_text("utf-8")):
            yield name, html.unescape(link)


def test_links_in_texts_lead_to_searches_that_can_be_watched(client):
    found = dict.fromkeys(links())
    assert {name for name, _ in found} >= {
        *("alpha_beta.md", "game_trees.md", "uct.md", "alphazero.md"),
        *("l04", "l05", "l06", "l07", "l08", "l09", "l16", "l17", "l20"),
    }
    for name, link in found:
        response = client.get(link)
        assert response.status_code == 200, (name, link)
        address = urlsplit(link)
        asked = {key: values[0] for key, values in parse_qs(address.query).items()}
        if address.path == "/theatre/search":
            fields = {key: asked[key] for key in ("tree", "game", "position") if key in asked}
            fit = {} if "tree" in fields else {"fit": True}
            assert answer(client, "/api/trace", **fields, **fit)["trace"]["events"]["kind"]


def test_pages_of_the_course_link_to_this_server(client):
    page = client.get("/learn/theory/alpha_beta").get_data(as_text=True)
    assert page.count('href="/theatre/search?') == 4
    assert "localhost" not in page


def test_the_lobby_leads_to_every_stage_and_to_the_moments_it_names(client):
    lobby = client.get("/theatre").get_data(as_text=True)
    addresses = {html.unescape(found) for found in re.findall(r'href="(/theatre/[^"]*)"', lobby)}
    assert len(addresses) == len(PLAYS) + len(SCENES)
    assert all(client.get(address).status_code == 200 for address in addresses)
    cuts = []
    for scene in SCENES:
        asked = {key: values[0] for key, values in parse_qs(scene.query).items()}
        moment = int(asked.pop("t", "0")) - 1
        if moment >= 0:
            engine = "minimax:memoization=off"
            found = answer(client, "/api/trace", **asked, engine=engine)["trace"]
            cuts.append(found["events"]["kind"][moment])
            assert str(moment) in found["cuts"], scene
    assert cuts == ["C"] * 3


def test_the_lesson_s_numbers():
    tree = trace_search(HandTreeGame("(3 12 8) (2 4 6) (14 5 2)"), MinimaxSolver(use_pruning=False))
    assert tree.answer["nodes"] == 13
    assert tree.answer["value"] == 3
    env = read_position("tictactoe", EXAMPLE)
    counts = [
        trace_search(env, MinimaxSolver(use_pruning=pruning, use_memoization=memory)).answer[
            "nodes"
        ]
        for pruning, memory in [(False, False), (False, True), (True, False), (True, True)]
    ]
    text = (ROOT / "docs" / "guides" / "theatre.md").read_text("utf-8")
    assert "{}, {}, {} and {} positions".format(*counts) in text
