"""The only module that imports Numba: decorators, the on-disk cache and compilation progress.

Kernels are plain typed functions with the decorator `kernel`, called from Python, from other
kernels, or through their `Kernel.address`. Nothing is compiled when a module is imported: a kernel
is compiled on first use, together with the kernels it calls; after that kernels call each other
directly, like any Numba functions.

Machine code is saved on disk (see `kernels.code_cache`) and loaded in milliseconds afterwards. A
front end that wants to announce the wait calls `pending`, listens with `on_compile`, or compiles
everything with `compile_all`. Without one, `kernels.compile_news` says so on stderr.
"""

from __future__ import annotations

import importlib
import inspect
import os
import pkgutil
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar, cast

# This clock starts before Numba is imported, which takes half a second.
from rl_toolkit.kernels.import_clock import BEGUN

# isort: split
import llvmlite
import llvmlite.binding
import numba
from llvmlite import ir
from numba import types
from numba.core import caching
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

from rl_toolkit.kernels.code_cache import CodeCache
from rl_toolkit.kernels.compile_news import NEWS, is_watched

preparation_seconds = time.perf_counter() - BEGUN
"""The seconds spent on importing Numba, and on compiling and loading kernels."""

__all__ = [
    "ENABLED",
    "Kernel",
    "address_call",
    "byte_array",
    "compile_all",
    "cpu",
    "f64",
    "i64",
    "instruction",
    "ir",
    "kernel",
    "kernels",
    "number_array",
    "numbers",
    "offset",
    "on_compile",
    "pair",
    "pending",
    "pointer",
    "small_array",
    "u64",
    "word_array",
    "words",
]

P = ParamSpec("P")
R = TypeVar("R")

# The types of signatures.
u64 = types.uint64
i64 = types.int64
f64 = types.float64
words = types.CPointer(types.uint64)  # a state, a geometry: a pointer to 64-bit words
numbers = types.CPointer(types.int64)  # a list of moves
pair = types.UniTuple(types.uint64, 2)  # two words returned
word_array = types.Array(types.uint64, 1, "C")
number_array = types.Array(types.int64, 1, "C")
byte_array = types.Array(types.uint8, 1, "C")
small_array = types.Array(types.int32, 1, "C")

ENABLED = not numba.config.DISABLE_JIT
"""False if NUMBA_DISABLE_JIT is set: then kernels cannot run, and callers use Python."""

_OPTIONS = {"nogil": True, "boundscheck": False, "error_model": "numpy"}


def cpu() -> tuple[str, frozenset[str]]:
    """The target processor: its LLVM name and its features."""
    name = numba.config.CPU_NAME or llvmlite.binding.get_host_cpu_name()
    listed = numba.config.CPU_FEATURES
    if listed is None:
        listed = llvmlite.binding.get_host_cpu_features().flatten()
    return name, frozenset(f[1:] for f in listed.split(",") if f.startswith("+"))


def _toolchain() -> str:
    """Everything except the kernel sources that machine code depends on."""
    name, features = cpu()
    # Processes of bots have one thread; their machine code is the same.
    names = [k for k in os.environ if k.startswith("NUMBA_") and k != "NUMBA_NUM_THREADS"]
    switches = sorted(f"{k}={os.environ[k]}" for k in names)
    versions = (numba.__version__, llvmlite.__version__, platform.python_version())
    return repr((versions, platform.machine(), name, sorted(features), switches))


_SOURCES = Path(__file__).parent
_cache = CodeCache(_SOURCES, _toolchain())
_declared: list[Kernel[..., Any]] = []
_listeners: list[Callable[[str], None]] = []
_made = 0  # kernels compiled by this process
_preparing = False  # while a kernel is compiled or loaded, with the kernels that it calls


class Kernel(Generic[P, R]):
    """A function and its machine code, which is compiled or loaded on first use."""

    def __init__(self, function: Callable[P, R], signature: Any, *, inline: bool = False) -> None:
        # The path below this package: `table.find` exists for two games.
        self.name = f"{function.__module__.removeprefix(f'{__package__}.')}.{function.__qualname__}"
        self.__doc__ = function.__doc__
        self._function = function
        self._signature = signature
        self._options = {**_OPTIONS, "forceinline": inline}
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
        if not self.ready:
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
            _cache.note(self.name)
        self._code = self._underway
        return self._code

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
    global _made
    for listener in list(_listeners):
        listener(item.name)
    if item._on_disk and not _listeners and not is_watched() and NEWS.wanted:
        NEWS.compiling(_made, _made + len(pending(imported_only=True)))
    _made += 1


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


def kernel(signature: Any, *, inline: bool = False) -> Callable[[Callable[P, R]], Kernel[P, R]]:
    """Decorator: compile the function for exactly this signature, e.g. ``u64(u64, words)``.

    It runs without the GIL, without bounds checks, and divides like NumPy. With ``inline`` its code
    is inlined in the kernels that call it; otherwise the compiler decides, and inlines only the
    smallest ones.
    """
    return lambda function: Kernel(function, signature, inline=inline)


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
    return [k for k in list(candidates) if not k.ready] if ENABLED else []


def compile_all(on_progress: Callable[[int, int, str], None] | None = None) -> None:
    """Compile every kernel that is not on disk; ``on_progress(done, total, name)`` before each."""
    todo = _to_make(kernels())
    if on_progress is None:
        for item in todo:
            item.make()
        return
    leave = on_compile(lambda name: None)  # the caller shows the progress: no news
    try:
        for done, item in enumerate(todo):
            on_progress(done, len(todo), item.name)
            item.make()
    finally:
        leave()
    on_progress(len(todo), len(todo), "")
