"""An analysis on the screen: the table of candidates, bars, the headline, the search tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rl_toolkit.analysis import Analysis, Candidate, TreeView, in_words, moves_to_end
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import Column, fitting, plain_table
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils.messages import counted

#: Moves of a line that are shown.
_LINE = 8
#: A sentence is not wrapped into fewer columns than this.
_NARROWEST_NOTE = 48
_BARS = 5
_VERBS = {"win": "wins", "draw": "draws", "loss": "loses"}
#: Columns of numbers, which are right-aligned.
_NUMBERS = ("value", "score", "prior", "visits")
#: How far a sentence under a move is indented.
_INDENT = 6


def candidate_table(
    env: BaseGameEnv,
    analysis: Analysis,
    screen: Screen,
    top: int | None = None,
    *,
    every_note: bool = False,
) -> RenderableType:
    """The candidates, best first, in as many columns as fit the screen.

    With ``every_note`` sentences that do not fit beside their moves are shown under them.
    """
    candidates = analysis.candidates[:top]
    columns = [
        Column("move", [c.name for c in candidates]),
        Column("value", [signed(c.value) for c in candidates]),
        Column("outcome", [in_words(c) for c in candidates], 1),
        Column("score", [screen.fit(_score(c)) for c in candidates], 2),
        Column("prior", [_number(c.prior, ".1%") for c in candidates], 4),
        Column("visits", [_number(c.visits, ",d") for c in candidates], 3),
        Column("line", [screen.fit(line_text(env, c.line)) for c in candidates], 5),
        Column("", [screen.fit(c.note or "") for c in candidates], 6, _NARROWEST_NOTE),
    ]
    columns = [column for column in columns if any(column.cells)]
    shown = fitting(columns, screen.width)
    if not every_note or columns == shown or columns[-1].head:
        return _rows(shown, candidates)
    parts: list[RenderableType] = []
    for number, note in enumerate(columns[-1].cells):
        parts.append(_rows(shown, candidates, number))
        if note:
            parts.append(Padding(Text(note, "dim"), (0, 0, 0, _INDENT)))
    return Group(*parts)


def _rows(columns: list[Column], candidates: Sequence[Candidate], only: int | None = None) -> Table:
    """All rows, or ``only`` one of them with the same widths; the first has the headings."""
    heads = [column.head for column in columns]
    table = plain_table(*heads, numbers=_NUMBERS, show_header=not only)
    for shown, column in zip(table.columns, columns, strict=True):
        shown.no_wrap = column.head != ""
        shown.min_width = None if only is None else column.width
    for number in range(len(candidates)) if only is None else [only]:
        cells = [Text(column.cells[number]) for column in columns]
        cells[1].stylize(value_style(candidates[number]))
        table.add_row(*cells, style="" if number else "bold")
    return table


def headline(env: BaseGameEnv, analysis: Analysis) -> str:
    """The best move and why, in one line of text."""
    if not analysis.candidates:
        return "The game is over."
    best = analysis.candidates[0]
    reason = f" {best.note}" if best.note else ""
    if not best.proven or best.outcome is None:
        return f"Best: {best.name}, value {signed(best.value)}.{reason}"
    moves, verb = moves_to_end(best), _VERBS[best.outcome]
    length = f"in {counted(moves)}" if moves else verb
    if length in reason and best.outcome == "win":  # which says it already
        return f"Best: {best.name}, proven.{reason}"
    return f"Best: {best.name} {verb}{f' {length}' if moves else ''}, proven.{reason}"


def work_text(analysis: Analysis) -> str:
    """How much was searched: ``minimax · depth 9 · 123,456 nodes · 0.31 s · 398,000/s``."""
    parts = [analysis.engine]
    if analysis.depth:
        parts.append(f"depth {analysis.depth}")
    noun, count = "simulation", analysis.simulations
    if not count:
        noun, count = "node", analysis.nodes
    if count:
        parts.append(f"{count:,} {noun}{'' if count == 1 else 's'}")
    parts.append(f"{analysis.elapsed:.2f} s")
    if count and analysis.elapsed > 0.01:
        rate = float(f"{count / analysis.elapsed:.3g}")  # three figures, in full: 1,230,000
        parts.append(f"{int(rate):,}/s")
    return " · ".join(parts)


def thinking_picture(env: BaseGameEnv, screen: Screen, analysis: Analysis) -> RenderableType:
    """What an engine has found so far: work, best line, and a bar for each good move.

    The length of a bar is the share of the visits; where there are none it shows the value.
    """
    rows = [
        screen.one_line(work_text(analysis), "dim"),
        screen.one_line(f"best line: {line_text(env, analysis.line)}"),
    ]
    beside = 24 + (11 if any(c.prior is not None for c in analysis.candidates) else 0)
    room = max(8, min(40, screen.width - beside))
    visited = max((c.visits or 0 for c in analysis.candidates), default=0)
    for candidate in analysis.candidates[:_BARS]:
        by_value = (candidate.value + 1) / 2
        share = (candidate.visits or 0) / visited if visited else by_value
        filled = round(share * room)
        row = Text(f"{candidate.name:>5} {signed(candidate.value)} ", value_style(candidate))
        row.append(screen.fit("█" * filled) + " " * (room - filled))
        row.append(f" {candidate.visits:,}" if candidate.visits else "", "dim")
        row.append("" if candidate.prior is None else f" prior {candidate.prior:.0%}", "dim")
        rows.append(row)
    return Group(*rows)


def show_candidates(
    env: BaseGameEnv,
    analysis: Analysis,
    screen: Screen,
    top: int,
    *,
    every_note: bool = False,
    hint: str = "",
) -> None:
    """Write the table of the best moves and a sentence about the first; see `candidate_table`."""
    if analysis.candidates:
        screen.say(candidate_table(env, analysis, screen, top, every_note=every_note))
    screen.left_out(len(analysis.candidates) - top, hint)
    screen.say(headline(env, analysis))


def show_tree(analysis: Analysis, screen: Screen, top: int = 5, hint: str = "") -> None:
    """Write the top of the search tree, or that there is none."""
    try:
        view = analysis.tree(top=top)
    except ValueError as error:
        screen.tell(f"No search tree: {error}{hint}.", "dim")
        return
    for line in tree_lines(view):
        screen.row(line)


def tree_lines(view: TreeView, prefix: str = "") -> Iterator[str]:
    """The search tree as indented lines: visits, value, and the two terms of the UCT score.

    Where a network guided the search, its prior comes before the visits.
    """
    if view.move is None:
        yield f"root  {view.visits:,} visits"
    for number, child in enumerate(view.children):
        last = number == len(view.children) - 1
        certain = f"  {child.outcome} (proven)" if child.outcome else ""
        prior = "" if child.prior is None else f"prior {child.prior:.1%}  "
        yield (
            f"{prefix}{'└─' if last else '├─'} {child.name}  {prior}{child.visits:,} visits  "
            f"value {signed(child.value)}  UCT {signed(child.exploitation)}"
            f" + {child.exploration:.2f}{certain}"
        )
        yield from tree_lines(child, prefix + ("   " if last else "│  "))


def line_text(env: BaseGameEnv, line: tuple[int, ...]) -> str:
    """The moves of a line by name, the first few."""
    names = [env.move_name(move) for move in line[:_LINE]]
    return " ".join([*names, "…"] if len(line) > _LINE else names)


def value_style(candidate: Candidate) -> str:
    """Green for moves that are good for the side to move, red for bad ones."""
    return "green" if candidate.value > 0.1 else "red" if candidate.value < -0.1 else ""


def signed(value: float) -> str:
    """A value with its sign and two decimals; a zero is never negative."""
    return f"{value:+.2f}".replace("-0.00", "+0.00")


def _score(candidate: Candidate) -> str:
    """A proven score in full, an estimated one to a tenth; a bound says which: ``≤ -4``."""
    if candidate.score is None:
        return ""
    form = "+g" if candidate.proven else "+.1f"
    sign = {"exact": "", "lower": "≥ ", "upper": "≤ "}[candidate.score_bound]
    return sign + format(candidate.score, form).replace("-0.0", "+0.0")


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)
