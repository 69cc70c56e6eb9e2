"""The only module that imports Numba: decorators, the on-disk cache and compilation progress.

Kernels are plain typed functions with the decorator `kernel`, called from Python, from other
kernels, or through their `Kernel.address`. Nothing is compiled when a module is imported: a kernel
is compiled on first use, together with the kernels it calls; after that kernels call each other
directly, like any Numba functions.

Machine code is saved on disk (see `kernels.compiling.code_cache`) and loaded in milliseconds
afterwards. A front end that wants to announce the wait calls `pending`, listens with `on_compile`,
or compiles everything with `compile_all`. Without one,
`kernels.compiling.compile_news` says so on stderr.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, cast

# This clock starts before Numba is imported, which takes half a second.
from rl_toolkit.kernels.compiling.import_clock import BEGUN

# isort: split
import llvmlite
import llvmlite.binding
import numba
from llvmlite import ir
from numba import types
from numba.core import caching
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

from rl_toolkit.kernels.compiling import objects
from rl_toolkit.kernels.compiling.code_cache import CodeCache
from rl_toolkit.kernels.compiling.compile_news import NEWS, Needed, is_watched
from rl_toolkit.kernels.compiling.compiled_only import check_may_compile
from rl_toolkit.kernels.compiling.toolchain import switched_on, toolchain

preparation_seconds = time.perf_counter() - BEGUN
"""The seconds spent on importing Numba, and on compiling and loading kernels."""

__all__ = [
    "ENABLED",
    "Kernel",
    "address_call",
    "awaited",
    "below",
    "byte_array",
    "compile_all",
    "cpu",
    "f64",
    "i64",
    "instruction",
    "ir",
    "kernel",
    "kernels",
    "note",
    "number_array",
    "numbers",
    "octets",
    "offset",
    "on_compile",
    "pair",
    "pending",
    "pointer",
    "small_array",
    "u64",
    "word_array",
    "words",
    "work",
]

P = ParamSpec("P")
R = TypeVar("R")

# The types of signatures.
u64 = types.uint64
i64 = types.int64
f64 = types.float64
words = types.CPointer(types.uint64)  # a state, a geometry: a pointer to 64-bit words
numbers = types.CPointer(types.int64)  # a list of moves
octets = types.CPointer(types.uint8)  # cells of a pack
pair = types.UniTuple(types.uint64, 2)  # two words returned
word_array = types.Array(types.uint64, 1, "C")
number_array = types.Array(types.int64, 1, "C")
byte_array = types.Array(types.uint8, 1, "C")
small_array = types.Array(types.int32, 1, "C")

ENABLED = not numba.config.DISABLE_JIT
"""False if NUMBA_DISABLE_JIT is set: then kernels cannot run, and callers use Python."""

#: Kernels that no game and no page waits for: libraries, training, counting of positions.
_SELDOM = ("archive.", "reversi.learning.", "rules.perft.", "search.tree_counts.")

#: What a kernel without code would take, in bytes of code.
_EACH = 300

_OPTIONS = {"nogil": True, "boundscheck": False, "error_model": "numpy"}


def cpu() -> tuple[str, frozenset[str]]:
    """The target processor: its LLVM name and its features."""
    name = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    listed = numba.config.CPU_FEATURES
    if listed is None:
        listed = llvmlite.binding.get_host_cpu_features().flatten()
    return name, switched_on(listed)


_SOURCES = Path(__file__).parent
_cache = CodeCache(_SOURCES, toolchain(numba.__version__, llvmlite.__version__, *cpu()))
_declared: list[Kernel[..., Any]] = []
_listeners: list[Callable[[str], None]] = []
_needed = Needed()  # by the searches of this process
_preparing = False  # while a kernel is compiled or loaded, with the kernels that it calls


class Kernel(Generic[P, R]):
    """A function and its machine code, which is compiled or loaded on first use."""

    def __init__(
        self, function: Callable[P, R], signature: Any, *, inline: bool, alone: bool
    ) -> None:
        # The path below this package: `table.find` exists for two games.
        self.name = f"{function.__module__.removeprefix(f'{__package__}.')}.{function.__qualname__}"
        self.__doc__ = function.__doc__
        self._function = function
        self._signature = signature
        self._options = {**_OPTIONS, "forceinline": inline}
        self._alone = alone
        self._underway: Any = None
        self._code: Any = None
        # The cache key covers the sources in this folder only.
        self._on_disk = _SOURCES in Path(inspect.getfile(function)).parents
        if self._on_disk:
            _declared.append(self)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        """Run the machine code, compiling or loading it if necessary."""
        code = self._code if self._code is not None else self._make()
        return cast("R", code(*args, **kwargs))

    @property
    def _numba_type_(self) -> Any:
        # Numba reads this for every global it meets, so compiling a caller compiles its callees.
        return self._make()._numba_type_

    @cached_property
    def address(self) -> int:
        """The address of the code as a C function, valid as long as the process lives."""
        code = self._make().overloads[self._signature.args]
        return int(code.library.get_pointer_to_function(code.fndesc.llvm_cfunc_wrapper_name))

    @property
    def ready(self) -> bool:
        """Whether a call would not have to compile anything."""
        return self._code is not None or (self._on_disk and _cache.has(self.name))

    def make(self) -> None:
        """Compile or load the machine code now, unless that has been done."""
        self._make()

    def _make(self) -> Any:
        # Numba's own lock: with a second one, two threads could deadlock.
        with global_compiler_lock:
            if self._underway is not None:  # done, or a kernel that calls itself
                return self._underway
            with _counted():
                return self._make_now()

    def _make_now(self) -> Any:
        if self.ready or not self._on_disk:
            return self._made()
        check_may_compile(self.name)
        with _cache.turn(self.name):  # another process may have compiled it meanwhile
            return self._made()

    def _made(self) -> Any:
        if not self.ready:
            check_may_compile(self.name)
            _announce(self)
        folder = _cache.folder() if self._on_disk else None
        if not _cache.is_writable and not self.ready:  # it could not be saved
            folder = None
        try:
            self._compile(folder)
        except OSError as problem:  # the folder was removed, or the disk is full
            if folder is None:
                raise
            _cache.give_up(problem)
            self._compile(None)
        if folder is not None:
            if self._alone and not self.ready:
                self._save_object(folder)
            _cache.note(self.name)
        self._code = self._underway
        return self._code

    def _save_object(self, folder: Path) -> None:
        """Save the code for `compiling.objects`, as far as there is room for it."""
        code = self._underway.overloads[self._signature.args]
        # Numba has no object file of what it has loaded, as after a process that was killed.
        with suppress(OSError, RuntimeError):
            _, _, (data, _) = code.library.serialize_using_object_code()
            objects.save(folder, self.name, code.fndesc.llvm_cfunc_wrapper_name, data)

    def _compile(self, folder: Path | None) -> None:
        try:
            with _cache_directory(folder):
                declare = numba.njit(cache=folder is not None, **self._options)
                self._underway = declare(self._function)
            self._underway.compile(self._signature)
            self._underway.disable_compile()
        except BaseException:
            self._underway = None
            raise


def _announce(item: Kernel[..., Any]) -> None:
    """Tell listeners, or else people, that a kernel is about to be compiled."""
    for listener in list(_listeners):
        listener(item.name)
    if item._on_disk and not _listeners and not is_watched() and NEWS.wanted:
        NEWS.compiling(_needed.before(item.name))


@contextmanager
def _counted() -> Iterator[None]:
    """Add the time of the block to `preparation_seconds`; a block inside another does not count."""
    global preparation_seconds, _preparing
    if _preparing:
        yield
        return
    started, _preparing = time.perf_counter(), True
    try:
        yield
    finally:
        _preparing = False
        preparation_seconds += time.perf_counter() - started
        NEWS.pause()


@contextmanager
def _cache_directory(folder: Path | None) -> Iterator[None]:
    """Make Numba use ``folder`` while one function is declared; other users are not affected."""
    before = numba.config.CACHE_DIR
    locator = caching._CacheLocator
    ensure = locator.ensure_cache_path
    if folder is not None:
        numba.config.CACHE_DIR = str(folder)
        if not _cache.is_writable:  # Numba takes only folders that it can write to
            locator.ensure_cache_path = lambda self: None
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before
        locator.ensure_cache_path = ensure


def kernel(
    signature: Any, *, inline: bool = False, alone: bool = False
) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Decorator: compile the function for exactly this signature, e.g. ``u64(u64, words)``.

    It runs without the GIL, without bounds checks, and divides like NumPy. With ``inline`` its code
    is inlined in the kernels that call it; otherwise the compiler decides, and inlines only the
    smallest ones. With ``alone`` its code is saved so that `compiling.objects` can load it without
    Numba; it may take numbers and pointers only.
    """
    return lambda function: Kernel(function, signature, inline=inline, alone=alone)


