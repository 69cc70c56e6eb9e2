"""``course stage``: your own search in the theatre."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlencode

import click

from rl_toolkit.cli.arguments import check_isolation, listening_on, report_errors
from rl_toolkit.cli.options import examples, open_option
from rl_toolkit.cli.param_types import COUNT, NATURAL, WholeNumber
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.web import HOST, PORT

#: The most simulations that the stage has room for.
_MOST = 3000


@click.command("stage")
@click.argument("folder", type=click.Path(path_type=Path), default=Path("."))
@click.option("--search", "name", default="", help="Which search, such as alpha_beta.")
@click.option("--game", help="The game. Default: tictactoe, for a tree search connect-four.")
@click.option("--position", help="Where it begins: moves (b2a1) or a position.")
@click.option("--tree", default="", help="A tree of numbers instead of a game: '(3 12 8) (2 4 6)'.")
@click.option("--depth", type=COUNT, help="Plies that it looks ahead, if it takes a depth.")
@click.option("--simulations", type=WholeNumber(1, _MOST), default=200, help="Of a tree search.")
@click.option("--seed", type=NATURAL, default=0, help="Makes random moves repeatable.")
@click.option("--text", is_flag=True, help="Say it here and serve no page.")
@click.option("--port", type=WholeNumber(0, 65535), default=PORT, help="Port of the page.")
@open_option
@examples(
    "rl-toolkit course stage my_minimax.py --open",
    "rl-toolkit course stage course-b --position 4545451 --simulations 1000",
    "rl-toolkit course stage my_game.py --search alpha_beta --text",
)
def stage_command(
    folder: Path,
    name: str,
    game: str | None,
    position: str | None,
    tree: str,
    depth: int | None,
    simulations: int,
    seed: int,
    text: bool,
    port: int,
    open_browser: bool,
) -> None:
    """Show your own search in the theatre, step by step, with what is wrong in it.

    FOLDER is a folder or one file. A search is a function or method minimax or alpha_beta that
    calls itself, or a class with search and, in it or in its nodes, backpropagate or update. It
    runs in a process of its own; on Windows that needs WSL. With --text the exit code is 1 if
    something is wrong.
    """
    from rl_toolkit.course import record_search

    screen = Screen()
    check_isolation()
    with report_errors():
        staged = record_search(
            folder,
            name,
            game=game,
            position=position,
            tree=tree,
            depth=depth,
            simulations=simulations,
            seed=seed,
        )
    data = staged.trace.data
    answer = data["answer"]
    what = f"{staged.search.id} on {data['game']}, {data['position']}"
    screen.say(screen.fit(what), "bold")
    if staged.search.kind == "mcts":
        move = data["names"].get(str(answer["move"]), "no move")
        screen.say(f"{answer['simulations']:,} simulations, {answer['nodes']:,} nodes: {move}.")
    else:
        screen.say(f"{answer['nodes']:,} positions visited, {answer['cuts']:,} cuts.")
    for number, fault in enumerate(staged.faults[:3]):
        screen.say(screen.fit(fault), "bold red" if number == 0 else "red")
    if not staged.faults:
        screen.say(_praise(staged.is_small), "green")
    if text:
        raise click.exceptions.Exit(1 if staged.faults else 0)
    query = {"engine": f"own:{staged.search.id}"}
    if tree:
        query["tree"] = tree
    else:
        query |= {"game": data["game"], "position": data["position"]}
    if staged.search.kind == "mcts":
        query |= {"simulations": str(simulations), "seed": str(seed)}
    elif depth is not None:
        query["depth"] = str(depth)
    from rl_toolkit.web import serve

    with listening_on(port):
        serve(
            HOST,
            port,
            page=f"{staged.address.lstrip('/')}?{urlencode(query)}",
            open_browser=open_browser,
            own_folder=folder,
        )


def _praise(is_small: bool) -> str:
    if is_small:
        return "Every value fits the true one, and every cut is right."
    return "No fault found. The board is too large to compare every value with the truth."
