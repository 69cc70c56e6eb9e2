"""The review after a game."""

from __future__ import annotations

import pytest
from recorded import Recorded

from rl_toolkit.algorithms.review import MoveReview, Review
from rl_toolkit.algorithms.simple import RandomEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.cli.play import game_review
from rl_toolkit.cli.play.game_review import review_game, review_lines, review_with
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts
from rl_toolkit.envs import Gomoku, Reversi, TicTacToe, make_game
from rl_toolkit.players import Player, Spec, make_engine
from rl_toolkit.players.advisers import reviewer
from rl_toolkit.records import from_transcript


def reviewed(transcript: str, resigned: int | None = None) -> list[str]:
    screen = Screen(Recorded(), Recorded())
    review = review_game(from_transcript("tictactoe", transcript), screen, Interrupts())
    assert review is not None
    return list(review_lines(review, TicTacToe.traits, resigned))


def test_a_game_without_mistakes():
    assert reviewed("b2 a1 b1 b3 a2 c2 c1 a3 c3") == [
        "Accuracy: X 100 %, O 100 % (100 % lost nothing, 0 % lost as much as random moves)",
        "No move changed the result.",
    ]


def test_a_side_without_accuracy_is_told_why():
    lines = reviewed("b2")
    assert lines[:2] == [
        "X has no accuracy: none of its moves could lose anything.",
        "O has no accuracy: it made no move.",
    ]


def test_every_move_that_changed_the_result_is_named():
    lines = reviewed("b2 b1 b3 a1 a3 c1")
    assert lines[0].startswith("Accuracy: X 0 %, O 57 % (100 % lost nothing")
    assert [line.partition(".")[0] for line in lines[1:]] == [
        "Move 2: O played b1: a drawn game became lost",
        "Move 3: X played b3: a won game became a draw",
        "Move 5: X played a3: a drawn game became lost",
        "It turned on move 5",
    ]
    assert lines[1].endswith(" were better: a draw instead of a loss in 3 moves.")
    assert lines[3].endswith(". c1 was better: a draw instead of a loss in 1 move.")


@pytest.mark.parametrize(
    ("transcript", "resigned", "last"),
    [
        ("b2 a1", 1, "No move changed the result; X resigned a drawn position."),
        ("b2 b1", 1, "X resigned a won position."),
        ("b2 b1 a1", -1, "O resigned a lost position."),
    ],
)
def test_a_resignation_is_named_with_what_it_gave_up(transcript, resigned, last):
    lines = reviewed(transcript, resigned)
    assert lines[-1] == last
    assert "No move changed the result." not in lines


def test_reversi_is_counted_in_discs():
    env = from_transcript("reversi-4", "b1c1d1a1")
    screen = Screen(Recorded(), Recorded())
    reviewed = review_with(env, make_engine("exact"), screen, Interrupts())
    lines = list(review_lines(reviewed, env.traits))
    lost = {player: reviewed.score_lost(player, proven=True) for player in (1, -1)}
    assert lines[0] == f"X lost {lost[1]:.0f} discs (proven)."
    costly = [line for line in lines if "Costliest" in line]
    assert len(costly) == sum(map(bool, lost.values()))
    assert lines[-1] == "It turned on move 2."


def test_estimates_are_told_as_estimates():
    early = MoveReview(9, 1, 0, "g2", ("d3",), None, None, 3.2, -10.4, False, 0.4)
    late = MoveReview(51, 1, 0, "b7", ("a8", "h8"), "win", "draw", 8.0, 0.0, True, 1.0)
    good = MoveReview(52, -1, 0, "a8", ("a8",), "draw", "draw", 0.0, 0.0, True, 0.0)
    told = Review((early, late, good), -1, counts_pieces=True)
    assert list(review_lines(told, Reversi.traits)) == [
        "X lost about 14 discs by estimate, 8 discs near the end, proven.",
        "  Costliest: move 9, g2: ≈ 14 discs lost. d3 was better.",
        "O lost 0 discs (proven).",
        "Accuracy: X ≈ 32 %, O 100 % (100 % lost nothing, 0 % lost 16 discs a move)",
        "Move 51: X played b7: 8 discs lost, a won game became a draw. a8 and h8 were better.",
        "It turned on move 51.",
    ]


def test_ctrl_c_ends_the_review_with_what_is_known():
    env, interrupts = from_transcript("tictactoe", "b2 b1 b3 a1"), Interrupts()
    screen = Screen(Recorded(), Recorded())

    class Impatient(RandomEngine):
        def analyse(self, env, limit=None, on_progress=None, stop=None):
            interrupts.heard += env.move_count == 2  # as the signal does
            return super().analyse(env, limit, on_progress, stop)

    reviewed = review_with(env, Player(Impatient(1), Limit(), Spec("random")), screen, interrupts)
    # The second verdict would have waited for the search that was cut short.
    assert [move.number for move in reviewed.moves] == [1]
    assert "1 of 4 moves" in screen.err.file.getvalue()


def test_reversi_is_always_judged_in_discs():
    for size in (4, 6, 8):
        assert reviewer(make_game(f"reversi-{size}")).name in ("exact", "reversi")


def test_nothing_is_said_where_no_engine_knows():
    env = Gomoku(9, win_length=4)
    env.step(40)
    assert review_game(env, Screen(Recorded(), Recorded()), Interrupts()) is None


def test_a_finished_game_has_not_failed_where_the_review_does(monkeypatch):
    class Picky(RandomEngine):
        def analyse(self, env, limit=None, on_progress=None, stop=None):
            raise ValueError("picky plays nothing")

    monkeypatch.setattr(
        game_review, "reviewer", lambda env: Player(Picky(1), Limit(), Spec("random"))
    )
    screen = Screen(Recorded(), Recorded())
    assert review_game(from_transcript("tictactoe", "b2"), screen, Interrupts()) is None
    assert "picky plays nothing" in screen.err.file.getvalue()
