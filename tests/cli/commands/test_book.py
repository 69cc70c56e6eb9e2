"""`rl-toolkit book`: built, shown, refused when damaged."""

import json
import random

from rl_toolkit.players import make_engine
from rl_toolkit.records import position_from_text


def test_a_book_is_built_shown_and_refused_when_damaged(run, tmp_path):
    path = tmp_path / "small.book"
    built = run("book", "build", "connect-four-4x4x4", "--plies", "3", "-o", str(path))
    assert built.code == 0
    assert "4×4, every position with up to 3 stones" in built.words
    assert run("book", "show", str(path)).words in built.words
    path.write_bytes(path.read_bytes()[:-1])
    assert "No such file" in run("book", "show", "connect-four").err
    damaged = run("book", "show", str(path))
    assert (damaged.code, "damaged" in damaged.err) == (1, True)
    assert run("book", "build", "gomoku", "--plies", "2").code == 2


def test_the_whole_book_of_tic_tac_toe_can_be_read(run, tmp_path):
    path = tmp_path / "ttt.book"
    built = run("book", "build", "morpion", "-o", str(path))
    assert built.code == 0
    assert "3×3, every position with up to 9 stones, 765 positions" in built.words
    assert run("book", "show", str(path)).words in built.words
    positions = json.loads(path.read_text("utf-8"))["positions"]
    assert positions["3/3/3 x"]["value"] == 0
    assert len(positions["3/3/3 x"]["best"]) == 9
    for text in random.Random(1).sample(sorted(positions), 40):
        env, entry = position_from_text("tictactoe", text), positions[text]
        if env.is_terminal():
            assert entry == {"value": env.get_result(1), "best": []}
            continue
        exact = make_engine("minimax").analyse(env)
        drawn = [c.name for c in exact.candidates if c.outcome == exact.outcome]
        assert (entry["value"], set(entry["best"])) == (
            exact.value * env.current_player,
            set(drawn),
        )
    path.write_text(path.read_text("utf-8")[:-20])
    assert "damaged" in run("book", "show", str(path)).err
    assert "of up to 9 cells" in run("book", "build", "tictactoe-4x4x4").err
    assert "--plies is missing" in run("book", "build", "connect-four").err
