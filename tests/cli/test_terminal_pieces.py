"""What the terminal is made of: boards, letters, sessions, the state folder, waiting."""

from __future__ import annotations

import time
from contextlib import suppress

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st
from network_makers import uniform_tensors
from recorded import Recorded

from rl_toolkit.algorithms.connect_four.solver import ConnectFourSolver
from rl_toolkit.analysis import Analysis, Candidate, TreeView, analysis_of
from rl_toolkit.cli.commands._solving import solved_of
from rl_toolkit.cli.play import autosave as autosave_module
from rl_toolkit.cli.play._prompt_words import WORDS, split_word
from rl_toolkit.cli.play.seats import HUMAN, Side, make_seat
from rl_toolkit.cli.play.session import Session, SessionError
from rl_toolkit.cli.play.setup import Table
from rl_toolkit.cli.ui.ascii import plain
from rl_toolkit.cli.ui.board import draw_board
from rl_toolkit.cli.ui.candidates import (
    candidate_table,
    signed,
    thinking_picture,
    tree_lines,
    work_text,
)
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.search import Interrupts, Search, think
from rl_toolkit.envs import ConnectFour, Gomoku, IllegalMoveError, TicTacToe, make_game
from rl_toolkit.kernels.compile_progress import CompileNews
from rl_toolkit.learning.alphazero.weights import save_weights
from rl_toolkit.records import GameRecord, from_transcript, position_from_text

# --------------------------------------------------------------------------------- boards


def test_a_board_has_labels_marks_and_its_winning_line():
    env = TicTacToe()
    for name in ("a1", "a2", "b1", "b2"):
        env.step(env.parse_move(name))
    assert draw_board(env).plain.splitlines() == [
        "    a   b   c",
        "  +---+---+---+",
        "1 | X | X |   |",
        "  +---+---+---+",
        "2 | O |(O)|   |",
        "  +---+---+---+",
        "3 |   |   |   |",
        "  +---+---+---+",
    ]
    env.step(2)
    assert draw_board(env).plain.splitlines()[2] == "1 |[X]|[X]|[X]|"


def test_row_one_is_where_the_game_has_it_and_turns_with_the_board():
    env = ConnectFour()
    env.step(0)
    upright = draw_board(env).plain.splitlines()
    assert upright[0].split() == list("abcdefg")
    assert upright[-1].rstrip() == "1 (X). . . . . ."
    turned = draw_board(env, flipped=True).plain.splitlines()
    assert turned[0].split() == list("gfedcba")
    assert turned[1].rstrip() == "1  . . . . . .(X)"


def test_a_line_in_a_row_is_bracketed_once():
    env = position_from_text("connect-four", "7/7/7/7/ooo4/xxxx3 x")
    assert draw_board(env).plain.splitlines()[-1].rstrip() == "1 [X X X X]. . ."


def test_reversi_shows_where_one_can_play():
    text = draw_board(make_game("reversi")).plain
    assert text.count("+") == 4


@pytest.mark.parametrize("side", [9, 13, 15, 19, 20])
def test_a_board_fits_forty_columns(side):
    text = draw_board(Gomoku(side), 40).plain
    assert max(map(len, text.splitlines())) <= 40
    assert len(text.splitlines()) == side + 1


@given(st.lists(st.integers(0, 6), max_size=30))
def test_every_piece_is_drawn_once(columns):
    env = ConnectFour()
    for column in columns:
        if column in env.get_legal_moves():
            env.step(column)
    text = draw_board(env).plain.partition("\n")[2]
    assert text.count("X") == (env.board == 1).sum()
    assert text.count("O") == (env.board == -1).sum()


# -------------------------------------------------------------------------------- letters


@given(st.text())
def test_plain_text_is_ascii_and_ascii_stays(text):
    assert plain(text).isascii()
    ascii_text = text.encode("ascii", "ignore").decode()
    assert plain(ascii_text) == ascii_text


@pytest.mark.parametrize(
    ("encoding", "locale", "ascii_only"),
    [
        ("utf-8", "C.UTF-8", False),
        ("utf-8", "C", True),
        ("utf-8", "POSIX", True),
        ("ascii", "C.UTF-8", True),
        ("iso-8859-1", "de_DE", True),
    ],
)
def test_letters_follow_encoding_and_locale(monkeypatch, encoding, locale, ascii_only):
    monkeypatch.setenv("LC_ALL", locale)
    out = Recorded(encoding)
    screen = Screen(out, Recorded())
    screen.say("⚖️ 3×3 …")
    assert screen.ascii == ascii_only
    assert out.getvalue().isascii() == ascii_only


