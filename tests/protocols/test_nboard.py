"""NBoard: GGF, hints, our server, our client, and the two together."""

import io
import pickle
import random
import re
import threading

import pytest
from protocol_fuzz import fuzz_lines
from protocol_programs import scripted, served
from stopping import PATIENCE

from rl_toolkit.algorithms.simple import FirstMoveEngine
from rl_toolkit.analysis import Candidate, Limit, analysis_of, words_for
from rl_toolkit.envs import Reversi, make_game
from rl_toolkit.protocols.nboard import client
from rl_toolkit.protocols.nboard import server as servers
from rl_toolkit.protocols.nboard.client import NBoardEngine
from rl_toolkit.protocols.nboard.ggf import from_ggf, to_ggf
from rl_toolkit.protocols.nboard.hints import read_hint, write_hint
from rl_toolkit.protocols.nboard.server import NBoardServer
from rl_toolkit.protocols.program import ProgramError
from rl_toolkit.protocols.serving import LineWriter
from rl_toolkit.records import RecordError, position_to_text

START = "(;GM[Othello]BO[8 --------------------------- O* ------ *O --------------------------- *]"


def random_game(plies, seed, game="reversi"):
    chance, env = random.Random(seed), make_game(game)
    for _ in range(plies):
        if not env.is_terminal():
            env.step(chance.choice(env.get_legal_moves()))
    return env


# --- GGF -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["reversi", "reversi-6"])
def test_games_are_written_and_read(game):
    for seed in range(8):
        env = random_game(8 * seed, seed, game)
        again = from_ggf(to_ggf(env)).env
        assert again.history == env.history
        assert again.get_state_hash() == env.get_state_hash()
        bare = make_game(game)
        bare.set_position(env.board, env.current_player)
        assert from_ggf(to_ggf(bare)).env.get_state_hash() == bare.get_state_hash()


def test_a_game_as_nboard_writes_it():
    game = from_ggf(START + "TI[05:00//02:00]B[F5/1.5/2.5]W[d6//10]B[C3];)")
    assert [game.env.move_name(move) for move in game.env.history] == ["f5", "d6", "c3"]
    assert game.seconds == {1: 297.5, -1: 290.0}
    assert from_ggf(START + ";)").seconds == {1: None, -1: None}
    assert "TI[00:01:30]" in to_ggf(Reversi(), 90)
    # What is said of event and result does not matter, nor does a board in small letters.
    odd = START.lower().replace("(;gm[othello]bo", "(;GM[Reversi]RE[+99]RE[x]KM[1]PB[a]PB[b]BO")
    assert len(from_ggf(f"{odd}B[F5///]W[ d6 /x/y];)").env.history) == 2
    assert len(from_ggf("(;B[F5];)").env.history) == 1
    assert to_ggf(from_ggf("(;B[F5];)").env).endswith("*]B[F5];)")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "F5D6",
        "(;GM[Chess];)",
        "(;BO[7 x];)",
        "(;BO[8 --- *];)",
        "(;B[A1];)",
        "(;W[F5];)",
        "(;B[F5]B[D6];)",
        "(;B[Z9];)",
        "(;B[pass];)",
        "(;BO[];)",
        START.replace(" *]", " -]"),
    ],
)
def test_other_text_is_refused(text):
    with pytest.raises(RecordError):
        from_ggf(text)


# --- hints -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "name", "words", "moves"),
    [
        ("search F5d6C3 +3.00 0 12 extra text", "f5", "≈ 3 discs ahead", 3),
        ("search F5-D6-C3 -2.00 0 100%", "f5", "loses by 2 discs", 3),
        ("search D3 4.00 0 100%W", "d3", "wins", 1),
        ("book C4 0,0 17 8", "c4", "≈ level", 1),
        ("search E6F4A1 1.00 0 4", "e6", "≈ 1 disc ahead", 2),
    ],
)
def test_hints_become_candidates(line, name, words, moves):
    candidate = read_hint(Reversi(), line)
    assert (candidate.name, len(candidate.line)) == (name, moves)
    assert words_for(Reversi()).short(candidate) == words
    assert candidate.proven is ("100%" in line)
    assert (candidate.note == "from its book of 17 games") is line.startswith("book")


