"""The guide "Write a bot", step by step in an empty folder: files, commands, Python, the page."""

import doctest
import shlex

import pytest
from markdown_examples import FLAGS, blocks
from paths import ROOT
from web_requests import answer

from rl_toolkit.players.bots import engine as bot_engine
from rl_toolkit.players.bots import process as bot_process
from rl_toolkit.testing import check_engines
from rl_toolkit.web.app import create_app

GUIDE = ROOT / "docs" / "guides" / "write_a_bot.md"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for patient in (bot_process, check_engines):  # a busy machine is not the guide's fault
        monkeypatch.setattr(patient, "GRACE", 60.0)
    yield tmp_path
    bot_engine.forget_parked()
    bot_process.settle()


def words_of(mark):
    """``console exit=1`` as ``("console", {"exit": "1"})``."""
    kind, *more = mark.split()
    return kind, dict(word.partition("=")[::2] for word in more)


def matches(wanted, found):
    return doctest.OutputChecker().check_output(wanted, found, FLAGS)


def session(text, run, code, positions):
    """Run every command of a block, and compare what it writes."""
    for part in text.split("$ ")[1:]:
        command, _, wanted = part.partition("\n")
        program, *arguments = shlex.split(command)
        assert program == "rl-toolkit"
        if arguments[:2] == ["engine", "check"]:
            arguments += ["--positions", str(positions)]
            wanted = wanted.replace("200 positions", f"{positions} positions")
        ran = run(*arguments)
        assert ran.code == code, ran
        assert matches(wanted, ran.out + ran.err.partition("games, ")[0]), (wanted, ran)


def python(text, line):
    test = doctest.DocTestParser().get_doctest(text, {}, GUIDE.name, str(GUIDE), line)
    runner, printed = doctest.DocTestRunner(optionflags=FLAGS, verbose=False), []
    runner.run(test, out=printed.append)
    assert runner.failures == 0, "".join(printed)


def page(text, folder):
    """The bot of ``web --engine FILE`` is offered on the page, and plays."""
    (command,) = text.strip().splitlines()
    arguments = shlex.split(command.removeprefix("$ "))
    assert arguments[:3] == ["rl-toolkit", "web", "--engine"]
    name = arguments[3]
    client = create_app(engines=[name]).test_client()
    assert client.get("/tictactoe").status_code == 200
    offered = client.get("/api/engines?game=tictactoe").get_json()["engines"]
    assert name in [engine["name"] for engine in offered]
    assert answer(client, "/api/ai-move", engine=name)["action"] in range(9)


@pytest.mark.parametrize("positions", [8, pytest.param(200, marks=pytest.mark.full)])
def test_from_nothing_to_the_page(folder, run, positions):
    done = []
    for block in blocks(GUIDE.read_text(encoding="utf-8")):
        kind, more = words_of(block.mark)
        if "file" in more:
            (folder / more["file"]).write_text(block.text)
        elif kind == "python":
            assert more == {"in": "folder"}
            python(block.text, block.line)
        elif "web" in more:
            page(block.text, folder)
        else:
            assert kind == "console"
            session(block.text, run, int(more.get("exit", 0)), positions)
        done.append(kind)
    assert done.count("console") == 6
    assert done.count("python") == 5


def test_what_the_guide_says_of_limits_is_what_the_code_has():
    text = GUIDE.read_text(encoding="utf-8")
    from rl_toolkit.players.bots import finding
    from rl_toolkit.players.registry import engine_kind
    from rl_toolkit.utils.isolation import Limits

    options = {option.name: option for option in engine_kind("file-bot").options}
    assert f"seconds for a move | {options['time'].default:g} |" in text
    assert f"for each of its processes | {options['memory'].default} |" in text
    assert f"code must be loaded | {options['load'].default} |" in text
    limits = Limits()
    assert (limits.cpu_seconds, limits.file_mb, limits.open_files) == (3600, 16, 256)
    assert (bot_process.GRACE, bot_process.KEPT_OUTPUT >> 10) == (0.25, 64)
    for name in (*finding.METHODS, *finding.OFFERED):
        assert f"`{name}" in text
