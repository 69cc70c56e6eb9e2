"""Searches that students wrote: recorded as they are, right ones unblamed, faults pointed at."""

from __future__ import annotations

from pathlib import Path

import pytest

from rl_toolkit.algorithms.minimax import MinimaxSolver
from rl_toolkit.algorithms.traces import Trace, trace_search
from rl_toolkit.cli.main import main
from rl_toolkit.course import CourseError, record_search
from rl_toolkit.course.host.own_mcts import BACK_UP
from rl_toolkit.course.searches import OwnCodeError, own_searches, stage
from rl_toolkit.explain.traces import tell
from rl_toolkit.records import read_position
from rl_toolkit.utils.isolation import supervisor, worker

HERE = Path(__file__).parent
SOLUTIONS, STYLES = HERE / "solutions", HERE / "own_styles"
WINS_AT_E = "4545451"  # Yellow to move


def copied(folder: Path, *names: str, change: tuple[str, str, str] | None = None) -> Path:
    """A folder with copies of files, one of them changed: file, old, new."""
    for name in names:
        path = (SOLUTIONS if "/" in name else STYLES) / name
        (folder / path.name).write_text(path.read_text("utf-8"), encoding="utf-8")
    if change is not None:
        file, old, new = change
        text = (folder / file).read_text("utf-8")
        assert old in text, old
        (folder / file).write_text(text.replace(old, new, 1), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "file",
    [
        *("in_place.py", "fail_hard.py", "nega.py", "nega_color.py", "pairs.py"),
        "stops_at_a_win.py",
    ],
)
@pytest.mark.parametrize(
    "position", ["x1o/1x1/2o x", pytest.param("xo1/1x1/2o o", marks=pytest.mark.full)]
)
def test_right_searches_of_many_styles_are_not_blamed(file, position):
    staged = record_search(STYLES / file, position=position)
    assert staged.faults == ()
    events = [line.event for line in staged.lines() if line.event >= 0]
    assert sorted(set(events)) == list(range(len(staged.trace.data["events"]["kind"])))


@pytest.mark.parametrize(
    ("file", "game", "position"),
    [
        ("shares.py", "tictactoe", "a1"),
        ("own_side.py", "connect-four", WINS_AT_E),
        pytest.param("own_side.py", "tictactoe", "a1", marks=pytest.mark.full),
        pytest.param("shares.py", "connect-four", WINS_AT_E, marks=pytest.mark.full),
    ],
)
def test_right_tree_searches_of_many_styles_are_not_blamed(file, game, position):
    staged = record_search(STYLES / file, game=game, position=position, simulations=120)
    assert staged.faults == ()
    again = Trace.from_json(staged.trace.to_json())
    assert sum(again.answer["visits"].values()) == 120


@pytest.mark.parametrize("file", ["c/my_game.py", "a/my_minimax.py"])
def test_the_same_search_is_told_in_the_same_sentences(file, tmp_path):
    env = read_position("tictactoe", "x1o/1x1/2o x")
    staged = record_search(copied(tmp_path, file), position="x1o/1x1/2o x")
    ours = trace_search(env, MinimaxSolver(use_memoization=file.startswith("a")))
    assert Trace.from_json(staged.trace.to_json()).answer["nodes"] == ours.answer["nodes"]
    lines, right = [line.text for line in staged.lines()], [line.text for line in tell(ours)]
    # Only what the table knows, and the line after the best move, is said in other words.
    same = sum(one == other for one, other in zip(lines, right, strict=True))
    assert same >= len(right) - (1 if file.startswith("c") else 7)


@pytest.mark.full
def test_every_sentence_about_the_whole_game_is_checked(tmp_path):
    staged = record_search(copied(tmp_path, "a/my_minimax.py"), position="3/3/3 x")
    assert staged.faults == ()
    assert staged.trace.answer["nodes"] == 4866  # as many as ours, with a table of bounds
    assert staged.is_small


