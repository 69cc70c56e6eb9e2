"""Games of OpenSpiel as games of ours: ``make_game("openspiel:hex(board_size=5)")``.

The player who begins is +1 (in OpenSpiel that is player 0, in its chess player 1), and actions are
moves, by the same numbers.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rl_toolkit.adapters.openspiel.library import load_game
from rl_toolkit.envs import GameTraits, TextGame

_PREFIX = "openspiel"
#: The pieces of the two players, who begins first, where they are not X and O.
_PIECES = dict.fromkeys(("chess", "antichess", "crazyhouse", "hive"), ("White", "Black")) | {
    "go": ("Black", "White"),
    "othello": ("Black", "White"),
    "breakthrough": ("Black", "White"),
}


#: Games in which the players always take turns.
_ALTERNATING = (
    *("antichess", "breakthrough", "chess", "clobber", "connect_four", "crazyhouse", "go"),
    *("gomoku", "havannah", "hex", "hive", "lines_of_action", "mnk", "nim", "othello", "oware"),
    *("pentago", "quoridor", "shogi", "tic_tac_toe", "twixt", "xiangqi", "y"),
)


class OpenSpielGame(TextGame[Any]):
    """A game of OpenSpiel, played by its own rules.

    ``game`` is named as OpenSpiel does: ``hex``, ``hex(board_size=5)``.
    """

    traits = GameTraits(name=_PREFIX, title="OpenSpiel")

    def __init__(self, game: str = "tic_tac_toe") -> None:
        self._game = load_game(game)
        self._beginner = self._game.new_initial_state().current_player()
        text = str(self._game).removesuffix("()")
        kind = self._game.get_type()
        # Each game of the library has a title and pieces of its own, so these traits are not the
        # same for the whole class.
        vars(self)["traits"] = replace(
            type(self).traits,
            name=f"{_PREFIX}:{text}",
            preview_variant=text,
            alternates=kind.short_name in _ALTERNATING,
            title=f"{kind.long_name} {text[len(kind.short_name) :]}".strip(),
            pieces=_PIECES.get(kind.short_name, ("X", "O")),
            rules=(f"The rules are those of OpenSpiel's {text}.",),
        )
        self._text = text
        super().__init__(self._game.num_distinct_actions(), self._game.max_game_length())

    @classmethod
    def from_variant(cls, variant: str) -> Self | None:
        """The game that OpenSpiel calls ``variant``; Tic-Tac-Toe if it is empty."""
        return cls(variant) if variant else cls()

    @property
    def name(self) -> str:
        """The name from which `make_game` makes this game: ``openspiel:hex(board_size=5)``."""
        return f"{_PREFIX}:{self._text}"

    def start_state(self) -> Any:
        """The initial state."""
        return self._game.new_initial_state()

    def next_state(self, state: Any, move: int) -> Any:
        """The child of the state."""
        return state.child(move)

    def moves_in(self, state: Any) -> list[int]:
        """The legal actions."""
        legal: list[int] = state.legal_actions()
        return legal

    def is_final(self, state: Any) -> bool:
        """Whether the state is terminal."""
        return bool(state.is_terminal())

    def mover_in(self, state: Any) -> int:
        """+1 for the player who begins, −1 for the other."""
        return 1 if state.current_player() == self._beginner else -1

    def result_in(self, state: Any) -> int:
        """The sign of what the player who begins gets: a larger win is a win."""
        value: float = state.player_return(self._beginner)
        return (value > 0) - (value < 0)

    def text_of(self, state: Any) -> str:
        """The state's own text."""
        return str(state) or "(no text)"

    def key_of(self, state: Any) -> Hashable:
        """The state's text and the number of moves.

        The number tells positions apart that were reached by repeating moves: a game that ends
        after so many moves has another future there.
        """
        return str(state), state.move_number()

    def name_in(self, state: Any, move: int) -> str:
        """The action as the state writes it."""
        return str(state.action_to_string(state.current_player(), move))

    def observation(self, player: int) -> NDArray[np.float32]:
        """OpenSpiel's observation tensor for ``player``."""
        seat = self._beginner if player == 1 else 1 - self._beginner
        tensor = np.array(self.state.observation_tensor(seat), dtype=np.float32)
        return tensor.reshape(self._game.observation_tensor_shape())


def make_game(name: str) -> OpenSpielGame:
    """The game that OpenSpiel calls ``name``; raises ``ValueError`` if it cannot be played here."""
    return OpenSpielGame(name)