@pytest.mark.parametrize(
    "line",
    ["status", "search", "search F5", "search A1 1 0 1", "search F5 x 0 1", "search F5 1,2,3 0 1"],
)
def test_lines_that_say_nothing_are_no_candidates(line):
    assert read_hint(Reversi(), line) is None


def test_hints_are_read_as_they_are_written():
    env = Reversi()
    moves = env.get_legal_moves()
    said = [
        Candidate(moves[0], "d3", 1.0, "win", True, score=12.0, line=(moves[0],)),
        Candidate(moves[1], "c4", -1.0, "loss", True, line=(moves[1],)),
        Candidate(moves[2], "f5", 0.29131261245159085, score=3.0, line=(moves[2],)),
    ]
    analysis = analysis_of(env, position_to_text(env), "test", said, depth=9)
    for candidate in said:
        again = read_hint(env, write_hint(env, candidate, analysis))
        assert (again.outcome, again.line) == (candidate.outcome, candidate.line)
        assert again.move == candidate.move
        assert again.proven == candidate.proven
        assert again.score == candidate.score
        assert again.value == pytest.approx(candidate.value)
    unknown = Candidate(moves[3], "e6")
    assert write_hint(env, unknown, analysis) == "search E6 0.00 0 0"


@pytest.mark.parametrize(
    ("value", "outcome", "discs"), [(1.0, "win", 1.0), (0.0, "draw", 0.0), (-1.0, "loss", -1.0)]
)
def test_a_winner_without_a_score_is_one_disc_ahead(value, outcome, discs):
    candidate = Candidate(19, "d3", value, outcome, True)
    analysis = analysis_of(Reversi(), position_to_text(Reversi()), "test", [candidate])
    assert write_hint(Reversi(), candidate, analysis) == f"search D3 {discs:.2f} 0 100%W"


@pytest.mark.parametrize(("plies", "sent"), [(5, 5), (12, 12), (13, 12)])
def test_a_hint_has_up_to_twelve_moves_of_its_line(plies, sent):
    line = tuple(random_game(plies, seed=1).history)
    candidate = Candidate(line[0], "", 0.5, line=line)
    analysis = analysis_of(Reversi(), position_to_text(Reversi()), "test", [candidate], depth=3)
    assert read_hint(Reversi(), write_hint(Reversi(), candidate, analysis)).line == line[:sent]


# --- the server ------------------------------------------------------------------------------


def served_lines(*lines, make=lambda game: FirstMoveEngine()):
    writer = io.StringIO()
    NBoardServer(make).serve(io.StringIO("\n".join(lines)), writer)
    name, *said = writer.getvalue().splitlines()
    assert name == "set myname rl-toolkit"
    return said


def test_it_plays_and_gives_hints():
    said = served_lines("nboard 2", "ping 3", f"set game {START}B[F5];)", "go")
    assert said[:3] == ["pong 3", "status rl-toolkit is thinking", "search F4 0.00 0 0"]
    assert re.fullmatch(r"=== F4//\d+\.\d\d", said[3])
    said = served_lines("hint 2", make=lambda game: Known())
    assert said[1:] == ["search D3 3.00 0 5", "search C4 2.00 0 5", "nodestats 100 0.00", "status"]


class Known:
    """Knows every move, the first one best."""

    name = "known"

    def analyse(self, env, limit=None, on_progress=None, stop=None):
        moves = env.get_legal_moves()
        said = [
            Candidate(
                move, env.move_name(move), 0.3 - number / 10, score=3.0 - number, line=(move,)
            )
            for number, move in enumerate(moves)
        ]
        return analysis_of(env, position_to_text(env), self.name, said, nodes=100, depth=5)


def test_moves_change_the_game_and_refused_ones_do_not():
    said = served_lines("move F5//1.5", "move d6", "move A1", "move", "go")
    assert sum(line.startswith("status Error: ") for line in said) == 2
    env = make_game("reversi")
    for name in ("f5", "d6"):
        env.step(env.parse_move(name))
    first = env.move_name(env.get_legal_moves()[0]).upper()
    assert said[-1].startswith(f"=== {first}/")


