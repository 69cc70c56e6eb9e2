"""A submission is a plain zip: the same bytes for the same work, read with care."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path

import pytest

from rl_toolkit.labs.folder.progress import Progress, read_progress, write_progress
from rl_toolkit.labs.folder.student_folder import start_folder
from rl_toolkit.labs.model.finding import find_lab
from rl_toolkit.labs.submission import (
    LARGEST_ZIP,
    Submission,
    SubmissionError,
    files_below,
    read_regular_file,
    read_submission,
    submission_bytes,
    write_submission,
)

LAB = find_lab("L05")
GOOD = Submission("L05", {"minimax.py": "x = 1\n", "sub/more.py": ""}, "Ada", Progress(points=5))


def packed(entries: dict[str, bytes], **attributes: int) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            info = zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            for attribute, value in attributes.items():
                setattr(info, attribute, value)
            archive.writestr(info, data)
    return buffer.getvalue()


ABOUT = b'{"lab": "L05", "format": 1, "progress": {}}'


def test_what_is_written_is_read_again_and_equal_work_gives_equal_bytes(tmp_path):
    assert read_submission(submission_bytes(GOOD)) == GOOD
    folder = tmp_path / "mine"
    start_folder(LAB, folder)
    names = write_submission(LAB, folder, tmp_path / "one.zip", "  Ada   L. ")
    write_submission(LAB, folder, tmp_path / "two.zip", "Ada L.")
    assert names == ["answers.md", "minimax.py", "names.toml"]
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    read = read_submission(tmp_path / "one.zip")
    assert (read.lab, read.student) == ("L05", "Ada L.")
    assert read.progress == read_progress(folder)
    assert read.work().names.own("minimax") == "minimax"


def test_a_folder_that_misses_a_file_is_refused_and_nothing_is_written(tmp_path):
    folder = tmp_path / "mine"
    start_folder(LAB, folder)
    (folder / "minimax.py").unlink()
    with pytest.raises(SubmissionError, match=r"minimax\.py is missing"):
        write_submission(LAB, folder, tmp_path / "one.zip")
    assert not (tmp_path / "one.zip").exists()


@pytest.mark.parametrize(
    "name",
    [
        "../evil.py",
        "/etc/passwd",
        "files/../../evil.py",
        "files//a.py",
        "files/./a.py",
        "files/a\\b.py",
        "C:/a.py",
        "files/" + "a" * 300,
        "files/a/b/c/d/e/f.py",
        "files/a\nb.py",
        "elsewhere/a.py",
        "files/",
    ],
)
def test_paths_that_lead_elsewhere_are_refused(name):
    with pytest.raises(SubmissionError):
        read_submission(packed({"submission.json": ABOUT, name: b""}))


def test_links_encryption_and_special_files_are_refused():
    for kind in (stat.S_IFLNK, stat.S_IFIFO, stat.S_IFDIR):
        data = packed({"submission.json": ABOUT}, external_attr=(kind | 0o777) << 16)
        with pytest.raises(SubmissionError, match="link or another special file"):
            read_submission(data)


def test_too_many_and_too_large_files_are_refused():
    many = {"submission.json": ABOUT, **{f"files/{n}.py": b"" for n in range(100)}}
    with pytest.raises(SubmissionError, match="101 files"):
        read_submission(packed(many))
    bomb = packed({"submission.json": ABOUT, "files/a.py": b"0" * (2 << 20)})
    with pytest.raises(SubmissionError, match="larger than a megabyte"):
        read_submission(bomb)
    heap = {f"files/{n}.py": b"0" * (1 << 20) for n in range(9)}
    with pytest.raises(SubmissionError, match="8 MB together"):
        read_submission(packed({"submission.json": ABOUT, **heap}))
    with pytest.raises(SubmissionError, match="larger than 4 MB"):
        read_submission(b"0" * (LARGEST_ZIP + 1))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "not a zip"),
        (b"PK\x03\x04 nonsense", "not a zip"),
        (packed({"files/a.py": b""}), "no submission.json"),
        (packed({"submission.json": b"[]"}), "JSON object"),
        (packed({"submission.json": b'{"lab": 5, "format": 1}'}), "does not name a lab"),
        (packed({"submission.json": b'{"lab": "L05", "format": 2}'}), "format that is known"),
        (packed({"submission.json": ABOUT, "files/a.py": b"\xff\xfe"}), "not text in UTF-8"),
    ],
)
def test_what_is_not_a_submission_is_refused_with_a_sentence(data, words):
    with pytest.raises(SubmissionError, match=words):
        read_submission(data)


def test_a_size_that_lies_is_noticed():
    data = bytearray(packed({"submission.json": ABOUT, "files/a.py": b"0" * 5000}))
    place = data.rindex(b"files/a.py") - 46  # its entry in the directory at the end
    data[place + 24 : place + 28] = (10).to_bytes(4, "little")
    try:
        read = read_submission(bytes(data))
    except SubmissionError:
        return
    assert len(read.files["a.py"]) <= 10


def test_a_changed_byte_anywhere_is_an_error_or_harmless():
    data = submission_bytes(GOOD)
    for place in range(len(data)):
        changed = bytes([*data[:place], data[place] ^ 0x41, *data[place + 1 :]])
        try:
            read_submission(changed)
        except SubmissionError:
            continue


def test_progress_of_a_stranger_proves_nothing_and_breaks_nothing(tmp_path):
    about = b'{"lab": "L05", "format": 1, "student": 7, "progress": {"points": "all"}}'
    read = read_submission(packed({"submission.json": about}))
    assert (read.student, read.progress) == ("", Progress())
    write_progress(tmp_path, read.progress)


def test_files_that_were_handed_in_are_found_to_a_depth_and_read_to_a_size(tmp_path):
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "a" / "b" / "x.py").write_bytes(b"12345")
    (tmp_path / ".hidden").mkdir()

    def is_hidden(name):
        return name.startswith(".")

    (path,) = files_below(tmp_path, is_hidden, deepest=2)
    with pytest.raises(SubmissionError, match="'b' lies too deep"):
        list(files_below(tmp_path, is_hidden, deepest=1))
    assert read_regular_file(path, "x.py", 5) == b"12345"
    with pytest.raises(SubmissionError, match=r"'x\.py' is larger than"):
        read_regular_file(path, "x.py", 4)
    with pytest.raises(SubmissionError, match=r"'x\.py' is a link or another special file"):
        read_regular_file(Path("/dev/null"), "x.py", 5)
