"""Random lines at the prompt: words, moves, numbers and nonsense end in a sentence, never worse."""

from __future__ import annotations

import random

import pytest

from rl_toolkit.cli.play.prompt import _ALIASES, WORDS
from rl_toolkit.envs import make_game

#: All words but those that leave.
STAYING = sorted({*WORDS, *_ALIASES} - {"quit", "exit", "bye"})
LETTERS = [chr(code) for code in range(32, 127)] + list("äé×−🟢漢\x00\x1b\t\u202e")


def lines(count: int, game: str, seed: int) -> list[str]:
    """Lines as people, cats and programs type them."""
    chance, env = random.Random(seed), make_game(game)
    names = [env.move_name(move) for move in range(env.num_moves)]

    def line() -> str:
        kind = chance.randrange(10)
        if kind < 3:
            return chance.choice(names)
        if kind < 5:
            return f"{chance.choice(STAYING)} {chance.choice(['', '', '1-9', '0', 'x', '~', '/'])}"
        if kind == 5:
            between = chance.choice([" ", ",", ", ", ""])
            return f"{chance.randrange(-2, 20)}{between}{chance.randrange(9)}"
        if kind == 6:
            return chance.choice(names).upper() + chance.choice(["", "!", " ", "1"])
        if kind == 7:  # a word with a slip
            word = list(chance.choice(STAYING))
            word[chance.randrange(len(word))] = chance.choice(LETTERS)
            return "".join(word)
        if kind == 8:
            return "".join(chance.choices(LETTERS, k=chance.randrange(200)))
        return chance.choice(["", "9" * 5000, "save", "load", "load nothing.json", "save .", "new"])

    return [line().replace("\n", " ") for _ in range(count)]


def play_lines(run, monkeypatch, tmp_path, game: str, count: int, seed: int) -> None:
    monkeypatch.chdir(tmp_path)
    typed = "\n".join(lines(count, game, seed))
    ran = run("play", game, "--x", "human", "--o", "human", stdin=typed)
    assert ran.code == 0
    assert "Traceback" not in ran.out + ran.err


@pytest.mark.parametrize("game", ["tictactoe", "connect-four-4x4x4", "reversi-4"])
def test_any_line_is_answered(run, monkeypatch, tmp_path, game):
    play_lines(run, monkeypatch, tmp_path, game, 120, seed=1)


@pytest.mark.full
@pytest.mark.parametrize("game", ["tictactoe", "connect-four-4x4x4", "reversi-4", "tictactoe-4"])
def test_two_thousand_lines_are_answered(run, monkeypatch, tmp_path, game):
    play_lines(run, monkeypatch, tmp_path, game, 500, seed=2)
