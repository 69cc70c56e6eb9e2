"""`GtpServer`: the commands of GTP 2, for every game, and nonsense."""

import io
import random

import pytest
from protocol_fuzz import fuzz_lines

from rl_toolkit import __version__
from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.simple import FirstMoveEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game
from rl_toolkit.players import Player, Spec
from rl_toolkit.protocols.gtp import server as servers
from rl_toolkit.protocols.gtp.server import GtpServer
from rl_toolkit.protocols.gtp.vertices import move_of, vertex_of


def first(game):
    return FirstMoveEngine()


def talk(server, *lines):
    """The answers without their marks and ends; a refusal begins with ``?``."""
    answers = []
    for line in lines:
        answer = server.answer(line)
        assert answer[0] in "=?"
        assert answer.endswith("\n\n")
        assert "\n\n" not in answer[:-2]
        answers.append(answer[:-2].removeprefix("= ").removeprefix("="))
    return answers


def test_it_says_who_it_is():
    server = GtpServer("reversi", first, __version__)
    said = talk(
        server, "protocol_version", "name", "version", "known_command play", "known_command x"
    )
    assert said == ["2", "rl-toolkit", __version__, "true", "false"]
    assert set(talk(server, "list_commands")[0].split()) >= {
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "quit",
        "boardsize",
        "clear_board",
        "komi",
        "play",
        "genmove",
    }


def test_answers_carry_the_number_of_the_command():
    server = GtpServer("tictactoe", first)
    assert server.answer("7 name") == "=7 rl-toolkit\n\n"
    assert server.answer("8 nonsense") == "?8 unknown command\n\n"
    assert server.answer("  9\tclear_board # comment") == "=9\n\n"
    assert server.answer("12") == "?12 unknown command\n\n"


@pytest.mark.parametrize("line", ["", "   ", "# only a comment", "\t\x07"])
def test_lines_without_a_command_have_no_answer(line):
    assert GtpServer("tictactoe", first).answer(line) is None


@pytest.mark.parametrize(
    "game", ["tictactoe", "connect-four", "gomoku-9", "reversi", "tictactoe-4x5x4"]
)
def test_it_plays_whole_games(game):
    server, env = GtpServer(game, first), make_game(game)
    while not env.is_terminal():
        colour = "black" if env.current_player == 1 else "white"
        expected = FirstMoveEngine().analyse(env).best_move
        assert talk(server, f"reg_genmove {colour}") == [vertex_of(env, expected)]
        (vertex,) = talk(server, f"genmove {colour}")
        env.step(move_of(env, vertex))
    assert env.history
    assert env.board.tolist() == server._env.board.tolist()
    score = talk(server, "final_score")[0]
    assert score[0] == {1: "B", -1: "W", 0: "0"}[env.winner]
    assert talk(server, "genmove black") == ["? the game is over"]


def test_scores_count_discs_where_discs_count():
    server = GtpServer("reversi", first)
    env = make_game("reversi")
    while not env.is_terminal():
        talk(server, f"genmove {'b' if env.current_player == 1 else 'w'}")
        env.step(FirstMoveEngine().analyse(env).best_move)
    lead = env.piece_count(1) - env.piece_count(-1)
    assert lead
    assert talk(server, "final_score") == [f"{'B' if lead > 0 else 'W'}+{abs(lead)}"]


def test_a_refused_move_changes_nothing():
    server = GtpServer("reversi", first)
    before = talk(server, "showboard")
    refused = talk(
        server,
        "play black a1",
        "play white f5",
        "play black i5",
        "play black",
        "play b pass",
        "play green f5",
        "undo",
        "final_score",
    )
    assert all(answer.startswith("? ") for answer in refused)
    assert talk(server, "showboard") == before


def test_white_may_begin_where_the_game_allows_it():
    server = GtpServer("tictactoe", first)
    assert talk(server, "play white B2", "play black A1", "genmove white") == ["", "", "B1"]
    assert talk(server, "play white C3")[0].startswith("? illegal move: it is not white's turn")


def test_passes_may_be_sent_or_left_out():
    """After these moves one side cannot move."""
    moves = ["f5", "f6", "d3", "g5", "h5", "h4", "f7", "h6"]
    env = make_game("reversi")
    for move in moves:
        env.step(env.parse_move(move))
    assert env.must_pass()
    plays = [f"play {'bw'[number % 2]} {move}" for number, move in enumerate(moves)]
    blocked, other = ("w", "b") if env.current_player == -1 else ("b", "w")
    env.step(env.pass_move)
    reply = vertex_of(env, env.get_legal_moves()[0])
    for lines in ([f"play {blocked} pass", f"play {other} {reply}"], [f"play {other} {reply}"]):
        server = GtpServer("reversi", first)
        assert talk(server, *plays, *lines) == [""] * (len(plays) + len(lines))
    server = GtpServer("reversi", first)
    assert talk(server, *plays, f"genmove {blocked}", f"genmove {other}")[-2:] == ["pass", reply]


def test_pieces_fall_to_the_named_cell():
    server = GtpServer("connect-four", first)
    assert talk(server, "play b D1", "play w D2", "play b d") == ["", "", ""]
    assert talk(server, "play w D3")[0].startswith("? illegal move: a piece cannot land on")
    assert talk(server, "genmove w") == ["A1"]


def test_undo_takes_back_one_move():
    server = GtpServer("connect-four", first)
    assert talk(server, "play b D1", "undo", "genmove b", "undo", "undo") == [
        "",
        "",
        "A1",
        "",
        "? cannot undo",
    ]