def _instruction(typed: Any, arity: int) -> Callable[..., Any]:
    """Register an intrinsic written with ``*args``; Numba takes the arity from its signature."""
    names = ["_", *(f"a{i}" for i in range(arity))]
    kind = inspect.Parameter.POSITIONAL_ONLY
    typed.__signature__ = inspect.Signature([inspect.Parameter(name, kind) for name in names])
    return cast("Callable[..., Any]", intrinsic(typed))


def instruction(signature: Any) -> Callable[[Callable[..., ir.Value]], Callable[..., Any]]:
    """Decorator: turn ``emit(builder, a, b, …)`` into an instruction of this signature.

    ``emit`` writes LLVM code with the builder. Instructions can be used in kernels only.
    """

    def decorate(emit: Callable[..., ir.Value]) -> Callable[..., Any]:
        def typed(_: Any, *args: Any) -> Any:
            def generate(context: Any, builder: ir.IRBuilder, sig: Any, values: Any) -> ir.Value:
                return emit(builder, *values)

            return signature, generate

        typed.__name__ = typed.__qualname__ = emit.__name__
        typed.__doc__ = emit.__doc__
        return _instruction(typed, len(signature.args))

    return decorate


def address_call(result: Any, *arguments: Any) -> Callable[..., Any]:
    """An instruction ``call(address, …)`` that calls a C function of this type."""

    def typed(_: Any, *args: Any) -> Any:
        def generate(context: Any, builder: ir.IRBuilder, sig: Any, values: Any) -> ir.Value:
            shape = ir.FunctionType(
                context.get_value_type(result), [context.get_value_type(t) for t in arguments]
            )
            return builder.call(builder.inttoptr(values[0], shape.as_pointer()), values[1:])

        return result(i64, *arguments), generate

    return _instruction(typed, len(arguments) + 1)


