"""Openings: files in every format, balanced ones, the shipped sets, the command."""

import json
from types import SimpleNamespace

import pytest

from rl_toolkit.analysis import Candidate, Limit
from rl_toolkit.arena.matches import Match, Openings, play_match
from rl_toolkit.arena.runs.journal import JournalError
from rl_toolkit.arena.runs.openings import balancing as balances
from rl_toolkit.arena.runs.openings import drawing
from rl_toolkit.arena.runs.openings.balancing import NODES, balance
from rl_toolkit.arena.runs.openings.choice import chosen_openings
from rl_toolkit.arena.runs.openings.drawing import draw_balanced
from rl_toolkit.arena.runs.openings.files import (
    OpeningsError,
    opening_text,
    openings_text,
    read_openings,
)
from rl_toolkit.arena.runs.openings.opening import Opening, OpeningList
from rl_toolkit.arena.runs.openings.shipped import shipped_games, shipped_openings
from rl_toolkit.arena.samples import canonical
from rl_toolkit.arena.tournaments.plan import Tournament
from rl_toolkit.arena.tournaments.playing import play_tournament
from rl_toolkit.envs import make_game
from rl_toolkit.players import make_player
from rl_toolkit.players.advisers import exact_player, prover
from rl_toolkit.records import GameRecord, from_transcript, read_games, read_position, write_games

# ------------------------------------------------------------------- shipped sets


@pytest.mark.parametrize("game", shipped_games())
def test_every_shipped_opening_is_balanced_by_the_exact_engine_where_there_is_one(game):
    listed = shipped_openings(game)
    positions = [opening.position(game) for opening in listed.openings]
    assert len({canonical(env) for env in positions}) == len(listed) >= 16
    for env in positions:
        assert not env.is_terminal()
        assert not env.winning_moves(1)
        assert not env.winning_moves(-1)
        if exact_player(env) is not None:
            found = balance(env)
            assert found.proven
            assert found.balanced
            assert found.value == 0.0


def test_every_game_of_the_courses_has_shipped_openings():
    expected = {"tictactoe", "connect-four", "reversi-8", "reversi-6", "gomoku-9", "gomoku-15"}
    assert expected <= set(shipped_games())
    with pytest.raises(ValueError, match="no shipped openings of tictactoe-4x4x4; these games"):
        shipped_openings("tictactoe-4")


@pytest.mark.full
@pytest.mark.parametrize("game", sorted(set(shipped_games()) - {"tictactoe", "connect-four"}))
def test_no_shipped_opening_is_decided_where_balance_is_an_estimate(game):
    """Estimates change with the weights of an engine; a proof, or a sure win, would not be open."""
    for opening in shipped_openings(game).openings:
        env = opening.position(game)
        found = make_player(game, prover(env).spec, seed=0).analyse(env, Limit(nodes=NODES))
        assert not found.proven
        assert abs(found.value) < 0.9


# ---------------------------------------------------------------- balanced openings


def test_balanced_openings_are_drawn_by_seed_without_mirror_images():
    some = draw_balanced("connect-four", 6, 6, seed=3)
    assert some == draw_balanced("connect-four", 6, 6, seed=3)
    assert some[:2] == draw_balanced("connect-four", 6, 2, seed=3)
    assert some != draw_balanced("connect-four", 6, 6, seed=4)
    match = Match("connect-four", ("random", "first"), 6, 6, seed=3, balanced=True)
    openings = Openings(match)
    assert [openings[pair] for pair in range(6)] == some
    positions = [opening.position("connect-four") for opening in some]
    assert len({canonical(env) for env in positions}) == 6
    for env in positions:
        assert len(env.history) == 6
        assert balance(env).value == 0.0


def test_tictactoe_has_five_balanced_openings_of_two_moves(monkeypatch):
    monkeypatch.setattr(drawing, "_KNOWN_TRIES", 150)
    found = draw_balanced("tictactoe", 2, 100)
    drawn = {canonical(opening.position("tictactoe")) for opening in found}
    every = {}
    for one in range(9):
        for two in set(range(9)) - {one}:
            env = make_game("tictactoe")
            env.step(one)
            env.step(two)
            every[canonical(env)] = env
    assert drawn == {key for key, env in every.items() if balance(env).balanced}
    assert len(found) == 5
    openings = Openings(Match("tictactoe", ("random", "first"), 12, 2, balanced=True))
    assert [openings[n] for n in range(12)] == [*found, *found, *found[:2]]  # then they repeat


def test_a_position_with_an_only_move_is_not_balanced(monkeypatch):
    corner = read_position("tictactoe", "a1")  # drawn, and only the centre holds it
    found = balance(corner)
    assert (found.value, found.moves, found.balanced) == (0.0, 1, False)
    lost = balance(read_position("tictactoe", "a1 b1"))
    assert (lost.value, lost.balanced) == (1.0, False)
    monkeypatch.setattr(drawing, "_BALANCED_TRIES", 20)
    with pytest.raises(ValueError, match="no balanced opening of 8 moves of tictactoe"):
        draw_balanced("tictactoe", 8, 1)


