"""The one currency: what goes into an Analysis comes out again, in JSON and for eyes."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.analysis import (
    Analysis,
    Candidate,
    Engine,
    Limit,
    TreeView,
    analysis_of,
)
from rl_toolkit.envs import ConnectFour, GameOverError, TicTacToe

KEYS = [
    "version",
    "game",
    "position",
    "player",
    "side",
    "engine",
    "seed",
    "best",
    "text",
    "value",
    "outcome",
    "proven",
    "distance",
    "line",
    "threat",
    "nodes",
    "depth",
    "simulations",
    "threads",
    "elapsed",
    "notes",
    "units",
    "candidates",
]
CANDIDATE_KEYS = [
    "move",
    "name",
    "value",
    "outcome",
    "proven",
    "distance",
    "score",
    "score_bound",
    "visits",
    "prior",
    "uct",
    "line",
    "note",
    "text",
    "mark",
    "best",
]

#: What is written for people and other programs, but not read back.
WRITTEN_ONLY = ("version", "best", "side", "text", "mark", "units")

counts = st.none() | st.integers(0, 10**12)
reals = st.none() | st.floats(-100, 100)
candidates = st.builds(
    Candidate,
    move=st.integers(0, 400),
    name=st.text(max_size=4),
    value=st.none() | st.floats(-1, 1),
    outcome=st.sampled_from([None, "win", "draw", "loss"]),
    proven=st.booleans(),
    distance=counts,
    score=reals,
    score_bound=st.sampled_from(["exact", "lower", "upper"]),
    visits=counts,
    prior=reals,
    uct=reals,
    line=st.lists(st.integers(0, 400), max_size=4).map(tuple),
    note=st.none() | st.text(max_size=20),
)
analyses = st.builds(
    Analysis,
    game=st.sampled_from(["connect-four", "gomoku-15", "a game of one's own"]),
    position=st.text(max_size=20),
    player=st.sampled_from([1, -1]),
    engine=st.text(max_size=10),
    candidates=st.lists(candidates, max_size=3).map(tuple),
    value=st.none() | st.floats(-1, 1),
    outcome=st.sampled_from([None, "win", "draw", "loss"]),
    proven=st.booleans(),
    distance=counts,
    line=st.lists(st.integers(0, 400), max_size=4).map(tuple),
    nodes=counts,
    depth=counts,
    simulations=counts,
    elapsed=st.floats(0, 1e6),
    seed=counts,
    notes=st.lists(st.text(max_size=10), max_size=2).map(tuple),
)


@given(analyses)
def test_json_round_trip_is_the_identity(analysis: Analysis) -> None:
    assert Analysis.from_json(analysis.to_json()) == analysis
    assert str(analysis)
    assert "<table>" in analysis._repr_html_()


def test_every_field_survives_the_round_trip() -> None:
    """Nothing has its default value, so a field that is not written or not read is noticed."""
    candidate = Candidate(
        move=3,
        name="d",
        value=-0.5,
        outcome="loss",
        proven=True,
        distance=8,
        score=-4.5,
        score_bound="upper",
        visits=90,
        prior=0.25,
        uct=1.5,
        line=(3, 2),
        note="Loses in 4 moves.",
        claim="depth 8, evaluation −120",
    )
    analysis = Analysis(
        game="connect-four",
        position="7/7/7/7/7/7 o",
        player=-1,
        engine="test",
        candidates=(candidate,),
        value=-0.75,
        outcome="draw",
        proven=True,
        distance=9,
        line=(3, 2, 1),
        nodes=10,
        depth=11,
        simulations=12,
        elapsed=0.5,
        seed=13,
        notes=("the table was full", "a second note"),
        threat=(3, 4),
        threads=4,
    )
    again = Analysis.from_json(analysis.to_json())
    for written, found in ((analysis, again), (candidate, again.candidates[0])):
        for part in fields(written):
            if part.name not in ("tree_source", "claims"):  # which JSON does not hold
                assert getattr(written, part.name) != part.default
                assert getattr(found, part.name) == getattr(written, part.name), part.name


def test_the_keys_are_the_promised_ones() -> None:
    data = json.loads(MinimaxSolver.strong().analyse(TicTacToe()).to_json())
    assert list(data) == KEYS
    assert list(data["candidates"][0]) == CANDIDATE_KEYS
    assert data["best"] == data["candidates"][0]["move"]
    assert data["position"] == "3/3/3 x"


@given(st.text(max_size=30) | st.recursive(st.none() | st.integers(), st.lists).map(json.dumps))
def test_other_text_gets_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"JSON|version"):
        Analysis.from_json(text)


@given(st.data())
def test_a_damaged_field_is_named(data: st.DataObject) -> None:
    whole = MinimaxSolver.strong().analyse(TicTacToe(), Limit(depth=1)).to_dict()
    where = data.draw(st.sampled_from([whole, whole["candidates"][0]]))
    key = data.draw(st.sampled_from([key for key in where if key not in WRITTEN_ONLY]))
    where[key] = object()
    with pytest.raises(ValueError, match=key):
        Analysis.from_dict(whole)
    del where[key]
    # The last three are newer than the format.
    if key not in ("outcome", "notes", "score_bound", "threat"):
        with pytest.raises(ValueError, match=key):
            Analysis.from_dict(whole)


@pytest.mark.parametrize(
    ("key", "value"),
    [("nodes", True), ("value", False), ("proven", 1), ("distance", 2.5), ("line", [True])],
)
def test_numbers_and_truth_values_are_told_apart(key: str, value: object) -> None:
    whole = MinimaxSolver.strong().analyse(TicTacToe(), Limit(depth=1)).to_dict()
    with pytest.raises(ValueError, match=key):
        Analysis.from_dict(whole | {key: value})


@pytest.mark.parametrize(
    "wrong",
    [
        {"time": 0},
        {"time": -1.0},
        {"time": float("nan")},
        {"time": float("inf")},
        {"time": True},
        {"time": "5"},
        {"nodes": 0},
        {"nodes": 1.5},
        {"depth": True},
        {"simulations": -3},
        {"depth": "4"},
    ],
)
def test_limits_that_make_no_sense_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=next(iter(wrong))):
        Limit(**wrong)  # type: ignore[arg-type]


def test_limit_defaults() -> None:
    assert Limit().or_else(Limit(depth=3)) == Limit(depth=3)
    assert Limit(nodes=5).or_else(Limit(depth=3)) == Limit(nodes=5)


def test_what_it_looks_like() -> None:
    env = ConnectFour()
    for column in (3, 0, 3, 0, 3, 0):
        env.step(column)
    text = str(MinimaxSolver.strong().analyse(env, Limit(depth=2)))
    assert text.splitlines()[0].startswith("connect-four, Red to move · minimax · depth 2 · ")
    assert text.splitlines()[1].split() == ["move", "for", "Red", "line"]
    assert text.splitlines()[2].split() == ["d", "*", "wins", "in", "1", "move", "d"]
    assert "b     loses in 1 move" in text  # only d wins, only a blocks
    assert "a     loses" not in text
    long = str(MinimaxSolver.strong().analyse(TicTacToe(5), Limit(depth=1)))
    assert "… and 13 more" in long


def test_a_finished_game() -> None:
    env = TicTacToe()
    for move in (0, 3, 1, 4, 2):
        env.step(move)
    analysis = analysis_of(env, "", "nobody", [])
    assert (analysis.value, analysis.outcome, analysis.distance, analysis.best_move) == (
        1,
        "win",
        0,
        None,
    )
    assert str(analysis).endswith("The game is over.")
    assert repr(analysis) == "<Analysis of tictactoe by nobody: the game is over>"
    assert analysis.best_moves == ()
    with pytest.raises(GameOverError, match="there is no best move; best_move is None"):
        analysis.best  # noqa: B018 - reading it raises


def test_a_game_that_o_has_won_is_worth_1_to_o() -> None:
    env = TicTacToe()
    env.reset(first_player=-1)
    for move in (0, 3, 1, 4, 2):
        env.step(move)
    analysis = analysis_of(env, "", "nobody", [])
    assert (analysis.player, analysis.value, analysis.outcome) == (-1, 1, "win")


def test_a_drawn_game() -> None:
    env = TicTacToe()
    for move in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        env.step(move)
    analysis = analysis_of(env, "", "nobody", [])
    assert (analysis.value, analysis.outcome, analysis.proven) == (0, "draw", True)


WIN = Candidate(0, "a1", 1.0, "win", True, 3, line=(0, 1, 2))
DRAW = Candidate(1, "b1", 0.0, "draw", True, 6, line=(1, 0))
LOSS = Candidate(2, "c1", -1.0, "loss", True, 4)
HOPE = Candidate(3, "a2", 0.9, "win", False, 5)  # believed, not proven
OPEN = Candidate(4, "b2", 0.25)


@pytest.mark.parametrize(
    ("candidates", "outcome", "proven", "distance"),
    [
        ([WIN, DRAW, LOSS], "win", True, 3),
        ([WIN, OPEN], "win", True, 3),  # one win is enough
        ([DRAW, LOSS], "draw", True, 6),
        ([LOSS], "loss", True, 4),
        ([DRAW, OPEN], None, False, None),  # the open one may be better
        ([LOSS, OPEN], None, False, None),
        ([OPEN, DRAW], None, False, None),
        ([HOPE, DRAW], "win", False, None),
        ([OPEN], None, False, None),
    ],
)
def test_a_position_is_proven_by_a_win_or_by_all_moves(
    candidates: list[Candidate], outcome: str | None, proven: bool, distance: int | None
) -> None:
    analysis = analysis_of(TicTacToe(), "3/3/3 x", "test", candidates, nodes=7)
    found = (analysis.outcome, analysis.proven, analysis.distance)
    assert found == (outcome, proven, distance)
    assert (analysis.value, analysis.line) == (candidates[0].value, candidates[0].line)
    assert (analysis.nodes, analysis.position, analysis.player) == (7, "3/3/3 x", 1)


UNKNOWN = Candidate(5, "c2")


@pytest.mark.parametrize(
    ("given", "order"),
    [
        ([UNKNOWN, OPEN], "b2 c2"),
        ([WIN, UNKNOWN, LOSS], "a1 c1 c2"),
        ([OPEN, UNKNOWN, LOSS], "b2 c1 c2"),
        ([UNKNOWN, LOSS], "c2 c1"),  # nothing is worse than a proven loss
        ([LOSS, UNKNOWN], "c2 c1"),
    ],
)
def test_unknown_moves_come_last(given: list[Candidate], order: str) -> None:
    analysis = analysis_of(TicTacToe(), "3/3/3 x", "test", given)
    assert [c.name for c in analysis.candidates] == order.split()
    assert analysis.value == analysis.candidates[0].value


def test_nothing_evaluated_means_nothing_known() -> None:
    analysis = analysis_of(TicTacToe(), "3/3/3 x", "test", [UNKNOWN, replace(UNKNOWN, move=6)])
    assert (analysis.value, analysis.outcome, analysis.proven) == (None, None, False)
    assert analysis.best_moves == ()
    assert json.loads(analysis.to_json())["text"] == "Unknown"
    assert "50" not in str(analysis).partition("·")[0] + str(analysis).partition("\n")[2]


@pytest.mark.parametrize(
    ("given", "best"),
    [
        ([WIN, replace(WIN, move=7), replace(WIN, move=8, distance=5)], (0, 7)),
        ([DRAW, replace(DRAW, move=7, distance=2), LOSS], (1, 7)),
        ([OPEN, replace(OPEN, move=7), replace(OPEN, move=8, value=0.2)], (4, 7)),
        ([replace(OPEN, visits=9), replace(OPEN, move=7, visits=9)], (4,)),
        ([DRAW, replace(DRAW, move=7, proven=False, outcome=None)], (1,)),
        ([UNKNOWN], (5,)),
        ([LOSS, replace(LOSS, move=7)], (2, 7)),
        ([LOSS, OPEN], ()),  # a slip
        ([], ()),
    ],
)
def test_equally_good_moves(given: list[Candidate], best: tuple[int, ...]) -> None:
    assert Analysis("tictactoe", "", 1, "test", tuple(given)).best_moves == best


def test_a_draw_may_not_be_the_last_word() -> None:
    open_draw = analysis_of(TicTacToe(), "", "test", [DRAW, OPEN])
    assert open_draw.to_dict()["text"] == "X can at least draw"
    assert analysis_of(TicTacToe(), "", "test", [LOSS, OPEN]).to_dict()["text"] == "Unknown"
    settled = analysis_of(TicTacToe(), "", "test", [DRAW, LOSS])
    assert settled.to_dict()["text"] == "A draw with best play"


def test_analyses_of_version_1_are_read() -> None:
    data = analysis_of(TicTacToe(), "3/3/3 x", "test", [OPEN]).to_dict()
    old = {key: part for key, part in data.items() if key not in ("side", "text", "units")}
    del old["candidates"][0]["text"]
    assert Analysis.from_dict(old | {"version": 1}).candidates == (OPEN,)
    with pytest.raises(ValueError, match="version 3"):
        Analysis.from_dict(old | {"version": 3})


def test_a_bound_is_not_a_score() -> None:
    scored = replace(DRAW, score=4.0)
    assert scored.exact_score == 4.0
    for bound in ("lower", "upper"):
        assert replace(scored, score_bound=bound).exact_score is None


def test_notes_lines_and_the_side_to_move_are_shown() -> None:
    best = Candidate(4, "b2", 0.5, line=(4, 0, 8, 1, 7, 6, 2, 5, 3))
    shown = Analysis("tictactoe", "3/3/3 o", -1, "test", (best,), notes=("the <table> was full",))
    first, head, row, note = str(shown).splitlines()
    assert first.startswith("tictactoe, O to move · test · ")
    assert head.split() == ["move", "for", "O", "line"]
    assert " ".join(row.split()) == "b2 * ≈ 75 % b2 a1 c3 b1 b3 a3 c1 c2"
    assert note == "(the <table> was full)"
    assert "<p>the &lt;table&gt; was full</p>" in shown._repr_html_()


def test_candidates_can_be_looked_up() -> None:
    analysis = MinimaxSolver.strong().analyse(TicTacToe(), Limit(depth=1))
    assert analysis.candidate(4).name == "b2"
    with pytest.raises(ValueError, match="not among the candidates"):
        analysis.candidate(99)


def test_a_tree_is_shown_where_there_is_one() -> None:
    root = TreeView(None, "", 1, 0.0, None, 0.0, 0.0)
    analysis = Analysis("g", "", 1, "e", tree_source=lambda depth, top: root)
    assert analysis.tree(1, 1) is root
    with pytest.raises(ValueError, match="kept no search tree"):
        replace(analysis, tree_source=None).tree()


def test_reprs_are_short() -> None:
    best = Candidate(3, "d", 1.0, "win", True, 41, score=1, line=(3, 3), note="why")
    child = TreeView(3, "d", 1, None, None, 0.0, 0.0)
    root = TreeView(None, "", 1_234, 0.5, None, 0.0, 0.0, children=(child, child))
    known = Candidate(3, "d", -0.5, visits=1_000, prior=0.375)
    assert repr(best) == "<Candidate d: wins in 21 moves, score 1>"
    assert repr(known) == "<Candidate d: ≈ 25 %, 1,000 visits, prior 38%>"
    assert repr(root) == "<TreeView root: ≈ 75 %, 1,234 visits, 2 below it>"
    assert repr(Analysis("g", "", 1, "e", (best,))) == "<Analysis of g by e: best d, 1 candidate>"


def test_a_notebook_shows_the_board_beside_the_candidates() -> None:
    shown = MinimaxSolver.strong().analyse(TicTacToe(), Limit(depth=1))
    page = ElementTree.fromstring(shown._repr_html_())
    board = page.find(".//{http://www.w3.org/2000/svg}svg")
    assert board is not None
    assert "Tic-Tac-Toe, X to move, best b2" in "".join(board.itertext())
    assert len(page.findall(".//tbody/tr")) == 9
    elsewhere = replace(shown, game="a game that is not registered")
    page = ElementTree.fromstring(elsewhere._repr_html_())
    assert page.find(".//{http://www.w3.org/2000/svg}svg") is None
    assert len(page.findall(".//tbody/tr")) == 9


def test_solvers_are_engines() -> None:
    assert isinstance(MinimaxSolver(), Engine)


def test_a_networks_prior_is_shown_where_there_is_one() -> None:
    with_prior = Candidate(4, "b2", 0.5, visits=10, prior=0.375, line=(4,))
    shown = Analysis("tictactoe", "3/3/3 x", 1, "test", (with_prior,))
    assert "prior  visits" in str(shown)
    assert "37.5%  10" in str(shown)
    assert "<td>37.5%</td><td>10</td>" in shown._repr_html_()
    without = replace(shown, candidates=(replace(with_prior, prior=None),))
    assert "prior" not in str(without)