def test_games_and_sizes():
    asked = []

    def make(game):
        asked.append(game)
        if game.startswith("gomoku"):
            raise ValueError("this engine does not play Gomoku")
        return FirstMoveEngine()

    server = GtpServer("reversi", make)
    assert talk(
        server, "boardsize 6", "boardsize 8", "boardsize 8", "boardsize 7", "boardsize x"
    ) == [
        "",
        "",
        "",
        "? unacceptable size",
        "? syntax error: 'x' is not a whole number",
    ]
    assert talk(server, "set_game Othello-6", "set_game Connect Four", "set_game chess")[:2] == [
        "",
        "",
    ]
    assert talk(server, "rectangular_boardsize 8 7", "showboard")[1].count("\n") == 9
    assert talk(server, "rectangular_boardsize 30 30", "set_game gomoku") == [
        "? unacceptable size",
        "? this engine does not play Gomoku",
    ]
    assert asked == [
        "reversi-8",
        "reversi-6",
        "reversi-8",
        "reversi-6",
        "connect-four",
        "connect-four-7x8x4",
        "gomoku-15",
    ]
    assert talk(server, "list_games")[0].split() == [
        "tictactoe",
        "connect-four",
        "gomoku",
        "reversi",
    ]


def test_positions_can_be_set_up():
    server = GtpServer("tictactoe", lambda game: MinimaxSolver.strong())
    assert talk(server, "rl_toolkit-position xx1/oo1/3 x", "genmove black") == ["", "C1"]
    assert talk(server, "rl_toolkit-position xx1")[0].startswith("? ")
    assert "The game is over: B+1" in talk(server, "showboard")[0]


class Listening:
    """Keeps the limits that it is given."""

    name = "listening"

    def __init__(self):
        self.limits = []

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        self.limits.append(limit)
        return FirstMoveEngine().analyse(env)


def test_clocks_become_limits():
    engine = Listening()
    server = GtpServer("connect-four", lambda game: engine)
    talk(
        server,
        "reg_genmove b",
        "time_settings 0 2 1",
        "reg_genmove b",
        "time_settings 0 1 0",
        "reg_genmove b",
        "time_left b 30 10",
        "reg_genmove b",
        "time_settings 100 0 0",
        "reg_genmove b",
        "time_settings 0 0 0",
        "reg_genmove b",
    )
    none, byo_yomi, off, left, main, never = engine.limits
    assert none is off is never is None
    assert byo_yomi == Limit(time=1.8)
    assert left == Limit(time=2.7)
    assert 1 < main.time < 10
    refused = talk(
        server,
        "time_settings 1 2",
        "time_settings a 1 1",
        "time_settings inf 1 1",
        "time_left b nan 1",
        "time_left x 1 1",
        "time_left b 1",
        "komi x",
        "komi nan",
    )
    assert all(answer.startswith("? ") for answer in refused)
    assert talk(server, "komi 6.5") == [""]


def test_a_clock_does_not_make_a_level_stronger():
    engine = Listening()
    player = Player(engine, Limit(depth=1, time=1), Spec("listening"))
    server = GtpServer("connect-four", lambda game: player)
    talk(server, "time_settings 0 600 1", "reg_genmove b", "time_settings 0 0.1 1", "genmove b")
    assert [limit.depth for limit in engine.limits] == [1, 1]
    assert engine.limits[0].time == 1
    assert engine.limits[1].time < 0.1


def test_an_engine_that_fails_is_an_error_answer():
    class Failing:
        name = "failing"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            raise ZeroDivisionError("division\nby\n\nzero")

    server = GtpServer("tictactoe", lambda game: Failing())
    assert server.answer("genmove b") == "? division\nby\nzero\n\n"
    assert talk(server, "name") == ["rl-toolkit"]


def test_it_serves_two_streams_until_quit():
    reader, writer = io.StringIO("1 name\n\n2 quit\n3 name\n"), io.StringIO()
    GtpServer("tictactoe", first).serve(reader, writer)
    assert writer.getvalue() == "=1 rl-toolkit\n\n=2\n\n"
    writer = io.StringIO()
    GtpServer("tictactoe", first, __version__).serve(io.StringIO("name\r\nversion"), writer)
    assert writer.getvalue() == f"= rl-toolkit\n\n= {__version__}\n\n"


def test_a_board_without_enough_letters_is_refused():
    widest = GtpServer("tictactoe-25x25x5", first)
    assert widest.answer("play black Z25") == "=\n\n"
    assert widest._env.move_name(widest._env.history[-1]) == "y25"
    with pytest.raises(ValueError, match="no letters for 26 columns"):
        GtpServer("tictactoe-26x26x5", first)


WORDS = [
    *servers._COMMANDS,
    "b",
    "w",
    "black",
    "white",
    "pass",
    "A1",
    "D4",
    "z99",
    "0",
    "1",
    "8",
    "-3",
    "1e999",
    "nan",
    "reversi",
    "tictactoe-4",
    "connect-four",
    "3/3/3 x",
    "#",
    "17",
]


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.full)])
def test_random_lines_get_an_answer(count):
    server, chance = GtpServer("tictactoe", first), random.Random(1)
    kinds = {"=": 0, "?": 0}
    for line in fuzz_lines(chance, count, WORDS):
        bare = servers._COMMENT.sub("", servers._CONTROL.sub("", line)).strip()
        server.has_quit = False
        answer = server.answer(line)
        if not bare:
            assert answer is None
            continue
        assert answer is not None, line
        assert answer.endswith("\n\n"), line
        assert "\n\n" not in answer[:-2], line
        kinds[answer[0]] += 1
    assert min(kinds.values()) > count // 50  # both kinds of answer were seen
