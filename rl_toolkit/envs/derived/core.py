# ruff: noqa: D102 - the methods are documented where they are written
"""`Core`: what the parts of a game know of each other; `BaseGameEnv` and its parts supply it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from rl_toolkit.envs.traits import GameTraits
from rl_toolkit.envs.validation import Board

StepResult = tuple[Board, float, bool, dict[str, Any]]


class Core:
    """The attributes of every game, and the methods that more than one part calls."""

    traits: ClassVar[GameTraits]
    rows: int = 0
    cols: int = 0
    board_size: int | tuple[int, int] = 0
    current_player: int = 1
    winner: int | None
    done: bool
    move_count: int
    last_move: int | None
    winning_line: list[int] | None

    #: The methods of the contract that the class itself supplies, and whether some are left out.
    _supplied: ClassVar[frozenset[str]] = frozenset()
    _has_gaps: ClassVar[bool] = False
    #: Whether the object keeps board, moves or players in its own way (see `own_form`).
    _own_form: bool = False
    #: Whether one of the class's own methods is running.
    _busy: bool = False
    _board: Board = np.zeros(0, dtype=np.int8)

    if TYPE_CHECKING:

        @property
        def board(self) -> Board: ...
        @board.setter
        def board(self, board: Any) -> None: ...
        @property
        def name(self) -> str: ...
        @property
        def num_moves(self) -> int: ...
        @property
        def pass_move(self) -> int | None: ...
        @property
        def history(self) -> list[int]: ...
        def step(self, move: int | str) -> StepResult: ...
        def undo(self) -> int: ...
        def copy(self) -> Self: ...
        def get_legal_moves(self) -> list[int]: ...
        def get_legal_actions(self) -> list[int]: ...
        def is_terminal(self) -> bool: ...
        def check_win(self, player: int) -> bool: ...
        def get_result(self, player: int) -> float: ...
        def get_state_hash(self) -> Hashable: ...
        def move_name(self, move: int) -> str: ...
        def parse_move(self, text: str) -> int: ...
        def as_played(self, move: object) -> int: ...
