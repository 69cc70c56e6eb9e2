"""What surrounds the pages: sections, home, and what a day brings."""

import datetime
import html
import re

import pytest

from rl_toolkit.analysis import words_for
from rl_toolkit.envs import game_families
from rl_toolkit.players.advisers import exact_player
from rl_toolkit.puzzles import shipped
from rl_toolkit.records import from_transcript
from rl_toolkit.web import create_app
from rl_toolkit.web.arena.pages import HALL
from rl_toolkit.web.site import shell

TITLES = ["Play", "Analyse", "Puzzles", "Learn", "Watch", "Compete"]


@pytest.fixture(scope="module")
def client():
    return create_app().test_client()


def sections(text):
    """The words in the head, and which of them is marked."""
    nav = text[text.index("<nav") : text.index("</nav>")]
    links = re.findall(r'<a href="([^"]+)"([^>]*)>(\w+)</a>', nav)
    return [word for _, _, word in links], [word for _, more, word in links if "current" in more]


@pytest.mark.parametrize(
    ("address", "current"),
    [
        ("/", []),
        ("/play", ["Play"]),
        ("/reversi", ["Play"]),
        ("/analyse", ["Analyse"]),
        ("/puzzles", ["Puzzles"]),
        ("/learn", ["Learn"]),
        ("/learn/theory/game_trees", ["Learn"]),
        ("/theatre/workbench", ["Learn"]),
        ("/theatre", ["Watch"]),
        ("/theatre/search", ["Watch"]),
        ("/theatre/bandits", ["Watch"]),
        ("/arena", ["Compete"]),
        ("/nothing", []),
    ],
)
def test_every_page_has_the_same_head(client, address, current):
    assert sections(client.get(address).text) == (TITLES, current)


def test_every_word_in_the_head_leads_somewhere(client):
    text = client.get("/").text
    nav = text[text.index("<nav") : text.index("</nav>")]
    for address in re.findall(r'href="([^"]+)"', nav):
        assert client.get(address).status_code == 200


def test_the_picture_of_what_this_is_says_the_truth():
    env = from_transcript(shell.IDEA_GAME, shell.IDEA_MOVES)
    found = exact_player(env).analyse(env)
    words = words_for(env, found)
    marks = {candidate.move: words.mark(candidate) for candidate in found.candidates}
    assert tuple(marks[move] for move in sorted(marks)) == shell.IDEA_MARKS


def test_each_day_has_its_position_and_all_of_them_come_round(client, monkeypatch):
    count = sum(len(family.traits.famous) for family in game_families())
    seen = []
    for day in range(count):
        monkeypatch.setattr(shell, "today", lambda day=day: day)
        text = client.get("/").text
        day_part = text[text.index("Position of the day") :]
        seen.append(re.search(r"<strong>([^<]+)</strong>", day_part)[1])
    assert len(set(seen)) == count
    assert seen[0].split() != seen[1].split()


def test_the_puzzle_of_the_day_is_the_one_of_the_puzzles_page(client):
    text = html.unescape(client.get("/").text)
    card = text[text.index("Puzzle of the day") : text.index("A lesson")]
    today = datetime.date.today().isoformat()
    asked = {"mode": "daily", "date": today}
    puzzle = client.post("/api/puzzles/next", json=asked).get_json()["puzzle"]
    assert puzzle["task"] in card
    picture = re.search(r'src="(/picture.svg[^"]+)"', card)[1]
    assert f"game={puzzle['game']}&" in picture
    assert client.get(picture).status_code == 200
    assert client.get(re.search(r'href="([^"]+)"', card)[1]).status_code == 200


def test_the_puzzle_of_the_day_names_its_board(monkeypatch, client):
    monkeypatch.setattr(shell, "daily", lambda day: shipped("tictactoe-5x5x4")[0])
    assert "(Tic-Tac-Toe 5×5×4). The same for everybody." in client.get("/").text


def test_positions_are_shown_where_they_are_and_open_for_analysis(client):
    text = client.get("/analyse").text
    links = [
        link.replace("&amp;", "&") for link in re.findall(r'href="(/[^"]+mode=analyse)"', text)
    ]
    famous = [link for link in links if "game=" in link]
    assert len(famous) == sum(len(family.traits.famous) for family in game_families())
    for link in famous:
        assert client.get(link).status_code == 200
    pictures = re.findall(r'src="(/picture.svg[^"]+)"', text)
    for picture in pictures:
        assert client.get(picture.replace("&amp;", "&")).status_code == 200
    assert "wins" not in text  # what is true of a position is not told before one has looked


def test_the_home_page_says_what_is_played_in_the_arena(monkeypatch):
    app = create_app()
    assert "No tournament is being played" in app.test_client().get("/").text
    summary = {"plan": {"game": "gomoku"}, "played": 3, "total": 12, "status": "running"}
    monkeypatch.setattr(app.extensions[HALL], "latest", lambda: summary)
    text = app.test_client().get("/").text
    assert "<strong>Gomoku</strong></a>: 3 of 12 games played, and more are under way." in text


def test_a_server_without_famous_positions_has_a_home_too(monkeypatch, client):
    monkeypatch.setattr(shell, "_famous", lambda: iter(()))
    text = client.get("/").text
    assert "Position of the day" not in text
