"""`GtpEngine`: our own server, GRhino, and programs that misbehave."""

import json
import pickle
import threading

import pytest
from protocol_programs import scripted, served

from rl_toolkit.algorithms.simple import FirstMoveEngine
from rl_toolkit.analysis import Limit
from rl_toolkit.arena.arbiter.play_game import EngineFailedError, play_on
from rl_toolkit.arena.runs.stamps import code_of
from rl_toolkit.envs import make_game
from rl_toolkit.players import SpecError, make_engine, make_player
from rl_toolkit.protocols.gtp.client import GtpEngine
from rl_toolkit.protocols.program import ProgramEndedError, ProgramError, find_program

HANDSHAKE = {
    "protocol_version": "= 2\n\n",
    "list_commands": "= play\nreg_genmove\n\n",
    "boardsize": "=\n\n",
    "clear_board": "=\n\n",
    "play": "=\n\n",
}


@pytest.fixture(scope="module")
def ours():
    """Our own server with the engine ``first``, as an engine."""
    with GtpEngine(served("gtp", "tictactoe", "--engine", "first"), start=60) as engine:
        yield engine


@pytest.mark.parametrize(
    "game", ["tictactoe", "connect-four", "gomoku-9", "reversi", "reversi-6", "tictactoe-4x5x4"]
)
def test_our_own_server_plays_whole_games(ours, game):
    env = make_game(game)
    while not env.is_terminal():
        found = ours.analyse(env)
        plain = FirstMoveEngine().analyse(env)
        assert found.best_move == plain.best_move
        assert {c.move for c in found.candidates} == set(env.get_legal_moves())
        assert (found.value, found.proven, found.best_moves) in (
            (None, False, ()),
            (None, False, (found.best_move,)),  # the only move
        )
        env.step(found.best_move)
    assert ours.analyse(env).proven


def test_games_may_jump_back_and_start_without_a_history(ours):
    env = make_game("reversi")
    for _ in range(6):
        env.step(ours.analyse(env).best_move)
    env.undo()
    other = make_game("reversi")
    other.set_position(env.board, env.current_player)
    for each in (env, other, make_game("connect-four"), env):
        assert ours.analyse(each).best_move == FirstMoveEngine().analyse(each).best_move


def test_a_time_limit_is_sent(ours):
    assert ours.analyse(make_game("tictactoe"), Limit(time=0.5)).best_move == 0
    assert ours.analyse(make_game("tictactoe")).best_move == 0


def test_an_engine_can_be_pickled_while_its_program_runs(ours):
    with pickle.loads(pickle.dumps(ours)) as again:
        assert again.cmd == ours.cmd
        assert again._program is None
    assert ours.analyse(make_game("tictactoe")).best_move == 0


# --- programs that misbehave -----------------------------------------------------------------


def asked(tmp_path, answers, env=None, **options):
    """What a scripted program's engine says about the start of a game."""
    cmd = scripted(tmp_path, {**HANDSHAKE, **answers}, otherwise="? unknown command\n\n")
    with GtpEngine(cmd, **options) as engine:
        return engine.analyse(env or make_game("tictactoe"))


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ({"reg_genmove": "= D9\n\n"}, "answered 'D9', which is not a move"),
        ({"reg_genmove": "= hello\nyou\n\n"}, r"answered 'hello\\nyou', which is not a move"),
        ({"reg_genmove": "= pass\n\n"}, "answered 'pass', which is not a move"),
        ({"reg_genmove": "= resign\n\n"}, "resigned"),
        ({"reg_genmove": "? too tired\n\n"}, "refused 'reg_genmove black': too tired"),
        ({"reg_genmove": "die"}, "ended with exit code 3; it said: out of memory"),
        ({"protocol_version": "= 1\n\n"}, "speaks GTP '1', not GTP 2"),
        ({"boardsize": "? unacceptable size\n\n"}, "refused 'boardsize 3': unacceptable size"),
        ({"protocol_version": "die"}, "exit code 3"),
    ],
)
def test_what_goes_wrong_names_program_and_position(tmp_path, answers, problem):
    with pytest.raises(
        ProgramError, match=rf"^python\S* bot.py .*{problem}.*\(position 3/3/3 x\)$"
    ) as error:
        asked(tmp_path, answers)
    misunderstood = problem.startswith(("refused", "speaks"))
    assert error.value.by == ("not played" if misunderstood else "forfeit")


def test_an_illegal_move_is_an_error(tmp_path):
    env = make_game("tictactoe")
    env.step(4)
    with pytest.raises(ProgramError, match=r"played b2, which is not legal here \(position"):
        asked(tmp_path, {"reg_genmove": "= B2\n\n"}, env)


def test_silence_at_the_start_and_later_is_an_error(tmp_path):
    with pytest.raises(ProgramError, match=r"did not answer within 0\.2 s"):
        asked(tmp_path, {"protocol_version": ""}, start=0.2)
    with pytest.raises(ProgramError, match=r"did not answer within 0\.2 s"):
        asked(tmp_path, {"reg_genmove": ""}, patience=0.2)


def test_a_program_that_babbles_does_not_answer():
    engine = GtpEngine("sh -c 'while :; do echo hello; sleep 0.01; done'", start=0.3)
    with pytest.raises(ProgramError, match=r"did not answer within 0\.3 s"):
        engine.analyse(make_game("tictactoe"))


def test_a_stopped_program_knows_nothing(tmp_path):
    stop = threading.Event()
    cmd = scripted(tmp_path, {**HANDSHAKE, "reg_genmove": ""})
    with GtpEngine(cmd) as engine:
        threading.Timer(0.3, stop.set).start()
        found = engine.analyse(make_game("tictactoe"), stop=stop)
        assert [c.value for c in found.candidates] == [None] * 9
        assert "was stopped before it answered" in found.notes[0]
        assert engine._program is None


