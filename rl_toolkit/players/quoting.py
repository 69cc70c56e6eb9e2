"""Quotes in a spec: an option's value may contain commas if it is quoted.

Commas separate options, except inside quotes, single or double. Quotes around a whole value are
taken off; a quote of the same kind inside them is written twice::

    gtp:cmd=gnugo --mode gtp,time=2              no commas in the value: no quotes needed
    gtp:cmd="engine --levels 3,4",time=2         quoted, because of the comma
    gtp:cmd=sh -c "engine --levels 3,4"          these quotes belong to the value
"""

from __future__ import annotations

QUOTES = "\"'"


def split_at_commas(text: str) -> list[str] | None:
    """The parts between commas that are not in quotes; ``None`` if a quote is not closed.

    >>> split_at_commas('cmd="a, b",time=2'), split_at_commas('cmd="a')
    (['cmd="a, b"', 'time=2'], None)
    """
    parts, begun, quote = [], 0, ""
    for place, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in QUOTES:
            quote = character
        elif character == ",":
            parts.append(text[begun:place])
            begun = place + 1
    return None if quote else [*parts, text[begun:]]


def unquoted(value: str) -> str:
    """The value without quotes around the whole of it.

    >>> unquoted('"a, b"'), unquoted("'it''s'"), unquoted('"a" "b"'), unquoted("a")
    ('a, b', "it's", '"a" "b"', 'a')
    """
    quote = value[:1]
    if len(value) < 2 or quote not in QUOTES or value[-1] != quote:
        return value
    inner = value[1:-1]
    return value if quote in inner.replace(2 * quote, "") else inner.replace(2 * quote, quote)


def quoted(value: str) -> str:
    """The value as it is written in a spec, in quotes if it needs them.

    >>> quoted("gnugo --mode gtp"), quoted("a, b"), quoted('sh -c "a, b"')
    ('gnugo --mode gtp', '"a, b"', 'sh -c "a, b"')
    """
    is_plain = split_at_commas(value) == [value] and unquoted(value.strip()) == value
    if is_plain:
        return value
    doubled = value.replace('"', '""')
    return f'"{doubled}"'
