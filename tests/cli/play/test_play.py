"""Games driven for real in a pseudo-terminal: whole games, interruptions, crashes, nonsense."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pexpect
import pytest
from signals import ctrl_c_heard

from rl_toolkit.cli.play.prompt import WORDS
from rl_toolkit.envs import Reversi
from rl_toolkit.records import GameRecord

PROGRAM = [sys.executable, "-m", "rl_toolkit.cli"]
TIMEOUT = 60  # a slow, shared machine is no reason to fail
ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
PROMPT = r"(to move \([^)]*\)|passes\)|save, quit\)): "


class Terminal:
    """A game in a terminal of its own."""

    def __init__(self, state: Path, arguments: list[str], columns: int, **environment: str) -> None:
        self.state = state
        # Without the compiler searches run in Python: slow enough to be interrupted, quick to load.
        base = {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "NUMBA_DISABLE_JIT": "1"}
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")}
        with ctrl_c_heard():
            self.child = pexpect.spawn(
                PROGRAM[0],
                [*PROGRAM[1:], *arguments],
                env=kept | base | {"RL_TOOLKIT_STATE_DIR": str(state)} | environment,
                cwd=state,
                dimensions=(24, columns),
                encoding="utf-8",
                timeout=TIMEOUT,
            )
        self.seen = ""
        self.child.delaybeforesend = None

    def expect(self, pattern: str) -> str:
        """Wait for ``pattern``; gives everything up to it, without colours."""
        self.child.expect(pattern)
        text = self.child.before + self.child.after
        self.seen += text
        return ESCAPE.sub("", text)

    def type(self, line: str) -> str:
        """Type a line at the prompt and wait for the next prompt."""
        self.child.sendline(line)
        return self.expect(PROMPT)

    def end(self) -> int:
        """Wait for the end; gives the exit code."""
        self.child.expect(pexpect.EOF)
        self.seen += self.child.before
        self.close()
        assert "Traceback" not in self.seen
        return self.child.exitstatus

    def close(self) -> None:
        """Wait until the program, which has closed its terminal, is gone."""
        if self.child.isalive():
            self.child.wait()
        self.child.close()

    def kill(self) -> None:
        """End the program, if it is still there."""
        if self.child.isalive():
            self.child.kill(signal.SIGKILL)
        self.close()

    def record(self) -> GameRecord:
        """The game as it was saved last."""
        return last_record(self.state)


@pytest.fixture
def play(tmp_path):
    """Start ``rl-toolkit play`` in a pseudo-terminal."""
    started = []

    def play(*arguments: str, columns: int = 80, **environment: str) -> Terminal:
        started.append(Terminal(tmp_path, ["play", *arguments], columns, **environment))
        return started[-1]

    yield play
    for terminal in started:
        terminal.kill()


@pytest.fixture
def typed(run):
    """Play in this process and without a terminal; gives what is shown."""

    def typed(*arguments: str, lines: tuple[str, ...] = ()) -> str:
        ran = run("play", *arguments, stdin="".join(f"{line}\n" for line in lines))
        assert ran.code == 0, ran
        return ran.out

    return typed


def last_record(state: Path) -> GameRecord:
    """The game that was saved last."""
    files = sorted((state / "games").glob("*.json"), key=lambda file: file.stat().st_mtime_ns)
    return GameRecord.load(files[-1])


HUMANS = ("tictactoe", "--x", "human", "--o", "human")


# ----------------------------------------------------------------------------- whole games


def test_two_people_play_a_game(play):
    game = play(*HUMANS)
    game.expect(PROMPT)
    for move in ("a1", "4", "2,1", "b1"):  # a name, an index, row and column, a name
        game.type(move)
    assert "\x1b[1;4;36mX" in game.seen  # in colour
    assert shades(game)
    end = game.type("a3")
    assert "X wins with a1 a2 a3." in end
    assert end.count("[X]") == 3
    assert game.record().moves == (0, 4, 3, 1, 6)
    game.child.sendline("quit")
    assert game.end() == 0


def test_a_person_plays_the_computer_to_the_end(play):
    game = play("tictactoe", "--o", "perfect")
    text = game.expect(PROMPT)
    moves = 0
    while "wins" not in text and "draw" not in text:
        board = game.record().replay() if moves else None
        text = game.type("b2" if board is None else board.move_name(board.get_legal_moves()[0]))
        moves += 1
    assert "X wins" not in text
    record = game.record()
    assert (record.result in (0, -1), record.players) == (True, ("human", "perfect"))
    assert all(record.analyses[k] is not None for k in range(1, len(record.moves), 2))
    game.child.sendeof()
    assert game.end() == 0


@pytest.mark.parametrize(
    "name",
    [
        "connect-four-4x4x3",
        *(pytest.param(name, marks=pytest.mark.full) for name in ("reversi-4", "gomoku-9")),
    ],
)
def test_two_engines_play_by_themselves(play, name):
    game = play(name, "--x", "greedy", "--o", "random", "--seed", "3")
    assert game.end() == 0
    assert game.record().result is not None
    assert "wins" in game.seen or "draw" in game.seen


def test_the_computer_opens_when_asked_to(typed, tmp_path):
    assert "O (greedy) plays b2" in typed("tictactoe", "--o", "greedy", "--first", "o")
    assert last_record(tmp_path / "state").start == "3/3/3 o"


def test_who_opens_depends_on_the_seed_alone(typed):
    def opener(seed: int) -> bool:
        options = ("--first", "random", "--seed", str(seed))
        return "O (greedy) plays" in typed("tictactoe", "--o", "greedy", *options)

    assert [opener(seed) for seed in (0, 1, 0)] == [True, False, True]


def test_a_column_is_a_letter_or_a_number(play):
    game = play("connect-four", "--x", "human", "--o", "human")
    game.expect(PROMPT)
    for move in ("d", "4", "D3"):
        game.type(move)
    assert game.record().moves == (3, 3, 3)
    assert "A piece cannot land on 'd2'" in game.type("d2")


def test_who_can_place_no_disc_passes_with_enter(play, tmp_path):
    env = Reversi(4)
    chance = random.Random(1)
    while env.get_legal_moves() != [env.pass_move]:
        if env.is_terminal():
            env.reset()
        env.step(chance.choice(env.get_legal_moves()))
    GameRecord.from_env(env).save(tmp_path / "stuck.json")
    game = play("--load", "stuck.json", "--x", "human", "--o", "human")
    assert "has no move (Enter passes)" in game.expect(PROMPT)
    game.type("")
    assert game.record().moves[-1] == env.pass_move


# ------------------------------------------------------------------------ words at the prompt


def test_undo_twice_redo_and_undo_with_the_computer(play):
    game = play("tictactoe", "--o", "perfect")
    game.expect(PROMPT)
    game.type("b2")
    game.type("undo")
    assert game.record().moves == ()
    game.type("b2")
    first = game.record().moves
    board = game.record().replay()
    game.type(board.move_name(board.get_legal_moves()[-1]))
    both = game.record().moves
    assert "Taken back" in game.type("undo")
    assert game.record().moves == first
    assert "Taken back" in game.type("undo")
    assert game.record().moves == ()
    assert "no move of yours" in game.type("undo")
    game.type("redo")
    game.type("redo")
    assert game.record().moves == both
    assert "nothing to play again" in game.type("redo")


def test_save_and_load_in_mid_game(play):
    game = play(*HUMANS)
    game.expect(PROMPT)
    game.type("b2")
    game.type("a1")
    assert "Saved as mine.json." in game.type("save mine.json")
    game.type("c3")
    assert "Saved" in game.type("save mine.json")  # our own file may be written again
    (game.state / "other.json").write_text("precious")
    assert "other.json already exists" in game.type("save other.json")
    assert (game.state / "other.json").read_text() == "precious"
    game.type("new")
    assert game.record().moves == ()
    assert "(X)" in game.type("load mine.json")
    assert game.record().moves == (4, 0, 8)
    assert "No such file" in game.type("load nothing.json")
    assert "other.json cannot be loaded" in game.type("load other.json")
    game.child.sendline("quit")
    assert game.end() == 0
    again = play("--load", "mine.json")
    assert "1. b2 a1 2. c3" in again.expect(PROMPT) + again.type("history")


def test_advice_and_explanations(play):
    game = play("tictactoe", "--x", "human", "--o", "human")
    game.expect(PROMPT)
    for move in ("a1", "a2", "b1", "b2"):
        game.type(move)
    assert "c1 wins in 1 move, proven. Completes a1, b1 and c1 and wins." in game.type("hint")
    assert "c1    wins in 1 move" in game.type("eval")
    assert "O played b2. X wins in 1 move" in game.type("why")
    assert "O (human)" not in game.type("flip")
    help_text = game.type("help")
    assert all(word.usage in help_text for word in WORDS.values())


def test_resigning_ends_the_game_and_can_be_taken_back(play):
    game = play(*HUMANS)
    game.expect(PROMPT)
    game.type("b2")
    assert "O resigns: X wins." in game.type("resign")
    assert (game.record().result, game.record().ended_by) == (1, "resignation")
    assert "game is over" in game.type("a1")
    game.type("undo")
    assert game.record().result is None
    game.type("a1")
    assert game.record().moves == (4, 0)


def test_swapping_lets_the_computer_move_for_you(play):
    game = play("tictactoe", "--o", "greedy")
    game.expect(PROMPT)
    game.type("a1")
    game.type("swap")
    assert game.record().players == ("greedy", "human")
    assert len(game.record().moves) == 3  # the computer has moved as X


# ------------------------------------------------------------------ interruptions and crashes


def test_ctrl_c_stops_the_thinking_and_not_the_game(play):
    game = play("tictactoe-5x5x4", "--o", "minimax:time=600", "--show-thinking")
    game.expect(PROMPT)
    game.child.sendline("c3")
    game.expect("Ctrl-C: answer now")
    game.child.sendintr()
    assert "O (minimax:time=600) plays" in game.expect(PROMPT)
    assert len(game.record().moves) == 2
    game.child.sendintr()  # at the prompt it leaves
    assert game.end() == 130
    assert "--resume" in game.seen


def test_a_terminal_that_cannot_redraw_is_told_who_thinks(play):
    game = play("tictactoe-5x5x4", "--o", "minimax:time=600", TERM="dumb")
    game.expect(PROMPT)
    game.child.sendline("c3")
    game.expect(r"O is thinking … \(Ctrl-C: answer now\)")
    game.child.sendintr()
    assert "O (minimax:time=600) plays" in game.expect(PROMPT)
    assert not shades(game)


def test_ctrl_c_twice_leaves(play):
    game = play("tictactoe-5x5x4", "--x", "minimax:time=600", "--o", "minimax:time=600")
    game.expect("Ctrl-C: answer now")
    for _ in range(5 * TIMEOUT):
        game.child.sendintr()
        if game.child.expect([pexpect.EOF, pexpect.TIMEOUT], timeout=0.2) == 0:
            break
    game.close()
    # One Ctrl-C too many may hit Python while it closes down; a shell says 130 of both.
    assert game.child.exitstatus == 130 or game.child.signalstatus == signal.SIGINT


def test_the_end_of_input_leaves_and_keeps_the_game(play):
    game = play(*HUMANS)
    game.expect(PROMPT)
    game.type("b2")
    game.child.sendeof()
    assert game.end() == 0
    assert "--resume" in game.seen


def test_nothing_is_lost_when_the_game_is_killed(play):
    game = play("tictactoe", "--x", "human", "--o", "greedy", "--seed", "5")
    game.expect(PROMPT)
    game.type("b2")
    before = game.record()
    game.child.kill(signal.SIGKILL)
    game.child.expect(pexpect.EOF)
    again = play("--resume")
    assert "O: greedy" in again.expect(PROMPT)
    assert again.record() == before
    board = before.replay()
    again.type(board.move_name(board.get_legal_moves()[0]))
    assert again.record().moves[: len(before.moves)] == before.moves
    assert len(again.record().moves) == len(before.moves) + 2


def test_clock_and_seed_come_back_with_the_game(typed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    options = ("--o", "random", "--time", "30", "--seed", "7")
    typed("tictactoe", *options, lines=("b2", "save mine.json", "quit"))
    moves = last_record(tmp_path / "state").moves
    assert len(moves) == 2
    for arguments in (("--resume",), ("--load", "mine.json")):
        typed(*arguments, lines=("undo", "b2"))
        again = last_record(tmp_path / "state")
        assert again.headers == {"time": "30.0", "seed": "7"}
        assert again.moves == moves


def test_new_keeps_the_game_and_the_seats_on_the_board(typed, tmp_path):
    typed("connect-four-4x4x3", "--o", "greedy", "--seed", "7", lines=("a", "quit"))
    typed("--resume", lines=("swap", "new"))
    record = last_record(tmp_path / "state")
    assert (record.game, record.players) == ("connect-four-4x4x3", ("greedy", "human"))
    assert record.headers == {"seed": "7"}
    assert len(record.moves) == 1  # X is the computer now, and opens


def test_a_tilde_is_the_home_folder(play, tmp_path):
    game = play(*HUMANS, HOME=str(tmp_path))
    game.expect(PROMPT)
    game.type("b2")
    game.type("save ~/mine.json")
    assert GameRecord.load(tmp_path / "mine.json").moves == (4,)
    game.type("new")
    game.type("load ~/mine.json")
    assert game.record().moves == (4,)


def test_resume_takes_the_unfinished_game_played_last(typed):
    for name, moves in (("tictactoe", ("b2",)), ("connect-four", ("d", "d"))):
        typed(name, "--x", "human", "--o", "human", lines=(*moves, "quit"))
        time.sleep(0.02)
    assert "connect-four" in typed("--resume")
    assert "tictactoe" in typed("tictactoe", "--resume")


def test_play_continues_where_nothing_can_be_saved(play, tmp_path):
    (tmp_path / "file").write_text("")
    game = play(*HUMANS, RL_TOOLKIT_STATE_DIR=str(tmp_path / "file"))
    game.expect(PROMPT)
    assert "cannot be saved" in game.type("b2")
    assert "cannot be saved" not in game.type("a1")  # once is enough


# ------------------------------------------------------------------------------- nonsense


def test_hundreds_of_lines_of_garbage_in_a_terminal(play):
    game = play(*HUMANS)
    game.expect(PROMPT)
    chance = random.Random(4)
    letters = [chr(code) for code in range(32, 127)] + list("äé×−🟢漢")
    for _ in range(300):
        line = "".join(chance.choices(letters, k=chance.randrange(12)))
        game.type(line)
    game.child.sendline("quit")
    assert game.end() == 0


def test_any_bytes_from_a_pipe_are_survived(tmp_path):
    chance = random.Random(5)
    lines = [bytes(chance.choices(range(256), k=chance.randrange(30))) for _ in range(1000)]
    ran = subprocess.run(
        [*PROGRAM, "play", *HUMANS],
        input=b"\n".join(lines),
        capture_output=True,
        env=os.environ | {"RL_TOOLKIT_STATE_DIR": str(tmp_path)},
        cwd=tmp_path,
        timeout=10 * TIMEOUT,
        check=False,
    )
    assert ran.returncode == 0
    assert b"Traceback" not in ran.stdout + ran.stderr


# -------------------------------------------------------------------------- all terminals


def shades(game: Terminal) -> list[str]:
    """The colours that were seen."""
    return [code for code in re.findall(r"\x1b\[([0-9;]*)m", game.seen) if "3" in code]


def test_no_colours_where_none_are_wanted(play):
    game = play(*HUMANS, NO_COLOR="1")
    game.expect(PROMPT)
    game.type("b2")
    assert not shades(game)


@pytest.mark.parametrize(
    "environment", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C"}], ids=["encoding", "locale"]
)
def test_only_ascii_where_unicode_is_off(play, environment):
    game = play("tictactoe", "--o", "mcts:simulations=20", "--show-thinking", **environment)
    game.expect(PROMPT)
    game.type("b2")
    game.type("eval")
    assert game.seen.isascii()
    assert "[mcts | depth" in game.seen


OPENINGS = {"gomoku": "h8", "tictactoe": "b2", "connect-four": "d", "reversi": "d3"}


@pytest.mark.parametrize("name", OPENINGS)
def test_forty_columns_are_enough(typed, monkeypatch, name):
    monkeypatch.setenv("COLUMNS", "40")
    text = typed(name, "--o", "greedy", "--show-thinking", lines=(OPENINGS[name],))
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 40
    assert "greedy" in text


@pytest.mark.parametrize(
    "name", ["gomoku", *(pytest.param(n, marks=pytest.mark.full) for n in [*OPENINGS][1:])]
)
def test_a_terminal_of_forty_columns_is_enough(play, name):
    game = play(name, "--o", "greedy", "--show-thinking", columns=40)
    text = game.expect(PROMPT) + game.type(OPENINGS[name])
    assert max(len(line.rstrip()) for line in text.splitlines()) <= 40
