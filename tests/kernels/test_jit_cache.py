"""Machine code on disk: never stale, never in the way, and announced while it is made."""

import logging
import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import numba
import numpy as np
import pytest

import rl_toolkit
from rl_toolkit.kernels import jit
from rl_toolkit.kernels.compiling import code_cache
from rl_toolkit.kernels.compiling.code_cache import KEEP, RECENT, CodeCache, generation
from rl_toolkit.kernels.jit import kernel, u64
from rl_toolkit.kernels.reversi.endgame_search import few, search
from rl_toolkit.kernels.reversi.estimate import look_ahead
from rl_toolkit.kernels.reversi.midgame import think
from rl_toolkit.utils import installation

HELPER = """
import numpy as np
from rl_toolkit.kernels.jit import kernel, u64

@kernel(u64(u64))
def step(x):
    return x + np.uint64(1)
"""
CALLER = """
from rl_toolkit.kernels.helper import step
from rl_toolkit.kernels.jit import kernel, u64

@kernel(u64(u64))
def twice(x):
    return step(step(x))
"""
CALL = """
import numpy as np
from rl_toolkit.kernels import jit
from rl_toolkit.kernels.caller import twice
jit.on_compile(lambda name: print("compiling", name))
print(twice(np.uint64(40)))
"""


@pytest.fixture
def package(tmp_path):
    """A package of the same name with the real door to Numba and two small kernels."""
    original = Path(jit.__file__).parent
    kernels = tmp_path / "rl_toolkit" / "kernels"
    kernels.mkdir(parents=True)
    (kernels.parent / "__init__.py").touch()
    for name in (
        "__init__.py",
        "jit.py",
        "compiling/__init__.py",
        "compiling/code_cache.py",
        "compiling/compile_news.py",
        "compiling/compiled_only.py",
        "compiling/time_left.py",
        "compiling/import_clock.py",
        "compiling/objects.py",
        "compiling/toolchain.py",
    ):
        (kernels / name).parent.mkdir(exist_ok=True)
        shutil.copy(original / name, kernels / name)
    utils = kernels.parent / "utils"
    utils.mkdir()
    for name in ("__init__.py", "front_door.py", "installation.py"):
        shutil.copy(original.parent / "utils" / name, utils / name)
    (kernels / "helper.py").write_text(HELPER)
    (kernels / "caller.py").write_text(CALLER)
    return kernels


def run(folder, script, **environment):
    # Python's own files of compiled code know an edit by date and size only.
    own = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    environment = {**os.environ, **own, **environment}
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines(), done.stderr


def test_an_edited_helper_is_compiled_anew(package, tmp_path):
    where = {"RL_TOOLKIT_CACHE_DIR": str(tmp_path / "cache")}
    home = package.parent.parent
    first, said = run(home, CALL, **where)
    assert first == ["compiling caller.twice", "compiling helper.step", "42"]
    assert said == ""
    helper = package / "helper.py"
    times = helper.stat()
    helper.write_text(HELPER.replace("uint64(1)", "uint64(5)"))
    os.utime(helper, ns=(times.st_atime_ns, times.st_mtime_ns))  # not even the date differs
    edited, _ = run(home, CALL, **where)
    assert edited[-1] == "50"
    helper.write_text(HELPER)
    back, _ = run(home, CALL, **where)
    assert back == ["42"]  # the older generation was kept, and comes from disk


def test_without_a_folder_everything_works_and_says_so_once(package, tmp_path):
    (tmp_path / "file").touch()
    where = {"RL_TOOLKIT_CACHE_DIR": str(tmp_path / "file" / "inside"), "PYTHONWARNINGS": "error"}
    lines, said = run(package.parent.parent, CALL, **where)
    assert lines[-1] == "42"
    assert said.count("RL_TOOLKIT_CACHE_DIR") == 1


def test_a_folder_that_vanishes_is_done_without(package, tmp_path):
    where = {"RL_TOOLKIT_CACHE_DIR": str(tmp_path / "cache")}
    vanish = """
import shutil
from pathlib import Path
from rl_toolkit.kernels.compiling import code_cache
shutil.rmtree(code_cache.root())
code_cache.root().touch()
"""
    script = CALL.replace("print(twice", "jit.pending()\n" + vanish + "print(twice")
    lines, said = run(package.parent.parent, script, **where)
    assert lines[-1] == "42"
    assert said.count("RL_TOOLKIT_CACHE_DIR") == 1


def test_progress_of_compiling_everything(package, tmp_path):
    where = {"RL_TOOLKIT_CACHE_DIR": str(tmp_path / "cache")}
    script = """
from rl_toolkit.kernels import jit
print(*jit.pending())
jit.compile_all(lambda done, total, name: print(done, total, name))
print(*jit.pending())
"""
    lines, _ = run(package.parent.parent, script, **where)
    assert lines == [
        "helper.step caller.twice",
        "0 2 helper.step",
        "1 2 caller.twice",
        "2 2 ",
        "",
    ]
    lines, _ = run(package.parent.parent, script, **where)
    assert lines == ["", "0 0 ", ""]


