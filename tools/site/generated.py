"""Pages of the reference that are made from the code: names, commands and options, levels.

`pages` gives them as Markdown by name. Nothing here is written by hand, so no page can differ from
the code; `make docs` writes them beside the others.
"""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

ROOT = Path(__file__).resolve().parents[2]
#: Layers whose names are not for people: front ends, which are started as commands.
_WITHOUT_NAMES = {"rl_toolkit.cli", "rl_toolkit.kernels", "rl_toolkit.adapters"}


def pages() -> dict[str, str]:
    """Each page, by its name without ``.md``."""
    return {
        "names": _index_of_names(),
        **{f"names_{layer.rpartition('.')[2]}": _names(layer) for layer in doors()},
        "commands": _commands(),
        "levels": _levels(),
        "formats": _formats(),
        "http": _http(),
    }


# --- names -----------------------------------------------------------------------------------


def doors() -> list[str]:
    """The package and its layers, the highest layer last."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers = contracts["tool"]["importlinter"]["contracts"][0]["layers"]
    names = [layer.strip("()") for layer in reversed(layers)]
    return ["rl_toolkit", *(name for name in names if name not in _WITHOUT_NAMES)]


def sentences(door: ModuleType) -> dict[str, str]:
    """The sentence that a front door says about each of its names."""
    _, _, listed = inspect.getsource(door).partition("__all__ = [")
    said, above = {}, ""
    for line in listed.splitlines()[1:]:
        name, _, sentence = line.strip().partition("#")
        if name.startswith('"'):
            said[name.split('"')[1]] = f"{above} {sentence}".strip()
            above = ""
        elif name:
            break
        else:
            above += f" {sentence.strip()}"
    return said


def _index_of_names() -> str:
    rows = []
    for door in doors():
        module = import_module(door)
        names = ", ".join(
            f"{{py:obj}}`{name} <{_first_door(name, getattr(module, name))}.{name}>`"
            for name in module.__all__
        )
        summary = (module.__doc__ or "").strip().splitlines()[0]
        page = f"names_{door.rpartition('.')[2]}.md"
        rows += [f"[{door}]({page})", f": {summary}", "", f"  {names}", ""]
    return (
        "# All names\n\nThese names are offered at the front doors of the package and its layers:"
        " import them from there. [Versions](../versions.md) says what stays.\n\n"
        + "\n".join(rows)
        + _toctree(f"names_{door.rpartition('.')[2]}" for door in doors())
    )


def _names(door: str) -> str:
    module = import_module(door)
    said = sentences(module)
    text = [f"# {door}", "", "```{eval-rst}", f".. py:currentmodule:: {door}", ""]
    for name in module.__all__:
        text += [*_described(module, name, said.get(name, "")), ""]
    return "\n".join([*text, "```", ""])


def _described(module: ModuleType, name: str, sentence: str) -> list[str]:
    """The directive for a name: autodoc for classes and functions, a sentence for values."""
    value = getattr(module, name)
    home = _first_door(name, value)
    if home != module.__name__:
        return [f"``{name}``: {_plain(sentence)}; see :py:obj:`{home}.{name}`."]
    if inspect.isclass(value):
        return [f".. autoclass:: {name}", "   :members:"]
    if inspect.isroutine(value):
        return [f".. autofunction:: {name}"]
    return [f".. py:data:: {name}", "", f"   {_plain(sentence)}"]


def _first_door(name: str, value: object) -> str:
    """The first door that offers a name with this value: some names are offered twice."""
    for door in doors():
        module = import_module(door)
        if name in module.__all__ and getattr(module, name) is value:
            return door
    raise LookupError(name)


def _plain(sentence: str) -> str:
    return sentence.replace("*", r"\*")


# --- commands --------------------------------------------------------------------------------


def _commands() -> str:
    from rl_toolkit.cli.program.group import cli

    root = click.Context(cli, info_name="rl-toolkit")
    text = [
        "# Commands and options",
        "",
        "This page is made from the commands themselves; `rl-toolkit COMMAND --help` prints it.",
        "",
    ]
    for name, command, context in walk(cli, root):
        text += _command(name, command, context)
    return "\n".join(text)


def walk(
    group: click.Group, context: click.Context, words: str = "rl-toolkit"
) -> Iterator[tuple[str, click.Command, click.Context]]:
    """Every command below a group, with the words that call it."""
    for word in group.list_commands(context):
        command = group.get_command(context, word)
        if command is None or command.hidden:
            continue
        below = click.Context(command, context, info_name=word, **command.context_settings)
        yield f"{words} {word}", command, below
        if isinstance(command, click.Group):
            yield from walk(command, below, f"{words} {word}")


def _command(name: str, command: click.Command, context: click.Context) -> list[str]:
    depth = "#" * min(name.count(" ") + 1, 4)
    usage = " ".join([name, *command.collect_usage_pieces(context)])
    text = [f"{depth} {name}", "", "```text", usage, "```", ""]
    text += _help(command.help or "")
    rows = [
        record
        for parameter in command.get_params(context)
        if (record := parameter.get_help_record(context)) is not None
    ]
    for option, about in rows:
        if about:  # of an argument the text above speaks
            text += [f"`{option}`", f": {_escaped(about)}", ""]
    return text


def _help(text: str) -> list[str]:
    """A command's help as Markdown: paragraphs, and its examples as a block."""
    lines = []
    for part in re.split(r"\n\s*\n", inspect.cleandoc(text.replace("\b", ""))):
        first, *rest = part.strip().splitlines()
        if first.strip() in ("Example:", "Examples:"):
            lines += ["```text", *(line.strip() for line in rest), "```", ""]
        elif part.strip():
            lines += [_escaped(" ".join(part.split())), ""]
    return lines


