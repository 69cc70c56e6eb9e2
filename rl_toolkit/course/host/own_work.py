"""A program of one's own in the place of a companion's file: names, boards, parameters mapped.

The tests of a companion ask for functions by the handout's names. `OwnWork` wraps the student's
function for each, see `OwnFunctions`, so that it takes and returns what the tests use. What was
taken for what is said in `OwnWork.notes`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import combinations
from types import ModuleType
from typing import Any

from rl_toolkit.course.host.own_form import GAMES, OwnForm, cell_count, exchanged
from rl_toolkit.course.host.own_functions import OwnFunctions
from rl_toolkit.course.host.own_search import OwnSearch
from rl_toolkit.course.host.parameters import own_arguments
from rl_toolkit.utils import JsonObject, listed

_MOVES = ("available_moves", "get_available_moves", "available_columns")


class OwnWork:
    """The student's modules, and the functions of the handout in them.

    Args:
        wanted: the files of the companion with their functions; see ``own.toml``.
        names: names.toml: ``[functions]`` by the handout's name, or ``[tictactoe]`` and
            ``[connect-four]`` where the two games differ.
    """

    def __init__(
        self,
        wanted: Sequence[JsonObject],
        modules: Mapping[str, ModuleType],
        names: JsonObject,
        error: Callable[[str], Exception],
    ) -> None:
        self._error = error
        self.notes: list[str] = []
        named = len(wanted) > 1
        self._files = {
            file["name"]: _OwnFile(file, modules, names, self.notes, named) for file in wanted
        }

    def take(self, file: str, name: str, session: int) -> Any:
        """The student's function or value for a name of the handout, wrapped."""
        found = self._files[file].wrapped(name)
        if found is None:
            raise self._error(self._files[file].missing(name))
        return found

    def module(self, file: str) -> Any:
        """The variables of the student's program, under the handout's names."""
        return self._files[file].variables()


