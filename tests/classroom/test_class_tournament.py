"""The tournament of a class: who enters, what is kept, what pages say, and former players."""

import re

import pytest
from lab_class import SOLUTION

from rl_toolkit.arena.tournaments import lost_games
from rl_toolkit.classroom import ClassError, ClassFolder, forget, grade, plan_tournament
from rl_toolkit.classroom.entrants import KEPT
from rl_toolkit.labs.grading import job_key
from rl_toolkit.utils.executors import InProcess

ROSTER = """id,name,email,group
1007,Ada Lovelace,ada@example.org,
1012,Bob Noyce,bob@example.org,
1013,Carl Crash,carl@example.org,
1014,Mallory M,mal@example.org,
1015,Sloth Slow,slow@example.org,
"""
BOTS = {
    "1007.py": "def choose(env):\n    return env.get_legal_moves()[0]\n",
    "Bob Noyce.py": "def choose(env):\n    return env.get_legal_moves()[-1]\n",
    "carl.py": "def choose(env):\n    return 1 // 0\n",
}
#: It looks for the code of its rivals and for the games, and ends the process that asks it.
HOSTILE = """import os, pathlib, signal

HERE = pathlib.Path(__file__).resolve()
SEEN = [str(p) for p in HERE.parents[2].rglob("*") if p.is_file() and p != HERE]

def choose(env):
    if SEEN:
        raise RuntimeError("saw " + SEEN[0])
    try:
        HERE.write_text("changed")
    except OSError:
        pass
    os.kill(os.getpid(), signal.SIGKILL)
"""
SLOW = "import time\n\ndef choose(env):\n    time.sleep(3600)\n"


@pytest.fixture
def place(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    assert run("class", "new", "c", "--lab", "L05").code == 0
    (tmp_path / "c" / "roster.csv").write_text(ROSTER)
    (tmp_path / "c" / "bots").mkdir()
    for name, text in BOTS.items():
        (tmp_path / "c" / "bots" / name).write_text(text)
    return tmp_path / "c"


def played(place, **options):
    plan = plan_tournament(ClassFolder(place), None, **{"games": 2, "others": (), **options})
    return plan, plan.play(InProcess())


def points(plan, result):
    return {plan.names[row.name]: (row.points, row.games) for row in result.standings()}


def test_the_command_plays_writes_pages_and_resumes(place, run):
    (place / "bots" / "nobody.py").write_text("def choose(env):\n    return 0\n")
    first = run("class", "tournament", "c", "--games", "2", "--with", "random", "--workers", "1")
    assert first.code == 0, first
    said = " ".join(first.err.split())
    assert said.count("Sandbox: ") == 1  # one line says which kind is in force
    assert "bots/nobody.py does not play: nobody is nobody's name on the roster" in said
    assert "Carl Crash raised ZeroDivisionError" in said
    assert "(carl.py, line 2)" in said  # the file of the student, not ours
    reports = place / "reports" / "tournament"
    board = (reports / "board.html").read_text("utf-8")
    assert "the tournament is over" in board
    assert 'http-equiv="refresh"' not in board
    (carl,) = (reports / "players").glob("carl-crash-*.html")
    assert "It raised ZeroDivisionError" in carl.read_text("utf-8")
    (ada,) = (reports / "players").glob("ada-lovelace-*.html")
    index = (reports / "index.html").read_text("utf-8")
    assert f'href="players/{ada.name}"' in index
    for page in (board, index, ada.read_text("utf-8")):
        assert str(place) not in page  # no path of this machine
        assert "<script" not in page
    # Nothing is played again, and what is kept has no name in it.
    journal = place / ".class" / KEPT / "tictactoe.jsonl"
    kept = journal.read_text("utf-8")
    assert not re.search("ada|bob|1007|lovelace", kept, re.IGNORECASE)
    again = run("class", "tournament", "c", "--games", "2", "--with", "random", "--workers", "1")
    assert again.code == 0
    assert journal.read_text("utf-8") == kept
    assert again.out == first.out


def test_a_link_among_bots_is_not_followed(place, tmp_path):
    (tmp_path / "secret.py").write_text("SECRET = 1\n" + BOTS["1007.py"])
    (place / "bots" / "slow.py").symlink_to(tmp_path / "secret.py")
    (place / "bots" / "mal").mkdir()
    (place / "bots" / "mal" / "bot.py").write_text(BOTS["1007.py"])
    (place / "bots" / "mal" / "helper.py").symlink_to(tmp_path / "secret.py")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "bot.py").write_text("SECRET = 1\n" + BOTS["1007.py"])
    (place / "bots" / "1012").symlink_to(tmp_path / "elsewhere")
    (place / "bots" / "1013").mkdir()
    plan = plan_tournament(ClassFolder(place), None, games=2, others=())
    assert plan.absent == {
        "bots/1012": "it cannot be read: 1012 is a link",
        "bots/1013": "it cannot be read: there is no bot.py in it",
        "bots/mal": "it cannot be read: helper.py is a link",
        "bots/slow.py": "it cannot be read: slow.py is a link",
    }
    kept = (place / ".class" / KEPT).rglob("*.py")
    assert not any("SECRET" in path.read_text("utf-8") for path in kept)


