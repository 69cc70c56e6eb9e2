"""`check_game`: play random games and check the laws of all games in their positions."""

from __future__ import annotations

import contextlib
import inspect
import io
import random
from collections import Counter
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from rl_toolkit.adapting import adapt_game, as_game
from rl_toolkit.testing import laws_of_play, laws_of_positions, laws_of_words
from rl_toolkit.testing.scene import (
    BrokenLawError,
    ConformanceError,
    MakeGame,
    Scene,
    begin,
    require,
    require_same_view,
    view,
)

Law = Callable[[Scene], None]

_LAWS: dict[str, Law] = {
    # Copies come early: the laws below use copies.
    "shape": laws_of_positions.shape,
    "copy": laws_of_positions.copies,
    "reset": laws_of_play.reset,
    "legal moves": laws_of_play.legal_moves,
    "end of game": laws_of_play.end_of_game,
    "step": laws_of_play.step,
    "refused moves": laws_of_play.refused_moves,
    "undo": laws_of_play.undo,
    "hash": laws_of_positions.hashes,
    "assignment": laws_of_positions.assignments,
    "set_position": laws_of_positions.set_position,
    "symmetry": laws_of_positions.symmetries,
    "heuristic": laws_of_positions.heuristic,
    "notation": laws_of_words.notation,
    "records": laws_of_words.records,
    "traits": laws_of_words.traits,
    "drawing": laws_of_words.drawing,
    "determinism": laws_of_play.determinism,
}
_NEVER_ENDING = "never-ending game"
_SILENCE = "silence"
_QUESTIONS = "questions"

#: Every law as a sentence, by its short name.
LAWS: dict[str, str] = {
    **{name: inspect.getdoc(law) or "" for name, law in _LAWS.items()},
    _QUESTIONS: "Methods that only return something do not change the game.",
    _NEVER_ENDING: "Random play comes to an end.",
    _SILENCE: "Nothing is printed while a game is played.",
}

_MOST_PLIES = 2_000
_REPEATS = 2  # every game passes through the start; there are other ways to most positions
_DENSE_PLIES = 5  # the laws are checked at each of the first plies, then less and less often


def check_game(make: Any, *, games: int = 20, seed: int = 0) -> None:
    """Play ``games`` random games and raise `ConformanceError` for the first law that is broken.

    ``make`` returns a new game each time it is called: ``check_game(lambda: MyGame(5))``. It may
    also be a game, or a class without a base class, or an object of one (see `adapt_game`). The
    players take turns to open if the game's ``reset`` takes a ``first_player``. The same seed plays
    the same games. Raises ``ValueError`` for fewer than one game.

    >>> from rl_toolkit.envs import TicTacToe
    >>> check_game(TicTacToe, games=2)
    """
    make = _maker(make)
    if games < 1:
        raise ValueError(f"games must be a whole number of at least 1, not {games!r}")
    rng = random.Random(seed)
    positions: dict[Hashable, tuple[tuple[int, ...], int]] = {}
    hashes: dict[tuple[tuple[int, ...], int], Hashable] = {}
    checked: Counter[Hashable] = Counter()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        either_may_open = "first_player" in inspect.signature(make().reset).parameters
        for number in range(games):
            first_player = -1 if either_may_open and number % 2 else 1
            env = make()
            scene = Scene(make, env, first_player, [], [], rng, positions, hashes, checked)
            _play(scene, printed)


def _maker(make: Any) -> MakeGame:
    """A function that makes new games, from whatever `check_game` was given."""
    if isinstance(make, type):
        adapted: MakeGame = adapt_game(make)
        return adapted
    if callable(make):
        return lambda: as_game(make())
    if not hasattr(make, "__dict__"):
        raise TypeError(
            "check_game takes a function that returns a new game: check_game(lambda: MyGame())"
        )
    game = as_game(make)
    return lambda: game.copy()


def _play(scene: Scene, printed: io.StringIO) -> None:
    """Play one random game; check the opening, the end and some positions in between."""
    env = scene.env
    _check(scene, "reset", lambda _: begin(env, scene.first_player))
    _record_view(scene, printed)
    while True:
        check_all = scene.rng.random() * (len(scene.moves) + 1) < _DENSE_PLIES
        if (scene.here.is_terminal or check_all) and _is_news(scene):
            for name, law in _LAWS.items():
                _check(scene, name, law)
                _check(scene, _QUESTIONS, _nothing_changed)
                _check(scene, _SILENCE, lambda _: _nothing_printed(printed))
        if scene.here.is_terminal:
            return
        if len(scene.moves) >= _MOST_PLIES:
            raise _error(scene, _NEVER_ENDING, f"the game is not over after {_MOST_PLIES} moves")
        move = scene.rng.choice(scene.here.legal_moves)
        _check(scene, "step", partial(_step, move=move))
        scene.moves.append(move)
        _record_view(scene, printed)


def _is_news(scene: Scene) -> bool:
    """Whether the position was checked fewer than `_REPEATS` times in this run; counts it."""
    here = (scene.first_player, scene.here.current_player, scene.here.board)
    scene.checked[here] += 1
    return scene.checked[here] <= _REPEATS


def _step(scene: Scene, move: int) -> None:
    scene.env.step(move)


def _record_view(scene: Scene, printed: io.StringIO) -> None:
    """Append the view of the new position to the scene's trail."""

    def append_view(scene: Scene) -> None:
        scene.trail.append(view(scene.env))

    _check(scene, "shape", append_view)
    _check(scene, _SILENCE, lambda _: _nothing_printed(printed))
    if not scene.here.is_terminal and not scene.here.legal_moves:
        _check(scene, "legal moves", _LAWS["legal moves"])


def _nothing_changed(scene: Scene) -> None:
    require_same_view("after calling its methods", scene.here, view(scene.env))


def _nothing_printed(printed: io.StringIO) -> None:
    require(not printed.getvalue(), f"printed: {printed.getvalue()[:200]!r}")


def _check(scene: Scene, name: str, law: Callable[[Scene], object]) -> None:
    """Check ``law`` in the scene; raise `ConformanceError` if it is broken or the game raises."""
    try:
        law(scene)
    except BrokenLawError as broken:
        raise _error(scene, name, str(broken)) from broken.__cause__
    except Exception as error:
        raise _error(scene, name, f"the game raised {type(error).__name__}: {error}") from error


def _error(scene: Scene, law: str, detail: str) -> ConformanceError:
    moves = list(scene.moves)
    lines = [
        f"{type(scene.env).__name__} breaks the law {law!r}: {LAWS[law]}",
        f"after the moves {moves} with player {scene.first_player:+d} to open:",
        *detail.splitlines(),
    ]
    return ConformanceError(law, moves, "\n  ".join(lines))
