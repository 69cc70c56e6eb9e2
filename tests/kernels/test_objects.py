"""Machine code that is loaded without Numba, and everything that makes it useless."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from rl_toolkit.kernels import jit
from rl_toolkit.kernels.archive import lanes
from rl_toolkit.kernels.compiling import objects

NAME = "archive.lanes.match"

#: Is the code there? Each program starts anew, since what is loaded stays.
LOAD = """
import sys
from rl_toolkit.kernels.compiling import objects
print(objects.load(sys.argv[1]) is not None, "numba" in sys.modules)
"""

pytestmark = pytest.mark.skipif(not objects.HAS_OBJECTS, reason="not tried on this system")


@pytest.fixture(scope="module")
def saved() -> Path:
    lanes.match.make()
    folder = jit._cache.folder()
    assert folder is not None
    return folder / f"{NAME}.o"


def loaded(name: str = NAME, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-c", LOAD, name],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, **environment},
    )
    return done.stdout.split()


def test_code_that_was_saved_is_loaded_without_numba(saved: Path) -> None:
    assert saved.is_file()
    assert loaded() == ["True", "False"]


def test_settings_for_numba_are_left_to_numba(saved: Path) -> None:
    assert loaded(NUMBA_OPT="1") == ["False", "False"]


def test_another_processor_or_another_compiler_has_no_code(
    saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert objects._load(NAME) is not None
    first = objects.toolchain
    monkeypatch.setattr(objects, "toolchain", lambda *parts: first(*parts[:3], {"avx9"}))
    assert objects._load(NAME) is None
    monkeypatch.setattr(objects, "toolchain", lambda *parts: first("0.1", *parts[1:]))
    assert objects._load(NAME) is None


def test_a_file_that_is_cut_off_or_missing_is_not_loaded(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / saved.parent.name
    folder.mkdir()
    monkeypatch.setattr(objects.code_cache, "root", lambda: tmp_path)
    assert objects._load(NAME) is None
    (folder / saved.name).write_bytes(saved.read_bytes())
    assert objects._load(NAME) is not None
    (folder / saved.name).write_bytes(saved.read_bytes()[:-100])
    assert objects._load(NAME) is None


def test_a_draft_that_cannot_be_finished_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*paths: object) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(objects.os, "replace", refuse)
    with pytest.raises(OSError, match="no space"):
        objects.save(tmp_path, "a.b", "f", b"code")
    assert list(tmp_path.iterdir()) == []
    code = SimpleNamespace(
        library=SimpleNamespace(serialize_using_object_code=lambda: ("", "object", (b"code", b""))),
        fndesc=SimpleNamespace(llvm_cfunc_wrapper_name="f"),
    )
    made = SimpleNamespace(overloads={lanes.match._signature.args: code})
    monkeypatch.setattr(lanes.match, "_underway", made)
    lanes.match._save_object(tmp_path)  # a full disk stops no search
    assert list(tmp_path.iterdir()) == []


def test_code_that_numba_had_on_disk_is_not_saved_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise RuntimeError("no object code")

    code = SimpleNamespace(library=SimpleNamespace(serialize_using_object_code=refuse))
    made = SimpleNamespace(overloads={lanes.match._signature.args: code})
    monkeypatch.setattr(lanes.match, "_underway", made)
    lanes.match._save_object(tmp_path)
    assert list(tmp_path.iterdir()) == []
