"""Gomocup: our server, our client, and the two together."""

import io
import random
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from protocol_fuzz import fuzz_lines
from protocol_programs import dreamer, scripted, served

from rl_toolkit.algorithms.simple import FirstMoveEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.envs import make_game
from rl_toolkit.explain import explain
from rl_toolkit.protocols import program as programs
from rl_toolkit.protocols.gomocup import server as servers
from rl_toolkit.protocols.gomocup.client import GomocupEngine
from rl_toolkit.protocols.gomocup.messages import Claim, names_squares, read_claim
from rl_toolkit.protocols.gomocup.server import GomocupServer
from rl_toolkit.protocols.gomocup.squares import can_play, move_of, square_of
from rl_toolkit.protocols.program import Program, ProgramError
from rl_toolkit.records import read_position


class Listening:
    """Plays the first move, and keeps positions and limits."""

    name = "listening"

    def __init__(self):
        self.seen, self.limits = [], []

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        self.seen.append(env)
        self.limits.append(limit)
        return FirstMoveEngine().analyse(env)


@pytest.fixture
def engine():
    return Listening()


@pytest.fixture
def server(engine):
    made = GomocupServer(lambda game: engine, "1.0")
    assert made.answer("START 15") == "OK"
    return made


def test_squares_count_from_the_top_left():
    env = make_game("gomoku-9")
    for move in env.get_legal_moves():
        assert move_of(env, square_of(env, move)) == move
    assert square_of(env, env.parse_move("a9")) == "0,0"
    for wrong in ("9,0", "0,9", "1", "1,2,3", "a,b", "-1,0", ""):
        with pytest.raises(ValueError, match="not"):
            move_of(env, wrong)


@pytest.mark.parametrize(
    ("game", "can"),
    [
        ("gomoku", True),
        ("gomoku-9-standard", True),
        ("tictactoe-7x7x5", True),
        ("gomoku-9x9x4", False),
        ("tictactoe", False),
        ("connect-four-6x7x5", False),
        ("reversi", False),
    ],
)
def test_the_protocol_is_for_five_in_a_row(game, can):
    assert can_play(make_game(game)) is can


# --- the server ------------------------------------------------------------------------------


def test_it_begins_and_answers(server, engine):
    assert server.answer("BEGIN") == "0,14"
    assert server.answer("turn 7,7") == "1,14"
    assert server.answer("TURN 8,8") == "2,14"
    names = [engine.seen[-1].move_name(move) for move in engine.seen[-1].history]
    assert names == ["a1", "h8", "b1", "i7"]


def test_a_whole_board_may_be_sent(server, engine):
    for line in ("BOARD", "7,7,2", "8,8,1", "9,9,2"):
        assert server.answer(line) is None
    assert server.answer("DONE") == "0,14"
    env = engine.seen[-1]
    assert (env.current_player, env.piece_count(1), env.piece_count(-1)) == (-1, 2, 1)
    assert server.answer("RESTART") == "OK"
    assert server.answer("BOARD") is None
    assert server.answer("done") == "0,14"
    assert engine.seen[-1].current_player == 1


@pytest.mark.parametrize(
    ("stones", "said"),
    [
        (["7,7,2", "7,7,1"], "7,7 is on the board twice"),
        (["1,1,1", "2,2,1", "3,3,1"], "0 Black (X) and 3 White (O) is not possible"),
        (["99,1,2"], "'99,1' is not on the board"),
        (["7,7,1"] * 226, "there are more stones than squares"),
        (["x", "7,7,2", "99,1,2"], "'x' is not x,y,field of a board"),
        (["7,7,2", "TURN 1,1", "BEGIN"], "'TURN 1,1' is not x,y,field of a board"),
    ],
)
def test_a_board_that_cannot_be_is_one_error_after_its_end(server, stones, said):
    answers = [server.answer(line) for line in ("BOARD", *stones)]
    assert set(answers) == {None}
    answer = server.answer("DONE")
    assert answer.startswith("ERROR ")
    assert said in answer
    assert server.answer("BEGIN") == "0,14"  # nothing was changed
    assert [server.answer(line) for line in ("BOARD", "7,7,2", "DONE")] == [None, None, "0,14"]


