"""What a bot says about its moves: read, beside the truth, only where somebody looks."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from rl_toolkit.analysis import Candidate
from rl_toolkit.analysis.claims import Claim, Claims
from rl_toolkit.arena import Match, play_match
from rl_toolkit.envs import make_game
from rl_toolkit.explain import claim_notes, explain
from rl_toolkit.players import make_engine
from rl_toolkit.players.bots.claiming import tree_of
from rl_toolkit.players.bots.claims import with_answer
from rl_toolkit.players.claims import claims_about, with_claims
from rl_toolkit.records import position_from_text
from rl_toolkit.utils.isolation import SANDBOX_VARIABLE

#: X: b1 draws, c1 and a3 lose, … as `course.md` has it; O is to move.
CORNERS = "x2/1o1/2x o"
WIN_IN_ONE = "xx1/oo1/3 x"

TABLE = """
class Solver:
{view}
    def get_best_action(self, env, maximize=True):
        return env.get_legal_moves()[0]

    def get_candidate_evaluations(self, env, maximize=True):
        return {table}
"""


def looked_at(tmp_path, source, position=CORNERS, game="tictactoe"):
    file = tmp_path / "my_bot.py"
    file.write_text(source)
    env = position_from_text(game, position) if position else make_game(game)
    player = make_engine(str(file))
    analysis = player.analyse(env)
    found = with_claims(player, env, analysis)
    player.engine.close()
    return explain(env, found)


def table(tmp_path, text, view="", **where):
    line = f"    value_view = {view!r}" if view else ""
    return looked_at(tmp_path, TABLE.format(table=text, view=line), **where)


#: The true values of `CORNERS` in X's view, by move.
TRUE = "{1: 0, 2: 1, 3: 0, 5: 0, 6: 1, 7: 0}"


def entries(values, extra=""):
    entry = f"{{'value': v, 'reasoning': 'so', 'is_best': v == 0{extra}}}"
    return f"{{m: {entry} for m, v in {values}.items()}}"


def test_claims_take_no_longer_than_the_server_allows(tmp_path):
    (tmp_path / "my_bot.py").write_text(
        TABLE.format(view="", table="__import__('time').sleep(3600)")
    )
    env = make_game("tictactoe")
    player = make_engine(str(tmp_path / "my_bot.py"))
    found = with_claims(player, env, player.analyse(env), None, 0.2)
    player.engine.close()
    assert found.best_move == 0
    assert "did not answer within 0.2 s" in found.claims.problem


def test_values_without_visits_are_player_ones(tmp_path):
    found = table(tmp_path, entries(TRUE))
    claims = found.claims
    assert (claims.view, claims.declared, claims.wrong) == ("first", False, ())
    assert {c.name: c.value for c in found.candidates} == {
        "b1": 0.0, "a2": 0.0, "c2": 0.0, "b3": 0.0, "c1": -1.0, "a3": -1.0,
    }  # fmt: skip
    assert not any(candidate.proven for candidate in found.candidates)
    assert found.candidate(2).note.endswith("claims a loss (“so”); it loses in 2 moves.")
    assert "read as results for X because it counts no visits" in found.notes[0]


def test_values_with_visits_are_the_movers(tmp_path):
    found = table(tmp_path, entries(TRUE, ", 'visits': 40, 'uct_score': 1.5"))
    assert found.claims.view == "mover"
    assert found.candidate(2).value == 1.0
    assert (found.candidate(2).visits, found.candidate(2).uct) == (40, 1.5)
    assert [claim.name for claim in found.claims.wrong] == ["c1", "a3"]
    assert found.simulations == 240
    assert "2 of 6 claims are wrong: c1 and a3" in found.notes


def test_the_class_decides_the_view(tmp_path):
    found = table(tmp_path, entries(TRUE, ", 'visits': 40"), view="first")
    assert (found.claims.declared, found.candidate(2).value) == (True, -1.0)
    assert "as its value_view says" in found.notes[0]
    found = table(tmp_path, entries(TRUE), view="ours")
    assert "value_view is 'mover' or 'first', not \"ours\"" in found.notes[0].replace(
        "'ours'", '"ours"'
    )


def test_a_wrong_claim_is_named_with_the_truth(tmp_path):
    found = table(tmp_path, "{m: {'value': 0.0} for m in (1, 2, 3, 5, 6, 7)}")
    assert found.candidate(2).note.endswith("claims a draw, but it loses in 2 moves.")
    wrong = {
        entry["name"]: entry["truth"]
        for entry in found.to_dict()["claims"]["moves"]
        if entry["is_wrong"]
    }
    assert wrong == {name: {"outcome": "loss", "distance": 4} for name in ("c1", "a3")}


def test_turned_signs_are_said_first(tmp_path):
    found = table(tmp_path, "{2: -1, 5: 1, 6: 1, 7: 1, 8: 1}", position=WIN_IN_ONE)
    assert found.claims.all_turned
    assert found.notes[0].startswith("All signs of my_bot.py are turned: it calls wins losses")
    assert "X is to move, so no view explains it" in found.notes[0]
    turned = "{1: 0, 2: -1, 3: 0, 5: 0, 6: -1, 7: 0}"
    found = table(tmp_path, turned)
    assert found.notes[0].endswith('or is its value_view "mover"?')
    assert not table(tmp_path, turned, view="mover").claims.all_turned


def test_hope_in_a_lost_position_is_not_turned_signs():
    lost = Candidate(0, "a1", -1.0, "loss", proven=True, distance=2)
    hopes = tuple(Claim(m, str(m), 0.5, visits=50, truth=lost) for m in range(4))
    assert not Claims("b", 1, 0, hopes).all_turned
    certain = tuple(Claim(m, str(m), 1.0, truth=lost) for m in range(4))
    assert Claims("b", 1, 0, certain).all_turned


def test_a_move_without_a_claim_is_unknown(tmp_path):
    found = table(tmp_path, "{2: {'value': 1}}")
    assert found.candidate(1).value is None
    assert found.candidate(1).note.endswith("o claim by my_bot.py.")
    assert found.claims.truth_of(1).outcome == "draw"  # although nothing is claimed
    assert found.claims.truth_of(6).outcome == "loss"
    assert found.to_dict()["candidates"][0]["text"] == "?"
    assert found.best_move == 1  # what it plays, although it knows more about another move


def test_a_second_search_is_said(tmp_path):
    found = table(tmp_path, "{m: {'value': 0, 'is_best': m == 7} for m in (1, 2, 3, 5, 6, 7)}")
    assert found.notes[-1] == "It played b1, and its table calls b3 best: this is a second search"


def test_a_second_search_is_said_where_its_visits_are_not_those_of_the_tree():
    env = position_from_text("tictactoe", CORNERS)
    played = make_engine("first").analyse(env)
    child = {"move": 1, "visits": 7, "value": 0.0, "children": []}
    answer = {"tree": {"visits": 7, "value": 0.0, "children": [child]}, "view": "mover"}

    def notes(visits):
        claim = {"move": 1, "value": 0.0, "visits": visits, "is_best": True}
        found = with_answer(env, played, {**answer, "claims": [claim]}).claims
        assert found.is_second_search is (visits == 8)
        return claim_notes(env, found)

    assert notes(8)[-1].startswith("Its table comes from a second search")
    assert not any("second search" in note for note in notes(7))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("1 / 0", "raised ZeroDivisionError"),
        ("None", "returned NoneType"),
        ("{0: 1, 77: 0}", "also speaks of 0 and 77, which are not legal here"),
        ("[3]", "returned a list with int"),
    ],
)
def test_what_is_wrong_with_a_table_is_a_note(tmp_path, text, word):
    found = table(tmp_path, text)
    assert found.best_move == 1
    assert any(word in note for note in found.notes)


@pytest.mark.parametrize(
    "text",
    [
        "{'c1': 1.0}",
        "[{'move': 2, 'value': 1.0}]",
        "[(2, 1.0)]",
        "__import__('numpy').array([[2, 1]]).tolist()",
        "{__import__('numpy').int32(2): {'value': __import__('numpy').float32(1)}}",
    ],
)
def test_shapes_of_a_table(tmp_path, text):
    assert table(tmp_path, text).candidate(2).value == -1.0


def test_numbers_on_another_scale_are_not_results(tmp_path):
    found = table(tmp_path, "{2: 300, 1: float('nan')}")
    assert found.candidate(2).value is None
    assert found.candidate(2).note.endswith(
        "claims -300 on a scale of its own; it loses in 2 moves."
    )
    assert found.candidate(1).note.endswith("claims no value; it draws.")


def test_a_kept_tree_is_shown_within_its_bounds(tmp_path):
    source = """
