"""What ``--openings`` means: ``auto``, ``start``, ``random:4``, ``balanced``, ``swap2``, or a file.

``auto`` is for those who do not choose: see `fair_openings`.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from rl_toolkit.arena.runs.journal import described_run
from rl_toolkit.arena.runs.openings.drawing import Drawn, Openings, OpeningsPlan
from rl_toolkit.arena.runs.openings.files import read_openings
from rl_toolkit.arena.runs.openings.opening import OpeningList
from rl_toolkit.arena.runs.openings.shipped import shipped_games, shipped_openings
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.envs.registry import full_name
from rl_toolkit.players import Knowledge, engine_kinds

#: The cells of a board up to which a drawn opening has so many moves, and those on larger boards.
_FAIR_PLIES, _MOST_PLIES = ((16, 2), (42, 4)), 6
#: The moves of openings that no engine can check.
_UNCHECKED_PLIES = 2


@dataclass(frozen=True, slots=True)
class OpeningChoice:
    """Which openings a match plays.

    Attributes:
        plies: the number of random moves; ``None`` if the run is to choose fair openings.
        balanced: whether only balanced positions are drawn.
        listed: the openings of a file, or the shipped ones.
        swap2: whether the players make the openings.
    """

    plies: int | None = 0
    balanced: bool = False
    listed: OpeningList | None = None
    swap2: bool = False


def chosen_openings(text: str, game: str, plies: int | None = None) -> OpeningChoice:
    """The openings that ``text`` names; raises ``ValueError`` or ``OSError`` if there are none.

    ``plies`` is the number of moves to take from each game of a file.
    """
    word = text.strip()
    match = re.fullmatch(r"(random|balanced):([0-9]{1,3})|start|balanced|swap2|auto", word.lower())
    if match is not None and plies is not None:
        raise ValueError("--opening-plies is for the games of a file")
    if match is None:
        if not Path(word).is_file():
            raise ValueError(
                "openings are auto, random:K, start, balanced, balanced:K, swap2 or the name of a "
                f"file, not {text!r}"
            )
        return OpeningChoice(listed=read_openings(word, game, plies))
    if match[2] is not None:
        return OpeningChoice(int(match[2]), balanced=match[1] == "balanced")
    if word.lower() == "balanced":
        return OpeningChoice(listed=shipped_openings(game))
    if word.lower() == "swap2":
        return OpeningChoice(swap2=True)
    return OpeningChoice(None if word.lower() == "auto" else 0)


def fair_openings(game: str, pairs: int, seed: int, *, drawn: bool = False) -> OpeningChoice:
    """Openings from which neither side has the better of it, for those who choose none.

    The shipped ones if they suffice for all pairs, unless they must be ``drawn``; else balanced
    ones that are drawn with the seed, where an engine knows the game well enough (on a small board
    there may be fewer of these than shipped ones, which then repeat); else random ones, which may
    favour a side; none in a game that is over within two moves.
    """
    env = make_game(game)
    ships = not drawn and env.name in shipped_games()
    listed = shipped_openings(game) if ships else None
    if listed is not None and len(listed) >= pairs:
        return OpeningChoice(listed=listed)
    if max(kind.knows(env) for kind in engine_kinds(env)) >= Knowledge.STRONG:
        plies = _fair_plies(env)
        openings = Openings(Drawn(game, plies, seed))
        with suppress(ValueError):  # in some games every opening favours a side
            enough = len(listed) if listed is not None and plies < _MOST_PLIES else 0
            _ = openings[enough]
            if openings.repeats and enough:
                return OpeningChoice(listed=listed)
            return OpeningChoice(plies, balanced=True)
    with suppress(ValueError):  # a game may be over by then
        _ = Openings(Drawn(game, _UNCHECKED_PLIES, seed, balanced=False))[0]
        return OpeningChoice(_UNCHECKED_PLIES)
    return OpeningChoice()


def _fair_plies(env: BaseGameEnv) -> int:
    """The moves of a drawn opening: few on a small board, so that a game is left to play."""
    cells = env.rows * env.cols
    return next((plies for most, plies in _FAIR_PLIES if cells <= most), _MOST_PLIES)


class _Plan(OpeningsPlan, Protocol):
    """What may leave its openings open: a match or a tournament."""

    @property
    def pairs(self) -> int: ...


P = TypeVar("P", bound=_Plan)


def with_openings(plan: P, save: Path | None = None, *, drawn: bool = False) -> P:
    """The plan with openings: its own, or those of the run in ``save``, or `fair_openings`."""
    if plan.random_plies is not None:
        return plan
    choice = None if save is None else _saved_choice(save, make_game(plan.game).name)
    choice = choice or fair_openings(plan.game, plan.pairs, plan.seed, drawn=drawn)
    return replace(  # type: ignore[type-var]  # every plan is a dataclass
        plan,
        random_plies=choice.plies,
        balanced=choice.balanced,
        openings=choice.listed,
        swap2=choice.swap2,
    )


def _saved_choice(save: Path, game: str) -> OpeningChoice | None:
    """The openings of the run in a file; ``None`` if there is none, or it is of another game."""
    head = described_run(save)
    if head is None or full_name(str(head.get("game"))) != game or "random_plies" not in head:
        return None
    listed = head.get("openings")
    if listed is None:
        return OpeningChoice(
            head["random_plies"], head.get("balanced", False), swap2=head.get("swap2", False)
        )
    if game in shipped_games() and shipped_openings(game).digest == listed["digest"]:
        return OpeningChoice(listed=shipped_openings(game))
    name = listed["name"]
    raise ValueError(
        f"the games in {save} were played with the openings of {name}; to resume, name that file "
        f"(--openings {name})"
    )
