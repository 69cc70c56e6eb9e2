"""`rl-toolkit gtp`, `gomocup`, `nboard` and `service`: the servers on stdin and stdout."""

import json

import pytest

from rl_toolkit import __version__


def test_gtp_plays_on_stdin_and_stdout(run):
    ran = run(
        "gtp", "connect-four", "--engine", "first", stdin="name\nversion\n3 genmove b\nquit\n"
    )
    assert ran == (0, f"= rl-toolkit\n\n= {__version__}\n\n=3 A1\n\n=\n\n", "")


def test_gtp_plays_the_usual_level_unless_told_otherwise(run):
    moves = "play b a1\nplay w a2\nplay b b1\nplay w a3\nplay b c1\ngenmove w\n"
    assert run("gtp", "connect-four", stdin=moves).out.split() == ["="] * 6 + ["D1"]


def test_gtp_has_the_name_of_a_bot(run, tmp_path):
    bot = tmp_path / "my_bot.py"
    bot.write_text("def choose(env): return env.get_legal_moves()[0]")
    ran = run("gtp", "tictactoe", "--engine", f"{bot}:choose", stdin="name\n")
    assert ran.out == "= my_bot.py\n\n"


def test_gomocup_plays_on_stdin_and_stdout(run):
    ran = run("gomocup", "--engine", "first", stdin="START 15\nBEGIN\nEND\n")
    assert ran == (0, "OK\n0,14\n", "")


def test_nboard_plays_on_stdin_and_stdout(run):
    ran = run("nboard", "--engine", "first", stdin="nboard 2\nping 1\nquit\n")
    assert ran == (0, "set myname rl-toolkit\npong 1\n", "")


def test_the_service_answers_on_stdout(run):
    queries = [
        {"id": "a", "game": "tictactoe", "position": "xx1/oo1/3 x"},
        {
            "id": "b",
            "game": "connect-four",
            "moves": ["d"],
            "engine": "first",
            "limit": {"nodes": 5},
        },
        {"id": "c", "game": "connect-four", "engine": "easy"},
        {"id": "v", "action": "query_version"},
    ]
    ran = run("service", "--workers", "2", stdin="\n".join(map(json.dumps, queries)))
    answers = {each["id"]: each for each in map(json.loads, ran.out.splitlines())}
    assert ran.code == 0, ran.err
    assert (answers["a"]["best"], answers["a"]["proven"]) == (2, True)
    assert answers["b"]["engine"] == "first"
    assert answers["c"]["game"] == "connect-four"
    assert answers["v"]["version"] == f"rl-toolkit {__version__}"


@pytest.mark.parametrize(
    "spec",
    [
        "gtp:cmd=touch {}",
        "gomocup:cmd=touch {}",
        "nboard:cmd=touch {}",
        "{}.py",
        "{}.py:choose",
        "alphazero:weights={}",
        "reversi:weights={}",
        "file-bot:file={}",
    ],
)
def test_a_query_cannot_name_files_or_programs(run, tmp_path, spec):
    target = tmp_path / "touched"
    query = {"id": "a", "game": "reversi", "engine": spec.format(target)}
    (answer,) = map(json.loads, run("service", stdin=json.dumps(query)).out.splitlines())
    assert "cannot name files or programs" in answer["error"]
    assert not target.exists()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["gtp", "reversi", "--engine", "hrad"], "did you mean hard?"),
        (["gtp", "chess"], "there is no game 'chess'"),
        (["gtp", "tictactoe-26x26x5"], "no letters for 26 columns"),
        (["gomocup", "--engine", "exact"], "exact does not play gomoku-15"),
        (["nboard", "--engine", "gomocup:cmd=sh"], "gomocup does not play reversi-8"),
        (["nboard", "--time", "0"], "--time must be a number"),
        (["service", "--engine", "mcst"], "did you mean mcts?"),
        (["service", "--workers", "0"], "--workers must be a whole number"),
    ],
)
def test_mistakes_are_usage_errors(run, arguments, problem):
    ran = run(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err
    assert "Traceback" not in ran.err


def test_engines_explain_their_options(run):
    ran = run("engines", "gtp")
    assert "cmd" in ran.out
    assert "patience" in ran.out
