"""A student's folder on the page: checked when a file is saved, one check at a time."""

import json
import shutil
import threading
from pathlib import Path

import pytest
from web_lab import (
    ENDLESS,
    NO_DIAGONALS,
    RAISES,
    SOLUTION,
    SYNTAX_ERROR,
    save,
    started,
    watched,
)
from web_requests import events, post, refusal

from rl_toolkit.labs.checking.report import LabReport, TaskReport
from rl_toolkit.labs.folder.progress import read_progress
from rl_toolkit.labs.folder.student_folder import start_folder
from rl_toolkit.labs.folder.watching import FolderWatch
from rl_toolkit.labs.model.finding import lab_by_id
from rl_toolkit.labs.model.lab import LabError
from rl_toolkit.utils.installation import STATE_VARIABLE
from rl_toolkit.web import create_app
from rl_toolkit.web.learn import workspace as module
from rl_toolkit.web.learn.live import WORKSPACE
from rl_toolkit.web.learn.workspace import LOOK, MOST_PAGES, PROGRAM, Workspace

#: Seconds for what takes a moment on a quiet machine.
PATIENCE = 90


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """A folder as it is after the start; the user has started the lab."""
    place = tmp_path_factory.mktemp("course")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(STATE_VARIABLE, str(place / "state"))
        yield started(place)[0]


@pytest.fixture(autouse=True)
def _state_of_a_test(fresh, monkeypatch):
    monkeypatch.setenv(STATE_VARIABLE, str(fresh.parent / "state"))


@pytest.fixture
def command(run, fresh, monkeypatch):
    """The command line, for the user who has started the lab."""
    monkeypatch.setenv(STATE_VARIABLE, str(fresh.parent / "state"))
    return run


@pytest.fixture
def folder(fresh, tmp_path):
    return Path(shutil.copytree(fresh, tmp_path / "work"))


@pytest.fixture
def file(folder):
    return folder / "winner.py"


@pytest.fixture
def app(folder):
    return create_app(lab_folder=folder)


def until(found, condition):
    """The first state that the condition holds for."""
    seen, state = found.wait(-1, 0)
    while not condition(state):
        before = seen
        seen, state = found.wait(seen, PATIENCE)
        assert seen != before, "nothing happens any more"
    return state


def checked(found, number):
    """The state after that many checks."""
    return until(found, lambda state: state["checks"] >= number and not state["checking"])


# ------------------------------------------------------------------------ real checks


def test_what_is_saved_is_checked(app, file, folder):
    with watched(app) as found:
        first = checked(found, 1)
        assert first["tasks"][0]["status"] == "todo"
        save(file, NO_DIAGONALS)
        state = checked(found, 2)
        (task,) = state["tasks"]
        assert (task["status"], task["reached"], task["old"]) == ("wrong", 0, False)
        failure = task["failure"]
        assert failure["sentence"] == "Rows and columns are found, diagonals are not."
        assert failure["svg"].startswith("<svg")
        assert (failure["answer"], failure["printed"]) == ("None", "looking")
        assert failure["right"] in ("'X'", "'O'")
        save(file, SYNTAX_ERROR)
        state = checked(found, 3)
        assert state["problem"]["sentence"].startswith("winner.py cannot be loaded: SyntaxError")
        assert "winner.py, line" in state["problem"]["traceback"][0]
        save(file, RAISES)
        state = checked(found, 4)
        assert state["problem"] is None
        assert state["tasks"][0]["failure"]["sentence"].startswith("winner stopped with TypeError")
        assert state["tasks"][0]["failure"]["traceback"]
        save(file, SOLUTION)
        state = checked(found, 5)
        assert (state["tasks"][0]["status"], state["tasks"][0]["reached"]) == ("right", 10)
        assert state["progress"]["finished"]
        assert state["questions"][0]["model"] == ""
        save(folder / "answers.md", "## Question 1\n\nThe board has everything that matters.\n")
        state = checked(found, 6)
        assert state["questions"][0]["written"]
        assert state["questions"][0]["model"].startswith("Three in a row")
    assert read_progress(folder).checks == 6
    assert read_progress(folder).points == 10


@pytest.mark.full
def test_a_loop_without_end_is_a_sentence_and_the_page_lives_on(app, file):
    save(file, ENDLESS)
    with watched(app) as found:
        state = checked(found, 1)
        assert "Is there a loop that never ends?" in state["tasks"][0]["failure"]["sentence"]
        save(file, SOLUTION)
        assert checked(found, 2)["tasks"][0]["status"] == "right"


