"""Tests that import what an extra brings are skipped, visibly, where it is not installed."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

import pytest

# The libraries that the extras in pyproject.toml bring, by the names that are imported.
OPTIONAL = ("gymnasium", "jax", "mctx", "onnxruntime", "optax", "pettingzoo", "pyspiel", "ray")


def missing_extra(error: BaseException | None) -> str | None:
    """The library of an extra that is not installed and made an import fail, if that is why."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and error.name:
            library = error.name.partition(".")[0]
            if library in OPTIONAL and find_spec(library) is None:
                return library
        error = error.__cause__
    return None


@contextmanager
def skipped_without_extras() -> Iterator[None]:
    """Skip the test if an import in the block needs a library of an extra that is missing."""
    try:
        yield
    except ImportError as error:
        library = missing_extra(error)
        if library is None:
            raise
        pytest.skip(f"{library} is not installed")