class _OwnFile:
    """What stands for one file of the companion."""

    def __init__(
        self,
        wanted: JsonObject,
        modules: Mapping[str, ModuleType],
        names: JsonObject,
        notes: list[str],
        named: bool,
    ) -> None:
        """``named``: whether notes say which of several games they are about."""
        game: str = wanted["game"]
        self._wanted: dict[str, JsonObject] = wanted["functions"]
        self._form = OwnForm(game)
        self._said = notes
        self._about = f"{self._form.game.title}: " if named else ""
        self._told: set[str] = set()
        self._other_game = self._unknown = ""
        cells = self._form.rows * self._form.cols
        title = self._form.game.title if named else ""
        self._functions = OwnFunctions(
            self._wanted, game, cells, modules, names, self._say, title=title
        )
        self._search = OwnSearch(self._functions, self._form, self._plainly, self._say)
        self._learn()
        if self._form.says:
            self._say(listed(self._form.says))

    def missing(self, name: str) -> str:
        """That nothing stands for a name, or can be asked, and what to do."""
        unknown = self._unknown if self._wants_board(name) else ""
        return self._other_game or unknown or self._functions.missing(name)

    def _wants_board(self, name: str) -> bool:
        wanted = self._wanted[name]
        return "board" in (*wanted.get("takes", ()), wanted["returns"])

    def variables(self) -> Any:
        """An object whose attributes are the variables of the program."""
        return self._functions.variables()

    # ------------------------------------------------------------------------ learning

    def _learn(self) -> None:
        """Find out by trial how boards, players and moves are written; what fails stays usual."""
        form = self._form
        makes_boards = "create_board" in self._functions
        with suppress(Exception):
            empty = self._functions.raw("create_board")()
            self._see_other_game(cell_count(empty))
            form.learn_board(empty)
        win = self._functions.raw("winner") or self._functions.raw("check_winner")
        if win is not None:
            played = self._functions.marks_played()
            if makes_boards:
                form.learn_marks(self._knows_marks, played)
            elif not form.learn_usual_board(self._knows_board, played):
                self._unknown = self._functions.missing("create_board")
            self._functions.use_marks(form.form.marks)
            with suppress(Exception):  # a line of blanks is a mistake; a drawn game tells which
                drawn = form.board(form.board_of(form.game.drawn))
                form.blank_is_no_winner = win(drawn) == form.form.empty
        moves = self._functions.raw("available_moves") or self._functions.raw("get_available_moves")
        if moves is not None and form.game.moves == "cell":
            with suppress(Exception):
                form.learn_moves(list(moves(form.board(form.empty_board()))))
        columns = self._functions.raw("available_columns")
        if columns is not None:
            with suppress(Exception):
                form.learn_columns(list(columns(form.board(form.empty_board()))))
        if "drop" in self._functions or "next_row" in self._functions:
            with suppress(Exception):
                self._learn_gravity()

    def _see_other_game(self, cells: int) -> None:
        """Notice that the only board of the program is one of the handout's other game."""
        others = [g for g in GAMES.values() if g is not self._form.game and self._about]
        title = next((g.title for g in others if g.rows * g.cols == cells), "")
        if title:
            own, mine = self._functions.own("create_board"), self._form.game.title
            self._other_game = (
                f"I find no {mine} in your program: `{own}` makes the {cells} cells of {title}. "
                "The handout asks for both games; a file of each has its name, such as "
                "connect4.py or tictactoe.py"
            )

    def _knows_board(self, form: OwnForm, is_sure: bool) -> bool:
        """Whether the program sees rows and free cells on boards that it did not make."""
        moves = next(
            (self._functions.raw(each) for each in _MOVES if each in self._functions), None
        )
        wide = form.cols if form.game.moves == "column" else form.rows * form.cols
        found = wide if moves is None else len(list(moves(form.board(form.empty_board()))))
        return found == wide and self._knows_marks(form, is_sure)

    def _knows_marks(self, form: OwnForm, is_sure: bool) -> bool:
        """Whether the program sees rows with these marks; ``is_sure``: its search does, too."""
        self._functions.use_marks(form.form.marks)
        name = "winner" if "winner" in self._functions else "check_winner"
        boards = [form.board_with_row(letter) for letter in "XO"]
        answers = [self._call(name, (board,)) for board in (*boards, form.empty_board())]
        if answers not in (["X", "O", None], ["X", "O", str(form.form.empty)]):
            return False
        # A function that is given the player knows any mark; a search knows its own.
        if "minimax" not in self._functions:
            return True
        signs = self._search.signs("minimax", "score")
        return signs[0] != 0 and (not is_sure or self._search.sees_two_threats(signs))

    def _learn_gravity(self) -> None:
        board = self._form.board(self._form.empty_board())
        if "next_row" in self._functions:
            row = self._functions.raw("next_row")(board, self._form.first_column)
            self._form.learn_bottom(int(row))
            return
        parameters = self._functions.parameters("drop")
        given = {
            "board": board,
            "column": self._form.first_column,
            "player": self._form.player("X"),
        }
        if "row" in parameters.kinds:
            return
        answer = self._functions.raw("drop")(*own_arguments(parameters.kinds, given))
        self._form.learn_gravity(self._board_in(answer, board))

    # ------------------------------------------------------------------------- calling

    def wrapped(self, name: str) -> Any:
        """What a test gets for a name of the handout; ``None`` if there is nothing."""
        if self._other_game or (self._unknown and self._wants_board(name)):
            return None
        if name not in self._functions:
            return None if self._unknown else self._instead(name)
        if not callable(found := self._functions.raw(name)):
            return self._answer(self._wanted[name]["returns"], found, None)
        parameters = self._functions.parameters(name)
        self._say(parameters.sentence(self._wanted[name].get("takes", ())))
        self._try_out(name)  # before a test begins to count calls
        return lambda *arguments: self._call(name, arguments)

    def _try_out(self, name: str) -> None:
        """Find out now what calls of this function need to know."""
        kind, kinds = self._wanted[name]["returns"], self._functions.parameters(name).kinds
        sheet = self._wanted[name].get("takes", ())
        if kind in ("value", "score"):
            self._search.view(name, kind)
        one_side = kind == "cell" or "player" in sheet
        if one_side and not {"player", "maximizing", "me"} & set(kinds):
            self._search.side(name, kind)

    def _instead(self, name: str) -> Any:
        """What other functions say together, where the program has no function of this name.

        A minimax that returns the column with its value is also the choice of a column, and who
        knows winners and draws knows when a game is over. A draw is no winner and no move.
        """
        if name == "best_column" and self._search_names_columns():
            return lambda *arguments: self._call("minimax", arguments, "column")
        counted = name.removesuffix("_counted")
        if counted != name and counted in self._functions and "node_count" in self._functions:
            self._say(f"you have no `{name}`; I take `{self._functions.own(counted)}`, too")
            return lambda *arguments: self._call(counted, arguments)
        win = next((each for each in ("winner", "check_winner") if each in self._functions), "")
        moves = next((each for each in _MOVES if each in self._functions), "")
        if name == "WIN_LINES" and win:
            self._say(f"you have no `{name}`; `{self._functions.own(win)}` tells which they are")
            return self._lines_seen(win)
        ends = name in ("game_over", "is_terminal")
        full = "is_draw" if ends and "is_draw" in self._functions else moves
        if not (win and full and (ends or name == "is_draw")):
            return None
        owns = " and ".join(f"`{self._functions.own(each)}`" for each in (win, full))
        what = "when a game is over" if ends else "what a draw is"
        self._say(f"you have no `{name}`; I take {owns} to know {what}")

        def instead(board: Any) -> bool:
            is_won = self._call(win, (board,)) is not None
            found = self._call(full, (board,))
            is_full = bool(found) if full == "is_draw" else not found
            return is_won or is_full if ends else is_full and not is_won

        return instead

    def _search_names_columns(self) -> bool:
        """Whether the search returns a move with its value."""
        near = {"board": self._form.empty_board(), "depth": 1}
        with suppress(Exception):
            answer = self._plainly("minimax", near, "plain", "X", flag=True)
            return isinstance(answer, (tuple, list))
        return False

    def _lines_seen(self, win: str) -> list[list[int]]:
        """Three cells are a line if the program sees a winner there."""
        found = []
        for line in combinations(range(9), 3):
            board = self._form.board_of("".join("X" if i in line else "." for i in range(9)))
            if self._call(win, (board,)) == "X":
                found.append(list(line))
        return found

    def _call(self, name: str, arguments: Sequence[Any], returns: str = "") -> Any:
        sheet = self._wanted[name].get("takes", ())
        kind = returns or self._wanted[name]["returns"]
        given = dict(zip(sheet, arguments, strict=False))
        parameters = self._functions.parameters(name)
        if kind == "player" and "player" in parameters.kinds and "player" not in sheet:
            won = [
                letter for letter in "XO" if self._asked(name, {**given, "player": letter}, "truth")
            ]
            return won[0] if won else None
        return self._asked(name, given, kind)

    def _asked(self, name: str, given: dict[str, Any], kind: str) -> Any:
        """The answer to a call, in the view of X where it is a value."""
        player = given.get("player")
        if player is None and "maximizing" in given:
            player = "X" if given["maximizing"] else "O"
        kinds = self._functions.parameters(name).kinds
        if player is not None and not {"player", "maximizing", "me"} & set(kinds):
            side = self._search.side(name, kind)
            if side and side != player:
                turned = {**given, "board": exchanged(given["board"])}
                found = self._told_apart(name, turned, kind, side)
                return -found if kind in ("value", "score") and found is not None else found
        return self._told_apart(name, given, kind, player)

    def _told_apart(self, name: str, given: dict[str, Any], kind: str, player: Any) -> Any:
        """The answer with the sign of X's view; `_view` says whose view the program has."""
        view = self._search.view(name, kind) if kind in ("value", "score") else "X"
        flag = player == ("O" if view == "O" else "X")
        found = self._plainly(name, given, kind, player, flag)
        if found is None or view == "X" or (view == "mover" and player == "X"):
            return found
        return -found

    def _plainly(self, name: str, given: dict[str, Any], kind: str, player: Any, flag: bool) -> Any:
        parameters, form = self._functions.parameters(name), self._form
        board = given.get("board")
        mine = None if board is None else form.board(board)
        first = (
            "X" if player is None or {"player", "maximizing"} & set(parameters.kinds) else player
        )
        window = [form.player(c) if c in "XO" else form.form.empty for c in given.get("window", ())]
        values: dict[str, Any] = {
            "board": mine,
            "alpha": given.get("alpha", -math.inf),
            "beta": given.get("beta", math.inf),
            "depth": given["depth"]
            if "depth" in given
            else self._search.depth(name, kind, parameters),
            "me": form.player(first),
            "other": form.player("O" if first == "X" else "X"),
            "window": window,
            "player": form.player(player or "X"),
            "maximizing": flag if player is not None else True,
        }
        if "cell" in given:
            row, col = divmod(given["cell"], form.cols)
            values |= {"cell": form.cell(given["cell"])}
            values |= {"row": row + form.form.first, "column": col + form.form.first}
        if "column" in given:
            values["column"] = given["column"] + form.first_column
            values["row"] = form.landing_row(given["board"], given["column"])
        answer = self._functions.raw(name)(*own_arguments(parameters.kinds, values))
        if kind == "board" and answer is None:
            own = self._functions.own(name)
            self._say(f"your `{own}` changes the board that it is given, and returns nothing")
        elif board is not None:
            self._keep_changes(board, mine)
        return self._answer(kind, answer, mine)

    def _answer(self, kind: str, answer: Any, board: Any) -> Any:
        """An answer of the program as the tests expect it."""
        form = self._form
        match kind:
            case "board":
                return form.read_board(self._board_in(answer, board))
            case "cells":
                return [form.read_cell(each) for each in answer]
            case "columns":
                return [form.read_column(each) for each in answer]
            case "cell":
                return form.read_cell(answer)
            case "column":
                return form.read_column(answer[0] if isinstance(answer, (tuple, list)) else answer)
            case "player":
                return form.read_player(answer)
            case "truth":
                return bool(answer)
            case "value":
                number = _number(answer)
                return number if number is None else int(number > 0) - int(number < 0)
            case "score":
                return _number(answer)
            case "lines":
                return [[form.read_cell(each) for each in line] for line in answer]
        return answer

    def _board_in(self, answer: Any, board: Any) -> Any:
        """The board that a function returned, or changed in place."""
        if answer is None or isinstance(answer, (bool, int)):
            return board
        return answer

    def _keep_changes(self, board: Any, mine: Any) -> None:
        """Let a test see that a function has changed the board that it was given."""
        with suppress(Exception):
            now = self._form.read_board(mine)
            if now != board:
                board[:] = now

    def _say(self, sentence: str) -> None:
        if sentence and sentence not in self._told:
            self._told.add(sentence)
            said = self._about + sentence
            self._said.append(said[0].upper() + said[1:] + ".")


def _number(answer: Any) -> Any:
    """The number in an answer; of a pair, the second, after the move."""
    if isinstance(answer, (tuple, list)) and len(answer) == 2:
        answer = answer[1]
    if hasattr(answer, "item"):
        answer = answer.item()
    return answer if isinstance(answer, (int, float)) and not isinstance(answer, bool) else None