def test_data_and_news_go_different_ways():
    out, err = Recorded(), Recorded()
    screen = Screen(out, err)
    screen.say("data")
    screen.tell("news")
    assert (out.getvalue(), err.getvalue()) == ("data\n", "news\n")


def test_a_row_is_cut_off_and_a_sentence_is_wrapped(monkeypatch):
    monkeypatch.setenv("COLUMNS", "20")
    out = Recorded()
    screen = Screen(out, Recorded())
    screen.row("word " * 20)
    screen.say("word " * 20)
    first, *others = out.getvalue().splitlines()
    assert len(first) <= 20
    assert len(others) == 5


# -------------------------------------------------------------------------------- tables


def analysis_with(*candidates: Candidate) -> Analysis:
    return Analysis("tictactoe", "3/3/3 x", 1, "test", candidates)


@pytest.mark.parametrize("width", [20, 40, 60, 80, 120])
def test_a_table_keeps_to_the_width_and_its_first_columns(monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    candidate = Candidate(
        4, "b2", 0.5, "win", True, 5, visits=1000, line=(4, 0, 1, 2), note="A sentence. " * 5
    )
    out = Recorded()
    screen = Screen(out, Recorded())
    screen.say(candidate_table(TicTacToe(), analysis_with(candidate), screen))
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    assert lines[0].split()[:2] == ["move", "value"]
    assert lines[1].split()[:2] == ["b2", "+0.50"]


@pytest.mark.parametrize("width", [20, 60, 100])
def test_a_networks_prior_stands_beside_the_visits(monkeypatch, width):
    monkeypatch.setenv("COLUMNS", str(width))
    analysis = analysis_with(Candidate(4, "b2", 0.5, visits=1000, prior=0.375, line=(4, 0)))
    out = Recorded()
    screen = Screen(out, Recorded())
    screen.say(candidate_table(TicTacToe(), analysis, screen))
    screen.say(thinking_picture(TicTacToe(), screen, analysis))
    table = out.getvalue()
    assert max(map(len, table.splitlines())) <= width
    if width >= 60:
        assert "37.5%   1,000" in table
        assert "1,000 prior 38%" in table


def test_a_networks_prior_stands_in_the_tree():
    child = TreeView(4, "b2", 9, 0.5, None, 0.5, 0.25, prior=0.375)
    root = TreeView(None, "", 10, 0.0, None, 0.0, 0.0, (child,))
    assert list(tree_lines(root))[1] == (
        "└─ b2  prior 37.5%  9 visits  value +0.50  UCT +0.50 + 0.25"
    )


def test_small_numbers_have_no_sign_of_their_own():
    assert [signed(v) for v in (-0.001, 0.0, -0.5)] == ["+0.00", "+0.00", "-0.50"]


def test_effort_is_counted_in_what_the_engine_counts():
    analysis = Analysis("g", "", 1, "mcts", nodes=5, simulations=1, elapsed=0.0)
    assert work_text(analysis) == "mcts · 1 simulation · 0.00 s"


# -------------------------------------------------------------------------------- sessions

PERSON, ENGINE = Side(HUMAN), make_seat("tictactoe", "greedy")


def session(*moves: int, seats=(PERSON, ENGINE), first: int = 1) -> Session:
    env = TicTacToe()
    env.reset(first_player=first)
    game = Session(env, seats)
    for move in moves:
        game.play(move)
    return game


def test_undo_goes_back_to_the_persons_turn():
    game = session(4, 0, 8, 2)
    assert game.undo() == [2, 8]
    assert game.to_move.is_human
    assert game.undo() == [0, 4]
    with pytest.raises(SessionError, match="no move of yours"):
        game.undo()


def test_undo_leaves_an_opening_that_was_not_the_persons():
    game = session(4, first=-1)
    with pytest.raises(SessionError):
        game.undo()
    assert game.env.history == [4]


def test_redo_is_undone_undo_and_a_new_move_ends_it():
    game = session(4, 0, 8, 2)
    game.undo()
    assert game.redo() == [8, 2]
    game.undo()
    game.play(6)
    with pytest.raises(SessionError, match="nothing to play again"):
        game.redo()


@given(st.lists(st.sampled_from(["undo", "redo", *range(9)]), max_size=25))
def test_a_session_is_always_a_record_that_can_be_replayed(steps):
    game = session(seats=(PERSON, PERSON))
    for step in steps:
        with suppress(SessionError, IllegalMoveError):
            getattr(game, step)() if isinstance(step, str) else game.play(step)
        record = game.record()
        assert record.replay().get_state_hash() == game.env.get_state_hash()
        assert Session.from_record(record, game.seats).env.history == game.env.history


def test_resigning_counts_for_the_other_side_and_survives_a_record():
    game = session(4)
    game.resign()
    assert (game.winner, game.is_over) == (1, True)
    again = Session.from_record(game.record(), game.seats)
    assert (again.winner, again.resigned) == (1, -1)
    with pytest.raises(SessionError):
        again.play(0)
    with pytest.raises(SessionError):
        again.resign()


@pytest.mark.parametrize(
    ("asked", "recorded", "expected"),
    [
        ((None, None), None, (HUMAN, "medium")),
        (("hard", None), None, ("hard", HUMAN)),
        ((None, HUMAN), None, (HUMAN, HUMAN)),
        ((None, None), ("easy", HUMAN), ("easy", HUMAN)),
        ((None, "hard"), (HUMAN, "easy"), (HUMAN, "hard")),
    ],
)
def test_who_sits_where(asked, recorded, expected):
    record = GameRecord("tictactoe", players=recorded) if recorded else None
    assert Table("tictactoe", *asked).seat_texts(record) == expected


@pytest.mark.parametrize(
    ("headers", "asked", "expected"),
    [
        ({"time": "2.5", "seed": "7"}, {}, {"time": "2.5", "seed": "7"}),
        ({"time": "2.5", "seed": "7"}, {"time": 1.0}, {"time": "1.0", "seed": "7"}),
        ({"time": "12:30", "seed": "-1", "event": "tea"}, {}, None),  # somebody else's headers
        ({"time": "inf"}, {"seed": 3}, {"time": "inf", "seed": "3"}),
    ],
)
def test_clock_and_seed_are_read_from_the_record(headers, asked, expected):
    record = GameRecord("tictactoe", (4,), ("mcts:simulations=5", "human"), headers=headers)
    session = Table("tictactoe", **asked).session(record)
    assert session.headers == (headers if expected is None else expected)
    engine = session.seat(1).player
    clock = {"2.5": 2.5, "1.0": 1.0}.get(session.headers["time"])
    assert engine is not None
    assert engine.limit.time == clock


def test_another_game_forgets_what_was_said_of_the_first():
    record = GameRecord("tictactoe", (4,), headers={"event": "tea", "seed": "7"})
    table = Table("connect-four")
    game = table.again(table.session(record))
    assert (game.env.name, game.env.history, game.headers) == ("tictactoe", [], {"seed": "7"})


def test_a_clock_is_added_to_a_level_and_not_put_in_its_place():
    player = make_seat("connect-four", "easy", time=3).player
    assert player is not None
    assert (player.limit.depth, player.limit.time) == (2, 3)


def test_a_network_of_ones_own_sits_down_again_and_a_damaged_one_not_at_all(tmp_path):
    path = tmp_path / "My Network.npz"
    save_weights(path, uniform_tensors(TicTacToe()), game="tictactoe", rows=3, cols=3)
    seat = make_seat("tictactoe", f" AlphaZero:weights={path}")
    assert seat.text == f"alphazero:weights={path}"
    assert make_seat("tictactoe", seat.text).title == seat.title
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ValueError, match=r"My Network.npz: this is no file of network weights"):
        make_seat("tictactoe", seat.text)


