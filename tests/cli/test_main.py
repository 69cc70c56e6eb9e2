"""The command line as a whole: help, refusals, exit codes."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys

import click
import pytest

from rl_toolkit import __version__
from rl_toolkit.cli.main import main
from rl_toolkit.cli.program.group import ALIASES, cli
from rl_toolkit.cli.program.overview import COMMANDS, GROUPS, overview
from rl_toolkit.cli.program.welcome import STEPS, welcome
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


# ---------------------------------------------------------------------------------- help


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


@pytest.mark.parametrize(
    "group", [(), ("experiment",), ("game",), ("book",), ("train",)], ids=" ".join
)
def test_no_line_of_a_listing_is_cut_short(run, group):
    first = "Commands" if group else next(iter(GROUPS))
    listing = run(*group, "--help").out.partition(f"\n{first}:\n")[2]
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


def imported_by(calls: list[list[str]], modules: set[str]) -> set[str]:
    """Those of ``modules`` that a process imports that runs these commands."""
    code = (
        "import sys; from rl_toolkit.cli.main import main\n"
        f"for call in {calls!r}:\n"
        "    try: main(call)\n"
        "    except SystemExit as e: assert e.code == 0, call\n"
        f"sys.stdout.write('imported ' + ' '.join({modules!r} & set(sys.modules)))"
    )
    ran = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return set(ran.stdout.rpartition("imported ")[2].split())


def test_the_overview_needs_neither_numpy_nor_rich():
    heavy = {"numpy", "numba", "rich", "rl_toolkit.envs"}
    assert imported_by([["--help"], ["--version"]], heavy) == set()
    assert imported_by([["--help"], ["-h"]], {"click", "rl_toolkit.cli.program.group"}) == set()


@pytest.mark.parametrize("width", [50, 64, 78, 98])
def test_the_overview_is_what_click_would_write(width):
    class ByClick(click.Group):
        """Writes its own help, with our commands."""

        def format_commands(self, ctx, formatter):
            longest = max(map(len, COMMANDS))
            for heading, group in GROUPS.items():
                with formatter.section(heading):
                    formatter.write_dl([(name.ljust(longest), group[name][1]) for name in group])

    twin = ByClick("cli", help=cli.help, epilog=cli.epilog, params=cli.params)
    ctx = click.Context(twin, info_name="rl-toolkit", help_option_names=["-h", "--help"])
    formatter = click.HelpFormatter(width=width)
    twin.format_help(ctx, formatter)
    assert overview(width) == formatter.getvalue()


def test_the_overview_fits_the_terminal(run, monkeypatch):
    for columns, width in ((30, 50), (80, 78), (400, 98)):
        monkeypatch.setenv("COLUMNS", str(columns))
        assert run("--help") == run("-h") == (0, overview(width), "")


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """Call the program without arguments on a terminal."""
    monkeypatch.setenv("RL_TOOLKIT_STATE_DIR", str(tmp_path))

    def call(keyboard: io.StringIO, screen: io.StringIO) -> str:
        monkeypatch.setattr("sys.stdin", keyboard)
        monkeypatch.setattr("sys.stdout", screen)
        with pytest.raises(SystemExit) as left:
            main([])
        return f"{left.value.code} {screen.getvalue()}"

    return call


def test_without_arguments_a_terminal_is_shown_what_there_is_to_do(bare, tmp_path):
    shown = bare(Terminal(), Terminal())
    assert shown == f"0 {welcome(has_saved_game=False)}"
    assert "--resume" not in shown
    (tmp_path / "games").mkdir()
    record = GameRecord("connect-four", [3, 3])
    record.save(tmp_path / "games" / "1.json")
    assert "rl-toolkit play --resume" in bare(Terminal(), Terminal())


@pytest.mark.parametrize(("keyboard", "screen"), [(io.StringIO, Terminal), (Terminal, io.StringIO)])
def test_without_arguments_a_pipe_gets_the_help(bare, keyboard, screen):
    assert "Setup and help:" not in welcome(has_saved_game=True)
    assert "Type one of these" not in bare(keyboard(), screen())


def test_the_welcome_fits_80_columns():
    lines = welcome(has_saved_game=True).splitlines()
    assert max(map(len, lines)) <= 80


def test_every_command_of_the_welcome_exists():
    for line in STEPS.values():
        program, command, *_ = line.split()
        assert program == "rl-toolkit"
        assert command in COMMANDS


def test_the_welcome_leads_to_chapters_too(run):
    assert "/learn" in welcome(has_saved_game=False)
    for command in (STEPS["Learn: a chapter to read"], "rl-toolkit help topics"):
        assert "Game trees and minimax" in run(*command.split()[1:]).out


def test_no_help_needs_numba():
    calls = [[*path, "--help"] for path, _ in all_commands()]
    assert imported_by(calls, {"numba", "jax", "flask"}) == set()


@pytest.mark.parametrize("alias", ALIASES)
def test_former_names_work_and_are_not_listed(run, alias):
    former, now = run(alias, "--help"), run(*ALIASES[alias], "--help")
    assert former.code == now.code == 0
    assert former.out.partition("\n\n")[2] == now.out.partition("\n\n")[2]  # all but the usage
    assert alias not in run("--help").out.split()


def test_the_package_runs_as_a_module():
    for module in ("rl_toolkit", "rl_toolkit.cli"):
        command = [sys.executable, "-m", module, "--version"]
        ran = subprocess.run(command, check=True, capture_output=True, text=True)
        assert ran.stdout == f"rl-toolkit {__version__}\n"


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
    assert "connect-four" in complete("rl-toolkit match co", 2)
    assert "legend" in complete("rl-toolkit help le", 2)
    assert "human" in complete("rl-toolkit play reversi --o hu", 4)
    assert "human" not in complete("rl-toolkit analyse reversi --engine hu", 4)


# ------------------------------------------------------------------------------ refusals


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["zork"], "there is no command 'zork'"),
        (["play", "chess"], "there is no game 'chess'"),
        (["play", "tictactoe", "--o", "zork"], "neither a level nor an engine"),
        (["play", "tictactoe", "--o", "minimax:deep=3"], "no option 'deep'"),
        (["play", "tictactoe", "--size", "2x2x9"], "--size"),
        (
            ["play", "tictactoe", "--time", "0"],
            "--time must be a number of at least 0.001,",
        ),
        (["play", "tictactoe", "--time", "soon"], "must be a number of at least 0.001, not 'soon'"),
        (["match", "easy", "hard", "--alpha", "1"], "must be a number between 0 and 0.5, not '1'"),
        (["train", "tictactoe", "--minutes", "nan"], "--minutes must be a number above 0, not"),
        (["web", "--port", "70000"], "--port must be a whole number from 0 to 65535, not '70000'"),
        (["play", "--load", "a.json", "--resume"], "either --load or --resume"),
        (["analyse", "tictactoe", "b9"], "'b9' cannot be read as moves of tictactoe"),
        (["analyse", "tictactoe", "--engine", "zork"], "neither a level nor an engine"),
        (["analyse", "tictactoe", "--depth", "0"], "--depth must be a whole number of at least 1,"),
        (["compare", "tictactoe", "--engines", ","], "at least one engine"),
        (["engines", "zork"], "there is no engine or game 'zork'"),
        (["experiment", "node-counts", "--plot", "a.gif"], ".svg"),
        (["experiment", "never-loses", "--game", "gomoku"], "too many games"),
        (["experiment", "strength-by-simulations", "--simulations", "10,x"], "whole numbers"),
        (["game", "convert", "-", "--to", "pgn"], "--to"),
    ],
)
def test_misuse_is_told_on_stderr_with_code_2(run, arguments, said):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.parametrize(
    ("arguments", "example"),
    [
        (["analyse", "gomoku", "--depth", "x"], "rl-toolkit analyse gomoku"),
        (["analyse", "reversi", "--zork"], "rl-toolkit analyse reversi game.json --watch"),
        (["solve", "reversi-6", "--time", "x"], 'rl-toolkit solve reversi-4 "-----OX--XO----- X;"'),
        (["accuracy", "reversi"], "rl-toolkit accuracy reversi hard"),
        (["play", "connect-four", "--o", "zork"], "rl-toolkit play connect-four --o expert"),
        (["play", "chess"], "rl-toolkit play tictactoe"),
    ],
)
def test_the_example_under_an_error_is_about_the_game_that_was_asked(run, arguments, example):
    assert f"\nExample: {example}" in run(*arguments).err


def test_a_saved_game_of_an_unknown_game_says_how_to_name_its_file(run, tmp_path):
    path = tmp_path / "hex.json"
    path.write_text('{"version": 1, "game": "hex-7", "moves": [0], "result": null}')
    assert "name its file: --game my_game.py" in run("game", "show", str(path)).err


@pytest.mark.parametrize("words", [[], ["engine"], ["game"], ["train"]])
def test_a_command_that_needs_another_word_shows_its_help(run, words):
    ran = run(*words)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == run(*words, "--help").out  # line by line, and not as an error


def test_a_bot_without_its_suffix_is_suggested(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("my_bot.py", "mcts.py"):
        (tmp_path / name).write_text("def choose(env): return 1 / 0")
    for asked in (["play", "tictactoe", "--o", "my_bot:choose"], ["match", "first", "my_bot"]):
        ran = run(*asked)
        bot = asked[-1].replace("my_bot", "my_bot.py")
        assert ran.code == 2
        assert f"Error: there is no engine 'my_bot'; did you mean {bot}?" in ran.err
    # The engines of the toolkit keep their names.
    assert run("analyse", "tictactoe", "--engine", "mcts", "--simulations", "9").code == 0


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
        (["game", "show", "not-there.json"], "not-there.json: No such file"),
        (["game", "check", "not-there.json"], "1 of 1 cannot be read"),
        (["game", "review", "not-there.json"], "not-there.json: No such file"),
        (["book", "show", "not-there.book"], "not-there.book: No such file"),
        (["train", "check", "not-there"], "no training to check in not-there"),
        (["train", "plot", "not-there"], "no training to draw in not-there"),
        (["train", "tictactoe", "--judge", "not-there.npz"], "not-there.npz: No such file"),
    ],
)
def test_failures_are_told_on_stderr_with_code_1(run, arguments, said):
    ran = run(*arguments)
    assert ran.code == 1
    assert said in ran.err


def test_a_closed_pipe_ends_quietly():
    reading, writing = os.pipe()
    os.close(reading)  # before the command starts, and not some time later
    command = [sys.executable, "-m", "rl_toolkit.cli", "engines"]
    with open(writing, "wb") as pipe:
        ran = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, text=True)
    assert (ran.returncode, ran.stderr) == (1, "")


def test_without_utf8_even_help_is_ascii():
    command = "import os; os.environ['LC_ALL'] = 'C'; from rl_toolkit.cli.main import main; main()"
    for asked in (["help", "legend"], ["book", "build", "--help"]):
        ran = subprocess.run(
            [sys.executable, "-c", command, *asked], capture_output=True, check=True
        )
        assert ran.stdout.isascii()
        assert b"?" not in ran.stdout.replace(b"? ", b"")  # nothing is lost