def test_the_name_of_a_folder_may_have_dots(place):
    (place / "roster.csv").write_text(ROSTER + "1016,Jo R. Hill,jo@example.org,\n")
    (place / "bots" / "Jo R. Hill").mkdir()
    (place / "bots" / "Jo R. Hill" / "bot.py").write_text(BOTS["1007.py"])
    plan = plan_tournament(ClassFolder(place), None, games=2, others=())
    assert not plan.absent
    assert "Jo R. Hill" in [bot.name for bot in plan.bots]
    gone = forget(ClassFolder(place), "1016")
    assert "bots/Jo R. Hill still holds their work: remove it." in gone.left


def test_only_the_bot_that_changed_plays_again(place):
    _, before = played(place)
    journal = place / ".class" / KEPT / "tictactoe.jsonl"
    lines = len(journal.read_text("utf-8").splitlines())
    (place / "bots" / "1007.py").write_text(BOTS["Bob Noyce.py"] + "# another one\n")
    plan, after = played(place)
    assert before.games == after.games == 6
    # Ada's two pairings only; that of the others counts as it was.
    assert len(journal.read_text("utf-8").splitlines()) == lines + 2
    assert set(points(plan, after)) == {"Ada Lovelace", "Bob Noyce", "Carl Crash"}


def test_hostile_and_slow_bots_lose_and_harm_nobody(place, monkeypatch):
    monkeypatch.setattr("rl_toolkit.classroom.entrants.MOVE_SECONDS", 0.2)
    for name in ("carl.py", "Bob Noyce.py"):
        (place / "bots" / name).unlink()
    (place / "bots" / "mal.py").write_text(HOSTILE)
    (place / "bots" / "slow.py").write_text(SLOW)
    plan, result = played(place)
    table = points(plan, result)
    assert table["Ada Lovelace"][1] == 4  # all of her games were played
    # One that sleeps has had the processor it needs, so it loses; so does one that ends itself.
    assert table["Mallory M"][0] + table["Sloth Slow"][0] == 2  # against each other
    reasons = {plan.names[each.player]: each.forfeit.reason for each in result.forfeits()}
    assert "saw" not in reasons["Mallory M"]
    assert "did not answer within 0.2 s" in reasons["Sloth Slow"]
    assert (place / "bots" / "mal.py").read_text() == HOSTILE
    code = [p.read_text() for p in (place / ".class" / KEPT / "bots").rglob("*.py")]
    assert sorted(code) == sorted([BOTS["1007.py"], HOSTILE, SLOW])


def test_games_of_a_forgotten_student_stay_under_former_player(place):
    plan, result = played(place)
    before = points(plan, result)
    (place / "reports" / "tournament").mkdir(parents=True)
    gone = forget(ClassFolder(place), "Ada Lovelace")
    assert "bots/1007.py still holds their work: remove it." in gone.left
    assert not (place / "reports" / "tournament").exists()  # its pages had the name
    texts = [p.read_bytes() for p in (place / ".class").rglob("*") if p.is_file()]
    assert not any(b"Lovelace" in text or b"get_legal_moves()[0]" in text for text in texts)
    plan, after = played(place)
    assert "bots/1007.py" in plan.absent  # the file does not bring the student back
    table = points(plan, after)
    assert set(table) == {"former player", "Bob Noyce", "Carl Crash"}
    assert table == {
        "former player" if name == "Ada Lovelace" else name: row for name, row in before.items()
    }
    assert after.complete
    assert after.games == 6


