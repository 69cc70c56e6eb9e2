"""The lessons: 45 minutes each, every link opens what it names, and the document says the same."""

from urllib.parse import parse_qs, urlsplit

import pytest
from paths import ROOT
from stopping import PATIENCE
from web_requests import answer

from rl_toolkit.algorithms.mcts import MCTSSolver
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.analysis import Limit
from rl_toolkit.experiments import REGRET, run_experiment
from rl_toolkit.puzzles import shipped
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
        if lesson.puzzles:
            game, kind, _ = lesson.puzzles
            assert any(puzzle.kind == kind for puzzle in shipped(game)), lesson.puzzles
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
    text = (ROOT / "docs" / "guides" / "teachers.md").read_text("utf-8")
    assert as_markdown() in text


def test_the_numbers_of_the_answers(client):
    told = " ".join(step.answer + step.question for each in LESSONS for step in each.steps)
    costs = []
    for ordering in (True, False):
        fields = {"game": "connect-four", "position": "4453", "depth": 4, "ordering": ordering}
        got = answer(client, "/api/deepening", **fields)
        each = [len(search["nodes"]["move"]) for search in got["searches"]]
        costs.append((sum(each), got["at_once"], each[-1]))
    (total, at_once, last), (plain_total, _, plain_last) = costs
    assert f"{total} positions all together, {at_once} for depth 4 at once" in told
    assert f"took {last} positions." in told
    assert f"{plain_last}, and all depths together {plain_total:,}." in told
    env, counts = read_position("tictactoe", "3/1o1/2x x"), []
    for pruning, memory, symmetry in ((0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 1, 1)):
        solver = MinimaxSolver(
            5, use_pruning=bool(pruning), use_memoization=bool(memory),
            use_symmetry=bool(symmetry), compiled=False,
        )  # fmt: skip
        solver.value(env)
        counts.append(f"{solver.nodes_evaluated:,}")
    plain, table, images, cut = counts
    sentence = f"The table: {table} positions instead of {plain}. With symmetry {images}, with "
    assert f"{sentence}cuts too {cut}." in told
    shares = []
    for c in (0, 4):
        solver = MCTSSolver(100, c, tactics=False, proofs=False, seed=0)
        found = solver.analyse(read_position("tictactoe", "a1"), Limit(simulations=100)).candidates
        shares.append({candidate.name: candidate.visits for candidate in found})
    assert max(shares[0], key=shares[0].get) == "c1"
    assert f"With 0 to c1: {shares[0]['c1']} of them" in told
    assert f"{min(shares[1].values())} to {max(shares[1].values())} each." in told


@pytest.mark.full
def test_which_policy_loses_least_and_which_depends_on_luck():
    settings = {"means": [0.2, 0.5, 0.8], "pulls": 1000, "runs": 200, "seed": 0}
    found = run_experiment(REGRET, settings)
    names = [column.name for column in found.columns[1:]]
    rows = {row[0]: dict(zip(names, map(float, row[1:]), strict=True)) for row in found.rows}
    assert min(rows, key=lambda name: rows[name]["regret"]) == "Thompson"
    widths = {name: row["high 10 %"] - row["low 10 %"] for name, row in rows.items()}
    assert max(widths, key=lambda name: widths[name]) == "greedy"
    assert rows["greedy"]["high 10 %"] >= 0.3 * 900  # the best arm is not found


def test_the_numbers_of_the_lesson_on_mcts():
    text = " ".join((ROOT / "docs" / "guides" / "theatre.md").read_text("utf-8").split())
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
