"""Files with a version and a checksum: what is damaged or of another kind is refused."""

import pytest

from rl_toolkit.utils import atomic_file
from rl_toolkit.utils.atomic_file import HEAD, BookError, Seal

SEAL = Seal(b"TESTBK\r\n", 3, "opening book")
CONTENT = SEAL.close((6, 7, 4), b"some positions")


def test_what_was_written_is_read_back():
    assert SEAL.open(CONTENT) == ((6, 7, 4), b"some positions")


@pytest.mark.parametrize("place", range(HEAD.size + 14))
def test_any_changed_byte_is_noticed_except_the_three_numbers(place):
    changed = bytearray(CONTENT)
    changed[place] ^= 1
    if 9 <= place < 12:  # their meaning is for the reader of the body to check
        assert SEAL.open(bytes(changed))[1] == b"some positions"
    else:
        with pytest.raises(BookError):
            SEAL.open(bytes(changed))


@pytest.mark.parametrize("length", range(len(CONTENT)))
def test_a_truncated_file_is_refused(length):
    with pytest.raises(BookError, match=r"not an opening book|damaged"):
        SEAL.open(CONTENT[:length])


def test_another_version_is_named():
    newer = Seal(SEAL.magic, 4, SEAL.what).close((0, 0, 0), b"")
    with pytest.raises(BookError, match="has version 4; only version 3 can be read"):
        SEAL.open(newer)


def test_loading_names_the_file_in_every_error(tmp_path, monkeypatch):
    path = tmp_path / "book.dat"
    with pytest.raises(BookError, match=r"cannot be read: .*book\.dat"):
        SEAL.load(path, SEAL.open)
    assert not SEAL.is_on(path)
    path.write_bytes(CONTENT)
    assert SEAL.is_on(path)
    assert SEAL.load(path, SEAL.open) == SEAL.open(CONTENT)
    path.write_bytes(CONTENT[:-1])
    with pytest.raises(BookError, match=r"book\.dat: this opening book is damaged"):
        SEAL.load(path, SEAL.open)
    monkeypatch.setattr(atomic_file, "MOST_BYTES", 10)
    with pytest.raises(BookError, match=r"book\.dat is too large"):
        SEAL.load(path, SEAL.open)