def test_a_program_without_reg_genmove_is_followed(tmp_path):
    """It plays its own moves, so it is told only those of the other side."""
    told = {
        "list_commands": "= play\ngenmove\n\n",
        "play": "? nobody plays but me\n\n",
        "play white C3": "=\n\n",
        "genmove": "= B2\n\n",
        "reg_genmove": "? unknown command\n\n",
    }
    cmd = scripted(tmp_path, {**HANDSHAKE, **told})
    env = make_game("tictactoe")
    with GtpEngine(cmd) as engine:
        env.step(engine.analyse(env).best_move)
        assert env.history == [4]
        env.step(8)
        with pytest.raises(ProgramError, match="played b2, which is not legal"):
            engine.analyse(env)  # it was told white C3, and answers B2 as always


def test_a_dead_program_is_started_again(tmp_path):
    env = make_game("tictactoe")
    env.step(0)
    cmd = scripted(tmp_path, {**HANDSHAKE, "reg_genmove black": "= A1\n\n", "reg_genmove": "die"})
    with GtpEngine(cmd) as engine:
        with pytest.raises(ProgramEndedError):
            engine.analyse(env)
        assert engine.analyse(make_game("tictactoe")).best_move == 0


def test_a_program_for_another_game_says_so(tmp_path):
    games = {
        "list_commands": "= set_game\nlist_games\nplay\nreg_genmove\n\n",
        "set_game": "? no such game\n\n",
        "set_game Othello": "=\n\n",
        "list_games": "= Go\nOthello\n\n",
        "reg_genmove": "= D3\n\n",
    }
    assert asked(tmp_path, games, make_game("reversi")).best.name == "d3"
    with pytest.raises(ProgramError, match="plays Go, Othello, not Connect Four"):
        asked(tmp_path, games, make_game("connect-four"))
    with pytest.raises(ProgramError, match="takes square boards only"):
        asked(tmp_path, {}, make_game("connect-four"))


def test_in_a_game_a_bad_program_is_a_fault_of_its_player(tmp_path):
    cmd = scripted(tmp_path, {**HANDSHAKE, "reg_genmove": "= A1\n\n"})
    with GtpEngine(cmd) as engine:
        env = make_game("tictactoe")
        with pytest.raises(EngineFailedError, match="played a1, which is not legal") as caught:
            play_on(env, {1: FirstMoveEngine(), -1: engine})
    assert (caught.value.player, env.history) == (-1, [0])


def test_in_a_match_a_bad_program_forfeits_and_the_match_goes_on(tmp_path, run):
    cmd = scripted(tmp_path, {**HANDSHAKE, "reg_genmove": "= A1\n\n"})
    ran = run("match", "tictactoe", f"gtp:cmd={cmd}", "first", "--games", "2", "--json")
    result = json.loads(ran.out)
    assert (ran.code, result["games"], result["lost"]) == (0, 2, 2)
    assert len(result["forfeits"]) == 2
    assert "played a1, which is not legal here" in str(result["forfeits"])


# --- specs -----------------------------------------------------------------------------------


def test_programs_in_specs(tmp_path):
    cmd = scripted(tmp_path, {**HANDSHAKE, "reg_genmove": "= C3\n\n"})
    player = make_player("tictactoe", f'gtp:cmd="{cmd}",time=2')
    assert player.analyse(make_game("tictactoe")).best.name == "c3"
    assert make_engine(player.spec).spec == player.spec
    player.engine.close()
    with pytest.raises(SpecError, match="gtp needs a program, as in gtp:cmd="):
        make_engine("gtp")
    with pytest.raises(SpecError, match="gtp: no-such-program is not installed"):
        make_engine("gtp:cmd=no-such-program")
    with pytest.raises(SpecError, match="is not a command: No closing quotation"):
        make_engine("""gtp:cmd="sh -c 'a" """)
    with pytest.raises(SpecError, match="gomocup does not play reversi-8"):
        make_player("reversi", "gomocup:cmd=sh")
    with pytest.raises(SpecError, match="nboard does not play reversi-6"):
        make_player("reversi-6", "nboard:cmd=sh")


def test_a_saved_match_knows_a_program_by_its_files(tmp_path):
    cmd = scripted(tmp_path, {})
    before = code_of("tictactoe", make_engine(f"gtp:cmd={cmd}"))
    assert code_of("tictactoe", make_engine(f"gtp:cmd={cmd}")) == before
    scripted(tmp_path, {"name": "= another\n\n"})
    assert code_of("tictactoe", make_engine(f"gtp:cmd={cmd}")) != before


# --- GRhino ----------------------------------------------------------------------------------

needs_grhino = pytest.mark.skipif(
    find_program("gtp-rhino") is None, reason="GRhino is not installed (apt install grhino)"
)


@needs_grhino
def test_grhino_plays_a_match(run):
    rhino = "gtp:cmd=gtp-rhino --level=1,patience=300"
    ran = run("match", "reversi", rhino, "random:seed=1", "--games", "2", "--json")
    assert ran.code == 0, ran.err
    result = json.loads(ran.out)
    assert result["engines"] == [rhino, "random:seed=1"]
    assert (result["games"], result["complete"], result["forfeits"]) == (2, True, [])


@needs_grhino
def test_grhino_is_followed_through_passes_and_jumps():
    with GtpEngine("gtp-rhino --level=1", patience=300) as rhino:
        env = make_game("reversi")
        passes = 0
        while not env.is_terminal():
            passes += env.must_pass()
            env.step(FirstMoveEngine().analyse(env).best_move)
            if not env.is_terminal() and env.move_count % 7 == 0:
                assert rhino.analyse(env).best_move in env.get_legal_moves()
        assert passes > 0