def test_importing_the_package_leaves_numba_out():
    script = "import sys, rl_toolkit; print('numba' in sys.modules, 'flask' in sys.modules)"
    home = Path(rl_toolkit.__file__).parent.parent
    assert run(home, script)[0] == ["False False"]


def test_a_generation_depends_on_every_source_and_on_the_toolchain(tmp_path):
    (tmp_path / "a.py").write_text("x = 1")
    (tmp_path / "deeper").mkdir()
    names = {generation(tmp_path, "one"), generation(tmp_path, "two")}
    (tmp_path / "deeper" / "b.py").write_text("y = 1")
    names.add(generation(tmp_path, "one"))
    (tmp_path / "deeper" / "b.py").write_text("y = 2")
    names.add(generation(tmp_path, "one"))
    (tmp_path / "a.py").rename(tmp_path / "c.py")
    names.add(generation(tmp_path, "one"))
    assert len(names) == 5
    (tmp_path / "notes.txt").write_text("not a source")
    assert generation(tmp_path, "one") in names


def test_a_read_only_folder_is_reported_once(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv(installation.CACHE_VARIABLE, str(tmp_path))

    def refuse(**_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(code_cache.tempfile, "TemporaryFile", refuse)
    cache = CodeCache(tmp_path, "toolchain")
    with caplog.at_level(logging.WARNING):
        assert cache.folder() is None
        assert cache.folder() is None
        cache.note("anything")
        assert not cache.has("anything")
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "Permission denied" in caplog.text


def test_old_generations_are_removed_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setenv(installation.CACHE_VARIABLE, str(tmp_path))
    parent = code_cache.root()
    olds = [parent / f"{number:032x}" for number in range(KEEP + 2)]
    hour_ago = time.time() - RECENT - 60
    for age, old in enumerate(olds):
        old.mkdir(parents=True)
        os.utime(old, (hour_ago - age, hour_ago - age))
    foreign = parent / "something of the user"
    foreign.mkdir()
    os.utime(foreign, (1, 1))
    folder = CodeCache(tmp_path, "toolchain").folder()
    assert set(parent.iterdir()) == {folder, foreign, *olds[: KEEP - 1]}


def test_checkouts_side_by_side_do_not_remove_each_others_code(tmp_path, monkeypatch):
    monkeypatch.setenv(installation.CACHE_VARIABLE, str(tmp_path))
    caches = [CodeCache(tmp_path, f"checkout {number}") for number in range(KEEP + 2)]
    folders = {cache.folder() for cache in caches}
    assert set(code_cache.root().iterdir()) == folders


def test_other_users_of_numba_keep_their_cache_folder():
    before = numba.config.CACHE_DIR

    @kernel(u64(u64))
    def same(x):
        return x

    assert same(np.uint64(3)) == 3
    assert before == numba.config.CACHE_DIR


def test_threads_may_meet_at_a_kernel_not_made_yet():
    made = []
    leave = jit.on_compile(made.append)

    @kernel(u64(u64))
    def double(x):
        return x + x

    barrier = threading.Barrier(4)
    results = []

    def call(number):
        barrier.wait()
        results.append(int(double(np.uint64(number))))

    threads = [threading.Thread(target=call, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    leave()
    assert sorted(results) == [0, 2, 4, 6]
    assert len([name for name in made if name.endswith(".double")]) == 1


def test_kernels_that_call_themselves_are_compiled_once_and_can_be_loaded():
    """One compiled again for arguments of another type crashes when it is loaded from disk."""
    for item in (think, look_ahead, search, few):
        assert list(item._make().overloads) == [item._signature.args]


def test_a_folder_that_cannot_be_written_is_read(package, tmp_path):
    where = {"RL_TOOLKIT_CACHE_DIR": str(tmp_path / "cache")}
    home = package.parent.parent
    only_helper = CALL.replace("caller import twice", "helper import step as twice")
    assert run(home, only_helper, **where)[0] == ["compiling helper.step", "41"]
    # Permissions do not stop the superuser, so the system's answer is given here.
    refusing = """
import errno, os, tempfile
def refuse(*_, **__):
    raise OSError(errno.EROFS, "Read-only file system")
tempfile.TemporaryFile = tempfile.mkstemp = os.utime = os.replace = refuse
"""
    # Another number of threads means the same machine code.
    lines, said = run(home, refusing + CALL, **where, NUMBA_NUM_THREADS="1")
    assert (lines, said) == (["compiling caller.twice", "42"], "")