def _pointer(_: Any, array: Any) -> Any:
    def generate(context: Any, builder: ir.IRBuilder, sig: Any, values: Any) -> ir.Value:
        return context.make_array(sig.args[0])(context, builder, values[0]).data

    return types.CPointer(array.dtype)(array), generate


pointer: Callable[[Any], Any] = intrinsic(_pointer)
"""In kernels: the first element of a C-contiguous array, as `words` or `numbers`."""


def _offset(_: Any, start: Any, count: Any) -> Any:
    def generate(context: Any, builder: ir.IRBuilder, sig: Any, values: Any) -> ir.Value:
        return builder.gep(values[0], [values[1]])

    return start(start, i64), generate


offset: Callable[[Any, Any], Any] = intrinsic(_offset)
"""In kernels: the pointer ``count`` elements further."""


def on_compile(listener: Callable[[str], None]) -> Callable[[], None]:
    """Call ``listener(name)`` before each compilation; returns a function that ends this."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def kernels() -> list[Kernel[..., Any]]:
    """Every kernel of the package in order of declaration, callees before callers within a file."""
    package = __package__ or "rl_toolkit.kernels"
    for module in pkgutil.walk_packages([str(_SOURCES)], prefix=f"{package}."):
        importlib.import_module(module.name)
    return list(_declared)


def pending(*, imported_only: bool = False) -> list[str]:
    """The names of the kernels that would have to be compiled, not merely loaded.

    With ``imported_only`` only those of modules already imported, which is cheap enough during a
    search.
    """
    return [k.name for k in _to_make(_declared if imported_only else kernels())]


def _to_make(candidates: list[Kernel[..., Any]]) -> list[Kernel[..., Any]]:
    if not ENABLED:
        return []
    saved = _cache.saved()
    return [k for k in list(candidates) if k._code is None and k.name not in saved]


def compile_all(
    on_progress: Callable[[int, int, str], None] | None = None,
    *,
    names: Collection[str] = (),
    as_helper: bool = False,
    in_background: bool = False,
) -> None:
    """Compile every kernel that is not on disk; ``on_progress(done, total, name)`` before each.

    With ``names`` only those. Kernels that people wait for come first. One that another process
    compiles is left for the end, or ``as_helper`` to that process. ``in_background`` nothing is
    begun while somebody waits for another process (`awaited`).
    """
    todo = _to_make([k for k in kernels() if not names or k.name in names])
    todo.sort(key=lambda item: item.name.startswith(_SELDOM))
    # A caller that shows the progress needs no news.
    leave = on_compile(lambda name: None) if on_progress is not None else None
    try:
        later = []
        for item in todo:
            if in_background:
                _cache.make_way()
            if not _made_unless_busy(item, todo, on_progress):
                later.append(item)
        if not as_helper:
            for item in later:
                item.make()
    finally:
        if leave is not None:
            leave()
    if on_progress is not None:
        on_progress(len(todo), len(todo), "")


def _made_unless_busy(
    item: Kernel[..., Any],
    todo: list[Kernel[..., Any]],
    on_progress: Callable[[int, int, str], None] | None,
) -> bool:
    """Compile a kernel; ``False`` if another process is doing that now."""
    if on_progress is not None:
        on_progress(len(todo) - len(_to_make(todo)), len(todo), item.name)
    if item.ready:
        return True
    with _cache.turn(item.name, 0.0) as is_ours:
        if is_ours:
            item.make()
    return is_ours


def awaited() -> AbstractContextManager[None]:
    """A block that somebody waits for: what compiles in the background waits for its end."""
    return _cache.awaited()


def note(name: str) -> None:
    """Record ``name`` beside the machine code; `code_cache.was_noted` finds it."""
    _cache.note(name)


def below(names: Collection[str]) -> set[str]:
    """The names of these kernels and of all that they call, which are compiled with them."""
    found: dict[str, Kernel[..., Any]] = {}
    ahead = [k for k in list(_declared) if k.name in names]
    while ahead:
        item = ahead.pop()
        if item.name not in found:
            found[item.name] = item
            known = inspect.getclosurevars(item._function)
            named = [*known.globals.values(), *known.nonlocals.values()]
            ahead += [value for value in named if isinstance(value, Kernel)]
    return set(found)


def work(name: str) -> int:
    """What it takes to compile a kernel, beside others: the bytes of its code and of all it calls.

    The machine code of a kernel holds that of the kernels it calls, and is optimised as a whole.
    """
    inside = below([name])
    codes = [k._function.__code__.co_code for k in list(_declared) if k.name in inside]
    return _EACH + sum(map(len, codes))
