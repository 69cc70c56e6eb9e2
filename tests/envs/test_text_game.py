"""Games without a grid: text, names that depend on the position, and everything else as usual."""

import pickle

import pytest
from nim_game import Nim

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.analysis import Limit, words_for
from rl_toolkit.arena.matches import Match, play_match
from rl_toolkit.envs import (
    InvalidMoveError,
    InvalidPositionError,
    make_game,
    register_game,
    registry,
)
from rl_toolkit.explain import explain
from rl_toolkit.players import make_engine
from rl_toolkit.records import (
    GameRecord,
    PositionError,
    RecordMoveError,
    from_transcript,
    position_from_text,
    position_to_text,
    to_transcript,
)
from rl_toolkit.testing import check_game
from rl_toolkit.utils import plugins


@pytest.fixture(autouse=True)
def _nim(monkeypatch):
    monkeypatch.setattr(registry, "_FAMILIES", dict(registry._FAMILIES))
    monkeypatch.setattr(plugins, "_loaded", dict(plugins._loaded))
    register_game(Nim)


def wins(left):
    """Whether the side to move wins, by the rules alone."""
    after = [(left - taken, taken == 3 and left > 3) for taken in (1, 2, 3) if taken <= left]
    return any(left == 0 or wins(left) == again for left, again in after)


@pytest.mark.parametrize("stones", [1, 4, 7])
def test_it_keeps_the_laws(stones):
    check_game(lambda: Nim(stones), games=4)


def test_the_board_is_the_score_sheet():
    env = Nim(7)
    for name in ("take-3", "take-1", "take-2"):
        env.step(name)
    assert env.board.tolist() == [1, 1, -1, 0, 0, 0, 0]
    assert env.history == [2, 0, 1]
    assert (env.move_count, env.last_move, env.current_player) == (3, 2, 1)


@pytest.mark.parametrize("stones", range(1, 10))
@pytest.mark.parametrize("engine", ["minimax", "mcts:simulations=3000,seed=1"])
def test_engines_solve_it_with_two_turns_in_a_row(stones, engine):
    analysis = make_engine(engine).analyse(Nim(stones), Limit(depth=20))
    assert analysis.proven
    assert analysis.outcome == ("win" if wins(stones) else "loss")


def test_moves_to_the_end_are_not_counted_where_a_side_moves_twice():
    env = Nim(5)  # three, then the last two: plies do not say whose moves they are
    words, analysis = words_for(env), make_engine("minimax").analyse(env, Limit(depth=9))
    assert (env.move_name(analysis.best_move), analysis.best.distance) == ("Take-3", 2)
    assert (words.short(analysis.best), words.mark(analysis.best)) == ("wins", "W")
    assert words.full(analysis.best, 1) == "First wins"
    assert explain(env, analysis).best.note.startswith("First wins (Take-3 Take-2)")
    one = make_engine("minimax").analyse(Nim(2), Limit(depth=9)).best
    assert words.short(one) == "wins in 1 move"


def test_the_textbook_solver_agrees():
    for stones in range(1, 10):
        evaluations = MinimaxSolver().get_candidate_evaluations(Nim(stones))
        assert max(e["value"] for e in evaluations.values()) == (1 if wins(stones) else -1)


def test_names_are_words_and_belong_to_a_position():
    env = Nim(4)
    assert [env.move_name(move) for move in range(3)] == ["Take-1", "Take-2", "Take-3"]
    assert env.parse_move("take 2") == env.parse_move("TAKE-2") == env.parse_move("#1") == 1
    env.step(1)
    assert env.move_name(2) == "#2"  # three stones can no longer be taken
    with pytest.raises(InvalidMoveError, match="'take-3' is not a move here; moves are Take-1, Ta"):
        env.parse_move("take-3")
    with pytest.raises(InvalidMoveError, match="'1' is not a name"):
        env.step("1")
    assert Nim(4).line_names([1, 1]) == ["Take-2", "Take-2"]
    assert env.history_names() == ["Take-2"]


def test_positions_are_written_as_moves():
    env = Nim(7)
    assert position_to_text(env) == "start"
    env.step(2)
    env.step(0)
    text = position_to_text(env)
    assert text == "Take-3 Take-1"
    assert position_from_text("nim-7", text) == env
    assert position_from_text(env, "start") == Nim(7)
    for wrong in ("", "take-9", "Take-3 Take-3 Take-3", "oo/x o"):
        with pytest.raises(PositionError):
            position_from_text("nim-7", wrong)
    assert to_transcript(env) == text
    assert from_transcript("nim-7", text) == env


def test_records_keep_the_names_of_their_positions():
    env = from_transcript("nim-7", "Take-3 Take-1 Take-3")
    text = GameRecord.from_env(env).to_json()
    assert '"Take-3", "Take-1", "Take-3"' in text
    assert GameRecord.from_json(text).replay() == env
    with pytest.raises(RecordMoveError, match=r"moves\[1\]"):
        GameRecord.from_json(text.replace('"Take-1"', '"Take-4"'))


def test_neither_board_nor_player_can_be_assigned():
    env = Nim(4)
    with pytest.raises(InvalidPositionError, match="nim-4 has no grid: play moves"):
        env.board = [1, 0, 0, 0]
    with pytest.raises(InvalidPositionError, match="nim-4 has no grid: play moves"):
        env.set_position([1, 0, 0, 0], 1)
    with pytest.raises(InvalidPositionError, match="the side to move cannot be assigned"):
        env.current_player = -1
    assert env == Nim(4)


def test_games_analyses_and_matches():
    env = Nim(7)
    env.step(2)
    twin = pickle.loads(pickle.dumps(env))
    assert twin == env
    assert twin.history == [2]
    analysis = make_engine("minimax").analyse(env, Limit(depth=20))
    assert "Take-1 Take-" in str(analysis)  # lines have names, although #2 may be illegal at first
    assert "<svg" in env.to_svg()
    assert "o\N{NO-BREAK SPACE}o" in env.to_svg("dark")
    result = play_match(Match("nim-7", ("random:seed=1", "minimax:depth=9"), pairs=3, seed=2))
    assert len(result.games) == 6
    assert make_game("nim-7").name == "nim-7"