def test_where_nothing_is_proven_an_estimate_near_zero_counts(monkeypatch):
    monkeypatch.setattr(balances, "NODES", 500)
    monkeypatch.setattr(balances, "FIRST_NODES", 100)
    won = balance(read_position("gomoku-9", "e5 a1 e6 b1 e7 a9"))
    assert not won.balanced
    assert not won.proven
    assert won.value > 0.5
    even = balance(shipped_openings("reversi-8")[0].position("reversi-8"))
    assert (even.proven, even.by) == (False, "reversi")


@pytest.mark.parametrize(
    ("first", "second", "asked", "is_balanced"),
    [(0.3, 0.15, 3, True), (0.3, 0.16, 2, False), (0.31, 0.0, 1, False), (-0.2, -0.1, 3, True)],
)
def test_a_first_look_is_rough_and_the_second_decides(
    monkeypatch, first, second, asked, is_balanced
):
    """Values of the first search, of the second, and how many searches there are."""
    limits = []

    class Judge:
        def analyse(self, env, limit):
            limits.append(limit.nodes)
            values = (second, 0.3, -0.3, 0.31)
            found = [Candidate(n, str(n), value) for n, value in enumerate(values)]
            value = first if limit.nodes == balances.FIRST_NODES else second
            return SimpleNamespace(value=value, candidates=found)

    monkeypatch.setattr(balances, "_fresh", lambda spec, env: Judge())
    found = balance(make_game("gomoku-9"))
    assert limits == [balances.FIRST_NODES, NODES, NODES][:asked]
    assert (found.balanced, found.moves) == (is_balanced, 3 if is_balanced else 0)


# ------------------------------------------------------------------------- files


def test_lines_of_moves_rows_and_obf_are_read(tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("# a comment\n\n4453\n44 3\n")
    listed = read_openings(file, "connect-four")
    assert [opening.moves for opening in listed.openings] == [(3, 3, 4, 2), (3, 3, 2)]
    file.write_text(
        "d3c5\n---------------------------OX------XO--------------------------- X; F5:+0;"
    )
    listed = read_openings(file, "reversi")
    assert [len(opening.moves) for opening in listed.openings] == [2, 0]
    assert listed[1].start == ""
    obf = "-------------------X-------XX------XO--------------------------- O;"
    file.write_text(obf)
    set_up = read_openings(file, "reversi")[0]
    assert set_up.moves == ()
    assert set_up.position("reversi").current_player == -1


@pytest.mark.parametrize("suffix", [".sgf", ".jsonl", ".ggf"])
def test_files_of_games_give_their_first_moves(tmp_path, suffix):
    games = [from_transcript("reversi", text) for text in ("f5d6c3d3c4", "f5f6e6f4", "c4e3f6e6f5")]
    file = tmp_path / f"games{suffix}"
    write_games(file, [GameRecord.from_env(env) for env in games])
    listed = read_openings(file, "reversi", 2)
    # The last one is a mirror image of the first.
    assert [each.moves for each in listed.openings] == [tuple(e.history[:2]) for e in games[:2]]
    assert [len(each.moves) for each in read_openings(file, "reversi").openings] == [5, 4]


def test_written_openings_are_read_back(tmp_path):
    file = tmp_path / "openings.txt"
    openings = list(shipped_openings("connect-four").openings[:5])
    openings.append(Opening((), "7/7/7/7/7/2xo3 x"))
    file.write_text(openings_text("connect-four", openings, "five and a position"))
    back = read_openings(file, "connect-four")
    assert [opening_text("connect-four", each) for each in back.openings] == [
        opening_text("connect-four", each) for each in openings
    ]
    assert back.digest == OpeningList("x", openings).digest


BAD = {
    "another game": ("# game: reversi-8\nf5d6\n", "these are openings of reversi-8, not of"),
    "another size": ("# game: connect-four-5x5x4\n44\n", "openings of connect-four-5x5x4, not of"),
    "an illegal move": ("44\n4444444\n", "line 2: .*move 7"),
    "not a move": ("44\nhello there\n", "line 2: "),
    "over": ("44\n1213141\n", "line 2: the game is over"),
    "nothing": ("# nothing\n", "has no openings"),
    "not a text": (b"\xff\xfe\x00\x81", "neither a text nor a file of games"),
}


@pytest.mark.parametrize("wrong", BAD)
def test_a_file_that_cannot_be_used_is_refused_before_play(run, tmp_path, wrong):
    text, message = BAD[wrong]
    file, saved = tmp_path / "openings.txt", tmp_path / "games.jsonl"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(OpeningsError, match=message) as caught:
        read_openings(file, "connect-four")
    assert str(caught.value).startswith("openings.txt")
    ran = run(
        "match", "connect-four", "random", "first", "--openings", str(file), "--save", str(saved)
    )
    assert ran.code == 2
    assert ran.err.count("Error: ") == 1
    assert not saved.exists()


def test_comments_may_say_anything_and_name_the_game_without_its_size(tmp_path):
    file = tmp_path / "openings.txt"
    for head in ("# from my best game: nice", "# game: reversi", "# game: reversi-8", "#game"):
        file.write_text(f"{head}\nf5d6\n")
        assert len(read_openings(file, "reversi").openings) == 1


def test_games_of_another_game_or_size_are_refused(tmp_path):
    file = tmp_path / "games.jsonl"
    write_games(file, [GameRecord("reversi-6", ()), GameRecord("reversi-6", ())])
    with pytest.raises(OpeningsError, match="game of reversi-6, not of reversi-8"):
        read_openings(file, "reversi")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("random:x", "openings are auto, random:K, start"),
        ("no-such-file.sgf", "openings are auto, random:K, start"),
        ("balanced:1000", "openings are auto, random:K, start"),
    ],
)
def test_words_that_name_no_openings_are_refused(text, message):
    with pytest.raises(ValueError, match=message):
        chosen_openings(text, "connect-four")
    with pytest.raises(ValueError, match="--opening-plies is for the games of a file"):
        chosen_openings("balanced", "connect-four", 3)


