"""Reversi at the terminal: discs on show, moves explained, engines compared by discs."""

import json

import pytest

from rl_toolkit.algorithms.reversi.reference import reference_scores
from rl_toolkit.players import SpecError, make_player
from rl_toolkit.players.advisers import analyst
from rl_toolkit.records import from_transcript

#: On 4×4, with eight squares left.
LATE = "b1c1d1a1"


def test_a_game_shows_its_discs_and_says_what_a_move_cost(run):
    typed = "b1\nc1\nwhy\nd1\na1\neval\nquit\n"
    out = run("play", "reversi-4", "--x", "human", "--o", "human", stdin=typed).out
    assert "   Black (X) 2 · White (O) 2\n" in out
    assert "   Black (X) 4 · White (O) 1\n" in out
    why = " ".join(out.partition("White (O) played c1. Black wins by 14 discs (c1 d1 ")[2].split())
    assert "Gives Black the corner d1" in why
    assert "exact prefers a1. White wins by 10 discs (a1 " in why


def test_the_winner_is_named_with_its_discs_first(run):
    env, typed = from_transcript("reversi-4", "b1a1"), ["b1", "a1"]
    while not env.is_terminal():
        typed.append(env.move_name(env.get_legal_moves()[0]))
        env.step(env.get_legal_moves()[0])
    out = run("play", "reversi-4", "--x", "human", "--o", "human", stdin="\n".join(typed)).out
    side, discs = (
        {1: "Black (X)", -1: "White (O)"}[env.winner],
        (env.piece_count(p) for p in (1, -1)),
    )
    most, fewest = sorted(discs, reverse=True)
    assert f"{side} wins {most} to {fewest}." in out
    assert "Costliest: move " in out


def test_compare_puts_discs_beside_discs(run):
    env = from_transcript("reversi-4", LATE)
    asked = ("compare", "reversi-4", LATE, "--engines", "greedy,reversi", "--depth", "2")
    ran = run(*asked)
    lines = ran.out.partition("\nmove")[2].splitlines()[1:]
    for move, score in reference_scores(env).items():
        (row,) = [line for line in lines if line.startswith(f"{env.move_name(move)} ")]
        result = "wins" if score > 0 else "loses" if score < 0 else "draw"
        margin = f" by {abs(score)} discs" if score else ""
        assert row.removesuffix(" ⭐").endswith(f" {result}{margin}")
        assert "%" in row  # greedy does not count
    told = json.loads(run(*asked, "--json").out)
    assert all(c["score"] is not None for c in told["reversi"]["candidates"])


def test_the_truth_stands_beside_the_engines_late_on_every_board(run):
    moves = (
        "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2"
    )
    assert set(
        json.loads(run("compare", "reversi", "f5", "--engines", "greedy", "--json").out)
    ) == {"greedy"}
    late = json.loads(run("compare", "reversi", moves, "--engines", "greedy", "--json").out)
    assert set(late) == {"greedy", "exact"}
    assert late["exact"]["candidates"][0]["score"] == 0  # the game is known to be perfect


def test_a_review_counts_the_discs_of_every_move(run, tmp_path):
    (tmp_path / "game").write_text("f5f6e6f4g6")
    asked = ("game", "review", str(tmp_path / "game"), "--game", "reversi", "--json", "--engine")
    for judge in ("reversi:depth=6", "hard"):
        told = json.loads(run(*asked, judge).out)
        assert [move["score_lost"] is None for move in told["moves"]] == [False] * 5


def test_an_engine_that_looks_on_values_every_move():
    assert str(analyst("reversi", "reversi").spec) == "reversi:every=on"
    assert str(analyst("reversi", "Reversi:depth=2,every=off").spec) == "reversi:depth=2,every=off"
    for other in ("expert", "exact", "mcts:time=1"):
        assert analyst("reversi", other).spec == make_player("reversi", other).spec
    for unknown in ("zork", ""):
        with pytest.raises(SpecError, match="is neither a level nor an engine"):
            analyst("reversi", unknown)
