"""The lessons: 45 minutes each, every link opens what it names, and the document says the same."""

from urllib.parse import parse_qs, urlsplit

import pytest
from paths import ROOT
from stopping import PATIENCE
from web_requests import answer

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.records import read_position
from rl_toolkit.web import ServerLimits
from rl_toolkit.web.app import create_app
from rl_toolkit.web.theatre.lessons import LESSONS, as_markdown
from rl_toolkit.web.theatre.sheets import sheets_of


@pytest.fixture(scope="module")
def client():
    return create_app(ServerLimits(time=PATIENCE, trace_time=PATIENCE)).test_client()


def test_every_step_opens_its_moment(client):
    page = client.get("/lessons").get_data(as_text=True)
    assert len(LESSONS) == 8
    for lesson in LESSONS:
        assert sum(step.minutes for step in lesson.steps) == 45, lesson.title
        assert sheets_of(lesson.tasks)
        for step in lesson.steps:
            assert client.get(step.link).status_code == 200, step.link
            assert step.link.replace("&", "&amp;") in page
            assert bool(step.question) == bool(step.answer)
            asked = {key: of[0] for key, of in parse_qs(urlsplit(step.link).query).items()}
            if urlsplit(step.link).path != "/theatre/search" or "compare" in asked:
                continue
            on = [name for name in ("memoization", "symmetry") if asked.get(name) == "on"]
            off = ["pruning=off"] if asked.get("pruning") == "off" else ["pruning=on"]
            names = ("memoization", "symmetry")
            spec = ",".join([*off, *(f"{n}={'on' if n in on else 'off'}" for n in names)])
            fields = {key: asked[key] for key in ("tree", "game", "position") if key in asked}
            limit = {"depth": int(asked["depth"])} if "depth" in asked else {}
            if "game" in asked and not limit:
                limit = {"fit": True}
            got = answer(client, "/api/trace", **fields, **limit, engine=f"minimax:{spec}")
            assert int(asked.get("t", 1)) <= len(got["trace"]["events"]["kind"]), step.link


def test_the_document_has_the_same_lessons():
    text = (ROOT / "docs" / "teachers.md").read_text("utf-8")
    assert as_markdown() in text


def test_the_numbers_of_the_lesson_on_mcts():
    text = " ".join((ROOT / "docs" / "theatre.md").read_text("utf-8").split())
    env = read_position("tictactoe", "a1")
    visits = {}
    for c in (1.41, 0, 4):
        solver = MCTSSolver(1008, c, tactics=False, proofs=False, seed=0)
        found = solver.analyse(env, Limit(simulations=1008)).candidates
        visits[c] = {candidate.name: candidate.visits for candidate in found}
    usual = dict(visits[1.41])
    best = usual.pop("b2")
    least, most = min(usual.values()), max(usual.values())
    assert f"b2 has {best} of 1,008 visits; the others have {least} to {most}." in text
    assert f"it stays with a2 for {visits[0]['a2']} of 1,008 visits" in text
    assert f"{visits[4]['b2']} for b2, {min(visits[4].values())} for the least" in text