# ---------------------------------------------------------------------------- state folder


@pytest.fixture
def state(monkeypatch, tmp_path):
    monkeypatch.setenv(autosave_module.ENVIRONMENT_VARIABLE, str(tmp_path))
    return tmp_path / "games"


def test_only_unfinished_games_are_resumed_and_nonsense_is_passed_over(state):
    assert autosave_module.latest_unfinished() is None
    autosave_module.Autosave().save(GameRecord("tictactoe", (4,)))
    time.sleep(0.01)
    autosave_module.Autosave().save(GameRecord("tictactoe", (0, 3, 1, 4, 2), result=1))
    (state / "nonsense.json").write_text("{")
    found = autosave_module.latest_unfinished()
    assert found is not None
    assert found[0].moves == (4,)
    assert autosave_module.latest_unfinished("connect-four") is None


def test_old_games_are_removed(state):
    for _ in range(autosave_module.KEEP + 5):
        autosave_module.Autosave().save(GameRecord("tictactoe", (4,)))
    assert len(list(state.glob("*.json"))) == autosave_module.KEEP


def test_a_folder_that_cannot_be_written_is_a_problem_and_no_error(monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(autosave_module.ENVIRONMENT_VARIABLE, str(tmp_path / "file"))
    autosave = autosave_module.Autosave()
    autosave.save(GameRecord("tictactoe", (4,)))
    assert autosave.problem is not None


# --------------------------------------------------------------------------------- waiting


class Patient:
    """An engine that thinks until it is told to stop."""

    name = "patient"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        answer = Analysis(env.name, "", 1, self.name, (Candidate(4, "b2", 0.5),))
        on_progress(answer)
        while not stop.is_set():
            time.sleep(0.005)
        return answer


class Broken:
    """An engine that raises."""

    name = "broken"

    def __init__(self, error):
        self.error = error

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        raise self.error


def test_a_search_ends_when_it_is_stopped():
    search = Search(Patient(), TicTacToe())
    assert not search.wait(0.05)
    search.stop.set()
    assert search.wait(30)
    assert search.answer().best == 4
    assert search.latest is not None


def test_what_a_search_raises_is_raised_to_who_waits():
    screen = Screen(Recorded(), Recorded())
    with pytest.raises(RuntimeError, match="no luck"):
        think(Broken(RuntimeError("no luck")), TicTacToe(), screen)
    with pytest.raises(click.ClickException, match="not my game"):
        think(Broken(ValueError("not my game")), TicTacToe(), screen)


class Slow:
    """An engine that takes half a second."""

    name = "slow"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        time.sleep(0.5)
        return analysis_of(env, "", "slow", [Candidate(4, "b2", 0.0)])


@pytest.mark.parametrize(
    ("silence", "interrupts", "said"),
    [
        (0.3, Interrupts(), "O is thinking … (Ctrl-C: answer now)\n"),
        (0.3, None, "O is thinking …\n"),
        (30.0, Interrupts(), ""),
    ],
)
def test_long_thinking_is_announced_once_where_nothing_is_redrawn(
    monkeypatch, silence, interrupts, said
):
    monkeypatch.setattr("rl_toolkit.cli.ui.search._SILENCE", silence)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    out, err = Recorded(), Recorded()
    think(Slow(), TicTacToe(), Screen(out, err), interrupts=interrupts, who="O")
    assert (out.getvalue(), err.getvalue()) == ("", said)


def test_news_of_the_compiler_are_told_while_it_works():
    from rl_toolkit.kernels import jit

    with CompileNews() as news:
        assert news.sentence() == ""
        for listener in list(jit._listeners):
            listener("negamax.search")
        assert "negamax.search (1 of at most" in news.sentence()
        assert news.happened
        assert news.latest() == (1, "negamax.search")
        news.search_has_begun()
        assert news.sentence() == ""
    assert not any(getattr(hear, "__self__", None) is news for hear in jit._listeners)


# ------------------------------------------------------------------------- words at a prompt


def test_words_are_read_in_any_case_and_moves_are_none():
    assert split_word(" UNDO ") == ("undo", "")
    assert split_word("?") == ("help", "")
    assert split_word("save a b.json") == ("save", "a b.json")
    assert split_word("b2") is None
    assert split_word("") is None


def test_every_word_is_answered():
    from rl_toolkit.cli.play.loop import PlayLoop

    assert all(callable(getattr(PlayLoop, f"_do_{word}", None)) for word in WORDS)


# --------------------------------------------------------------------------------- solving


def test_a_solved_position_names_all_moves_that_are_best():
    env = position_from_text("tictactoe", "xx1/oo1/3 x")
    analysis = analysis_of(
        env,
        "",
        "test",
        [
            Candidate(2, "c1", 1.0, "win", True, 1, score=7.0),
            Candidate(5, "c2", 1.0, "win", True, 1, score=7.0),
            Candidate(6, "a3", 1.0, "win", True, 3, score=6.0),
        ],
        nodes=12,
        elapsed=0.5,
    )
    assert solved_of("p", env, analysis).line() == "p\t7\tc1,c2\t12\t0.5000"


def test_what_is_not_proven_is_not_solved():
    env = TicTacToe()
    with pytest.raises(ValueError, match="could not prove"):
        solved_of("", env, analysis_of(env, "", "test", [Candidate(4, "b2", 0.9)]))


def test_connect_four_is_scored_in_columns_counted_from_one():
    screen = Screen(Recorded(), Recorded())
    for position, score, best in (("4455", 18, ["3", "6"]), ("44455554221", -15, list("1234567"))):
        env = from_transcript("connect-four", position)
        solved = solved_of(position, env, think(ConnectFourSolver(), env, screen))
        assert (solved.score, solved.best) == (score, best)
