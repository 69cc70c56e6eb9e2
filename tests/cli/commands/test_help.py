"""`rl-toolkit help`, and what is said to people who misspell."""

from __future__ import annotations

import json
import re

import pytest
from paths import ROOT

from rl_toolkit.cli.commands.about.pages import pages
from rl_toolkit.cli.program.overview import COMMANDS, PAGES


def test_help_alone_is_the_overview_and_names_the_topics(run):
    ran = run("help")
    assert ran.code == 0
    assert ran.out.startswith(run("--help").out)
    assert all(command in ran.out for command in COMMANDS)
    assert "help legend" in ran.out


@pytest.mark.parametrize("words", [("play",), ("train", "plot"), ("game", "review"), ("analyze",)])
def test_the_help_of_a_command_is_its_own(run, words):
    ran = run("help", *words)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.partition("\n\n")[2] == run(*words, "--help").out.partition("\n\n")[2]


@pytest.mark.parametrize("name", ["connect-four", "connect4", "Connect Four", "reversi-6"])
def test_the_help_of_a_game_has_rules_moves_and_levels(run, name):
    ran = run("help", *name.split())
    assert ran.code == 0
    assert "beginner" in ran.out
    assert "wins" in ran.out
    assert "Moves are a" in ran.out


def test_the_legend_explains_every_form_of_a_value(run):
    out = run("help", "legend").out
    for form in (
        "wins in 3 moves",
        "W3",
        "draw",
        "+12",
        "≈ 46 %",
        "≈ 46 ± 9 %",
        "?",
        "solved",
        "⭐",
    ):
        assert form in out


def test_the_help_of_an_engine_lists_its_options(run):
    assert "playout_depth" in run("help", "mcts").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["plya"], "there is no command 'plya'; did you mean play?"),
        (["analyes"], "did you mean analyse?"),
        (["help", "plya"], "there is no help for 'plya'; did you mean play?"),
        (["help", "otelo"], "did you mean othello?"),
        (["play", "conect-four"], "there is no game 'conect-four'; did you mean connect-four?"),
        (["play", "tictactoe", "--o", "hrad"], "did you mean hard?"),
        (["play", "tictactoe", "--o", "mtcs:time=1"], "did you mean mcts?"),
        (["play", "tictactoe", "--o", "mcts:simulation=9"], "did you mean simulations?"),
        (["engines", "minmax"], "did you mean minimax?"),
        (["play", "--frist", "o"], "Did you mean '--first'?"),
    ],
)
def test_a_slip_is_answered_by_one_sentence_and_one_example(run, arguments, said):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    problem, example = ran.err.splitlines()
    assert problem.startswith("Error: ")
    assert said in problem
    assert example.startswith("Example: rl-toolkit ")
    assert example.endswith(" --help)")


@pytest.mark.parametrize("name", ["othello", "connect4", "tic-tac-toe"])
def test_games_are_found_by_their_other_names(run, name):
    assert run("levels", name).code == 0


# ------------------------------------------------------------------------- the game comes first


@pytest.mark.parametrize(
    ("arguments", "game"),
    [
        (["tictactoe", "random", "random"], "tictactoe"),
        (["random", "random", "--game", "tictactoe"], "tictactoe"),
        (["--game=tictactoe", "random", "random"], "tictactoe"),
        (["random", "random"], "connect-four"),  # as it was before
        (["--games", "2", "tic-tac-toe", "random", "random"], "tictactoe"),
    ],
)
def test_a_match_takes_the_game_first_and_in_the_former_ways(run, arguments, game):
    ran = run("match", *arguments, "--games", "2", "--openings", "start", "--json")
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["game"] == game


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["chess", "hard", "easy"], "there is no game 'chess'"),
        (["reversi", "hard"], "Missing argument 'ENGINE'"),
        (["hard", "easy", "--game"], "requires an argument"),
    ],
)
def test_a_match_without_a_game_or_engines_is_refused(run, arguments, said):
    ran = run("match", *arguments)
    assert ran.code == 2
    assert said in ran.err