class Node:
    def __init__(self, env, move=None, parent=None, depth=0):
        self.env, self.move_from_parent, self.parent = env, move, parent
        self.visit_count, self.total_value = 10 - depth, 5.0
        self.children = []
        if depth < 5:
            for each in env.get_legal_moves():
                child = env.copy()
                child.step(each)
                if not child.is_terminal():
                    self.children.append(Node(child, each, self, depth + 1))

    def uct_score(self, c=1.41):
        return 0.5 + c

class Searcher:
    def search(self, env):
        self.root = Node(env)
        return env.get_legal_moves()[0]
"""
    found = looked_at(tmp_path, source)
    view = found.tree(depth=6, top=10)
    assert [child.name for child in view.children] == ["b1", "c1", "a2", "c2", "a3", "b3"]
    child = view.children[0]
    assert (child.visits, round(child.value, 3)) == (9, 0.556)
    assert child.exploration == pytest.approx(0.5 + 1.41 - 5 / 9)
    deepest = child.children[0].children[0]
    assert deepest.children == ()
    assert found.claims is None


def test_a_tree_of_another_position_is_not_shown(tmp_path):
    source = """
class Node:
    def __init__(self, move, children=()):
        self.move, self.children, self.visits, self.value = move, list(children), 3, 0.0

