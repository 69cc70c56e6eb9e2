"""Random games of all families and of odd sizes, for the tests of everything that writes games."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, TypeVar

from hypothesis import strategies as st

from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.records import RecordError, Variation

T = TypeVar("T")

NAMES = (
    "tictactoe",
    "tictactoe-3x4x3",
    "tictactoe-1x5x3",
    "tictactoe-12x26x5",
    "connect-four",
    "connect-four-4x9x4",
    "connect-four-5x12x4",
    "connect-four-11x4x3",
    "gomoku-9",
    "gomoku-15-standard",
    "gomoku-19x19x4",
    "reversi-4",
    "reversi-6",
    "reversi-8",
)


def play_at_random(env: BaseGameEnv, moves: int, rng: random.Random) -> BaseGameEnv:
    """Play up to ``moves`` moves on ``env``, fewer if the game ends."""
    for _ in range(moves):
        legal = env.get_legal_moves()
        if not legal:
            break
        env.step(rng.choice(legal))
    return env


@st.composite
def games(draw: st.DrawFn, names: tuple[str, ...] = NAMES, usual: bool = False) -> BaseGameEnv:
    """A game in progress or over; unless ``usual``, O may open, or it began in mid-game."""
    env = make_game(draw(st.sampled_from(names)))
    rng = random.Random(draw(st.integers(0, 2**32)))
    beginning = "usual" if usual else draw(st.sampled_from(["usual", "o opens", "set up"]))
    if beginning == "o opens":
        env.reset(first_player=-1)
    elif beginning == "set up":
        play_at_random(env, draw(st.integers(0, 12)), rng)
        env.set_position(env.board, env.current_player)
    return play_at_random(env, draw(st.integers(0, 70)), rng)


def reversi_with_a_pass(seed: int = 1) -> BaseGameEnv:
    """A finished game on 4×4 in which a player passed before the last move."""
    rng = random.Random(seed)
    while True:
        env = play_at_random(make_game("reversi-4"), 99, rng)
        if env.pass_move in env.history[:-1] and env.history[-1] != env.pass_move:
            return env


def beginning_of(env: BaseGameEnv) -> BaseGameEnv:
    """The position in which the history of ``env`` began."""
    begun = env.copy()
    while begun.history:
        begun.undo()
    return begun


def assert_same(first: BaseGameEnv, second: BaseGameEnv) -> None:
    """The same game, in the same position, reached by the same moves."""
    assert first.name == second.name
    assert first.get_state_hash() == second.get_state_hash()
    assert first.history == second.history
    assert (first.winner, first.last_move) == (second.winner, second.last_move)


@st.composite
def edited(draw: st.DrawFn, text: str, alphabet: str) -> str:
    """``text`` after a few slips: pieces cut out, repeated, or replaced by other characters."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = draw(st.integers(start, min(len(text), start + 4)))
        new = draw(st.text(st.sampled_from(alphabet) | st.characters(), max_size=4))
        text = text[:start] + draw(st.sampled_from([new, text[start:end] * 2, ""])) + text[end:]
    return text


def check_slips(
    data: st.DataObject,
    text: str,
    alphabet: str,
    read: Callable[[str], T],
    write: Callable[[T], str],
) -> None:
    """Slips in a file raise only `RecordError`; what can still be read can be written, too."""
    slipped = data.draw(edited(text, alphabet))
    try:
        found = read(slipped)
    except RecordError:
        return
    assert read(write(found)) == found


@st.composite
def commented(draw: st.DrawFn, env: BaseGameEnv, texts: st.SearchStrategy[str]) -> dict[str, Any]:
    """Comments and variations for the game of ``env``, as arguments of a `GameRecord`."""
    rng = random.Random(draw(st.integers(0, 2**32)))
    begun = beginning_of(env)
    return {
        "comments": _comments(draw, len(env.history), 0, texts),
        "variations": _variations(draw, begun, env.history, 0, texts, rng),
    }


def _comments(
    draw: st.DrawFn, moves: int, first: int, texts: st.SearchStrategy[str]
) -> dict[int, str]:
    return draw(st.dictionaries(st.integers(first, moves), texts, max_size=2))


def _variations(
    draw: st.DrawFn,
    begun: BaseGameEnv,
    line: list[int],
    first: int,
    texts: st.SearchStrategy[str],
    rng: random.Random,
    depth: int = 0,
) -> list[Variation]:
    if len(line) <= first or depth > 2:
        return []
    made = []
    for ply in draw(st.lists(st.integers(first, len(line) - 1), max_size=2)):
        branch = begun.copy()
        for move in line[:ply]:
            branch.step(move)
        end = play_at_random(branch.copy(), draw(st.integers(1, 4)), rng)
        moves = end.history[len(branch.history) :]
        inner = _variations(draw, branch, moves, 1, texts, rng, depth + 1)
        made.append(Variation(ply, moves, _comments(draw, len(moves), 1, texts), inner))
    return made
