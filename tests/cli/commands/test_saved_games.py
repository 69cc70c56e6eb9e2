"""`rl-toolkit game`: saved games shown, reviewed, converted and checked."""

from __future__ import annotations

import json

from rl_toolkit.cli.commands.game.group import FORMS
from rl_toolkit.records import FORMATS, GameRecord, from_transcript
from rl_toolkit.records.tree import Note


def test_a_game_goes_through_every_form_and_back(run, tmp_path):
    saved = run("game", "convert", "-", "--game", "connect-four", stdin="4453").out
    path = tmp_path / "game.json"
    path.write_text(saved, encoding="utf-8")
    assert GameRecord.load(path).moves == (3, 3, 4, 2)
    assert run("game", "convert", str(path), "--to", "transcript").out == "4453\n"
    assert run("game", "convert", str(path), "--to", "position").out == "7/7/7/7/3o3/2oxx2 x\n"
    picture = tmp_path / "end.svg"
    assert run("game", "convert", str(path), "--to", "svg", "-o", str(picture)).out == ""
    assert picture.read_text(encoding="utf-8").startswith("<svg")


def test_every_form_can_be_asked_for(run):
    for form in (*FORMS, "json", "jsonl"):
        asked = ("game", "convert", "-", "--game", "tictactoe", "--to", form)
        assert run(*asked, stdin="b2").code == 0
    shown = run("game", "convert", "--help").out
    assert all(form in shown for form in (*FORMS, *FORMATS))


def test_a_record_is_shown_at_any_ply(run, tmp_path):
    path = tmp_path / "game.json"
    GameRecord("tictactoe", (0, 3, 1, 4, 2), ("Ada", "minimax"), result=1).save(path)
    whole = run("game", "show", str(path)).out
    assert "X: Ada" in whole
    assert "X won" in whole
    assert "1. a1 a2 2. b1 b2 3. c1" in whole
    assert whole.count("[X]") == 3
    first = run("game", "show", str(path), "--ply", "1").out
    assert first.count("X |") + first.count("(X)") == 1
    assert run("game", "show", str(path), "--ply", "6").code == 2


def test_checking_tells_good_records_from_bad(run, tmp_path):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    GameRecord("tictactoe", (4,)).save(good)
    bad.write_text('{"version": 1, "game": "tictactoe", "moves": ["b2", "b2"], "result": null}')
    assert run("game", "check", str(good)).code == 0
    ran = run("game", "check", str(good), str(bad))
    assert ran.code == 1
    assert "tictactoe, 1 move, unfinished" in ran.words
    assert "moves[1]" in ran.out


def test_a_broken_record_is_named_as_it_was_written(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")  # so that nothing is wrapped
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "game.json").write_text("{")
    lines = run("game", "check", "one/game.json", "two/game.json", "two/none.json").out
    names = [line.partition(":")[0] for line in lines.splitlines()]
    assert names == ["one/game.json", "two/game.json", "two/none.json"]


# -------------------------------------------------------------------------------- review


def test_a_saved_game_is_reviewed_move_by_move(run, tmp_path):
    path = tmp_path / "game.json"
    GameRecord.from_env(from_transcript("tictactoe", "b2 b1 b3 a1 a3 c1")).save(path)
    ran = run("game", "review", str(path))
    rows = [line.split() for line in ran.out.splitlines()]
    assert (ran.code, rows[0]) == (0, ["move", "lost", "better"])
    assert rows[2][:6] == ["2.", "O", "b1", "draw", "→", "loss"]
    assert rows[5][:6] == ["5.", "X", "a3", "draw", "→", "loss"]
    assert rows[1] == ["1.", "X", "b2"]
    assert "Accuracy: X 0 %, O 57 % (100 % lost nothing" in " ".join(ran.out.split())


