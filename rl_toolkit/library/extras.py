"""*Extras*: what the columns of the tables do not hold of a game, as JSON in few bytes.

The text is deflated with a preset dictionary. One that is a known *shape* with numbers in it takes
a byte and its numbers, most of which are a byte each::

    7 + 8 · place of the shape · for each # of it a number, seven bits a byte, the lowest first

The last byte of a number is below 128. What is deflated never begins with the bits of a 7: they
would name a type of block that does not exist.
"""

from __future__ import annotations

import re
import zlib
from functools import lru_cache

#: Words of common extras; files depend on it, so it never changes.
_DICTIONARY = (
    b'"variations":[{"notes":{"analyses":[null,null,"version":4,"comments":{"opening":'
    b'"move times":"black rating":"white rating":"time limit":"place":"round":"pair":'
    b'{"headers":{"black discs":"theoretical score":" with 22 empty"}}'
)
#: Extras of many games of an archive. Files depend on their places: there may be more, up to 32.
SHAPES = (
    '{"headers":{"theoretical score":"# with # empty"}}',
    '{"headers":{"round":"#"}}',
    '{"headers":{"black rating":"#","white rating":"#"}}',
)
_SHORT = 7
_LONGEST = 100
_NUMBER = re.compile("[0-9]+")
#: A number that is the same after it was read: without leading zeros, and not too long.
_PLAIN = re.compile("0|[1-9][0-9]{0,15}")


@lru_cache(maxsize=1 << 12)  # games of an archive have few different extras
def packed(text: str) -> bytes:
    """The text in few bytes."""
    short = _shortened(text) if len(text) <= _LONGEST else None
    if short is not None:
        return short
    press = zlib.compressobj(6, zlib.DEFLATED, -zlib.MAX_WBITS, zdict=_DICTIONARY)
    return press.compress(text.encode()) + press.flush()


def unpacked(data: bytes) -> str:
    """The text that was `packed`."""
    if data and data[0] & 7 == _SHORT:
        return _lengthened(data)
    press = zlib.decompressobj(-zlib.MAX_WBITS, zdict=_DICTIONARY)
    return (press.decompress(data) + press.flush()).decode()


def _shortened(text: str) -> bytes | None:
    shape, numbers = _NUMBER.sub("#", text), _NUMBER.findall(text)
    # A # of the text itself is no place of a number.
    if shape not in SHAPES or shape.count("#") != len(numbers):
        return None
    if not all(map(_PLAIN.fullmatch, numbers)):
        return None
    out = bytearray([_SHORT + 8 * SHAPES.index(shape)])
    for number in map(int, numbers):
        while number >= 128:
            out.append(128 + number % 128)
            number //= 128
        out.append(number)
    return bytes(out)


def _lengthened(data: bytes) -> str:
    numbers, number, shift = list[str](), 0, 0
    for byte in data[1:]:
        number += (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(str(number))
            number = shift = 0
    parts = SHAPES[data[0] >> 3].split("#")
    pairs = zip(parts, [*numbers, ""], strict=True)
    return "".join(part + number for part, number in pairs)
