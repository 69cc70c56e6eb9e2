"""The course scripts: their output word for word, and whose view the words take.

The transcripts in ``golden/`` are what the scripts print when the lines of `GAMES` are typed.
After an intended change, ``REWRITE_GOLDEN=1 pytest tests/cli/course`` writes them
anew; read the difference before committing it.
"""

from __future__ import annotations

import io
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from paths import ROOT
from rich.cells import cell_len

from rl_toolkit.analysis import Candidate, analysis_of
from rl_toolkit.cli.course.table import course_table
from rl_toolkit.cli.course.view import CourseView, available_rows
from rl_toolkit.cli.play.cells import Cells
from rl_toolkit.cli.play.session import Session
from rl_toolkit.cli.play.sides import Side, make_side
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.envs import make_game
from rl_toolkit.explain import format_outcome
from rl_toolkit.players import make_player
from rl_toolkit.records import position_from_text

GOLDEN = Path(__file__).parent / "golden"
TICTACTOE = "projects/project_04.5_tictactoe/play_terminal.py"
WEB = "projects/project_04.5_tictactoe/web_app.py"
CONNECT_FOUR = "projects/project_08.5_connect_four/play_terminal.py"

#: What is said on stderr of a search that takes more than a second, as on a busy machine.
LONG_THINKING = re.compile(r"^\w+ is thinking … \(Ctrl-C: answer now\)\n", re.MULTILINE)

#: Transcript → script with its options, and what is typed.
GAMES = {
    "tictactoe_thinking": (
        [TICTACTOE, "--show-thinking", "--board-size", "3"],
        "b2\nb2\n9\nundo\n4\n2,1\nhistory\nc1\nb3\nc3\nquit\n",
    ),
    "tictactoe_from_one": (
        [TICTACTOE, "--show-thinking", "--cells", "1-9", "--sort", "value", "--depth", "9"],
        "5\n0\n9\n3 1\nhistory\nquit\n",
    ),
    "tictactoe_numpad": (
        [TICTACTOE, "--mode", "human-human", "--cells", "numpad"],
        "7\n5\n3\n2 2\ncells\nhistory\nquit\n",
    ),
    "connect_four_depth": (
        [CONNECT_FOUR, "--show-thinking", "--depth", "3"],
        "d\n4\nd\nquit\n",
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
    assert (ran.returncode, LONG_THINKING.sub("", ran.stderr)) == (0, "")
    return ran.stdout


def run_here(monkeypatch: pytest.MonkeyPatch, script: str, *arguments: str) -> object:
    """Run the script in this process; returns its exit code."""
    monkeypatch.setattr(sys, "argv", [script, *arguments])
    with pytest.raises(SystemExit) as left:
        runpy.run_path(str(ROOT / script), run_name="__main__")
    return left.value.code


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


@pytest.mark.parametrize("script", [TICTACTOE, CONNECT_FOUR, WEB])
@pytest.mark.parametrize("asked", ["-h", "--help"])
def test_help_has_examples_a_line_each(monkeypatch, capsys, script, asked):
    monkeypatch.setattr(os, "_exit", sys.exit)  # the script must not end the tests
    assert run_here(monkeypatch, script, asked) == 0
    text = capsys.readouterr().out
    examples = text.partition("\n  Examples:\n")[2].partition("\n\n")[0].splitlines()
    assert len(examples) == (2 if script == WEB else 3)
    assert all(line.startswith(f"    python {Path(script).name}") for line in examples)


@pytest.mark.parametrize("script", [TICTACTOE, CONNECT_FOUR, WEB])
def test_the_scripts_are_a_few_lines(script):
    assert len((ROOT / script).read_text(encoding="utf-8").splitlines()) < 12


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([TICTACTOE, "--level", "zork"], "'zork' is neither a level nor an engine"),
        ([TICTACTOE, "--port", "5612"], "No such option '--port'"),
        ([TICTACTOE, "--simulations", "5"], "No such option '--simulations'"),
        ([TICTACTOE, "b2"], "Got unexpected extra argument (b2)"),
        ([TICTACTOE, "--cells", "2-10"], "cells are numbered 0-8, 1-9 or numpad, not '2-10'"),
        ([TICTACTOE, "--cells", "numpad", "--board-size", "4"], "a numpad has 3×3 keys"),
        ([TICTACTOE, "--level", "easy", "--depth", "2"], "use either --level or --depth"),
        ([TICTACTOE, "--depth", "0"], "--depth"),
        ([CONNECT_FOUR, "--cells", "1-9"], "No such option '--cells'"),
        (
            [CONNECT_FOUR, "--depth", "2", "--simulations", "9"],
            "use either --depth or --simulations",
        ),
        ([WEB, "--prot", "5612"], "No such option '--prot'"),
        ([WEB, "--depth", "3"], "No such option '--depth'"),
        ([WEB, "5612"], "Got unexpected extra argument (5612)"),
        ([WEB, "--port", "http"], "--port must be a whole number from 0 to 65535, not 'http'"),
    ],
    ids=lambda part: " ".join(part[1:]) if isinstance(part, list) else "",
)
def test_what_a_script_does_not_know_is_refused_in_one_sentence(
    monkeypatch, capsys, arguments, sentence
):
    assert run_here(monkeypatch, *arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert sentence in said.err.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "port", "opened"),
    [([], 5001, False), (["--port", "5612"], 5612, False), (["--open"], 5001, True)],
)
def test_the_web_script_serves_where_it_is_told(monkeypatch, arguments, port, opened):
    called = []
    monkeypatch.setattr("rl_toolkit.web.server.serve", lambda **where: called.append(where))
    assert run_here(monkeypatch, WEB, *arguments) == 0
    assert called == [{"port": port, "open_browser": opened}]