def test_players_of_labs_enter_once_and_a_file_takes_their_place(place, monkeypatch):
    def check_nothing(labs, known, *others):
        known |= {job_key(each): {"report": None, "problem": ""} for each in labs}

    monkeypatch.setattr("rl_toolkit.classroom.grading.check_all", check_nothing)
    for name in ("ada", "bob"):
        (place / "submissions" / name).mkdir(parents=True)
        (place / "submissions" / name / "minimax.py").write_text(SOLUTION)
    (place / "bots" / "1007.py").unlink()
    the_class = ClassFolder(place)
    plan = plan_tournament(the_class, grade(the_class, seed=7), games=2, others=())
    specs = {bot.name: bot.spec for bot in plan.bots}
    assert specs.keys() == {"Ada Lovelace", "Bob Noyce", "Carl Crash"}
    assert specs["Ada Lovelace"].startswith("lab:folder=")
    assert not specs["Bob Noyce"].startswith("lab:")  # his file
    result = plan.play(InProcess())
    table = points(plan, result)
    assert table["Ada Lovelace"] == max(table.values())
    assert not any(each.player == specs["Ada Lovelace"] for each in result.forfeits())
    # Forgotten, the player of a lab keeps its games too.
    forget(the_class, "1007")
    again = plan_tournament(ClassFolder(place), None, games=2, others=())
    assert points(again, again.play(InProcess()))["former player"] == table["Ada Lovelace"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--game", "connect-four"], ""),
        (["--games", "3"], "games must be even"),
        (["--rounds", "2"], "only a Swiss tournament has a number of rounds"),
        (["--schedule", "swiss", "--rounds", "9"], "everyone has met everyone"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(place, run, arguments, words):
    for path in (place / "bots").iterdir():
        path.unlink()
    (place / "bots" / "ada.py").write_text(BOTS["1007.py"])
    if not words:
        (place / "bots" / "ada.py").write_text("GAMES = ['tictactoe']\n" + BOTS["1007.py"])
        words = "there is no bot for connect-four"
    ran = run("class", "tournament", "c", *arguments)
    assert ran.code == 1
    assert words in " ".join(ran.err.split())
    assert "Traceback" not in ran.err


def test_the_page_has_the_bots_and_a_port(place, run, monkeypatch):
    asked = {}

    def serve(**options):
        asked.update(options)
        raise OSError(98, "Address already in use")

    monkeypatch.setattr("rl_toolkit.web.serve", serve)
    ran = run("class", "tournament", "c", "--page", "--port", "5999")
    assert ran.code == 1
    assert "cannot listen on port 5999: Address already in use; --port 0 takes" in ran.err
    assert asked["port"] == 5999
    assert [each.partition("=")[0] for each in asked["engines"]] == [
        "Ada Lovelace",
        "Bob Noyce",
        "Carl Crash",
    ]
    assert asked["page"] == "arena?game=tictactoe"


def test_a_class_with_labs_of_two_games_must_name_one(place):
    text = (place / "class.toml").read_text() + '\n[[lab]]\nid = "L13"\n'
    (place / "class.toml").write_text(text)
    with pytest.raises(ClassError, match="--game"):
        plan_tournament(ClassFolder(place), None)


def test_who_beat_whom_and_how(place):
    plan, result = played(place, others=("perfect",))
    lost = lost_games(result)
    names = plan.names
    for player, games in lost.items():
        row = next(row for row in result.standings() if row.name == player)
        assert len(games) == row.lost
        assert [each.verdict == "forfeit" for each in games] == sorted(
            each.verdict == "forfeit" for each in games
        )
        if names[player] == "perfect":
            assert not games
    ada = next(text for text, name in names.items() if name == "Ada Lovelace")
    by_move = [each for each in lost[ada] if each.verdict == "turn"]
    assert by_move
    assert all("which loses" in each.sentence for each in by_move)
