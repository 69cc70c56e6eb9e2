"""The command line: what it prints where, what it refuses, and how it ends."""

from __future__ import annotations

import json
import re
import subprocess
import sys

import click
import pytest

from rl_toolkit import __version__
from rl_toolkit.analysis import Analysis
from rl_toolkit.cli import COMMANDS, cli
from rl_toolkit.cli.commands._comparing import split_engines
from rl_toolkit.cli.commands._saved_games import FORMS
from rl_toolkit.envs import game_families
from rl_toolkit.kernels import jit
from rl_toolkit.players import engine_kinds, levels_for
from rl_toolkit.records import GameRecord


def all_commands(group: click.Group = cli, path: tuple[str, ...] = ()):
    """Every command with the words that call it."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield (*path, name), command
        if isinstance(command, click.Group):
            yield from all_commands(command, (*path, name))


# ------------------------------------------------------------------------- help and lists


@pytest.mark.parametrize("path", [(), *(path for path, _ in all_commands())], ids=" ".join)
def test_every_command_has_help_with_examples(run, path):
    ran = run(*path, "--help")
    assert (ran.code, ran.err) == (0, "")
    prose, _, rest = ran.out.partition("\n  Examples:\n")
    examples, _, options = rest.partition("\n\n")
    for line in examples.splitlines():  # each on a line of its own
        assert line.startswith("    ")
        assert line.count("rl-toolkit ") == 1
    assert options.startswith("Options:\n")
    assert r"\b" not in prose
    for line in prose.splitlines():
        assert line == "" or line.startswith("Usage: ") or re.match(r"  \S", line)
        assert "  " not in line.strip()


@pytest.mark.parametrize("group", [(), ("experiment",), ("record",), ("book",)], ids=" ".join)
def test_no_line_of_a_listing_is_cut_short(run, group):
    listing = run(*group, "--help").out.partition("\nCommands:\n")[2]
    entries = listing.partition("\n\n")[0]
    assert len(entries.splitlines()) >= 2
    assert "..." not in entries


def test_the_overview_says_what_the_commands_say_of_themselves():
    for path, command in all_commands():
        if len(path) == 1:
            line = COMMANDS[path[0]][1]
            assert (command.help or "").split()[0] == line.split()[0]  # the same verb


def test_version(run):
    assert run("--version") == (0, f"rl-toolkit {__version__}\n", "")


def test_help_needs_neither_numpy_nor_numba_nor_rich():
    calls = [[*path, "--help"] for path, _ in all_commands()]
    code = (
        "import sys; from rl_toolkit.cli.main import main\n"
        f"for call in [['--help'], ['--version'], *{calls!r}]:\n"
        "    try: main(call)\n"
        "    except SystemExit as e: assert e.code == 0\n"
        "    heavy = {'numpy', 'numba', 'rich', 'rl_toolkit.envs'} & set(sys.modules)\n"
        "    assert not heavy, (call, heavy)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_games_engines_and_levels_list_all_there_are(run):
    games, engines, levels = run("games").out, run("engines").out, run("levels").out
    for family in game_families():
        assert family.name in games
        assert family.title in games
        for level, spec in levels_for(family.name).items():
            assert any(level in line and spec in line for line in levels.splitlines())
    for kind in engine_kinds():
        assert kind.name in engines
        one = run("engines", kind.name).out
        assert all(option.name in one for option in kind.options)


def test_the_lists_as_json(run):
    assert [row["name"] for row in json.loads(run("games", "--json").out)] == [
        family.name for family in game_families()
    ]
    assert json.loads(run("levels", "reversi", "--json").out) == {
        "reversi-8": levels_for("reversi")
    }
    described = {kind["name"]: kind for kind in json.loads(run("engines", "--json").out)}
    assert {option["name"] for option in described["random"]["options"]} == {"seed"}
    assert described["exact"]["games"] == ["connect-four", "reversi"]
    for_gomoku = {
        kind["name"] for kind in json.loads(run("engines", "--game=gomoku", "--json").out)
    }
    assert set(described) - for_gomoku >= {"exact", "reversi"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_call_the_command(run, shell):
    ran = run("completion", shell)
    assert ran.code == 0
    assert "_RL_TOOLKIT_COMPLETE" in ran.out


def test_completion_knows_games_and_levels(run, monkeypatch, capsys):
    def complete(words: str, position: int) -> str:
        monkeypatch.setenv("_RL_TOOLKIT_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", words)
        monkeypatch.setenv("COMP_CWORD", str(position))
        return run().out

    assert "connect-four" in complete("rl-toolkit play co", 2)
    assert "expert" in complete("rl-toolkit play reversi --o ex", 4)
    assert "analyse" in complete("rl-toolkit an", 1)


# ------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["zork"], "No such command"),
        (["play", "chess"], "there is no game 'chess'"),
        (["play", "tictactoe", "--o", "zork"], "neither a level nor an engine"),
        (["play", "tictactoe", "--o", "minimax:deep=3"], "no option 'deep'"),
        (["play", "tictactoe", "--size", "2x2x9"], "--size"),
        (["play", "tictactoe", "--time", "0"], "--time"),
        (["play", "--load", "a.json", "--resume"], "exclude each other"),
        (["analyse", "tictactoe", "b9"], "names no move"),
        (["analyse", "tictactoe", "--engine", "zork"], "neither a level nor an engine"),
        (["analyse", "tictactoe", "--depth", "0"], "--depth"),
        (["compare", "tictactoe", "--engines", ","], "names no engine"),
        (["engines", "zork"], "there is no engine 'zork'"),
        (["experiment", "node-counts", "--plot", "a.gif"], ".svg"),
        (["experiment", "never-loses", "--game", "gomoku"], "too many games"),
        (["experiment", "strength-by-simulations", "--simulations", "10,x"], "whole numbers"),
        (["record", "convert", "-", "--to", "pgn"], "--to"),
    ],
)
def test_misuse_is_told_on_stderr_with_code_2(run, arguments, said):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("named", "code"),
    [
        (["tictactoe", "--size", "4"], 2),
        (["tictactoe"], 2),
        (["--size", "4"], 2),
        (["connect-four", "--size", "5x5x4"], 2),
        (["connect-four"], 0),
        ([], 0),
    ],
)
def test_a_saved_game_of_another_name_is_refused(run, tmp_path, named, code):
    path = tmp_path / "connect_four.json"
    GameRecord("connect-four", (3,), ("human", "human")).save(path)
    ran = run("play", *named, "--load", str(path))
    assert ran.code == code
    assert ("is a game of connect-four, not of" in ran.err) == (code == 2)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["play", "--resume"], "no unfinished game"),
        (["play", "--load", "not-there.json"], "not-there.json: No such file"),
        (["analyse", "tictactoe", "not-there.json"], "not-there.json: No such file"),
        (["record", "show", "not-there.json"], "not-there.json: No such file"),
        (["record", "check", "not-there.json"], "1 of 1 cannot be read"),
    ],
)
def test_failures_are_told_on_stderr_with_code_1(run, arguments, said):
    ran = run(*arguments)
    assert ran.code == 1
    assert said in ran.err


def test_a_closed_pipe_ends_quietly():
    command = f"{sys.executable} -m rl_toolkit.cli engines | true"
    ran = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (1, "")


# ------------------------------------------------------------------------------- analyse


def test_analyse_shows_the_winning_move_and_says_why(run):
    ran = run("analyse", "tictactoe", "xx1/oo1/3 x")
    assert ran.code == 0
    assert "Best: c1, win in 1 (proven). Completes a1, b1 and c1 and wins." in ran.out


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_analyse_says_a_sentence_about_every_candidate(run, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", str(columns))
    ran = run("analyse", "tictactoe", "b2", "--top", "5")
    assert max(map(len, ran.out.splitlines())) <= columns
    before = ran.out.partition("Best: ")[0]
    assert before.count("Balanced: best play draws.") == 4
    assert "The opponent can force a win" in before  # after the fifth
    is_beside = [line.startswith("a1 ") for line in before.splitlines() if "Balanced" in line]
    assert is_beside[0] == (columns == 120)


@pytest.mark.parametrize(
    "position", ["a1 a2 b1 b2", "xx1/oo1/3 x", "record"], ids=["moves", "rows", "record"]
)
def test_analyse_takes_a_position_in_every_form(run, position, tmp_path):
    if position == "record":
        position = str(tmp_path / "game.json")
        GameRecord("tictactoe", (0, 3, 1, 4)).save(position)
    ran = run("analyse", "tictactoe", position, "--json")
    assert Analysis.from_json(ran.out).best == 2


def test_analyse_takes_a_board_in_obf_though_it_looks_like_an_option(run):
    ran = run("analyse", "reversi-4", "-----OX--XO----- X;", "--depth", "2", "--json")
    assert Analysis.from_json(ran.out).game == "reversi-4"


def test_analyse_of_a_game_that_is_over_says_so(run):
    ran = run("analyse", "tictactoe", "xxx/oo1/3 x")
    assert (ran.code, "The game is over." in ran.out) == (0, True)


def test_analyse_keeps_its_limit_and_its_seed(run):
    answers = [
        Analysis.from_json(
            run(
                *("analyse", "connect-four-4x4x4", "--engine", "mcts"),
                *("--simulations", "50", "--seed", "7", "--json"),
            ).out
        )
        for _ in range(2)
    ]
    assert [answer.simulations for answer in answers] == [50, 50]
    assert answers[0].candidates == answers[1].candidates


def test_analyse_shows_the_tree_of_a_tree_search_only(run):
    asked = ("analyse", "tictactoe", "--tree", "--seed", "1")
    tree = run(*asked, "--engine", "mcts", "--simulations", "30")
    assert "root  30 visits" in tree.out
    none = run(*asked, "--engine", "greedy")
    assert (none.code, "kept no search tree" in none.err) == (0, True)
    assert "Best: b2" in none.out


@pytest.mark.parametrize(
    ("limit", "engine"), [(["--depth", "2"], "minimax"), (["--simulations", "20"], "mcts")]
)
def test_analyse_asks_an_engine_that_keeps_the_limit(run, limit, engine):
    answer = Analysis.from_json(run("analyse", "connect-four", "44", *limit, "--json").out)
    assert answer.engine == engine
    assert (answer.depth == 2) if engine == "minimax" else (answer.simulations == 20)


def test_a_stream_is_answered_line_by_line(run):
    ran = run(
        "analyse", "tictactoe", "-", "--engine", "perfect", stdin="\nzork\na1a2b1b2\n3/3/3 o\n"
    )
    lines = [json.loads(line) for line in ran.out.splitlines()]
    assert len(lines) == 4
    assert lines[0]["position"] == "3/3/3 x"
    assert lines[1]["input"] == "zork"
    assert "zork" in lines[1]["error"]
    assert Analysis.from_dict(lines[2]).best == 2
    assert lines[3]["player"] == -1
    assert ran.code == 1  # one line could not be read


def test_watching_in_a_pipe_writes_a_line_for_each_depth(run):
    ran = run("analyse", "connect-four-4x4x4", "--watch", "--time", "1.5", "--engine", "minimax")
    assert ran.code == 0
    assert "minimax · depth" in ran.out


# ------------------------------------------------------------------------------- compare


def test_compare_puts_the_truth_beside_the_engines(run):
    ran = run("compare", "tictactoe", "xx1/oo1/3 x", "--engines", "greedy,random", "--seed", "1")
    head = next(line for line in ran.out.splitlines() if line.startswith("move"))
    assert head.split() == ["move", "greedy", "random", "exact"]
    rows = {line.split()[0]: line for line in ran.out.splitlines() if line[:2] in ("c1", "c3")}
    assert rows["c1"].count("win in 1") == 2  # greedy sees it, and it is true
    assert rows["c3"].rstrip().endswith("loss in 2")


def test_compare_has_no_column_of_truth_where_nobody_knows_it(run):
    ran = run("compare", "gomoku-9", "--engines", "greedy", "--json")
    assert set(json.loads(ran.out)) == {"greedy"}


def test_compare_shows_the_best_few_moves_and_those_that_are_played(run):
    asked = ("compare", "gomoku-9", "--engines", "random,greedy", "--seed", "1")
    for arguments, top in (((), 10), (("--top", "3"), 3)):
        ran = run(*asked, *arguments)
        rows = ran.out.partition("\nmove")[2].partition("\n… and ")[0].splitlines()[1:]
        assert len(rows) in (top, top + 1)  # the move at random may be one of the others
        assert sum("★" in row for row in rows) in (1, 2)
        assert f"… and {81 - len(rows)} more (--top shows them)" in ran.out
    assert len(json.loads(run(*asked, "--json").out)["greedy"]["candidates"]) == 81


def test_engines_are_told_apart_though_their_options_have_commas():
    assert split_engines("a:b=1,c=2,d, e:f=3") == ["a:b=1,c=2", "d", "e:f=3"]
    assert split_engines("") == []


# ---------------------------------------------------------------------------------- book


def test_a_book_is_built_shown_and_refused_when_damaged(run, tmp_path):
    path = tmp_path / "small.book"
    built = run("book", "build", "connect-four-4x4x4", "--plies", "3", "-o", str(path))
    assert built.code == 0
    assert "4×4, every position with up to 3 stones" in built.out
    assert run("book", "show", str(path)).out.rstrip() in built.out
    path.write_bytes(path.read_bytes()[:-1])
    assert "does not exist" in run("book", "show", "connect-four").err
    damaged = run("book", "show", str(path))
    assert (damaged.code, "damaged" in damaged.err) == (1, True)
    assert run("book", "build", "gomoku", "--plies", "2").code == 2


# -------------------------------------------------------------------------------- record


def test_a_game_goes_through_every_form_and_back(run, tmp_path):
    saved = run("record", "convert", "-", "--game", "connect-four", stdin="4453").out
    path = tmp_path / "game.json"
    path.write_text(saved, encoding="utf-8")
    assert GameRecord.load(path).moves == (3, 3, 4, 2)
    assert run("record", "convert", str(path), "--to", "transcript").out == "4453\n"
    assert run("record", "convert", str(path), "--to", "position").out == "7/7/7/7/3o3/2oxx2 x\n"
    picture = tmp_path / "end.svg"
    assert run("record", "convert", str(path), "--to", "svg", "-o", str(picture)).out == ""
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_every_form_can_be_asked_for(run):
    for form in FORMS:
        asked = ("record", "convert", "-", "--game", "tictactoe", "--to", form)
        assert run(*asked, stdin="b2").code == 0
    assert all(form in run("record", "convert", "--help").out for form in FORMS)


def test_a_record_is_shown_at_any_ply(run, tmp_path):
    path = tmp_path / "game.json"
    GameRecord("tictactoe", (0, 3, 1, 4, 2), ("Ada", "minimax"), result=1).save(path)
    whole = run("record", "show", str(path)).out
    assert "X: Ada" in whole
    assert "X won" in whole
    assert "1. a1 a2 2. b1 b2 3. c1" in whole
    assert whole.count("[X]") == 3
    first = run("record", "show", str(path), "--ply", "1").out
    assert first.count("X |") + first.count("(X)") == 1
    assert run("record", "show", str(path), "--ply", "6").code == 2


def test_checking_tells_good_records_from_bad(run, tmp_path):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    GameRecord("tictactoe", (4,)).save(good)
    bad.write_text('{"version": 1, "game": "tictactoe", "moves": ["b2", "b2"], "result": null}')
    assert run("record", "check", str(good)).code == 0
    ran = run("record", "check", str(good), str(bad))
    assert ran.code == 1
    assert "tictactoe, 1 move, unfinished" in ran.out
    assert "moves[1]" in ran.out


def test_a_broken_record_is_named_as_it_was_written(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")  # so that nothing is wrapped
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.json").write_text("{")
    lines = run("record", "check", "one/game.json", "two/game.json", "two/none.json").out
    names = [line.partition(":")[0] for line in lines.splitlines()]
    assert names == ["one/game.json", "two/game.json", "two/none.json"]


# -------------------------------------------------------------------------------- warmup


def test_warmup_speaks_before_it_looks(run, capsys, monkeypatch):
    said = []
    monkeypatch.setattr(jit, "pending", lambda: said.append(capsys.readouterr().err) or [])
    ran = run("warmup")
    assert said[0].startswith("Looking for what is not compiled yet")
    assert (ran.code, ran.err) == (0, "Everything is compiled already.\n")