def _escaped(text: str) -> str:
    """Text in which only code between backquotes means something to Markdown."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(
        part if part.startswith("`") else re.sub(r"([\\*_<>\[\]#|$])", r"\\\1", part)
        for part in parts
    )


# --- data ------------------------------------------------------------------------------------


def _levels() -> str:
    from rl_toolkit.envs import game_families
    from rl_toolkit.players import levels_for, ratings_for
    from rl_toolkit.players.levels import RATING_UNIT, described_levels

    text = [
        "# Levels and their ratings",
        "",
        f"Ratings are in {RATING_UNIT}, each with its interval of 95 %. *Right* is how often a"
        " level avoids a mistake where one is possible. The package itself uses these figures;"
        " `rl-toolkit calibrate` measures them again.",
        "",
    ]
    for family in game_families():
        levels = levels_for(family.name)
        if not levels:
            continue
        rated, described = ratings_for(family.name), described_levels(family.name)
        columns = ("level", "rating", "right", "ms a move", "what it does, and its engine")
        text += [f"## {family.title}", "", f"| {' | '.join(columns)} |"]
        text += ["|---|---|---|---|---|"]
        for level, spec in levels.items():
            known = rated.get(level)
            figures = ("", "", "")
            if known is not None:
                low, high = known.interval
                right = "" if known.accuracy is None else f"{known.accuracy:.0%}"
                figures = (
                    f"{known.rating:.0f} ({low:.0f} to {high:.0f})".replace(
                        " ", "\N{NO-BREAK SPACE}"
                    ),
                    right,
                    f"{known.milliseconds:.0f}",
                )
            about = f"{described[level]}<br>`{spec}`"
            text.append(f"| {' | '.join((level, *figures, about))} |")
        text.append("")
    return "\n".join(text)


def _formats() -> str:
    from rl_toolkit.records import FORMATS

    text = [
        "# File formats",
        "",
        "`read_games` reads all of these, whatever the file is called; `write_games` and"
        " `rl-toolkit game convert` write them. [Games and positions as text](../records.md)"
        " describes the fields.",
        "",
        "| name | format | files |",
        "|---|---|---|",
    ]
    for form in FORMATS.values():
        files = ", ".join(f"`{suffix}`" for suffix in form.suffixes)
        text.append(f"| `{form.name}` | {form.title} | {files} |")
    return "\n".join([*text, ""])


def _http() -> str:
    from rl_toolkit.web import create_app
    from rl_toolkit.web.api.openapi import document

    text = [
        "# Addresses of the web API",
        "",
        "A running server gives this as an OpenAPI document at `/api/openapi.json`."
        " [The web API](../web_api.md) explains positions, streams and errors, with programs.",
        "",
    ]
    for path, operations in document(create_app())["paths"].items():
        for method, operation in operations.items():
            text += [f"## {method.upper()} {path}", "", _escaped(operation["summary"]), ""]
            text += [_escaped(operation["description"]), ""]
            body = operation.get("requestBody", {}).get("content", {}).get("application/json", {})
            text += _fields(body.get("schema", {}))
            if "example" in body:
                text += ["", "```json", json.dumps(body["example"]), "```"]
            text.append("")
    return "\n".join(text)


def _fields(schema: dict[str, Any]) -> list[str]:
    """The fields of a request as a table."""
    rows = []
    for name, field in schema.get("properties", {}).items():
        kinds = field.get("type", "any")
        kind = kinds if isinstance(kinds, str) else " or ".join(kinds)
        needed = "needed: " if name in schema.get("required", ()) else ""
        rows.append(f"| `{name}` | {kind} | {needed}{_escaped(field['description'])} |")
    return ["| field | type | |", "|---|---|---|", *rows] if rows else []


def _toctree(names: Iterator[str]) -> str:
    return "\n".join(["", "```{toctree}", ":hidden:", "", *names, "```", ""])
