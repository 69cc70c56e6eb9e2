"""What the values and moves of a search of one's own count for: found out by trying it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from rl_toolkit.course.host.own_form import OwnForm, exchanged
from rl_toolkit.course.host.own_functions import OwnFunctions
from rl_toolkit.course.host.parameters import Parameters

_DEPTHS = (0, 9)


class OwnSearch:
    """The views, sides and depths of the functions of a program that search.

    Args:
        ask: calls a function by the handout's name: what is given, the kind of the answer, the
            player to move, and whether this player maximises.
        say: gets sentences on what was taken for what.
    """

    def __init__(
        self,
        functions: OwnFunctions,
        form: OwnForm,
        ask: Callable[..., Any],
        say: Callable[[str], None],
    ) -> None:
        self._functions, self._form = functions, form
        self._ask, self._say = ask, say
        self._depths: dict[str, int] = {}
        self._sides: dict[str, str] = {}
        self._views: dict[str, str] = {}

    def signs(self, name: str, kind: str) -> tuple[int, int]:
        """The signs of two won boards, X's and O's, the loser to move; 0 if the search fails."""
        signs = []
        for winner, loser in ("XO", "OX"):
            won = {"board": self._form.board_with_row(winner), "depth": 1}
            number: Any = 0
            with suppress(Exception):
                number = self._ask(name, won, kind, loser, flag=loser == "X") or 0
            signs.append(int(number > 0) - int(number < 0))
        return (signs[0], signs[1]) if all(signs) else (0, 0)

    def sees_two_threats(self, signs: tuple[int, int]) -> bool:
        """Whether its search plays with these marks; ``signs`` are those of X's win and O's."""
        lost = self._form.game.lost
        for mover, sign in zip("OX", signs if lost else (), strict=False):
            board = self._form.board_of(lost)
            given = {"board": board if mover == "O" else exchanged(board), "depth": len(lost)}
            if sign * (self._ask("minimax", given, "score", mover, mover == "X") or 0) <= 0:
                return False
        return True

    def depth(self, name: str, kind: str, parameters: Parameters) -> int:
        """What a depth that the handout does not have begins with: counted up from 0, or down."""
        if "depth" not in parameters.kinds:
            return 0
        if name not in self._depths:
            for depth in _DEPTHS:
                self._depths[name] = depth
                with suppress(Exception):
                    game = self._form.game
                    near = {"board": self._form.board_of(game.dilemmas[0][0]), "depth": depth}
                    found = self._ask(name, near, kind, "X", flag=True)
                    if found == (game.wins["X"] if kind == "cell" else 1):
                        break
        return self._depths[name]

    def view(self, name: str, kind: str) -> str:
        """Whose result a value is: ``X``, ``O``, or ``mover``, the side to move."""
        if name not in self._views:
            self._views[name] = "X"
            signs = self.signs(name, kind)
            self._views[name] = {(-1, 1): "O", (-1, -1): "mover"}.get(signs, "X")
            own = self._functions.own(name)
            if self._views[name] == "O":
                self._say(f"your `{own}` counts for O, so that I turn its sign")
            elif self._views[name] == "mover":
                self._say(f"your `{own}` counts for the side to move")
        return self._views[name]

    def side(self, name: str, kind: str) -> str:
        """The side that a function without a player plays; "" if it sees from the board."""
        if name not in self._sides:
            answers = []
            for board, player in self._form.game.dilemmas:
                with suppress(Exception):
                    given = {"board": self._form.board_of(board), "depth": 1}
                    answers.append(self._ask(name, given, kind, player, flag=player == "X"))
            self._sides[name] = _side_of(answers, self._form.game.wins, kind)
            own, side = self._functions.own(name), self._sides[name]
            if side:
                self._say(
                    f"your `{own}` has no parameter for the player and plays {side} only; where "
                    "the other side is to move I show it the board with the colours exchanged"
                )
        return self._sides[name]


def _side_of(answers: Sequence[Any], wins: Mapping[str, int], kind: str) -> str:
    """The side that plays these two moves; "" if each was its mover's."""
    if kind not in ("cell", "column"):
        return "X"
    if list(answers) == [wins["X"], wins["O"]]:
        return ""
    return "O" if answers and answers[0] == wins["O"] else "X"
