"""What the columns of the tables do not hold, in few bytes."""

from __future__ import annotations

import json
import zlib

import pytest

from rl_toolkit.library import Library
from rl_toolkit.library.extras import SHAPES, packed, unpacked
from rl_toolkit.records import GameRecord

THEORETICAL = "theoretical score"


def extra(**headers: str) -> str:
    return json.dumps({"headers": headers}, separators=(",", ":"), ensure_ascii=False)


@pytest.mark.parametrize(
    ("text", "size"),
    [
        (extra(**{THEORETICAL: "33 with 22 empty"}), 3),
        (extra(**{THEORETICAL: "0 with 0 empty"}), 3),
        (extra(**{THEORETICAL: "127 with 128 empty"}), 4),
        (extra(round="1234567890123456"), 9),
        (extra(**{"black rating": "1500", "white rating": "2300"}), 5),
    ],
)
def test_a_known_shape_takes_a_byte_and_its_numbers(text: str, size: int) -> None:
    assert len(packed(text)) == size
    assert unpacked(packed(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        extra(round="02"),
        extra(round="#"),
        extra(round=""),
        extra(round="-2"),
        extra(round="\u0662"),  # a digit of another script
        extra(round="12345678901234567"),
        extra(**{THEORETICAL: "# with 22 empty"}),
        extra(**{THEORETICAL: "33 with 22 empty", "round": "2"}),
        SHAPES[0],
        '{"opening":2}',
        extra(note="long " * 100),
    ],
)
def test_any_other_text_is_deflated(text: str) -> None:
    assert packed(text)[0] & 7 != 7
    assert unpacked(packed(text)) == text


def test_no_deflated_text_begins_like_a_shape() -> None:
    for data in (bytes([7 + 8 * k]) + bytes(20) for k in range(32)):
        with pytest.raises(zlib.error, match="invalid block type"):
            zlib.decompressobj(-zlib.MAX_WBITS).decompress(data)


def test_shapes_keep_their_places() -> None:
    assert packed(extra(**{THEORETICAL: "33 with 22 empty"})) == bytes([7, 33, 22])
    assert packed(extra(round="300")) == bytes([15, 128 + 44, 2])
    assert packed(extra(**{"black rating": "1", "white rating": "2"})) == bytes([23, 1, 2])


def test_any_game_may_have_a_theoretical_score() -> None:
    record = GameRecord("tictactoe", (4, 0), headers={THEORETICAL: "7 with 3 empty"})
    with Library(":memory:") as library:
        number = library.add(record)
        assert library.record(number) == record
        assert library._database.one("SELECT extra FROM score") == (bytes([7, 7, 3]),)