class Searcher:
    def search(self, env):
        self.root = Node(None, [Node(0), Node(4)])
        return env.get_legal_moves()[0]
"""
    assert looked_at(tmp_path, source).tree_source is None


def test_what_a_tree_calls_value_may_be_a_sum():
    def tree(*values):
        children = [SimpleNamespace(move=m, visits=4, value=v) for m, v in enumerate(values)]
        for child in children:
            child.children = ()
        root = SimpleNamespace(visits=8, value=0.0, children=children)
        return tree_of(SimpleNamespace(root=root), int)["children"]

    assert [child["value"] for child in tree(3.0, -2.0)] == [0.75, -0.5]
    assert [child["value"] for child in tree(0.75, -0.5)] == [0.75, -0.5]


def test_claims_are_never_asked_for_in_a_match(tmp_path, monkeypatch):
    monkeypatch.setenv(SANDBOX_VARIABLE, "limits")  # the bot could leave a file
    said = tmp_path / "asked"
    file = tmp_path / "my_bot.py"
    body = f"(open({str(said)!r}, 'a').close(), {{}})[1]"
    file.write_text(TABLE.format(table=body, view=""))
    played = play_match(Match("tictactoe", (str(file), "first"), pairs=1))
    assert len(played.games) == 2
    assert not said.exists()
    env = make_game("tictactoe")
    player = make_engine(str(file))
    claims_about(player, env, 4)
    player.engine.close()
    assert said.exists()


def test_engines_of_ours_claim_nothing():
    env = make_game("tictactoe")
    assert claims_about(make_engine("minimax"), env, 4) is None
    assert claim_notes(env, Claims("b", 1, 4)) == []


def test_a_result_that_is_backed_up_for_the_wrong_player_is_pointed_at(tmp_path):
    text = "{2: {'value': -1.0, 'visits': 3}, 5: {'value': 0.2, 'visits': 90}}"
    found = table(tmp_path, text, position=WIN_IN_ONE)
    assert [claim.name for claim in found.claims.wrong] == ["c1"]
    words = "c1 wins at once, and its 3 visits say the opposite: the result is backed up for the"
    assert any(note.startswith(words) for note in found.notes)
    few = "{6: {'value': 1.0, 'visits': 3}, 5: {'value': 0.2, 'visits': 90}}"
    assert table(tmp_path, few, position=WIN_IN_ONE).claims.wrong == ()


def test_the_commands_show_claims(tmp_path, run, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = "my_bot.py"
    (tmp_path / file).write_text(TABLE.format(table=entries(TRUE), view=""))
    analysed = run("analyse", "tictactoe", CORNERS, "--engine", file)
    assert "claims for O" in analysed.out
    assert "(Values are claims of my_bot.py, read as results for X" in analysed.err
    assert "It claims the same for a2, c2 and b3." in analysed.words
    compared = run("compare", "tictactoe", CORNERS, "--engines", file)
    assert "c1 loss loses in 2 moves" in compared.words
    assert "Values are claims of my_bot.py" in compared.err
    played = run("play", "tictactoe", "--o", file, "--verbose", stdin="b2\nquit\n").words
    assert "claims for O" in played
    (tmp_path / file).write_text(TABLE.format(table="{2: {'value': 1}}", view=""))
    rows = run("analyse", "tictactoe", CORNERS, "--engine", file).out.splitlines()
    (row,) = (row.split() for row in rows if row.startswith("a2 "))
    assert row[:3] == ["a2", "?", "draw"]  # the truth about a move without a claim
    quiet = run("play", "tictactoe", "--o", file, stdin="b2\nquit\n").words
    assert "claims for" not in quiet
