"""The names that people give to the parts of a game, most usual first."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from rl_toolkit.adapting.on_base import is_own

BOARD = ("board", "grid", "cells", "squares", "state", "get_board", "get_state")
PLAYER = (
    *("current_player", "player", "turn", "to_move", "current_turn", "player_to_move", "mover"),
    *("active_player", "current", "x_turn", "get_current_player", "whose_turn"),
)
LEGAL = (
    *("get_legal_moves", "get_legal_actions", "legal_moves", "legal_actions", "available_moves"),
    *("get_available_moves", "valid_moves", "get_valid_moves", "possible_moves", "valid_actions"),
    *("get_possible_moves", "get_valid_actions", "available_actions", "get_actions", "get_moves"),
    *("valid_locations", "get_valid_locations", "empty_cells", "get_empty_cells"),
)
#: Methods that say whether one move is legal.
IS_LEGAL = (
    *("is_legal", "is_legal_move", "is_valid_move", "is_valid", "is_valid_location", "can_play"),
    *("valid_move", "is_free", "is_empty"),
)
STEP = (
    *("step", "make_move", "play", "play_move", "do_move", "apply_move", "move", "drop_piece"),
    *("drop", "place", "place_piece", "push", "put"),
)
DONE = (
    *("done", "game_over", "is_terminal", "is_over", "is_game_over", "over", "finished", "ended"),
    *("is_finished", "is_done", "terminal", "gameover"),
)
WINNER = ("winner", "get_winner", "check_winner", "find_winner")
#: Methods that say whether one player has won.
HAS_WON = ("check_win", "has_won", "is_winner", "wins", "check_winner", "is_win", "winning_move")
RESULT = ("get_result", "result", "utility")
RESET = ("reset", "new_game", "restart")
COPY = ("copy", "clone")
#: Methods that pass the turn, for classes whose step does not.
SWITCH = (
    *("switch_player", "switch_turn", "next_player", "next_turn", "change_player", "end_turn"),
    *("swap_players", "toggle_player", "change_turn"),
)
#: Attributes that change during a game, also if a constructor takes them.
CHANGING = (
    *(*BOARD, *PLAYER, *DONE, *WINNER),
    *("last_move", "move_count", "moves", "history", "ply", "plies"),
)
LINE = ("winning_line", "winning_cells", "win_line", "winning_positions")
SIDES = (
    *(("rows", "cols"), ("n_rows", "n_cols"), ("num_rows", "num_cols"), ("height", "width")),
    *(("nrows", "ncols"), ("rows", "columns"), ("ROWS", "COLS"), ("ROW_COUNT", "COLUMN_COUNT")),
    *(("HEIGHT", "WIDTH"), ("H", "W"), ("h", "w")),
)


def first_name(thing: object, names: tuple[str, ...]) -> str | None:
    """The first of the names that ``thing`` has, ``None`` if it has none."""
    return next((name for name in names if is_own(thing, name) and hasattr(thing, name)), None)


def method(thing: object, names: tuple[str, ...], takes: int) -> str | None:
    """The first of the names that is a method to be called with ``takes`` arguments."""
    for name in names:
        value = getattr(thing, name, None) if is_own(thing, name) else None
        if callable(value) and accepts(value, takes):
            return name
    return None


def question(thing: object, names: tuple[str, ...]) -> str | None:
    """The first of the names that is an attribute or a method without arguments."""
    for name in names:
        if not is_own(thing, name):
            continue  # what the base answers is not asked: it may ask for this very reading
        value = getattr(thing, name, _MISSING)
        if value is not _MISSING and (not callable(value) or accepts(value, 0)):
            return name
    return None


def accepts(function: Callable[..., Any], count: int) -> bool:
    """Whether ``function`` can be called with ``count`` positional arguments."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True


def ask(thing: object, name: str) -> Any:
    """The attribute of that name, or what the method of that name returns."""
    value = getattr(thing, name)
    return value() if callable(value) else value


_MISSING = object()
