"""`rl-toolkit doctor`, and the line of a match about the sandbox."""

import json

from rl_toolkit.utils.isolation import FINE, KINDS, PROTECTIONS, SANDBOX_VARIABLE, in_force, tried


def test_doctor_says_what_holds_part_by_part(run):
    found = in_force()
    ran = run("doctor")
    assert ran.code == (1 if found.kind == "limits" else 0)
    assert ran.words.startswith(found.what_holds)
    assert "says why" not in ran.words
    assert "works, in force" in ran.words
    for protection in PROTECTIONS:
        assert protection.what.split()[0] in ran.words
    parts = json.loads(run("doctor", "--json").out)["parts"]
    assert parts == {each.what: each.sentence(found.kind) for each in PROTECTIONS}


def test_doctor_for_programs_and_with_a_weaker_kind(run, monkeypatch):
    monkeypatch.setenv(SANDBOX_VARIABLE, "limits")
    ran = run("doctor", "--json")
    data = json.loads(ran.out)
    assert (ran.code, data["sandbox"]) == (1, "limits")
    assert list(data["tried"]) == list(KINDS)
    assert data["tried"]["limits"] == FINE
    assert data["parts"]["network"] == "not prevented"
    assert data["parts"]["leaving processes behind"].endswith(
        "unless one ends its supervisor first"
    )
    said = run("doctor").words
    assert "stop its opponent. RL_TOOLKIT_SANDBOX asks for limits or weaker. kind" in said


def test_a_kind_that_does_not_exist_is_a_sentence(run, monkeypatch):
    monkeypatch.setenv(SANDBOX_VARIABLE, "zork")
    ran = run("doctor")
    assert ran.code == 1
    assert f"{SANDBOX_VARIABLE} is zork, not a kind" in ran.err


def test_a_match_says_which_sandbox_holds(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bot.py").write_text("def choose(env): return env.get_legal_moves()[0]\n")
    ran = run("match", "tictactoe", "bot.py", "bot.py:sandbox=off", "--games", "2")
    assert ran.code == 0
    said = ran.err.replace("\n", " ")
    assert f"{in_force().sentence} bot.py:sandbox=off runs without a sandbox." in said
    ran = run("match", "tictactoe", "bot.py:ponder=on", "first", "--games", "2")
    also = " bot.py:ponder=on is not frozen." if in_force().freezes else ""
    assert f"{in_force().sentence}{also} 2 of 2 games" in ran.err.replace("\n", " ")


def test_a_match_of_our_engines_says_nothing(run):
    ran = run("match", "tictactoe", "first", "random", "--games", "2")
    assert "andbox" not in ran.err + ran.out


def test_a_stronger_kind_prevents_all_that_a_weaker_one_does():
    for protection in PROTECTIONS:
        held = [protection.holds(kind) for kind in KINDS]
        assert held == sorted(held, reverse=True)
    assert tried(("limits",)) == {"limits": FINE}
