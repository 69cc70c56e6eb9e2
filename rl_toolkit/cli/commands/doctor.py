"""``doctor``: what keeps other people's code from this machine, part by part."""

from __future__ import annotations

import os

import click

from rl_toolkit.cli.arguments import check_isolation, report_errors
from rl_toolkit.cli.options import examples, json_option
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import listing
from rl_toolkit.utils.isolation import Kind

#: What may help where a kind is refused.
_ADVICE: dict[Kind, str] = {
    "namespaces": (
        "Ubuntu (from 23.10) and containers forbid namespaces to most programs. On Ubuntu an "
        "administrator can allow them; for a container see `rl-toolkit help teachers`."
    ),
    "bubblewrap": "The package bubblewrap of your distribution may be allowed to make them.",
}


@click.command()
@json_option("one line of JSON, for programs")
@examples("rl-toolkit doctor", "RL_TOOLKIT_SANDBOX=landlock rl-toolkit doctor")
def doctor(as_json: bool) -> None:
    """Say which kind of sandbox keeps other people's code from this machine, and what it prevents.

    Bots in files, labs and hand-ins run in it. Each kind is tried; the strongest one that works is
    in force. The environment variable RL_TOOLKIT_SANDBOX asks for a weaker one. The exit code is 1
    if there is none.
    """
    from rl_toolkit.utils.isolation import (
        CROWDED,
        FINE,
        PROTECTIONS,
        SANDBOX_VARIABLE,
        IsolationError,
        in_force,
        tried,
    )

    check_isolation()
    screen = Screen()
    with report_errors(IsolationError):
        found, trials = in_force(), tried()
    parts = [(each.what, each.sentence(found.kind)) for each in PROTECTIONS]
    if as_json:
        data = {"sandbox": found.kind, "tried": trials, "parts": dict(parts)}
        screen.json(data | {"is_root": os.geteuid() == 0})
    else:
        screen.say(found.what_holds, "bold")
        if os.environ.get(SANDBOX_VARIABLE):
            screen.say(f"{SANDBOX_VARIABLE} asks for {os.environ[SANDBOX_VARIABLE]} or weaker.")
        screen.say()
        works = {name for name, text in trials.items() if text in (FINE, CROWDED)}
        words = {name: "works" if name in works else text for name, text in trials.items()}
        kinds = [
            (name, words[name] + (", in force" if name == found.kind else "")) for name in words
        ]
        screen.say(listing(("kind", "here"), kinds, screen.width))
        screen.say()
        screen.say(listing(("what code may try", "what happens"), parts, screen.width))
        refused = [name for name in _ADVICE if name not in works]
        if "namespaces" in refused:
            for name in refused:
                screen.tell(_ADVICE[name])
    if found.kind == "limits":
        raise click.exceptions.Exit(1)
