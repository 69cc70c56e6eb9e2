"""`rl-toolkit experiment gomoku-proof`: a proof file that is resumed, and checked on its own."""

import json
import re

import pytest

from rl_toolkit.algorithms.gomoku import opening_proof
from rl_toolkit.algorithms.gomoku.opening_proof import Opening

#: White can stop one of two open threes, so threats win after every reply.
OPENING = "c4 a1 e4 a7 d5 g1 d6 g7 d4"


@pytest.fixture
def proof(run, tmp_path):
    """The file of a proof on a small board."""
    path = tmp_path / "proof.jsonl"
    args = ("experiment", "gomoku-proof", "gomoku-7", "--moves", OPENING, "--save", str(path))
    return path, args, run(*args, "--json")


def test_a_proof_is_made_resumed_and_checked(run, proof, monkeypatch):
    path, args, ran = proof
    told = json.loads(ran.out)
    assert ran.code == 0
    assert (told["wins"], told["proven"], told["not_proven"]) == (True, told["replies"], [])
    checked = run("experiment", "gomoku-proof", "--check", str(path))
    assert checked.code == 0
    assert f"Black (X) wins after {OPENING}: every reply is answered." in checked.out
    replayed = re.search(r"Checked: ([\d,]+) replies were answered", checked.out)
    assert int(replayed[1].replace(",", "")) > 1000
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[:5]) + "\n" + lines[5][:20])
    part = json.loads(run("experiment", "gomoku-proof", "--check", str(path), "--json").out)
    assert part["wins"] is False

    asked, answer = [], opening_proof.OpeningProver.answer

    def counting(self, reply):
        asked.append(reply)
        return answer(self, reply)

    monkeypatch.setattr(opening_proof.OpeningProver, "answer", counting)
    again = json.loads(run(*args, "--json").out)
    assert len(asked) == len(lines) - 5
    assert again == told
    assert path.read_text().splitlines() == lines


def test_a_proof_with_a_wrong_move_is_refuted(run, proof):
    path, _, _ = proof
    head, line, *others = path.read_text().splitlines()
    data = json.loads(line)
    data["proof"][-1][0] = 0  # a stone is there
    path.write_text("\n".join([head, json.dumps(data), *others]) + "\n")
    ran = run("experiment", "gomoku-proof", "--check", str(path))
    assert ran.code != 0
    assert "proves nothing: it does not answer" in ran.err


def test_files_and_openings_that_cannot_be_used_are_refused(run, tmp_path):
    path = tmp_path / "file"
    for text in (
        "",
        "no",
        '{"format": "rl_toolkit match"}',
        '{"format": "rl_toolkit gomoku-proof"}',
    ):
        path.write_text(text + "\n")
        ran = run("experiment", "gomoku-proof", "--check", str(path))
        assert ran.code != 0
        assert "cannot be checked" in ran.err
    ran = run("experiment", "gomoku-proof", "--check", str(tmp_path / "missing"))
    assert "cannot be checked" in ran.err
    for game, moves, why in (
        ("tictactoe", "b2", "tictactoe is not Gomoku"),
        ("gomoku-7", "", "one or more moves"),
        ("gomoku-7", "d4 d4", "d4"),
    ):
        ran = run("experiment", "gomoku-proof", game, "--moves", moves, "--save", str(path) + "2")
        assert (ran.code != 0, why in ran.err) == (True, True)
    assert not (tmp_path / "file2").exists()


def test_the_opening_of_the_default_is_its_own_mirror_image():
    assert len(Opening(15, False, (112, 0, 128)).replies()) == 117