#: Name → file, old, new, the search, the kind of the first fault, where it is, words.
FAULTS = {
    "wrong cut": (
        "c/my_game.py",
        "if alpha >= beta:",
        "if alpha >= 0:",
        "alpha_beta",
        "cut",
        "b1 a2",
        "a3, b3 are left out although α = 0 is below β = +∞",
    ),
    "same flag": (
        "c/my_game.py",
        "m, player), not is_maximizing) for m",
        "m, player), is_maximizing) for m",
        "minimax",
        "side",
        "b1",
        "it is O's turn, but your function is called as if it were X's",
    ),
    "max for min": (
        "c/my_game.py",
        "max(values) if is_maximizing else min(values)",
        "max(values)",
        "minimax",
        "choice",
        "b1 a2 c2",
        "O takes the lowest, 0; your function returns 1",
    ),
    "wrong sign of a win": (
        "c/my_game.py",
        '1 if won == "X" else -1 if won == "O" else 0',
        '-1 if won == "X" else 1 if won == "O" else 0',
        "minimax",
        "leaf",
        "b1 a2 c2 a3 b3",
        "X has won. For X that is positive; your function returns −1",
    ),
    "no copy": (
        "c/my_game.py",
        "new_board = board[:]",
        "new_board = board",
        "minimax",
        "not-a-move",
        "b1 a2 c2",
        "not one move away",
    ),
    "window": (
        "c/my_game.py",
        "alpha_beta(child, alpha, beta, not",
        "alpha_beta(child, 0, beta, not",
        "alpha_beta",
        "window",
        "b1",
        "narrower than what is known there",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_of_minimax_are_pointed_at_where_they_happen(name, tmp_path):
    file, old, new, search, kind, line, words = FAULTS[name]
    folder = copied(tmp_path, file, "rules.py", change=(Path(file).name, old, new))
    staged = record_search(folder, search, position="x1o/1x1/2o x")
    fault = staged.trace.data["faults"][0]
    assert fault["kind"] == kind
    assert " ".join(map(staged.trace.name, fault["line"])) == line
    assert words in staged.faults[0]
    told = [each.text for each in staged.lines() if each.event == fault["event"]]
    assert words in told[0]


def test_a_remembered_bound_is_pointed_at(tmp_path):
    """Erratum R6: the solver calls a3 a win and plays it, though it loses."""
    rule = '"low" if best >= beta else "high" if best <= alpha else "exact"'
    change = ("my_minimax.py", rule, '"exact"')
    folder = copied(tmp_path, "a/my_minimax.py", "a/my_tictactoe.py", change=change)
    staged = record_search(folder, position="x2/1o1/2x o")
    assert {fault["kind"] for fault in staged.trace.data["faults"]} == {"memory"}
    assert "that value is a bound" in staged.faults[0]
    assert "Erratum R6" in staged.faults[0]


RIGHT = "node.total_value += result * self._mover_into(node)"
SIGNS = {
    "flips": ("node.total_value += result\n            result = -result", "from the leaf upwards"),
    "same": ("node.total_value += result", "whoever moved into it"),
}


@pytest.mark.parametrize(
    ("cause", "simulations"),
    [("flips", 100), ("same", 60), pytest.param("flips", 1000, marks=pytest.mark.full)],
)
def test_a_wrong_sign_of_the_back_up_is_pointed_at(cause, simulations, tmp_path):
    """Erratum R27, with its figures: O wins at e, and gets 14 of 1,000 visits instead of 934."""
    wrong, words = SIGNS[cause]
    files = ("b/my_mcts.py", "b/my_connect_four.py")
    folder = copied(tmp_path, *files, change=("my_mcts.py", RIGHT, wrong))
    staged = record_search(folder, position=WINS_AT_E, simulations=simulations)
    assert staged.trace.data["cause"] == cause
    fault = staged.trace.data["faults"][0]
    assert (fault["kind"], fault["simulation"]) == ("sign", 0)
    assert words in staged.faults[0]
    assert "Erratum R27" in staged.faults[0]
    assert staged.faults[0].startswith(staged.steps(0, 1)[0][-2][:60])
    if cause == "flips":
        visits = staged.trace.answer["visits"]["4"]
        assert visits == 14 if simulations == 1000 else visits < simulations / 7
        backed = staged.trace.data["simulations"][0][7]
        assert backed == [1.0, -1.0]  # what the page draws is what the code did


@pytest.mark.parametrize("simulations", [100, pytest.param(1000, marks=pytest.mark.full)])
def test_the_right_back_up_is_not_blamed(simulations, tmp_path):
    folder = copied(tmp_path, "b/my_mcts.py", "b/my_connect_four.py")
    staged = record_search(folder, position=WINS_AT_E, simulations=simulations)
    assert staged.faults == ()
    visits = staged.trace.answer["visits"]["4"]
    assert visits == 934 if simulations == 1000 else visits > simulations / 2


def test_a_player_who_stays_at_the_end_of_a_game_is_named(tmp_path):
    """The games of the toolkit leave the player to move as it was; this search relies on a turn."""
    turned = "node.total_value += result * -node.env.current_player"
    folder = copied(tmp_path, "b/my_mcts.py", change=("my_mcts.py", RIGHT, turned))
    staged = record_search(folder, position=WINS_AT_E)
    assert staged.trace.data["cause"] == "ends"
    assert "only where the game is over" in staged.faults[0]
    assert "Erratum" not in staged.faults[0]


def test_selection_of_the_wrong_child_is_pointed_at(tmp_path):
    wrong = ("my_mcts.py", "max(self.children, key=lambda", "min(self.children, key=lambda")
    folder = copied(tmp_path, "b/my_mcts.py", "b/my_connect_four.py", change=wrong)
    staged = record_search(folder, position=WINS_AT_E, simulations=60)
    assert staged.trace.data["faults"][0]["kind"] == "choice"
    assert "Selection: simulation 8 takes" in staged.faults[0]


def test_totals_of_the_player_to_move_with_a_result_of_x(tmp_path):
    wrong = ("own_side.py", "env.get_result(node.side)", "env.get_result(1)")
    staged = record_search(copied(tmp_path, "own_side.py", change=wrong), simulations=80)
    assert staged.trace.data["engine"]["options"]["view"] == "other"
    assert "Wrong sign" in staged.faults[0]


def test_trees_that_were_typed(tmp_path):
    (tmp_path / "trees.py").write_text(
        "def minmax(node, maximizing):\n"
        "    if node.isLeaf():\n"
        "        return None, node.getScore()\n"
        "    values = [(c.getMove(), minmax(c, not maximizing)[1]) for c in node.getChildren()]\n"
        "    return (max if maximizing else min)(values, key=lambda pair: pair[1])\n"
    )
    staged = record_search(tmp_path, tree="(3 12 8) (2 4 6) (14 5 2)")
    assert (staged.faults, staged.trace.answer["score"]) == ((), 3.0)
    text = (tmp_path / "trees.py").read_text()
    (tmp_path / "trees.py").write_text(text.replace("node.getScore()", "node.getScore() % 9"))
    staged = record_search(tmp_path, tree="(3 12 8) (2 4 6) (14 5 2)")
    assert staged.faults[0].startswith(
        "After A A2, there is a leaf with 12; your function returns 3"
    )


def test_larger_games_show_counts_and_values_only(tmp_path):
    folder = copied(tmp_path, "d/my_connect_four.py")
    staged = record_search(folder, game="connect-four", position="4453", depth=2)
    assert staged.faults == ()
    texts = [line.text for line in staged.lines()]
    assert texts[:3] == ["Red to move.", "Red tries a.", "Yellow tries a."]
    assert not any("window" in text or "plays" in text for text in texts)


def test_what_is_found_and_what_is_not(tmp_path):
    folder = copied(tmp_path, "c/my_game.py", "b/my_mcts.py", "a/my_minimax.py")
    (folder / "broken.py").write_text("def minimax(:\n")
    (folder / "flat.py").write_text("def minimax(board):\n    return 0\n")
    assert [each.id for each in own_searches(folder)] == [
        *("my_game.py:alpha_beta", "my_game.py:minimax", "my_mcts.py", "my_minimax.py:_minimax"),
    ]
    with pytest.raises(CourseError, match=r"there is my_game\.py:alpha_beta, my_game\.py:minimax"):
        record_search(folder, "bfs")
    with pytest.raises(CourseError, match="has no search that can be recorded"):
        record_search(folder / "flat.py")
    with pytest.raises(CourseError, match=r"Python cannot read broken\.py: .*line 1"):
        record_search(folder / "broken.py")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("return 1 / 0", "ZeroDivisionError: division by zero (own.py, line 2, in minimax)"),
        ("raise NotImplementedError", "is not finished yet"),
        ("import os; os._exit(3)", "your program"),
    ],
)
def test_code_that_stops_is_a_sentence(code, words, tmp_path):
    (tmp_path / "own.py").write_text(
        f"def minimax(board, is_max):\n    {code}\n    return minimax(board, is_max)\n"
    )
    with pytest.raises(OwnCodeError) as caught:
        record_search(tmp_path)
    assert words in str(caught.value)