def test_reversi_is_reviewed_in_discs_as_a_table_and_as_json(run):
    asked = ("game", "review", "-", "--game", "reversi-4", "--engine", "exact")
    told = json.loads(run(*asked, "--json", stdin="b1c1d1a1").out)
    lost = [move["score_lost"] for move in told["moves"]]
    assert all(move["score_proven"] for move in told["moves"])
    assert told["sides"]["x"]["score_lost"] == lost[0] + lost[2]
    assert told["sides"]["o"]["score_lost_by_estimate"] is None
    rows = [line.split() for line in run(*asked, stdin="b1c1d1a1").out.splitlines()[1:5]]
    assert [int(row[3]) if len(row) > 3 else 0 for row in rows] == lost
    assert any(lost)


def test_the_json_of_a_review_has_the_units_of_the_page(run):
    asked = ("game", "review", "-", "--game", "tictactoe", "--json")
    told = json.loads(run(*asked, stdin="b2 b1 a1 a2 c3").out)
    assert told["accuracy"] == {"x": 100, "o": 0}
    assert told["units"]["accuracy"] == "per cent"
    good, blunder = told["moves"][:2]
    assert (good["value_lost"], good["cost"], good["better"]) == (0, None, None)
    assert (blunder["value_lost"], blunder["score_proven"]) == (0.5, None)
    assert blunder["cost"] == "a drawn game became lost"
    assert blunder["better"].endswith(" were better: a draw instead of a loss in 3 moves.")


def test_an_opening_is_marked_and_charged_to_neither_player(run, tmp_path):
    path = str(tmp_path / "game.json")
    moves = from_transcript("tictactoe", "a1b1b2c3a2a3c2").history  # b1 loses, whoever plays it
    GameRecord("tictactoe", moves, ("Ada", "Max"), result=1, opening=2).save(path)
    assert "Opening, which no player chose: 1. a1 b1\n2. b2 c3 3. a2 a3 4. c2" in (
        run("game", "show", path).out
    )
    told = json.loads(run("game", "review", path, "--json").out)
    assert [move["number"] for move in told["moves"]] == [3, 4, 5, 6, 7]
    assert told["opening"] == 2
    assert told["sides"]["o"]["costliest"] is None
    assert told["accuracy"] == {"x": 100, "o": None}  # after the opening O had nothing to lose
    said = run("game", "review", path).out
    assert "The opening of 2 moves is not reviewed: no player chose it." in said
    assert "b1" not in said
    rows = [line.split() for line in run("game", "stats", path).out.splitlines()]
    heads = ["given", "opening", "games", "X", "won", "drawn", "O", "won", "points", "of", "X"]
    assert rows[rows.index(heads) + 1] == ["a1", "b1", "1", "1", "0", "0", "100.0", "%"]
    GameRecord("tictactoe", moves[:2], opening=2).save(path)
    refused = run("game", "review", path)
    assert (refused.code, "no player made a move" in refused.err) == (2, True)


def test_what_cannot_be_reviewed(run):
    asked = ("game", "review", "-", "--game", "reversi")
    assert (run(*asked, stdin="").code, run(*asked, stdin="a1").code) == (2, 1)
    refused = run(*asked, "--engine", "zork", stdin="f5")
    assert (refused.code, "neither a level nor an engine" in refused.err) == (2, True)


def test_a_resignation_in_a_record_is_told(run, tmp_path):
    path = tmp_path / "game.json"
    env = from_transcript("tictactoe", "b2 b1")
    GameRecord.from_env(env, result=-1, ended_by="resignation").save(path)
    assert run("game", "review", str(path)).out.endswith("X resigned a won position.\n")


def test_a_review_is_written_into_the_game(run, tmp_path):
    source, target = tmp_path / "game.json", tmp_path / "reviewed.json"
    GameRecord("tictactoe", (0, 1, 4), notes={1: Note("!")}).save(source)
    assert run("game", "review", str(source), "-o", str(target)).code == 0
    reviewed = GameRecord.load(target)
    assert reviewed.moves == (0, 1, 4)
    assert [reviewed.notes[ply].glyph for ply in (1, 2, 3)] == ["!", "??", ""]
    assert reviewed.notes[2].review["judgement"] == "blunder"
    assert "better" in reviewed.comments[2]
    assert "b1??" in run("game", "show", str(target)).out
