import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from rl_toolkit.utils.atomic_file import (
    atomic_writer,
    write_bytes_atomically,
    write_text_atomically,
)


def test_text_is_written_as_it_is(tmp_path):
    path = tmp_path / "game.json"
    write_text_atomically(path, "Zoë\r\n→\n")
    assert path.read_bytes() == "Zoë\r\n→\n".encode()
    write_bytes_atomically(str(path), b"")
    assert path.read_bytes() == b""
    assert os.listdir(tmp_path) == ["game.json"]


def test_an_exception_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "book.bin"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), atomic_writer(path) as file:  # noqa: PT012
        file.write(b"half of the new")
        file.flush()
        assert path.read_bytes() == b"old"
        raise KeyboardInterrupt
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["book.bin"]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_disk_that_fails_leaves_the_old_file(tmp_path, monkeypatch, failing):
    path = tmp_path / "book.bin"
    path.write_bytes(b"old")

    def fail(*_args):
        raise OSError("no space left")

    monkeypatch.setattr(os, failing, fail)
    with pytest.raises(OSError, match="no space left"):
        write_bytes_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["book.bin"]


def test_content_reaches_the_disk_before_the_name(tmp_path, monkeypatch):
    path = tmp_path / "book.bin"
    calls = []
    fsync, replace = os.fsync, os.replace

    def spy_fsync(descriptor):
        kind = "folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        size = os.fstat(descriptor).st_size if kind == "file" else None
        calls.append(("fsync", kind, size))
        fsync(descriptor)

    def spy_replace(source, target):
        assert Path(source).parent == Path(target).parent
        calls.append(("replace", Path(target).name))
        replace(source, target)

    monkeypatch.setattr(os, "fsync", spy_fsync)
    monkeypatch.setattr(os, "replace", spy_replace)
    write_bytes_atomically(path, b"12345")
    assert calls == [("fsync", "file", 5), ("replace", "book.bin"), ("fsync", "folder", None)]


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_a_killed_process_leaves_the_old_file(tmp_path):
    path = tmp_path / "game.json"
    path.write_text("old")
    script = (
        "import os, signal, sys\n"
        "from rl_toolkit.utils.atomic_file import atomic_writer\n"
        "with atomic_writer(sys.argv[1]) as file:\n"
        "    file.write(b'half of the')\n"
        "    file.flush()\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", script, str(path)], check=False)
    assert killed.returncode == -signal.SIGKILL
    assert path.read_text() == "old"
    assert len(os.listdir(tmp_path)) == 2  # it did die in the middle of writing
    write_text_atomically(path, "new")
    assert path.read_text() == "new"


@pytest.mark.skipif(os.name == "nt", reason="needs POSIX permissions")
def test_permissions_are_those_of_any_new_file_and_then_kept(tmp_path):
    path = tmp_path / "game.json"
    before = os.umask(0o027)
    try:
        write_text_atomically(path, "new")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write_text_atomically(path, "newer")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "game.json", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_text_atomically(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"


def test_only_a_regular_file_is_replaced(tmp_path):
    with pytest.raises(OSError, match="not a regular file"):
        write_text_atomically(tmp_path, "new")
    assert os.listdir(tmp_path) == []


def test_a_missing_folder_is_told_by_the_name_the_caller_knows(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        write_text_atomically(tmp_path / "nowhere" / "game.json", "new")
    assert caught.value.filename.endswith("game.json")


def test_the_longest_name_the_file_system_takes_can_be_written(tmp_path):
    path = tmp_path / ("x" * 255)
    write_text_atomically(path, "new")
    assert path.read_text() == "new"
