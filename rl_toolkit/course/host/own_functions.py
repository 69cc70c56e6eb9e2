"""The functions of a program of one's own that stand for those of a handout, found by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from types import FunctionType, ModuleType
from typing import Any

from rl_toolkit.course.host.own_classes import OwnClasses
from rl_toolkit.course.host.own_names import is_own, of_game, plain_name, table
from rl_toolkit.course.host.parameters import Parameters, parameters_of
from rl_toolkit.utils import JsonObject, listed

#: The most functions of a program that are named where one is missing.
_MOST_OTHERS = 6
#: The own name, the module (``None`` for a method) and the function or value.
_Found = tuple[str, Any, Any]


class OwnFunctions:
    """What stands for each function of one file of a companion.

    Args:
        wanted: the functions by the handout's names; see ``own.toml``.
        names: names.toml.
        cells: how many cells a board of the game has; a class that keeps so many is the game.
        say: gets sentences on what was taken for what.
        title: the game's, where the handout has another one, so that sentences name it.
    """

    def __init__(
        self,
        wanted: Mapping[str, JsonObject],
        game: str,
        cells: int,
        modules: Mapping[str, ModuleType],
        names: JsonObject,
        say: Callable[[str], None],
        *,
        title: str = "",
    ) -> None:
        self._wanted, self._game = wanted, game
        self._title = title
        self._modules = of_game(modules, game)
        self._names = {**table(names, "functions"), **table(names, game)}
        self._found: dict[str, _Found] = {}
        self._classes = classes = OwnClasses(self._modules, cells)
        say(classes.sentence)
        for name in wanted:
            found = self._of_program(name, classes)
            if found is not None:
                self._found[name] = found
        for name in wanted:  # a short name counts where no usual one stands for the function
            if name not in self._found and (short := self._short(name)) is not None:
                self._found[name] = short
        taken = [f"`{own}` as `{name}`" for name, (own, *_) in self._found.items() if own != name]
        if taken:
            say(f"I take your {listed(taken)}")

    def _of_program(self, name: str, classes: OwnClasses) -> _Found | None:
        """A function, else a method, by the name in names.toml or a usual one."""
        wanted, named = self._wanted[name], self._names.get(name)
        own = named.get("name", name) if isinstance(named, dict) else named
        usual = [own] if isinstance(own, str) else [name, *wanted.get("also", ())]
        kind = wanted["returns"]
        takes = wanted.get("takes")
        most = len(takes) + 1 if kind == "plain" and takes is not None and own is None else None
        lookups = (self._lookup(each, is_function=takes is not None, most=most) for each in usual)
        found = next(filter(None, lookups), None)
        if found is None:
            most = len(wanted.get("takes", ()))
            methods = [classes.lookup(each, kind, self._game, most=most) for each in usual]
            if not isinstance(own, str) or own == name:  # short names, that say little elsewhere
                least = len(wanted.get("takes", ())) - 1
                short = wanted.get("methods", ())
                methods += [classes.lookup(n, kind, self._game, least=min(least, 1)) for n in short]
            return next(filter(None, methods), None)
        if callable(found[2]):
            return found[0], found[1], classes.with_objects(found[2], kind)
        return found

    def _short(self, name: str) -> _Found | None:
        """A function by a name that says little, with as many parameters as the handout's.

        Where that takes a board, it does, too: ``end(player)`` only prints something.
        """
        if name in self._names:
            return None
        sheet = self._wanted[name].get("takes", ())
        takes = len(sheet)
        taken = {own for own, *_ in self._found.values()}
        for short in self._wanted[name].get("short", ()):
            found = self._lookup(short, is_function=True, least=min(takes, 2), most=takes + 1)
            if found is None or found[0] in taken:
                continue
            if "board" not in sheet or "board" in parameters_of(found[2], found[0], sheet).kinds:
                return found
        return None

    def _lookup(
        self, wanted: str, *, is_function: bool, least: int = 0, most: int | None = None
    ) -> _Found | None:
        """The function or value of this name, without the words for the game.

        It takes at least ``least`` arguments, and does with ``most``.
        """
        for module in self._modules:
            for name, value in vars(module).items():
                if name.startswith("__") or isinstance(value, (type, ModuleType)):
                    continue
                if isinstance(value, FunctionType) and not is_own(value):
                    continue
                if is_function != callable(value):
                    continue
                if isinstance(value, FunctionType) and not _takes(value, least, most):
                    continue
                if name == wanted or plain_name(name, self._game) == wanted.lower():
                    return name, module, value
        return None

    def __contains__(self, name: str) -> bool:
        return name in self._found

    def own(self, name: str) -> str:
        """The program's name of what stands for a name of the handout."""
        return self._found[name][0]

    def raw(self, name: str) -> Any:
        """The function or value itself, ``None`` if there is nothing."""
        found = self._found.get(name)
        return None if found is None else found[2]

    def parameters(self, name: str) -> Parameters:
        """What the parameters of a function mean, by names.toml or by their own names."""
        named = self._names.get(name)
        kinds = named.get("takes", ()) if isinstance(named, dict) else ()
        return parameters_of(
            self.raw(name), self.own(name), self._wanted[name].get("takes", ()), kinds
        )

    def marks_played(self) -> tuple[Any, Any] | None:
        """The marks that a class puts on its board in two moves, ``None`` if that is not known."""
        for moves, play in (("available_columns", "drop"), ("available_moves", "apply_move")):
            if play in self and moves in self and "create_board" in self:
                with suppress(Exception):
                    legal = list(self.raw(moves)(self.raw("create_board")()))
                    return self._classes.marks_played(self.own(play), legal)
        return None

    def use_marks(self, marks: Iterable[Any]) -> None:
        """Make objects with these marks, X's first."""
        first, second = marks
        self._classes.marks = first, second

    def missing(self, name: str) -> str:
        """That nothing stands for a name, and what to do."""
        where = listed([module.__name__ for module in self._modules][:3]) or "your program"
        aim = f" for {self._title}" if self._title else ""
        others = self._others()
        takes = len(self._wanted[name].get("takes", ()))
        fits = [
            each for each, own in others.items() if _takes(own, min(takes, 1), takes + bool(takes))
        ]
        example = fits[0] if len(fits) == 1 else "…"
        owns = [f"`{each}`" for each in others][:_MOST_OTHERS]
        has = f", which has {listed(owns)}, too" if others else ""
        return (
            f"I find no `{name}`{aim} in {where}{has}: write it, or say in names.toml what you "
            f'call it ([functions] {name} = "{example}")'
        )

    def _others(self) -> dict[str, FunctionType]:
        """Functions of the program that stand for nothing: one of them may be what is missing."""
        taken = {own for own, *_ in self._found.values()}
        return {
            name: value
            for module in self._modules
            for name, value in vars(module).items()
            if isinstance(value, FunctionType)
            and value.__module__ == module.__name__
            and not name.startswith("_")
            and name not in taken
        }

    def variables(self) -> Any:
        """An object whose attributes are the variables of the program."""
        return _Variables(self._found)


def _takes(function: FunctionType, least: int, most: int | None) -> bool:
    """Whether a function takes at least ``least`` arguments and does with ``most``."""
    count = function.__code__.co_argcount
    required = count - len(function.__defaults__ or ())
    return count >= least and (most is None or required <= most)


class _Variables:
    """Variables of a program under the handout's names."""

    def __init__(self, found: Mapping[str, _Found]) -> None:
        object.__setattr__(self, "_found", found)

    def __getattr__(self, name: str) -> Any:
        own, module, _ = self._found[name]
        return getattr(module, own)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self._found:
            own, module, _ = self._found[name]
            setattr(module, own, value)
