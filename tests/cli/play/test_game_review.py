"""Looking back on a game at the terminal: after it, and on a saved one."""

from __future__ import annotations

import json

import pytest
from recorded import Recorded

from rl_toolkit.algorithms.review import MoveReview, Review
from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.cli.play import game_review
from rl_toolkit.cli.play.game_review import look_back, review_game, review_lines
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts
from rl_toolkit.envs import Gomoku, make_game
from rl_toolkit.players import Player, make_engine
from rl_toolkit.players._advice import reviewer
from rl_toolkit.records import GameRecord, from_transcript


def looked_back(transcript: str, resigned: int | None = None) -> list[str]:
    screen = Screen(Recorded(), Recorded())
    review = review_game(from_transcript("tictactoe", transcript), screen, Interrupts())
    assert review is not None
    return list(review_lines(review, resigned))


def test_a_game_without_mistakes():
    assert looked_back("b2 a1 b1 b3 a2 c2 c1 a3 c3") == [
        "Accuracy (moves that kept the result): X 100 %, O 100 %",
        "No move changed the result.",
    ]


def test_every_move_that_changed_the_result_is_named():
    lines = looked_back("b2 b1 b3 a1 a3 c1")
    assert lines[0] == "Accuracy (moves that kept the result): X 33 %, O 67 %"
    assert [line.partition(";")[0] for line in lines[1:]] == [
        "Move 2: O played b1 and turned a draw into a loss",
        "Move 3: X played b3 and turned a win into a draw",
        "Move 5: X played a3 and turned a draw into a loss",
    ]
    assert lines[3].endswith("better was c1.")


@pytest.mark.parametrize(
    ("transcript", "resigned", "last"),
    [
        ("b2 a1", 1, "No move changed the result; X resigned a drawn position."),
        ("b2 b1", 1, "X resigned a won position."),
        ("b2 b1 a1", -1, "O resigned a lost position."),
    ],
)
def test_a_resignation_is_named_with_what_it_gave_up(transcript, resigned, last):
    lines = looked_back(transcript, resigned)
    assert lines[-1] == last
    assert "No move changed the result." not in lines


def test_reversi_is_counted_in_discs():
    env = from_transcript("reversi-4", "b1c1d1a1")
    screen = Screen(Recorded(), Recorded())
    looked_back = look_back(env, make_engine("exact"), screen, Interrupts())
    lines = list(review_lines(looked_back, in_discs=True))
    lost = {player: looked_back.score_lost(player, proven=True) for player in (1, -1)}
    assert lines[0] == f"X lost {lost[1]:.0f} discs (proven)."
    costly = [line for line in lines if "Costliest" in line]
    assert len(costly) == sum(map(bool, lost.values()))
    assert lines[-1] == "No move changed the result." or lines[-1].startswith("Move ")


def test_estimates_are_told_as_estimates():
    early = MoveReview(9, 1, 0, "g2", ("d3",), None, None, 3.2, -10.4, False, 0.4)
    late = MoveReview(51, 1, 0, "b7", ("a8", "h8"), "win", "draw", 8.0, 0.0, True, 1.0)
    good = MoveReview(52, -1, 0, "a8", ("a8",), "draw", "draw", 0.0, 0.0, True, 0.0)
    assert list(review_lines(Review((early, late, good), -1), in_discs=True)) == [
        "X lost about 14 discs by estimate, 8 discs near the end, proven.",
        "  Costliest: move 9, g2, lost about 14 discs by estimate; better was d3.",
        "O lost 0 discs (proven).",
        "Move 51: X played b7 and turned a win into a draw; better was a8 or h8.",
    ]


def test_ctrl_c_ends_looking_back_with_what_is_known():
    env, interrupts = from_transcript("tictactoe", "b2 b1 b3 a1"), Interrupts()
    screen = Screen(Recorded(), Recorded())

    class Impatient(RandomEngine):
        def analyse(self, env, limit=None, on_progress=None, stop=None):
            interrupts.heard += env.move_count == 2  # as the signal does
            return super().analyse(env, limit, on_progress, stop)

    looked_back = look_back(env, Player(Impatient(1), Limit(), "random"), screen, interrupts)
    assert [move.number for move in looked_back.moves] == [1, 2]
    assert "2 of 4 moves" in screen.err.file.getvalue()


def test_reversi_is_always_judged_in_discs():
    for size in (4, 6, 8):
        assert reviewer(make_game(f"reversi-{size}")).name in ("exact", "reversi")


def test_nothing_is_said_where_nobody_knows():
    env = Gomoku(9)
    env.step(40)
    assert review_game(env, Screen(Recorded(), Recorded()), Interrupts()) is None


# ------------------------------------------------------------------------- a saved game


def test_a_saved_game_is_reviewed_move_by_move(run, tmp_path):
    path = tmp_path / "game.json"
    GameRecord.from_env(from_transcript("tictactoe", "b2 b1 b3 a1 a3 c1")).save(path)
    ran = run("record", "review", str(path))
    rows = [line.split() for line in ran.out.splitlines()]
    assert (ran.code, rows[0]) == (0, ["move", "lost", "better"])
    assert rows[2][:6] == ["2.", "O", "b1", "draw", "→", "loss"]
    assert rows[5][:6] == ["5.", "X", "a3", "draw", "→", "loss"]
    assert rows[1] == ["1.", "X", "b2"]
    assert "Accuracy (moves that kept the result): X 33 %, O 67 %" in ran.out


def test_reversi_is_reviewed_in_discs_as_a_table_and_as_json(run):
    asked = ("record", "review", "-", "--game", "reversi-4", "--engine", "exact")
    told = json.loads(run(*asked, "--json", stdin="b1c1d1a1").out)
    lost = [move["score_lost"] for move in told["moves"]]
    assert all(move["score_proven"] for move in told["moves"])
    assert told["sides"]["x"]["score_lost"] == lost[0] + lost[2]
    assert told["sides"]["o"]["score_lost_by_estimate"] is None
    rows = [line.split() for line in run(*asked, stdin="b1c1d1a1").out.splitlines()[1:5]]
    assert [int(row[3]) if len(row) > 3 else 0 for row in rows] == lost
    assert any(lost)


def test_what_cannot_be_reviewed(run):
    asked = ("record", "review", "-", "--game", "reversi")
    assert (run(*asked, stdin="").code, run(*asked, stdin="a1").code) == (2, 1)
    refused = run(*asked, "--engine", "zork", stdin="f5")
    assert (refused.code, "neither a level nor an engine" in refused.err) == (2, True)


def test_a_resignation_in_a_record_is_told(run, tmp_path):
    path = tmp_path / "game.json"
    env = from_transcript("tictactoe", "b2 b1")
    GameRecord.from_env(env, result=-1, ended_by="resignation").save(path)
    assert run("record", "review", str(path)).out.endswith("X resigned a won position.\n")


def test_a_game_that_is_over_has_not_failed_because_nobody_looks_back(monkeypatch):
    class Picky(RandomEngine):
        def analyse(self, env, limit=None, on_progress=None, stop=None):
            raise ValueError("picky plays nothing")

    monkeypatch.setattr(game_review, "reviewer", lambda env: Player(Picky(1), Limit(), "random"))
    screen = Screen(Recorded(), Recorded())
    assert review_game(from_transcript("tictactoe", "b2"), screen, Interrupts()) is None
    assert "picky plays nothing" in screen.err.file.getvalue()