def test_a_board_without_an_end_is_forgotten_when_something_else_begins(server):
    for line, answer in (("RESTART", "OK"), ("START 9", "OK"), ("RECTSTART 9,9", "OK")):
        assert [server.answer("BOARD"), server.answer("nonsense")] == [None, None]
        assert server.answer(line) == answer
    assert server.answer("DONE").startswith("UNKNOWN")
    lines = ("BOARD", "nonsense", "BOARD", "4,4,2", "DONE")
    assert [server.answer(line) for line in lines][-1] == "0,8"
    assert [server.answer("BOARD"), server.answer("end"), server.has_quit] == [None, None, True]


def test_refused_commands_change_nothing(server):
    assert server.answer("BEGIN") == "0,14"
    for line in (
        "TURN 0,14",
        "TURN 15,0",
        "TURN",
        "TURN x",
        "START 3",
        "START",
        "START 99999",
        "RECTSTART 15,20",
        "TAKEBACK 3,3",
        "PLAY 0,14",
        "INFO rule 4",
        "INFO rule x",
    ):
        assert server.answer(line).startswith("ERROR "), line
    assert server.answer("SWAP2BOARD").startswith("UNKNOWN ")
    assert server.answer("TURN 7,7") == "1,14"


def test_moves_can_be_taken_back(server):
    assert [server.answer(line) for line in ("PLAY 7,7", "TAKEBACK 7,7", "BEGIN")] == [
        "7,7",
        "OK",
        "0,14",
    ]


def test_rules_and_sizes(engine):
    asked = []

    def make(game):
        asked.append(game)
        return engine

    server = GomocupServer(make)
    lines = ("START 20", "INFO rule 1", "BEGIN", "START 15", "INFO rule 0", "RECTSTART 9,9")
    assert [server.answer(line) for line in lines] == ["OK", None, "0,19", "OK", None, "OK"]
    assert asked == [
        "gomoku-20",
        "gomoku-20-standard",
        "gomoku-15-standard",
        "gomoku-15",
        "gomoku-9",
    ]


def test_nothing_works_before_start(engine):
    server = GomocupServer(lambda game: engine)
    for line in ("BEGIN", "TURN 1,1", "BOARD", "RESTART", "TAKEBACK 1,1", "PLAY 1,1"):
        assert server.answer(line) == "ERROR no game was started"


def test_clocks_become_limits(server, engine):
    server.answer("BEGIN")
    for line in ("INFO timeout_turn 1000", "INFO max_memory 0", "INFO folder /tmp", "INFO"):
        assert server.answer(line) is None
    server.answer("TURN 1,1")
    server.answer("INFO timeout_match 60000")
    server.answer("INFO time_left 3000")
    server.answer("TURN 1,2")
    server.answer("INFO timeout_turn 0")
    server.answer("TURN 1,3")
    none, turn, match, fast = engine.limits
    assert none is None
    assert turn == Limit(time=0.9)
    assert 0.01 <= match.time < 0.2
    assert fast == Limit(time=0.01)


def test_the_end_of_a_game_and_failing_engines_are_errors(engine):
    class Failing:
        name = "failing"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            raise MemoryError

    server = GomocupServer(lambda game: Failing())
    server.answer("START 9")
    assert server.answer("BEGIN") == "ERROR MemoryError"
    server = GomocupServer(lambda game: engine)
    server.answer("START 9")
    for number in range(4):
        server.answer(f"PLAY {number},0")
        server.answer(f"PLAY {number},8")
    assert server.answer("TURN 4,0") == "ERROR the game is over"


def test_it_serves_two_streams_until_the_end(engine):
    writer = io.StringIO()
    lines = "START 15\r\n\r\nABOUT\r\nEND\r\nBEGIN\r\n"
    GomocupServer(lambda game: engine, "1.0").serve(io.StringIO(lines), writer)
    about = 'name="rl-toolkit", version="1.0", author="rl_toolkit", country="-"'
    assert writer.getvalue() == f"OK\n{about}\n"