@pytest.mark.parametrize(
    "line",
    [
        "nboard 1",
        "set",
        "set game nothing",
        "set depth x",
        "set depth 0",
        "hint",
        "hint 0",
        "ping",
        "ping x",
        "analyze",
        "foo",
        "set contempt x",
        "set colour red",
    ],
)
def test_what_cannot_be_done_is_said_in_the_status(line):
    (said,) = served_lines(line)
    assert said.startswith("status Error: ")


def test_a_ping_stops_a_search():
    class Endless(Known):
        def analyse(self, env, limit=None, on_progress=None, stop=None):
            assert stop.wait(PATIENCE)
            return super().analyse(env)

    said = served_lines(
        "hint 1",
        "ping 1",
        "go",
        "set game (;)",
        "learn",
        "ping 2",
        "quit",
        "ping 3",
        make=lambda game: Endless(),
    )
    assert said.index("pong 1") > said.index("search D3 3.00 0 5")
    assert [line for line in said if line.split()[0] in ("pong", "learned")] == [
        "pong 1",
        "learned",
        "pong 2",
    ]


def test_clocks_and_depth_become_limits():
    limits = []

    class Listening(Known):
        def analyse(self, env, limit=None, on_progress=None, stop=None):
            limits.append(limit)
            return super().analyse(env)

    served_lines(
        "go",
        "ping 1",
        "set depth 7",
        f"set game {START}TI[10:00]B[F5//60];)",
        "go",
        "ping 2",
        "move D6//590",
        "go",
        "ping 3",
        "set contempt 5",
        "hint 1",
        make=lambda game: Listening(),
    )
    none, rich, other, hint = limits
    assert none is None
    assert (rich.depth, other.depth, hint) == (7, 7, Limit(time=5, depth=7))
    assert 15 < rich.time < 21
    assert 15 < other.time < 19


def test_engines_that_fail_and_games_that_are_over_are_said():
    class Failing:
        name = "failing"

        def analyse(self, env, limit=None, on_progress=None, stop=None):
            raise MemoryError

    assert served_lines("go", make=lambda game: Failing())[-1] == "status Error: MemoryError"
    env = random_game(200, 1)
    assert env.is_terminal()
    assert served_lines(f"set game {to_ggf(env)}", "go") == ["status Error: the game is over"]


WORDS = [
    *servers._COMMANDS,
    "1",
    "2",
    "0",
    "-1",
    "game",
    "depth",
    "contempt",
    "F5",
    "d6",
    "PA",
    "A1//3",
    f"{START}B[F5];)",
    "(;)",
    "analyze",
    "F5/1.0/2",
]


@pytest.mark.parametrize("count", [400, pytest.param(10_000, marks=pytest.mark.full)])
def test_random_lines_get_an_answer(count):
    """A ping after each line marks the end of what it is answered."""
    chance, writer = random.Random(3), io.StringIO()
    server = NBoardServer(lambda game: FirstMoveEngine())
    server._writer = LineWriter(writer)
    silent = {"nboard 2"}
    errors = answers = 0
    for number, line in enumerate(fuzz_lines(chance, count, WORDS), start=1):
        before = server._env, server._depth, server.has_quit
        server.hear(line)
        search = server._search
        if search is not None:
            search.join()
        server.hear(f"ping {10_000_000 + number}")
        said = writer.getvalue().splitlines()
        writer.seek(0)
        writer.truncate()
        assert said.pop() == f"pong {10_000_000 + number}"
        errors += any(each.startswith("status Error: ") for each in said)
        answers += bool(said)
        printed = "".join(c if c.isprintable() else " " for c in line).strip()
        changed = before != (server._env, server._depth, server.has_quit)
        words = printed.split()
        quiet = changed or not words or words[0] in ("quit",) or printed in silent
        quiet = quiet or words[:2] in (["set", "contempt"], ["set", "depth"], ["set", "game"])
        assert said or quiet, line
        server.has_quit = False
    assert errors > count // 20
    assert answers - errors > count // 50


