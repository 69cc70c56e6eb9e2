"""Compressed answers: text is sent as gzip to clients that accept it.

Streams are left alone: each event has to arrive at once. Comments of scripts and style sheets are
for readers of the source, and a sixth of its bytes: browsers get the lines without them, so line
numbers stay what they are.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache

from flask import Request, Response

#: Kinds of text worth compressing, and the bytes from which it pays.
_KINDS = (
    "application/json",
    "image/svg+xml",
    "text/css",
    "text/html",
    "text/javascript",
    "application/javascript",
)
_LEAST = 800

_SCRIPTS = ("text/javascript", "application/javascript")
#: In scripts only whole lines are looked at: a string may contain the signs of a comment.
_COMMENTS = {
    **dict.fromkeys(
        _SCRIPTS, re.compile(r"^[ \t]*(?:/\*\*.*?\*/|//[^\n]*)[ \t]*$", re.MULTILINE | re.DOTALL)
    ),
    "text/css": re.compile(r"/\*.*?\*/", re.DOTALL),
}


def compressed(request: Request, response: Response) -> Response:
    """``response``, compressed if its kind, its size and the client allow it."""
    is_file = response.direct_passthrough
    if response.mimetype not in _KINDS or (response.is_streamed and not is_file):
        return response
    response.vary.add("Accept-Encoding")
    accepted = request.accept_encodings.quality("gzip") > 0
    if not accepted or request.method == "HEAD" or response.status_code != 200:
        return response
    response.direct_passthrough = False  # files are read into memory: they are small
    data = response.get_data()
    if len(data) < _LEAST:
        return response
    # Files are sent again and again; answers are not.
    is_kept = is_file or response.mimetype == "text/css"
    response.set_data(_gzip_file(data, response.mimetype) if is_kept else _gzip(data))
    response.headers["Content-Encoding"] = "gzip"
    etag, _ = response.get_etag()
    if etag is not None:  # other bytes, same contents
        response.set_etag(etag, weak=True)
    return response


def _gzip(data: bytes, level: int = 6) -> bytes:
    """Without a date, so that equal contents are equal bytes."""
    return gzip.compress(data, compresslevel=level, mtime=0)


@lru_cache(maxsize=256)
def _gzip_file(data: bytes, kind: str) -> bytes:
    return _gzip(without_comments(data.decode(), kind).encode(), 9)


def without_comments(text: str, kind: str) -> str:
    """A script or a style sheet without its comments, in as many lines; other text as it is."""
    if kind not in _COMMENTS:
        return text
    return _COMMENTS[kind].sub(lambda found: "\n" * found[0].count("\n"), text)