WORDS = [
    *servers._COMMANDS,
    "DONE",
    "1,1",
    "2,3",
    "14,14",
    "7,7,1",
    "8,8,2",
    "9",
    "15",
    "20",
    "rule",
    "timeout_turn",
    "time_left",
    "-1",
    "0",
    "SWAP2BOARD",
    "START 15",
    "START 9",
    "TURN 7,7",
]


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.full)])
def test_random_lines_get_an_answer(count, engine):
    server, chance, kinds = GomocupServer(lambda game: engine), random.Random(2), {}
    for line in fuzz_lines(chance, count, WORDS):
        was_board = server._stones is not None
        answer = server.answer(line)
        engine.seen.clear()
        printed = "".join(c if c.isprintable() else " " for c in line).strip()
        word = printed.partition(" ")[0].upper()
        if answer is None:  # what the protocol leaves without an answer
            in_board = was_board and word not in ("DONE", *servers._ENDS_A_BOARD)
            assert not printed or in_board or word in ("INFO", "END", "BOARD"), line
        else:
            assert "\n" not in answer
            kinds[answer.split()[0]] = kinds.get(answer.split()[0], 0) + 1
    assert kinds["UNKNOWN"] > count // 50
    assert kinds["ERROR"] > count // 50
    assert kinds["OK"] > count // 100


# --- the client ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ours():
    """Our own server with the engine ``first``, as an engine."""
    with GomocupEngine(served("gomocup", "--engine", "first"), start=60) as made:
        made.quiet = 0.0  # ours reads every word
        yield made


@pytest.mark.parametrize("game", ["gomoku-9", "gomoku-9-standard"])
def test_our_own_server_plays_whole_games(ours, game):
    """Two games each, so that the second one needs RESTART; both sides are the program."""
    for _ in range(2):
        env = make_game(game)
        while not env.is_terminal():
            found = ours.analyse(env, Limit(time=1))
            assert found.best_move == FirstMoveEngine().analyse(env).best_move
            assert found.value is None
            env.step(found.best_move)


def test_our_own_server_answers_turns_and_positions(ours):
    env = make_game("gomoku-9")
    while env.move_count < 8:  # the program has the first move, and is told the others
        env.step(ours.analyse(env).best_move)
        env.step(env.get_legal_moves()[-1])
    assert ours._board is not None
    bare = read_position("gomoku-9", "9/9/9/4x4/4o4/9/9/9/9 x")
    for position in (env, bare, env):
        assert ours.analyse(position).best_move == FirstMoveEngine().analyse(position).best_move


def test_other_games_are_refused(ours):
    with pytest.raises(ProgramError, match=r"plays five in a row, not reversi-8 \(position"):
        ours.analyse(make_game("reversi"))


GOOD = {
    "START": "MESSAGE loading\nOK\n",
    "RESTART": "OK\n",
    "BEGIN": "DEBUG x\nMESSAGE I like it\n4,4\n",
}


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ({"START": "ERROR unsupported size\n"}, "refused gomoku-9: ERROR unsupported size"),
        ({"START": "no\n"}, "refused gomoku-9: no"),
        ({"BEGIN": "die"}, "ended with exit code 3; it said: out of memory"),
        ({"BEGIN": "UNKNOWN\n", "DONE": "UNKNOWN\n"}, "answered 'UNKNOWN', also to BOARD"),
        ({"BEGIN": "9,9\n"}, "answered '9,9', which is not a move"),
        ({"BEGIN": ""}, "did not answer within"),
    ],
)
def test_programs_that_misbehave(tmp_path, answers, problem):
    cmd = scripted(tmp_path, {**GOOD, **answers})
    patience = 0.2 if "within" in problem else 60.0
    with (
        GomocupEngine(cmd, start=60, patience=patience) as bad,
        pytest.raises(ProgramError, match=problem),
    ):
        bad.analyse(make_game("gomoku-9"), Limit(time=0.01))