def test_the_students_program_plays_on_the_page_and_nothing_else_can_be_named(app, file, folder):
    client = app.test_client()
    listed = client.get("/api/engines?game=tictactoe").get_json()["engines"]
    assert PROGRAM in [engine["name"] for engine in listed]
    others = client.get("/api/engines?game=reversi").get_json()["engines"]
    assert PROGRAM not in [engine["name"] for engine in others]
    assert f"o={PROGRAM.replace(' ', '+')}" in client.get("/learn/labs/MY01").text
    save(file, SOLUTION)  # after the start: each game reads what is there
    asked = {"game": "tictactoe", "moves": "a1", "engine": PROGRAM}
    assert post(client, "/api/ai-move", asked).get_json()["action"] == 1
    save(file, SYNTAX_ERROR)
    failed = post(client, "/api/ai-move", asked)
    assert failed.status_code == 502
    assert "winner.py cannot be loaded" in failed.get_json()["error"]
    named = {**asked, "engine": f"lab:folder={folder}"}
    assert "cannot name files" in refusal(post(client, "/api/ai-move", named))


def test_a_program_that_is_out_of_order_at_the_start_can_be_repaired(folder, file):
    (folder / "names.toml").write_text("[board]\nform = 'spheres'\n")
    client = create_app(lab_folder=folder).test_client()
    asked = {"game": "tictactoe", "moves": "a1", "engine": PROGRAM}
    assert post(client, "/api/ai-move", asked).status_code == 502
    (folder / "names.toml").write_text("")
    save(file, SOLUTION)
    assert post(client, "/api/ai-move", asked).get_json()["action"] == 1


# -------------------------------------------------------------------- checks of tests


class Checks:
    """Stands for `check_folder`: begins when told to, and counts."""

    def __init__(self, tasks=2):
        self.running = self.most = self.begun = self.ended = 0
        self.tasks = tasks
        self.go = threading.Semaphore(0)
        self.began = threading.Semaphore(0)

    def __call__(self, folder, on_progress):
        self.begun += 1
        self.running += 1
        self.most = max(self.most, self.running)
        self.began.release()
        try:
            reports = []
            for number in range(1, self.tasks + 1):
                assert self.go.acquire(timeout=PATIENCE)
                reports.append(TaskReport(number, f"Task {number}", 5, "right"))
                on_progress(reports[-1])
        finally:
            self.running -= 1
        self.ended += 1
        return LabReport("MY01", "Who has won?", tuple(reports), seed=1)


@pytest.fixture
def checks(monkeypatch):
    made = Checks()
    monkeypatch.setattr(module, "check_folder", made)
    return made


def wait_for_begin(checks):
    assert checks.began.acquire(timeout=PATIENCE)


def test_a_save_ends_the_check_that_it_overtakes(app, file, checks):
    with watched(app) as found:
        wait_for_begin(checks)
        save(file, SOLUTION)
        checks.go.release()  # its first task: here it notices
        wait_for_begin(checks)
        checks.go.release(2)
        state = checked(found, 1)
        assert (checks.begun, checks.ended, checks.most) == (2, 1, 1)
        assert all(task["status"] == "right" for task in state["tasks"])


def test_one_check_at_a_time_however_often_it_is_asked_for(app, checks):
    client = app.test_client()
    with watched(app) as found:
        wait_for_begin(checks)
        for _ in range(20):
            assert post(client, "/api/lab/check", {}).get_json() == {"checking": True}
        checks.go.release(4)
        checked(found, 2)
        wait_for_begin(checks)
        assert not checks.began.acquire(timeout=4 * LOOK)  # twenty requests are one
        assert checks.most == 1


def test_each_task_is_shown_as_soon_as_it_is_checked(folder, checks, monkeypatch):
    found = Workspace(folder)
    monkeypatch.setattr(found, "_state", {**found._state, "tasks": [
        {**found._state["tasks"][0], "number": number, "status": "todo"} for number in (1, 2)
    ]})  # fmt: skip
    found.start()
    wait_for_begin(checks)
    checks.go.release()
    state = until(found, lambda state: state["tasks"][0]["status"] == "right")
    assert [task["old"] for task in state["tasks"]] == [False, True]
    assert state["checking"]
    checks.go.release()
    assert not checked(found, 1)["checking"]
    found.close()


@pytest.mark.parametrize(("error", "sentence"), [
    (LabError("there is no folder work"), "there is no folder work"),
    (PermissionError(13, "Permission denied"), "The folder cannot be read: Permission denied."),
    (RuntimeError("oops"), "The check itself failed; the terminal says why."),
])  # fmt: skip
def test_whatever_a_check_does_the_page_lives_on(app, checks, monkeypatch, error, sentence):
    def failing(folder, on_progress):
        raise error

    monkeypatch.setattr(module, "check_folder", failing)
    with watched(app) as found:
        state = until(found, lambda state: state["problem"])
        assert state["problem"]["sentence"].startswith(sentence)
        assert not state["checking"]
        monkeypatch.setattr(module, "check_folder", checks)
        checks.go.release(2)
        found.check_again()
        assert checked(found, 1)["problem"] is None


def test_progress_that_cannot_be_written_is_said(app, checks, monkeypatch):
    def full(folder, progress):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_progress", full)
    checks.go.release(2)
    with watched(app) as found:
        said = checked(found, 1)["kept"]
    assert said == "The progress could not be kept: No space left on device."


# ---------------------------------------------------------------------------- requests


