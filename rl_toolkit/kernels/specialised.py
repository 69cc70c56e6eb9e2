"""Kernels written once and compiled in several versions, with numbers from memory or as constants.

A kernel that reads the size of its board from memory serves every board. The same kernel with the
size as a constant is half as fast again, as shifts and masks become constants. A `Family` allows
both from one source. Its kernels read numbers with *fields*::

    family = Family()
    stride = family.field(7)                      # word 7 of a block

    @family.kernel(u64(u64, words))
    def neighbours(stones, block):                # the general version
        return stones << stride(block)

    standard = family.version("6x7", {7: 7}, [neighbours])   # word 7 is the constant 7
    standard(neighbours)                          # a kernel of the same signature

A version consists of the same functions, with the fields and kernels that they name replaced by
those of the version. Nothing is compiled before it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, ParamSpec, TypeVar, cast

from rl_toolkit.kernels.jit import Kernel, instruction, ir, kernel, u64, words

P = ParamSpec("P")
R = TypeVar("R")

Known = Mapping[int, int]
Instruction = Callable[..., Any]
# A general kernel, its function, and the decorator that makes such a kernel of another function.
_Declared = tuple[Kernel[..., Any], FunctionType, Callable[[FunctionType], Kernel[..., Any]]]


class Family:
    """Kernels that call each other and read the same block of words."""

    def __init__(self) -> None:
        self._kernels: list[_Declared] = []
        self._instructions: list[tuple[Instruction, Callable[[Known], Instruction]]] = []

    def field(self, index: int) -> Instruction:
        """An instruction ``read(block)`` for one number, which never changes while kernels run."""
        return self.instruction(lambda known: _reader(index, known))

    def instruction(self, make: Callable[[Known], Instruction]) -> Instruction:
        """An instruction that depends on known numbers; ``make`` creates it for each version."""
        general = make({})
        self._instructions.append((general, make))
        return general

    def kernel(
        self, signature: Any, *, inline: bool = False
    ) -> Callable[[Callable[P, R]], Kernel[P, R]]:
        """`jit.kernel`, for a kernel of this family."""

        def decorate(function: Callable[P, R]) -> Kernel[P, R]:
            general = kernel(signature, inline=inline)(function)
            declared = (general, cast("FunctionType", function), kernel(signature, inline=inline))
            self._kernels.append(declared)
            return general

        return decorate

    def version(self, name: str, known: Known, entries: list[Kernel[..., Any]]) -> Version:
        """A version of ``entries`` and the kernels they call, with ``known`` numbers by index."""
        exchanged: dict[int, Any] = {id(old): make(known) for old, make in self._instructions}
        scopes: list[tuple[dict[str, Any], FunctionType]] = []
        for general, function, declare in self._called_by(entries):
            scope: dict[str, Any] = {"__name__": function.__module__}
            twin = FunctionType(function.__code__, scope, function.__name__)
            # The cache on disk distinguishes functions by this name.
            twin.__qualname__ = f"{function.__qualname__}_{name}"
            twin.__doc__ = function.__doc__
            exchanged[id(general)] = declare(twin)
            scopes.append((scope, function))
        for scope, function in scopes:
            for word, meaning in function.__globals__.items():
                scope[word] = exchanged.get(id(meaning), meaning)
        return Version(exchanged)

    def _called_by(self, entries: list[Kernel[..., Any]]) -> list[_Declared]:
        """``entries`` and every kernel of the family that they call, callees before callers."""
        by_id = {id(general): function for general, function, _ in self._kernels}
        reached: set[int] = set()
        waiting = [id(entry) for entry in entries]
        while waiting:
            number = waiting.pop()
            if number in by_id and number not in reached:
                reached.add(number)
                function = by_id[number]
                named = (function.__globals__.get(word) for word in function.__code__.co_names)
                waiting += [id(meaning) for meaning in named]
        return [declared for declared in self._kernels if id(declared[0]) in reached]


class Version:
    """The kernels of a family, compiled with some numbers known."""

    def __init__(self, kernels: dict[int, Any]) -> None:
        self._kernels = kernels

    def __call__(self, general: Kernel[P, R]) -> Kernel[P, R]:
        """This version of a kernel."""
        return cast("Kernel[P, R]", self._kernels[id(general)])


def number(build: Any, block: Any, index: int, known: Known) -> Any:
    """For instructions: a number of the block, as a constant if it is known."""
    word = ir.IntType(64)
    if index in known:
        return ir.Constant(word, known[index])
    value = build.load(build.gep(block, [ir.Constant(word, index)]))
    value.set_metadata("invariant.load", build.module.add_metadata([]))
    return value


def _reader(index: int, known: Known) -> Instruction:
    @instruction(u64(words))
    def read(build: Any, block: Any) -> Any:
        return number(build, block, index, known)

    return read
