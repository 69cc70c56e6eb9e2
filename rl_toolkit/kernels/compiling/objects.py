"""Machine code of kernels that stand alone, for a program that has time for one question only.

Importing Numba and loading the first kernel through it takes as long as a search of a million
games. A kernel that is declared with ``alone`` is saved once more, as the object file that the
compiler has made, in the folder of `code_cache` for the same sources and the same toolchain::

    <name>.o    SHA-256 of the rest (32 bytes) · name of the C function, and a newline · object file

`load` hands it to LLVM. Where anything is missing or different there is no code, and the caller
uses the kernel itself.
"""

from __future__ import annotations

import hashlib
import os
import sys
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from rl_toolkit.kernels.compiling import code_cache
from rl_toolkit.kernels.compiling.toolchain import switched_on, switches, toolchain

#: Where object files have been tried. Other systems load Numba.
HAS_OBJECTS = sys.platform == "linux"

_SOURCES = Path(__file__).parents[1]
_DIGEST = hashlib.sha256().digest_size
_lock = threading.Lock()
_loaded: dict[str, int] = {}
_engines: list[Any] = []  # the code lives as long as they do


def save(folder: Path, name: str, function: str, code: bytes) -> None:
    """Save the object file of kernel ``name``, in which ``function`` is to be called."""
    rest = function.encode() + b"\n" + code
    handle, draft = tempfile.mkstemp(dir=folder, suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(hashlib.sha256(rest).digest() + rest)
        os.replace(draft, folder / f"{name}.o")
    except BaseException:
        with suppress(OSError):
            os.unlink(draft)
        raise


def load(name: str) -> int | None:
    """The address of kernel ``name`` as a C function, ``None`` if it is not saved for this machine.

    With settings for Numba in the environment, Numba itself has to say what they change.
    """
    if not HAS_OBJECTS or switches():
        return None
    with _lock:
        if name not in _loaded:
            found = _load(name)
            if found is None:
                return None
            _loaded[name] = found
        return _loaded[name]


def _load(name: str) -> int | None:
    from importlib import metadata

    try:
        import llvmlite
        import llvmlite.binding as llvm

        numba = metadata.version("numba")
    except ImportError:  # PackageNotFoundError is one, too
        return None
    processor = llvm.get_host_cpu_name(), switched_on(llvm.get_host_cpu_features().flatten())
    made_by = toolchain(numba, llvmlite.__version__, *processor)
    folder = code_cache.root() / code_cache.generation_of(_SOURCES, made_by)
    try:
        data = (folder / f"{name}.o").read_bytes()
    except OSError:
        return None
    rest = data[_DIGEST:]
    if hashlib.sha256(rest).digest() != data[:_DIGEST]:
        return None
    with suppress(OSError):
        os.utime(folder)  # "newest" means last used
    function, _, code = rest.partition(b"\n")
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine(jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine)
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return int(engine.get_function_address(function.decode())) or None