def test_hints_are_given_one_by_one_and_counted_as_in_the_terminal(app, folder, command):
    client = app.test_client()
    lab = app.extensions[WORKSPACE].lab
    for number in (1, 2):
        given = post(client, "/api/lab/hint", task=1).get_json()["hints"]
        assert given == list(lab.tasks[0].hints[:number])
    assert "hint 3 of 3" in command("lab", "hint", "1", "--folder", str(folder)).out
    assert len(post(client, "/api/lab/hint", task=1).get_json()["hints"]) == 3
    assert dict(read_progress(folder).hints) == {1: 3}


@pytest.mark.parametrize(("body", "words"), [
    ({"task": 2}, "has no task 2"), ({}, "task is missing"), ({"task": "1"}, "task"),
    ({"task": 1, "folder": "/"}, "folder"), ({"task": 10**9}, "task"),
])  # fmt: skip
def test_a_hint_that_there_is_not_changes_nothing(app, folder, body, words):
    assert words in refusal(post(app.test_client(), "/api/lab/hint", body))
    assert dict(read_progress(folder).hints) == {}


def test_the_stream_begins_with_the_state_and_tells_of_changes(app):
    client = app.test_client()
    response = post(client, "/api/lab/events", {})
    parts = response.iter_encoded()
    ((name, state),) = events(next(parts).decode())
    assert name == "state"
    assert state["tasks"][0]["title"] == "Three in a row"
    post(client, "/api/lab/hint", task=1)
    ((name, state),) = events(next(parts).decode())
    assert len(state["hints"]["1"]) == 1
    response.close()


def test_pages_that_watch_are_counted_and_leave(app):
    client = app.test_client()
    watching = [post(client, "/api/lab/events", {}) for _ in range(MOST_PAGES)]
    assert "too many pages" in refusal(post(client, "/api/lab/events", {}))
    next(watching[0].iter_encoded())
    for response in watching[:2]:  # one that has begun, one that has not
        response.close()
    again = [post(client, "/api/lab/events", {}) for _ in range(2)]
    assert [response.status_code for response in again] == [200, 200]
    assert post(client, "/api/lab/events", {}).status_code == 429
    for response in (*watching, *again):
        response.close()


@pytest.mark.parametrize("address", ["/api/lab/events", "/api/lab/check", "/api/lab/hint"])
def test_requests_are_refused_where_they_do_not_belong(app, address):
    client, bare = app.test_client(), create_app().test_client()
    said = post(bare, address, {})
    assert said.status_code == 404
    assert "rl-toolkit lab web DIR" in refusal(said)
    assert post(client, address, {"path": "/etc/passwd"}).status_code == 400
    assert client.post(address, data="{}").status_code == 415  # a form of another site
    assert client.get(address).status_code == 405
    foreign = client.post(address, json={}, headers={"Host": "evil.example"})
    assert foreign.status_code == 421


def test_a_folder_without_a_lab_is_refused(tmp_path, run):
    with pytest.raises(LabError, match="not the folder of a lab"):
        create_app(lab_folder=tmp_path)
    ran = run("lab", "web", str(tmp_path))
    assert ran.code == 2
    assert "not the folder of a lab" in ran.err


def test_the_command_serves_the_sheet_to_this_machine_only(folder, command, monkeypatch):
    from rl_toolkit.web import server

    called = {}
    monkeypatch.setattr(server, "serve", lambda host, port, **how: called.update(how, host=host))
    assert command("lab", "web", str(folder), "--port", "0").code == 0
    assert called["host"] == "127.0.0.1"
    assert called["page"] == "learn/labs/MY01"
    assert called["lab_folder"] == folder
    assert "--host" not in command("lab", "web", "--help").out


def test_a_lab_without_a_player_has_no_button(tmp_path):
    start_folder(lab_by_id("L01"), tmp_path / "L01")
    app = create_app(lab_folder=tmp_path / "L01")
    text = app.test_client().get("/learn/labs/L01").text
    assert "Check again" in text
    assert "Play my program" not in text
    assert app.extensions[WORKSPACE].engine is None


# ---------------------------------------------------------------------------- watching


def test_contents_count_and_not_dates(tmp_path):
    watch = FolderWatch(tmp_path)
    assert watch.changed()
    assert not watch.changed()
    code = tmp_path / "a.py"
    code.write_text("x = 1")
    assert watch.changed()
    code.touch()
    code.write_text("x = 1")
    assert not watch.changed()
    code.write_text("x = 2")
    assert watch.changed()
    code.rename(tmp_path / "b.py")
    assert watch.changed()
    (tmp_path / "b.py").unlink()
    assert watch.changed()


@pytest.mark.parametrize("name", [".lab/progress.json", "__pycache__/a.py", "a.pyc", ".a.py.swp",
                                  ".venv/lib/a.py"])  # fmt: skip
def test_files_that_are_not_the_students_are_not_watched(tmp_path, name):
    watch = FolderWatch(tmp_path)
    watch.changed()
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({}))
    assert not watch.changed()
