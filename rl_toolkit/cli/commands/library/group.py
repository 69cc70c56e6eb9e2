"""``library import | search | show | explore | stats | insight | review | export | …``."""

from __future__ import annotations

import click

from rl_toolkit.cli.commands.library.asking import explore, search, show, stats
from rl_toolkit.cli.commands.library.changing import check, export, import_, remove, tag
from rl_toolkit.cli.commands.library.playing import insight, review
from rl_toolkit.cli.options import examples


@click.group()
@examples(
    "rl-toolkit library import WTH_2001.wtb games/",
    "rl-toolkit library search --player Ada --result won",
    "rl-toolkit library explore reversi f5d6",
    "rl-toolkit library show 12",
    "rl-toolkit library export --event Cup -o cup.sgf",
)
def library() -> None:
    """Keep games in one file, and ask it: who played this position, and what came next?

    The library is library.db in your folder of data; --library FILE or the environment variable
    RL_TOOLKIT_LIBRARY name another file. Several programs may use it at once. play, match,
    tournament and self-play save their games there with --keep.
    """


for command in (
    *(import_, search, show, explore, stats, insight, review),
    *(export, tag, remove, check),
):
    library.add_command(command)