# ------------------------------------------------------------------------ matches


def test_a_match_plays_the_openings_of_a_list_and_its_file_belongs_to_them(tmp_path):
    saved = tmp_path / "match.jsonl"
    listed = OpeningList("three", [Opening((4,)), Opening((0, 1)), Opening((), "x2/1o1/3 x")])
    plan = Match("tictactoe", ("random", "greedy"), 4, openings=listed)
    result = play_match(plan, save=saved)
    begun = [(game.start, game.opening) for game in result.games]
    expected = [("", (4,)), ("", (0, 1)), ("x2/1o1/3 x", ()), ("", (4,))]
    assert begun == [each for each in expected for _ in range(2)]
    assert play_match(plan, save=saved).games == result.games
    assert [game.record(plan) for game in result.games][4].start == "x2/1o1/3 x"
    records = read_games(saved)
    assert [record.start for record in records][3:7] == ["", "x2/1o1/3 x", "x2/1o1/3 x", ""]
    assert [r.moves for r in records] == [g.record(plan).moves for g in result.games]
    head = json.loads(saved.read_text().splitlines()[0])
    assert head["openings"] == {"name": "three", "count": 3, "digest": listed.digest}
    other = OpeningList("three", listed.openings[:2])
    with pytest.raises(JournalError, match="belongs to a different run"):
        play_match(Match("tictactoe", ("random", "greedy"), 4, openings=other), save=saved)
    with pytest.raises(ValueError, match="random moves or those of a list, not both"):
        Match("tictactoe", ("random", "greedy"), 4, random_plies=2, openings=listed)


def test_a_tournament_plays_them_too(tmp_path):
    listed = shipped_openings("tictactoe")
    plan = Tournament("tictactoe", ("random", "greedy", "first"), 4, openings=listed)
    saved = tmp_path / "games.jsonl"
    result = play_tournament(plan, save=saved)
    openings = {game.opening for match in result.matches for game in match.games}
    assert openings == {listed[0].moves, listed[1].moves}
    assert play_tournament(plan, save=saved).games == 12


# -------------------------------------------------------------------- the command


def test_openings_are_made_and_shown(run, tmp_path, monkeypatch):
    monkeypatch.setattr(drawing, "_KNOWN_TRIES", 150)
    file = tmp_path / "openings.txt"
    ran = run("openings", "make", "tictactoe", "--plies", "2", "--save", str(file))
    assert ran.code == 0
    assert "no more than 5 that are not mirror images" in " ".join(ran.err.split())
    ran = run("openings", "show", "tictactoe", str(file), "--check", "--json")
    told = json.loads(ran.out)
    assert (told["count"], told["name"]) == (5, "openings.txt")
    assert all(each["balanced"] and each["proven"] for each in told["openings"])
    ran = run("openings", "show", "tictactoe", str(file), "--check")
    assert "5 of 5 are balanced (proven)" in ran.out
    ran = run("openings", "show", "connect-four", "--boards")
    assert ran.out.count("a b c d e f g") == len(shipped_openings("connect-four"))
    made = run("openings", "make", "tictactoe", "--plies", "1")
    assert made.out.splitlines()[0] == "# game: tictactoe"
    assert run("openings", "show", "tictactoe", "random:3").code == 2


def test_a_match_with_clock_openings_and_adjudication_from_the_command_line(run):
    words = ("match", "tictactoe", "random", "greedy", "--games", "4", "--openings", "balanced")
    told = json.loads(run(*words, "--clock", "600", "--adjudicate", "3", "--json").out)
    assert told["rules"] == {"clock": "600", "adjudicate": 3}
    assert told["openings"]["name"] == "balanced tictactoe"
    assert told["lost_on_time"] == [0, 0]
    assert run(*words, "--clock", "0").code == 2
    assert run(*words, "--limit", "nodes=0").code == 2
    assert run(*words, "--alpha", "0.1").code == 2
    ran = run("tournament", "tictactoe", "random", "first", "--games", "2", "--clock", "-1")
    assert ran.code == 2
    assert "a clock needs more than 0 seconds" in " ".join(ran.err.split())