@pytest.mark.parametrize("asked", [["tictactoe"], ["--game", "tictactoe"], []])
def test_an_experiment_takes_the_game_first_or_as_an_option(run, asked):
    ran = run("experiment", "vs-random", *asked, "--engine", "random", "--games", "2", "--json")
    assert json.loads(ran.out)["game"] == "tictactoe"


@pytest.mark.parametrize(
    "asked", [["tictactoe", "random"], ["random", "--game", "tictactoe"]], ids=" ".join
)
def test_accuracy_and_self_play_take_the_game_first_or_as_an_option(run, tmp_path, asked):
    ran = run("self-play", *asked, "--games", "1", "--save", str(tmp_path / "a"), "--json")
    counts = json.loads(ran.out)
    assert (counts["game"], counts["engine"], counts["games"]) == ("tictactoe", "random", 1)
    assert counts["x_won"] + counts["drawn"] + counts["o_won"] == 1


def test_levels_are_topics_and_the_legend_is_found(run):
    said = run("help", "perfect").out
    assert "tictactoe" in said
    assert "never gives away" in said
    assert "did you mean help legend?" in run("legend").err


def test_help_is_not_suggested_for_another_option(run):
    assert run("play", "--hepl").err.startswith("Error: No such option '--hepl'.\n")


# --- pages -------------------------------------------------------------------------------------


def test_every_page_of_the_documentation_is_a_topic(run):
    listed = run("help", "topics").out
    for page in pages().values():
        assert page.topic in listed
        assert page.title
    assert {"install", "write_a_bot", "arena", "records", "architecture", "uct"} <= set(pages())
    assert listed.endswith("`rl-toolkit help page TOPIC`.\n")


@pytest.mark.parametrize(
    "words", [["write_a_bot"], ["write", "a", "bot"], ["write-a-bot"], ["docs/write_a_bot.md"],
              ["docs/guides/write_a_bot.md"], ["page", "Write_A_Bot"]]
)  # fmt: skip
def test_a_page_is_found_by_its_name_and_by_former_addresses(run, words):
    ran = run("help", *words)
    assert ran.code == 0
    assert "A bot is a Python file with one function" in ran.out


def test_a_command_goes_before_a_page_of_its_name(run):
    assert "Usage: rl-toolkit library" in run("help", "library").out
    assert "A library keeps games" in run("help", "page", "library").out


def test_a_page_that_is_not_there_is_one_sentence(run):
    ran = run("help", "page", "nonsense")
    assert (ran.code, ran.out) == (2, "")
    assert "there is no help for 'page nonsense'" in ran.err


def test_pages_about_a_word_are_named(run):
    assert "; pages about it: first_bot, test_a_change, write_a_bot." in run("help", "bots").err
    assert "`rl-toolkit help topics` lists the pages" in run("help", "nonsense").err


def test_topics_are_in_the_order_of_reading():
    topics = list(pages())
    assert topics[:3] == ["install", "play_and_analyse", "first_bot"]
    assert topics.index("game_trees") < topics.index("alpha_beta") < topics.index("uct")


def test_pages_in_the_package_are_at_most_a_megabyte():
    assert sum(page.path.stat().st_size for page in pages().values()) < 10**6


def test_an_installation_without_pages_says_so(run, monkeypatch):
    monkeypatch.setattr("rl_toolkit.cli.commands.about.help.pages", dict)
    assert "not in this installation" in run("help", "topics").err


def test_the_help_of_every_command_names_a_page_that_there_is(run):
    assert set(COMMANDS) - set(PAGES) == {"completion", "help"}
    assert set(PAGES.values()) <= set(pages())
    assert "More: rl-toolkit help page arena" in run("match", "--help").out


def test_every_topic_that_is_printed_anywhere_exists(run):
    topics = {*pages(), *COMMANDS, "legend", "topics", "page", "TOPIC", "GAME", "PAGE", "TEXT"}
    games = {"connect-four", "reversi", "tictactoe"}
    printed = set()
    for file in [*ROOT.glob("rl_toolkit/**/*.py"), *ROOT.glob("docs/**/*.md"), ROOT / "README.md"]:
        text = file.read_text("utf-8")
        printed |= set(re.findall(r"rl-toolkit help (?:page )?([a-zA-Z_-]+)", text))
    assert len(printed) > 5
    assert printed - topics - games == set()