def test_messages_become_notes(tmp_path):
    python_name = f"{Path(sys.executable).name} bot.py"
    for about, who in (('name="Five", version="2"\n', "Five"), ("UNKNOWN\n", None), ("", None)):
        with GomocupEngine(scripted(tmp_path, {**GOOD, "ABOUT": about})) as good:
            found = good.analyse(make_game("gomoku-9"))
        assert found.best.name == "e5"
        assert found.notes == (f"{who or python_name}: I like it",)


def test_an_illegal_move_is_an_error(tmp_path):
    env = make_game("gomoku-9")
    env.step(env.parse_move("e5"))
    illegal = pytest.raises(ProgramError, match="played e5, which is not legal here")
    with GomocupEngine(scripted(tmp_path, {**GOOD, "DONE": "4,4\n"})) as bad, illegal:
        bad.analyse(env)


# --- a fair pipe -----------------------------------------------------------------------------


def play_at_once(engine, turns=4):
    """Games in which we answer in no time, with another limit for every second move."""
    env = make_game("gomoku-9")
    for turn in range(turns):
        env.step(engine.analyse(env, Limit(time=1 + turn // 2)).best_move)
        env.step(env.get_legal_moves()[-1])
    return env


def test_a_program_that_dreams_after_its_move_loses_no_word(tmp_path):
    command, log = dreamer(tmp_path)
    with GomocupEngine(command, start=60) as engine:
        env = play_at_once(engine)
    assert env.move_count == 8
    read = log.read_text().splitlines()
    assert not [line for line in read if line.startswith(("DROPPED", "BOARD"))]
    assert [line for line in read if "timeout_turn" in line] == [
        "INFO timeout_turn 1000",
        "INFO timeout_turn 2000",
    ]
    assert sum("time_left" in line for line in read) == 1


def test_nothing_is_written_before_the_program_was_quiet(tmp_path, monkeypatch):
    """By a clock that only goes on while we wait, so that the machine does not matter."""
    now, gaps = [100.0], []
    clock = SimpleNamespace(
        monotonic=lambda: now[0], sleep=lambda seconds: now.append(now.pop() + seconds)
    )
    monkeypatch.setattr(programs, "time", clock)
    send = Program.send

    def watched(self, line, seconds=10.0):
        gaps.append((line.split()[0], now[0] - self._output.last))
        send(self, line, seconds)

    monkeypatch.setattr(Program, "send", watched)
    table = {"TURN 8,0": "2,2\n", "TURN 7,0": "3,3\n", "TURN 6,0": "3,4\n"}
    with GomocupEngine(scripted(tmp_path, {**GOOD, **table}), start=60) as engine:
        play_at_once(engine)
    assert [word for word, _ in gaps if word != "INFO"] == [
        *("ABOUT", "START", "BEGIN", "TURN", "TURN", "TURN", "END")
    ]
    assert min(gap for _, gap in gaps) > 0.05
    assert engine.paused == pytest.approx(
        4 * engine.quiet
    )  # after OK, and after each move but the last


def test_an_error_is_answered_with_the_whole_board_once(tmp_path):
    answers = {**GOOD, "BEGIN": "ERROR Unknown command: TIMEOUT_TURN\n", "DONE": "4,4\n"}
    env = make_game("gomoku-9")
    with GomocupEngine(scripted(tmp_path, answers), start=60) as engine:
        assert engine.analyse(env).best.name == "e5"
        assert engine._started == ""  # nobody knows what it thinks of the game
        env.step(env.parse_move("a1"))
        assert engine.analyse(env).best.name == "e5"
        assert engine._started == "gomoku-9"


def test_a_late_answer_to_the_first_question_is_not_taken_for_another_one(tmp_path):
    """It complains about a word, and then answers both TURN and BOARD."""
    late = "ERROR Unknown command: TIMEOUT_TURN\n4,4\n"
    answers = {**GOOD, "BEGIN": late, "DONE": "3,3\n"}
    env = make_game("gomoku-9")
    with GomocupEngine(scripted(tmp_path, answers), start=60) as engine:
        env.step(engine.analyse(env).best_move)
        assert env.move_name(env.history[0]) == "e5"
        env.step(env.parse_move("a1"))
        assert engine.analyse(env).best.name == "d6"  # the first d6 was skipped


def test_a_program_that_does_not_understand_has_not_lost(tmp_path):
    answers = {**GOOD, "BEGIN": "ERROR no\n", "DONE": "ERROR no\n"}
    with (
        GomocupEngine(scripted(tmp_path, answers), start=60) as engine,
        pytest.raises(ProgramError, match="answered 'ERROR no', also to BOARD") as error,
    ):
        engine.analyse(make_game("gomoku-9"))
    assert error.value.by == "not played"


@pytest.mark.parametrize(
    ("messages", "claim"),
    [
        (
            [
                "OptiTime 300ms | MaxTime 1s",
                "Depth 12-19 | Eval 35 | Time 231ms | G7 F7 G8",
                "Speed 1200K | Depth 13-20 | Eval 41 | Node 1.5M | Time 998ms",
                "[Pondering] Depth 20-24 | Eval 99 | Time 1s | A1",
            ],
            Claim(13, "41", 1_500_000, ("g9", "f9", "g8")),
        ),
        (
            ["Speed 1M | Depth 9-9 | Eval -M6 | Time 1ms", "Bestline G7 A1"],
            Claim(9, "-M6", None, ("g9", "a15")),
        ),
        (["depth 10-14 ev 123 n 1M n/ms 900 tm 1 pv g9 f8"], Claim(10, "123", 10**6, ("g9", "f8"))),
        (["BESTLINE: [6,6] [5,7]"], Claim(line=("g9", "f8"))),
        (["Bestline G7 G7"], Claim(line=("g9",))),  # as far as it is legal
        (["Bestline H7 F7"], Claim()),  # about another move
        (["I like g2 and you"], Claim()),
    ],
)
def test_what_a_program_says_is_read_in_our_squares(messages, claim):
    env = make_game("gomoku")
    found = read_claim(env, env.parse_move("g9"), messages)
    names = tuple(map(env.move_name, found.line))
    assert (found.depth, found.evaluation, found.nodes, names) == (
        claim.depth,
        claim.evaluation,
        claim.nodes,
        claim.line,
    )


def test_the_claim_is_shown_for_the_move_that_is_played_and_no_other(tmp_path):
    said = "MESSAGE Depth 7-9 | Eval 35 | Time 1ms | E5 E4\nMESSAGE Bestline E5 E4\n4,4\n"
    about = 'name="Five"\n'
    env = make_game("gomoku-9")
    with GomocupEngine(scripted(tmp_path, {**GOOD, "ABOUT": about, "BEGIN": said})) as engine:
        found = engine.analyse(env)
    assert found.best.claim == "Five claims an evaluation of 35 at depth 7"
    assert (found.depth, env.line_names(found.line), found.value) == (7, ["e5", "e6"], None)
    assert found.notes == ()  # nothing in the squares of the program
    assert len(found.candidates) == 81
    assert found.spoken_of == found.candidates[:1]
    shown = explain(env, found)
    assert shown.best.note == "Five claims an evaluation of 35 at depth 7."
    assert shown.spoken_of == shown.candidates[:1]
    assert type(found).from_json(shown.to_json()).best.claim == found.best.claim
    assert "claim" not in shown.to_dict()["candidates"][1]
    assert not names_squares("Eval +M7")


def test_a_program_that_does_not_answer_restart_is_given_longer_by_start(tmp_path):
    env = make_game("gomoku-9")
    with GomocupEngine(scripted(tmp_path, {**GOOD, "RESTART": ""}), start=60) as engine:
        engine.analyse(env)
        engine.start = 0.1
        with pytest.raises(ProgramError, match=r"to RESTART \(start= sets the seconds\)"):
            engine.analyse(env)
