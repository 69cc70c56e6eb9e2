"""The notation of specs: how an engine with its options is written as text.

::

    minimax:depth=6,symmetry=off
    ─────── ──────────────────────
    name    option=value, separated by commas

Commas separate options, except inside quotes, single or double. Quotes around a whole value are
taken off; a quote of the same kind inside them is written twice::

    gtp:cmd=gnugo --mode gtp,time=2              no commas in the value: no quotes needed
    gtp:cmd="engine --levels 3,4",time=2         quoted, because of the comma
    gtp:cmd=sh -c "engine --levels 3,4"          these quotes belong to the value

A bot in a file is named by the file, and by the function or class in it where there are several::

    bots/my_bot.py:choose,time=2     the same as     file-bot:file=bots/my_bot.py,name=choose,time=2

Nothing here knows which engines and options there are: `Spec` does. The functions of the first part
are for text that is kept as it was typed, or that another version of the package reads; all others
serve `Spec` alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from rl_toolkit.players.options import BOT, SpecError
from rl_toolkit.utils import shown

_QUOTES = "\"'"
#: ``my_bot.py``, ``bots/my_bot.py:choose,time=2``, ``C:\\bots\\my_bot.py``
_BOT_FILE = re.compile(r"(?P<file>(?:[A-Za-z]:)?[^:]+\.py)\s*(?::(?P<rest>.*))?", re.DOTALL)


# -------------------------------------------------------------------- text as it was typed


def tidied(text: str) -> str:
    """A level or spec with its name in lower case, and the rest as it was typed.

    >>> tidied(" Hard"), tidied("MCTS:c=2"), tidied("bots/Mine.py:choose")
    ('hard', 'mcts:c=2', 'bots/Mine.py:choose')
    """
    name, colon, options = text.strip().partition(":")
    return text.strip() if spec_name(text) == BOT else f"{name.strip().lower()}{colon}{options}"


def portable(text: str) -> str:
    """A level or spec as files of games keep it: a bot has the name of its file alone.

    >>> portable("bots/my_bot.py:choose,time=2"), portable("minimax:depth=4")
    ('my_bot.py:choose,time=2', 'minimax:depth=4')
    """
    bot = _BOT_FILE.fullmatch(text.strip())
    return text if bot is None else Path(bot["file"]).name + text.strip()[bot.end("file") :]


def stated(text: str) -> frozenset[str]:
    """The names of the options that a spec of any version sets; `SpecError` if it is malformed."""
    return frozenset(split_spec(text)[1])


def stating(text: str, **options: str) -> str:
    """A level or spec of any version, in which the ``options`` that it does not set are stated.

    >>> stating("reversi:depth=3", every="off", depth="2"), stating("hard", seed="1")
    ('reversi:depth=3,every=off', 'hard:seed=1')
    """
    before = stated(text)
    for name, value in options.items():
        if name not in before:
            text += f"{',' if ':' in text else ':'}{name}={quoted(value)}"
    return text


def split_engines(text: str) -> list[str]:
    """Split a list of engines at commas, but not at the commas between options or in quotes.

    >>> split_engines("easy, mcts:simulations=200,c=1.2,greedy")
    ['easy', 'mcts:simulations=200,c=1.2', 'greedy']
    >>> split_engines('easy,gtp:cmd="engine --levels 3,4",time=1')
    ['easy', 'gtp:cmd="engine --levels 3,4",time=1']
    """
    specs: list[str] = []
    for part in filter(None, map(str.strip, split_at_commas(text) or [text])):
        continues = "=" in part and ":" not in part.partition("=")[0]
        if continues and specs:
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return specs


# ------------------------------------------------------------------------ names and options


def spec_name(text: str) -> str:
    """The name of the engine in a spec, whose options are not read.

    >>> spec_name("Minimax: depth=4"), spec_name("bots/My_Bot.py:choose")
    ('minimax', 'file-bot')
    """
    return BOT if _BOT_FILE.fullmatch(text.strip()) else text.partition(":")[0].strip().lower()


def split_spec(text: str) -> tuple[str, dict[str, str]]:
    """The name and the options of a spec, as text; raises `SpecError` if it is malformed.

    Names are turned into lower case; values are kept as written, since they may be files.

    >>> split_spec("mcts: simulations=5000, c=1.4")
    ('mcts', {'simulations': '5000', 'c': '1.4'})
    >>> split_spec("my_bot.py:choose,time=2")
    ('file-bot', {'file': 'my_bot.py', 'name': 'choose', 'time': '2'})
    >>> split_spec('gtp:cmd="engine --levels 3,4",time=2')
    ('gtp', {'cmd': 'engine --levels 3,4', 'time': '2'})
    """
    if not isinstance(text, str):
        raise SpecError(f"an engine is described by text, not {shown(text)}")
    chosen: dict[str, str] = {}
    if bot := _BOT_FILE.fullmatch(text.strip()):
        chosen["file"] = bot["file"]
        name, parts = BOT, [] if bot["rest"] is None else _parts(text, bot["rest"])
        if parts and "=" not in parts[0]:
            chosen["name"] = parts.pop(0).strip()
            if not chosen["name"].isidentifier():
                raise SpecError(
                    f"{shown(text)}: after the file comes the name of a function or class, not "
                    f"{shown(chosen['name'])}"
                )
    else:
        name, colon, rest = text.strip().partition(":")
        parts = _parts(text, rest) if colon else []
    for part in parts:
        option, equals, value = (word.strip() for word in part.partition("="))
        option = option.lower()
        if not (option and equals and value):
            raise SpecError(
                f"{shown(text)}: options are written name:option=value,option=value; "
                f"{shown(part.strip())} is not option=value"
            )
        if option in chosen:
            raise SpecError(f"{shown(text)}: {option} is given twice")
        chosen[option] = unquoted(value)
    return name.strip().lower(), chosen


def _parts(text: str, options: str) -> list[str]:
    parts = split_at_commas(options)
    if parts is None:
        raise SpecError(f"{shown(text)}: a quote is not closed")
    return parts


def join_spec(name: str, chosen: Mapping[str, str]) -> str:
    """The text that `split_spec` reads as this name and these options.

    >>> join_spec("gtp", {"cmd": "engine --levels 3,4", "time": "2"})
    'gtp:cmd="engine --levels 3,4",time=2'
    """
    parts = {option: f"{option}={quoted(value)}" for option, value in chosen.items()}
    file = chosen.get("file", "")
    bot = _BOT_FILE.fullmatch(file.strip()) if name == BOT else None
    if bot is not None and bot["file"] == file:
        del parts["file"]
        name = file
        if chosen.get("name", "").isidentifier():
            del parts["name"]
            parts = {"name": chosen["name"], **parts}
    return f"{name}:{','.join(parts.values())}" if parts else name


# ------------------------------------------------------------------------------- quotes


def split_at_commas(text: str) -> list[str] | None:
    """The parts between commas that are not in quotes; ``None`` if a quote is not closed.

    >>> split_at_commas('cmd="a, b",time=2'), split_at_commas('cmd="a')
    (['cmd="a, b"', 'time=2'], None)
    """
    parts, begun, quote = [], 0, ""
    for place, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in _QUOTES:
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
    if len(value) < 2 or quote not in _QUOTES or value[-1] != quote:
        return value
    inner = value[1:-1]
    return value if quote in inner.replace(2 * quote, "") else inner.replace(2 * quote, quote)


def quoted(value: str) -> str:
    """The value as it is written in a spec, in quotes if it needs them.

    >>> quoted("gnugo --mode gtp"), quoted("a, b"), quoted('sh -c "a, b"')
    ('gnugo --mode gtp', '"a, b"', 'sh -c "a, b"')
    """
    is_plain = split_at_commas(value) == [value] and unquoted(value.strip()) == value
    if is_plain and value:
        return value
    doubled = value.replace('"', '""')
    return f'"{doubled}"'