# --- the client ------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ours():
    """Our own server with the engine ``first``, as an engine."""
    with NBoardEngine(served("nboard", "--engine", "first"), start=60) as made:
        yield made


def test_our_own_server_plays_a_whole_game(ours):
    env = make_game("reversi")
    while not env.is_terminal():
        found = ours.analyse(env, Limit(time=1))
        assert found.best_move == FirstMoveEngine().analyse(env).best_move
        env.step(found.best_move)


def test_other_boards_are_refused(ours):
    with pytest.raises(ProgramError, match=r"plays reversi-8, not reversi-6 \(position"):
        ours.analyse(make_game("reversi-6"))


def test_our_own_server_gives_hints():
    cmd = served("nboard", "--engine", "greedy")
    with NBoardEngine(cmd, hints=4, start=60) as made:
        again = pickle.loads(pickle.dumps(made))
        assert (again.cmd, again.hints) == (cmd, 4)
        found = made.analyse(make_game("reversi"), Limit(time=600))
    assert [c.value is not None for c in found.candidates] == [True] * 4
    assert found.best.value == pytest.approx(max(c.value for c in found.candidates), abs=0.01)


GO = (
    "status thinking\nnodestats 1234 0.5\nsearch D3-C5 1.00 0 5\nbook C4 2.00 40 20\n"
    "search F5 -64.00 0 100%\nrubbish\n=== C4/2.00/0.10\nstatus\n"
)


def talk_to(tmp_path, answers, patience=60.0):
    """A program that answers pings."""
    code = scripted(tmp_path, {f"ping {n}": f"pong {n}\n" for n in range(1, 50)} | answers)
    return NBoardEngine(code, start=60, patience=patience)


def test_search_and_book_lines_become_candidates(tmp_path):
    seen = []
    with talk_to(tmp_path, {"go": GO}) as engine:
        found = engine.analyse(make_game("reversi"), on_progress=seen.append)
    assert [c.name for c in found.candidates] == ["c4", "d3", "f5", "e6"]
    assert (found.best.score, found.best.note) == (2.0, "from its book of 40 games")
    assert (found.candidate(19).line, found.nodes) == ((19, 34), 1234)
    assert found.candidates[2].proven
    assert found.candidates[2].outcome == "loss"
    assert found.candidates[3].value is None
    assert not found.proven


def test_hints_are_asked_for_first(tmp_path):
    answers = {"hint": "search E6 5.00 0 3\n", "go": "=== D3/1.00/0.1\n"}
    with talk_to(tmp_path, answers) as engine:
        engine.hints = 4
        found = engine.analyse(make_game("reversi"), Limit(time=0.2))
    assert [c.name for c in found.candidates[:2]] == ["d3", "e6"]  # it plays what it plays
    assert found.value == found.best.value == pytest.approx(0.0997, abs=1e-3)


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ({"go": "=== A1\n"}, "played a1, which is not legal here"),
        ({"go": "=== Z9\n"}, "answered 'Z9', which is not a move"),
        ({"go": ""}, "did not answer within"),
        ({"go": "die"}, "ended with exit code 3"),
        ({"ping 1": "die"}, "ended with exit code 3"),
        ({"ping 2": ""}, "did not answer within"),
    ],
)
def test_programs_that_misbehave(tmp_path, answers, problem):
    patience = 0.3 if "within" in problem else 60.0
    with (
        talk_to(tmp_path, answers, patience) as engine,
        pytest.raises(ProgramError, match=problem),
    ):
        engine.analyse(make_game("reversi"))


def test_a_stopped_program_answers_with_what_it_found(tmp_path, monkeypatch):
    monkeypatch.setattr(client, "_NOTICE", PATIENCE)
    for answers, names in (({"go": "search C4 1.00 0 1\n"}, "c4"), ({"go": ""}, "d3")):
        stop = threading.Event()
        with talk_to(tmp_path, answers) as engine:
            threading.Timer(0.3, stop.set).start()
            found = engine.analyse(make_game("reversi"), stop=stop)
        assert found.best.name == names
        assert len(found.notes) == (names == "d3")