def test_a_taken_port_is_a_sentence(monkeypatch, capsys):
    def refuse(**where):
        raise OSError(98, "Address already in use")

    monkeypatch.setattr("rl_toolkit.web.server.serve", refuse)
    assert run_here(monkeypatch, WEB) == 1
    assert "cannot listen on port 5001: Address already in use" in capsys.readouterr().err


# --------------------------------------------------------------------- the best moves


def test_every_equally_good_move_is_marked():
    env = position_from_text("tictactoe", "3/1x1/3 o")  # corners draw, edges lose
    table = course_table(env, make_player("tictactoe", "perfect").analyse(env), ai=-1)
    assert [line[:2] for line in table if "⭐ YES" in line] == ["a1", "c1", "a3", "c3"]
    assert all(("⚖️ Draw" in line) == ("⭐ YES" in line) for line in table[2:])


def test_a_slower_win_is_not_equally_good():
    env = position_from_text("tictactoe", "xx1/oo1/3 x")
    table = course_table(env, make_player("tictactoe", "perfect").analyse(env), ai=1)
    assert [line[:2] for line in table if "⭐ YES" in line] == ["c1"]


@pytest.mark.parametrize("engine", ["first", "random:seed=1"])
def test_what_was_not_searched_is_unknown_and_never_best(engine):
    env = position_from_text("tictactoe", "xx1/oo1/3 x")
    for position in (env, position_from_text("tictactoe", "xox/oxx/oo1 x")):  # one legal move
        table = course_table(position, make_player("tictactoe", engine).analyse(position), ai=1)
        rows = [[cell.strip() for cell in line.split("|")] for line in table[2:]]
        assert len(rows) == len(position.get_legal_moves())
        assert all(row[1:] == ["?", "not searched", ""] for row in rows)


def test_rows_can_be_sorted_by_value():
    env = position_from_text("tictactoe", "3/1x1/3 o")
    analysis = make_player("tictactoe", "perfect").analyse(env)
    in_order = course_table(env, analysis, ai=-1)
    by_value = course_table(env, analysis, ai=-1, best_first=True)
    assert sorted(in_order) == sorted(by_value)
    assert ["⭐ YES" in line for line in by_value[2:]] == [True] * 4 + [False] * 4
    half = analysis_of(env, "", "half", [Candidate(0, "a1"), Candidate(8, "c3", -0.2)])
    table = course_table(env, half, ai=-1, best_first=True)
    assert [line[:2] for line in table[2:]] == ["c3", "a1"]


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
    # All nine openings draw; tree search prefers one.
    assert sum("⭐ YES" in line for line in table) == (9 if game == "tictactoe" else 1)
    assert ("Assessment" in table[0]) == (width > 40)


def test_an_estimate_is_not_a_win():
    env = position_from_text("connect-four", "7/7/7/7/7/3x3 o")
    analysis = make_player("connect-four", "mcts:simulations=20,seed=1").analyse(env)
    assert any(abs(c.value) >= 0.9 and not c.proven for c in analysis.candidates)
    text = "\n".join(course_table(env, analysis, ai=env.current_player))
    assert "wins" not in text
    assert "Draw" not in text
    assert "advantage" in text
    assert "⚖️ Even" in text
    neutral = "\n".join(course_table(env, analysis, ai=0))
    assert "Draw" not in neutral
    assert "| Even" in neutral


def test_the_legend_explains_every_word_of_the_table():
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    session = Session(make_game("tictactoe"), (Side("human"), Side("human")))
    CourseView(Screen(out, out)).legend(session)
    said = out.buffer.getvalue().decode()
    words = {format_outcome(value) for value in (1.0, 0.5, 0.0, -0.5, -1.0)}
    for word in (*words, "⚖️ Even", "?", "⭐ YES", "≈ 46 %"):
        assert word in said


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
    assert available_rows(env, Cells()) == [
        "   a       b       c",
        "1          b1( 1)  c1( 2)",
        "2  a2( 3)          c2( 5)",
        "3  a3( 6)  b3( 7)  c3( 8)",
    ]
    assert available_rows(env, Cells("numpad"))[3] == "3  a3( 1)  b3( 2)  c3( 3)"
    assert available_rows(make_game("tictactoe-10x10x5"), Cells("1"))[10].endswith("j10(100)")
