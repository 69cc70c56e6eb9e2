"""What machine code depends on beside the sources of the kernels, said without loading Numba."""

from __future__ import annotations

import os
import platform
from collections.abc import Collection


def switches() -> list[str]:
    """The settings for Numba in the environment, without those that machine code is not made by."""
    # Processes of bots have one thread; their machine code is the same.
    names = [k for k in os.environ if k.startswith("NUMBA_") and k != "NUMBA_NUM_THREADS"]
    return sorted(f"{k}={os.environ[k]}" for k in names)


def toolchain(numba: str, llvmlite: str, name: str, features: Collection[str]) -> str:
    """The versions of Numba and llvmlite, and the target processor: its LLVM name and features."""
    versions = (numba, llvmlite, platform.python_version())
    return repr((versions, platform.machine(), name, sorted(features), switches()))


def switched_on(listed: str) -> frozenset[str]:
    """The features of a processor that LLVM's list of them has with a plus."""
    return frozenset(feature[1:] for feature in listed.split(",") if feature.startswith("+"))
