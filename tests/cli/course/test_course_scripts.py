"""The course scripts: their output word for word, and whose view the words take.

The transcripts in ``golden/`` are what the scripts print when the lines of `GAMES` are typed.
After an intended change, ``REWRITE_GOLDEN=1 pytest tests/cli/course`` writes them
anew; read the difference before committing it.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT
from rich.cells import cell_len

from rl_toolkit.cli.course.table import course_table
from rl_toolkit.cli.course.view import CourseView, available_rows
from rl_toolkit.cli.play.session import Session
from rl_toolkit.cli.play.sides import Side, make_side
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import make_game
from rl_toolkit.players import make_player
from rl_toolkit.records import position_from_text

GOLDEN = Path(__file__).parent / "golden"
TICTACTOE = "projects/project_04.5_tictactoe/play_terminal.py"
CONNECT_FOUR = "projects/project_08.5_connect_four/play_terminal.py"

#: Transcript → script with its options, and what is typed.
GAMES = {
    "tictactoe_thinking": (
        [TICTACTOE, "--show-thinking", "--board-size", "3"],
        "b2\nb2\n99\nundo\n4\n2,1\nhistory\nc1\nb3\nc3\nquit\n",
    ),
    "tictactoe_ai_opens_and_wins": (
        [TICTACTOE, "--show-thinking", "--first", "ai"],
        "b1\na2\nb3\nquit\n",
    ),
    "tictactoe_two_people": ([TICTACTOE, "--mode", "human-human"], "a1\nb2\na2\nb1\na3\n"),
    "tictactoe_two_engines": ([TICTACTOE, "--mode", "ai-ai"], ""),
    "tictactoe_four": ([TICTACTOE, "--board-size", "4", "--level", "medium"], "b2\nc3\n"),
    "connect_four_tree": (
        [CONNECT_FOUR, "--show-search-tree", "--simulations", "60", "--seed", "1"],
        "d\n4\nz\nquit\n",
    ),
    "connect_four_level": (
        [CONNECT_FOUR, "--show-thinking", "--level", "easy", "--first", "ai"],
        "a\na\na\nundo\nb\nhistory\nresign\n",
    ),
}


def transcript(arguments: list[str], typed: str, state: Path, **environment: str) -> str:
    """What the script prints; without the compiler, whose answers are the same anyway."""
    settled = {"LC_ALL": "C.UTF-8", "NUMBA_DISABLE_JIT": "1", "RL_TOOLKIT_STATE_DIR": str(state)}
    kept = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")}
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=kept | settled | environment,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    return ran.stdout


@pytest.mark.parametrize("name", GAMES)
def test_the_output_is_as_it_was(name, tmp_path):
    text = transcript(*GAMES[name], tmp_path)
    path = GOLDEN / f"{name}.txt"
    if os.environ.get("REWRITE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert text == path.read_text(encoding="utf-8")


def test_the_words_of_the_contract_are_there():
    text = (GOLDEN / "tictactoe_thinking.txt").read_text(encoding="utf-8")
    for words in (
        "You are X (Player 1), AI is O (Player -1)",
        "Available positions:",
        "a2( 3)  b2( 4)  c2( 5)",
        "Your move (0-8 or algebraic like 'a1'): ",
        "You played: b2 (4)",
        "AI is thinking...",
        "Position | Outcome",
        "| Assessment",
        "| Best",
        "⭐ YES",
        "AI played: a1 (0)",
        "⚖️ Draw",
        "❌ Human wins",
        "Turn 1: You (X) → b2 (4)",
    ):
        assert words in text


def test_unicode_off_gives_ascii_and_says_the_same(tmp_path):
    text = transcript(*GAMES["tictactoe_thinking"], tmp_path, PYTHONIOENCODING="ascii")
    assert text.isascii()
    assert "| Human wins |" in text
    assert "| * YES" in text


@pytest.mark.parametrize("script", [TICTACTOE, CONNECT_FOUR])
@pytest.mark.parametrize("asked", ["-h", "--help"])
def test_help_has_examples_a_line_each(script, asked, tmp_path):
    text = transcript([script, asked], "", tmp_path)
    examples = text.partition("\n  Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert len(examples) == 3
    assert all(line.startswith("    python play_terminal.py --") for line in examples)


@pytest.mark.parametrize("script", [TICTACTOE, CONNECT_FOUR])
def test_the_scripts_are_a_few_lines(script):
    assert len((ROOT / script).read_text(encoding="utf-8").splitlines()) < 12


def test_a_level_that_does_not_exist_is_refused(tmp_path):
    ran = subprocess.run(
        [sys.executable, TICTACTOE, "--level", "zork"], cwd=ROOT, capture_output=True, text=True
    )
    assert ran.returncode == 2
    assert "neither a level nor an engine" in ran.stderr


# ----------------------------------------------------------------- whose view the words take

#: Position → which side has won it, for the side to move to think about.
DECIDED = {
    "xx1/oo1/3 x": "x",  # X completes the top row
    "xx1/oo1/x2 o": "o",  # O completes the middle row
    "x2/3/3 o": "",  # O draws from the centre
}


@pytest.mark.parametrize(("position", "winner"), DECIDED.items())
def test_the_ai_sees_its_own_wins_as_its_own(position, winner):
    env = position_from_text("tictactoe", position)
    analysis = make_player("tictactoe", "perfect").analyse(env)
    table = course_table(env, analysis, ai=env.current_player)
    best = next(line for line in table if "YES" in line)
    mover = "x" if env.current_player == 1 else "o"
    assert ("✓ AI wins" in best) == (winner == mover)
    assert "Human" not in best


@pytest.mark.parametrize(
    ("position", "ai_is_lost"),
    [
        ("x1x/1o1/x1o o", True),  # O thinks; X has two ways to win
        ("o1o/1x1/o1x x", True),  # X thinks; O has two ways to win
        ("oo1/xx1/3 x", False),
    ],
)
def test_the_ai_sees_the_humans_wins_as_the_humans(position, ai_is_lost):
    env = position_from_text("tictactoe", position)
    analysis = make_player("tictactoe", "perfect").analyse(env)
    table = course_table(env, analysis, ai=env.current_player)
    rows = table[2:]
    assert all("❌ Human wins" in row for row in rows) == ai_is_lost
    assert any("✓ AI wins" in row for row in rows) != ai_is_lost


def test_the_humans_winning_move_is_the_humans_for_every_evaluator(tmp_path):
    typed = "a1\nb1\neval\nquit\n"  # b1 makes two in a row; the AI at random leaves c1 open
    text = transcript([TICTACTOE, "--level", "random", "--seed", "3"], typed, tmp_path)
    row = next(line for line in text.splitlines() if line.startswith("c1 (2)") and "|" in line)
    assert "❌ Human wins" in row
    assert "Forces immediate win" in row


def test_two_people_are_told_of_x_and_o(tmp_path):
    typed = "a1\nb2\nb1\neval\nc1\na2\neval\n"
    text = transcript([TICTACTOE, "--mode", "human-human"], typed, tmp_path)
    table = [line for line in text.splitlines() if " | " in line and "(" in line.partition("|")[0]]
    assert "X wins" in "\n".join(table)
    assert not any("AI" in line or "Human" in line for line in table)


@pytest.mark.parametrize(
    ("position", "said"), [("xx1/oo1/3 x", "X wins"), ("xx1/oo1/x2 o", "O wins")]
)
def test_neutral_words_name_who_wins(position, said):
    env = position_from_text("tictactoe", position)
    table = course_table(env, make_player("tictactoe", "perfect").analyse(env), ai=0)
    assert said in next(line for line in table if "YES" in line)


@pytest.mark.parametrize("game", ["tictactoe", "connect-four"])
@pytest.mark.parametrize("width", [40, 66, 72])
def test_a_narrow_table_keeps_the_best_move_and_gives_up_words(game, width):
    spec = "perfect" if game == "tictactoe" else "mcts:simulations=20,seed=1"
    env = make_game(game)
    table = course_table(env, make_player(game, spec).analyse(env), ai=1, width=width)
    assert max(map(cell_len, table)) <= width
    assert table[0].endswith("| Best")
    assert sum("⭐ YES" in line for line in table) == 1
    assert ("Assessment" in table[0]) == (width > 40)


def test_an_estimate_is_not_a_win():
    env = position_from_text("connect-four", "7/7/7/7/7/3x3 o")
    analysis = make_player("connect-four", "mcts:simulations=20,seed=1").analyse(env)
    assert any(abs(c.value) >= 0.9 and not c.proven for c in analysis.candidates)
    text = "\n".join(course_table(env, analysis, ai=env.current_player))
    assert "wins" not in text
    assert "advantage" in text


@pytest.mark.parametrize(("human", "said"), [(1, "You win!"), (-1, "AI wins!")])
def test_the_end_is_told_to_the_person(human, said):
    env = position_from_text("tictactoe", "xxx/oo1/3 x")
    engine = make_side("tictactoe", "greedy")
    sides = (Side("human"), engine) if human == 1 else (engine, Side("human"))
    out = io.StringIO()
    out_and_err = Screen(out, out)
    CourseView(out_and_err).ended(Session(env, sides))
    assert said in out.getvalue()


def test_available_positions_leave_taken_cells_blank():
    env = position_from_text("tictactoe", "x2/1o1/3 x")
    assert available_rows(env)[0] == "        b1( 1)  c1( 2)"
    assert available_rows(env)[1] == "a2( 3)          c2( 5)"
