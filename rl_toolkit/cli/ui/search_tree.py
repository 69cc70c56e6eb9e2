"""The top of a search tree on the screen."""

from __future__ import annotations

from collections.abc import Iterator

from rl_toolkit.analysis import Analysis, TreeView, Words, traits_of
from rl_toolkit.cli.ui.screen import Screen


def show_tree(analysis: Analysis, screen: Screen, top: int = 5, hint: str = "") -> None:
    """Write the top of the search tree, or that there is none."""
    try:
        view = analysis.tree(top=top)
    except ValueError as error:
        screen.tell(f"No search tree: {error}{hint}.", "dim")
        return
    for line in tree_lines(view, Words(traits_of(analysis.game)), analysis.player):
        screen.row(line)


def tree_lines(view: TreeView, words: Words, player: int, prefix: str = "") -> Iterator[str]:
    """The search tree as indented lines: visits, value, and the two terms of the UCT score.

    ``player`` makes the first moves. A node whose result is proven is solved: search needs no UCT
    score there. Where a network guided the search, its prior comes before the visits.
    """
    if view.move is None:
        yield f"root  {_visits(view)}"
    for number, child in enumerate(view.children):
        last = number == len(view.children) - 1
        prior = "" if child.prior is None else f"prior {100 * child.prior:.1f} %  "
        uct = f"UCT {child.exploitation:.2f} + {child.exploration:.2f}".replace("-", "−")
        value = "" if child.visits == 1 and not child.proven else f"{words.full(child, player)}  "
        yield (
            f"{prefix}{'└─' if last else '├─'} {child.name}  {prior}{_visits(child)}  "
            f"{value}{'solved' if child.proven else uct}"
        )
        yield from tree_lines(child, words, -player, prefix + ("   " if last else "│  "))


def _visits(node: TreeView) -> str:
    return f"{node.visits:,} visit{'' if node.visits == 1 else 's'}"
