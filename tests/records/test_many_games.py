"""Many games as tables and statistics, and one game as HTML."""

import csv
import io

from rl_toolkit.records import GameRecord
from rl_toolkit.records.game_stats import player_rows, stats_of
from rl_toolkit.records.tables import csv_of_games, csv_of_moves, csv_text

WON = GameRecord("tictactoe", (0, 3, 1, 4, 2), ("Ada", "Max"), result=1, comments={1: "=a corner"})
DRAWN = GameRecord("tictactoe", (0, 1, 2, 4, 3, 5, 7, 6, 8), ("Max", "Ada"), result=0)
RUNNING = GameRecord("connect-four", (3, 3), ("Ada", ""))
GIVEN = GameRecord("tictactoe", (0, 3, 1, 4, 2), ("Max", "Ada"), result=1, opening=3)


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_a_row_for_each_game():
    first, second, third = rows(csv_of_games([WON, DRAWN, RUNNING]))
    assert (first["x"], first["result"], first["moves"]) == ("Ada", "x", "5")
    assert (second["result"], third["result"], third["game"]) == ("draw", "", "connect-four")


def test_a_row_for_each_move_with_the_position_before_it():
    first, second, *_, last = rows(csv_of_moves([WON, RUNNING]))
    assert (first["player"], first["move"], first["comment"]) == ("x", "a1", "'=a corner")
    assert (second["player"], second["position"]) == ("o", "x2/3/3 o")
    assert (last["number"], last["game"], last["move"]) == ("2", "connect-four", "d")
    assert first["value"] == ""


def test_no_cell_is_a_formula_for_a_spreadsheet():
    hostile = GameRecord("tictactoe", (0,), ("=1+1", "@x"), headers={"event": "-2", "date": "+3"})
    (row,) = rows(csv_of_games([hostile]))
    assert [row[name] for name in ("x", "o", "event", "date")] == ["'=1+1", "'@x", "'-2", "'+3"]
    (player,) = rows(csv_text(("player", "points"), [{"player": "=Ada", "points": -1}]))
    assert player == {"player": "'=Ada", "points": "-1"}


def test_statistics_of_each_kind_of_game():
    three, four = stats_of([RUNNING, WON, DRAWN])
    assert (three.game, four.game) == ("tictactoe", "connect-four")
    told = three.to_dict(openings=1)
    assert (told["games"], told["x_won"], told["drawn"], told["o_won"]) == (2, 1, 1, 0)
    assert told["moves"] == {"mean": 7.0, "least": 5, "most": 9}
    assert told["openings"] == [{"moves": "a1 a2", "games": 1, "won": 1, "drawn": 0, "lost": 0}]
    assert [(row["player"], row["points"]) for row in player_rows([three, four])] == [
        ("Ada", 0.75),
        ("Max", 0.25),
        ("Ada", None),
    ]


def test_moves_that_no_player_chose_are_marked_and_are_no_opening_of_a_player():
    (row,) = rows(csv_of_games([GIVEN]))
    assert (row["moves"], row["opening"]) == ("5", "3")
    assert [each["opening"] for each in rows(csv_of_moves([GIVEN]))] == ["yes"] * 3 + ["", ""]
    (told,) = [kind.to_dict() for kind in stats_of([GIVEN, WON])]
    assert [each["moves"] for each in told["openings"]] == ["a1 a2"]
    assert told["openings"][0]["games"] == 1
    assert [each["moves"] for each in told["given_openings"]] == ["a1 a2 b1"]
    assert "b1 <em>(end of the opening" in GIVEN._repr_html_()
    assert "end of the opening" not in WON._repr_html_()


def test_a_game_shows_itself_with_players_moves_and_escaped_comments():
    html = GameRecord("tictactoe", (0, 3, 1, 4, 2), result=1, comments={1: "<b>"})._repr_html_()
    assert "X won" in html
    assert "&lt;b&gt;" in html
    assert "1.&nbsp;a1" in html
    assert "<svg" in html
    assert "not over" in RUNNING._repr_html_()