def test_a_search_that_is_too_large_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(stage, "MOST_CALLS", 500)
    with pytest.raises(CourseError, match="visits more than 500 positions: begin later"):
        record_search(copied(tmp_path, "c/my_game.py"), "minimax", position="3/3/3 x")


def test_the_command_says_what_is_wrong(tmp_path, capsys):
    change = ("my_game.py", "if alpha >= beta:", "if alpha >= 0:")
    folder = copied(tmp_path, "c/my_game.py", change=change)
    for search, code, words in (("alpha_beta", 1, "Wrong cut after b1 a2"), ("minimax", 0, "fits")):
        with pytest.raises(SystemExit) as ended:
            main(["course", "stage", str(folder), "--search", search, "--text"])
        assert (ended.value.code or 0) == code
        assert words in " ".join(capsys.readouterr().out.split())


def test_windows_is_told_to_use_wsl(tmp_path, monkeypatch):
    monkeypatch.setattr(supervisor, "_ON_WINDOWS", True)
    monkeypatch.setattr(worker, "idle_supervisor", supervisor.Supervisor)  # none that runs already
    with pytest.raises(OwnCodeError, match="on Windows use WSL"):
        record_search(copied(tmp_path, "c/my_game.py"))


def test_a_back_up_called_update_is_heard(tmp_path):
    text = (STYLES / "shares.py").read_text("utf-8")
    names = [name for name in BACK_UP if f"def {name}(" in text]
    for name in names:
        text = text.replace(name, "update")
    (tmp_path / "s.py").write_text(text)
    staged = record_search(tmp_path / "s.py", game="tictactoe", position="a1", simulations=30)
    assert (bool(names), staged.faults) == (True, ())
    assert sum(Trace.from_json(staged.trace.to_json()).answer["visits"].values()) == 30
