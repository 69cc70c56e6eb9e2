"""Values in sentences: what a message may show of what a caller passed."""

from __future__ import annotations

_LONGEST_SHOWN = 40


def shown(value: object) -> str:
    """``repr(value)`` shortened for a message, safe for huge integers and broken ``__repr__``."""
    try:
        text = repr(value)
    except Exception:  # a caller's object may do anything; the message must still come out
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"
