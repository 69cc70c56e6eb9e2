"""An analysis on the screen: the table of candidates, bars, the headline.

Values are in the words of `rl_toolkit.analysis.words`, for the side that the heading names.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rl_toolkit.analysis import Analysis, Candidate, Words, words_for
from rl_toolkit.analysis.claims import Claims
from rl_toolkit.cli.ui.screen import Screen
from rl_toolkit.cli.ui.tables import Column, fitting, plain_table
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils import counted, listed

#: The mark of the best move and of all that are as good.
BEST = "⭐"
#: Moves of a line that are shown.
_LINE = 8
#: A sentence is not wrapped into fewer columns than this.
_NARROWEST_NOTE = 48
_BARS = 5
#: Equally good moves that a headline names.
_MOST_NAMED = 6
#: Columns of numbers, which are right-aligned.
_NUMBERS = ("prior", "visits", "UCT")
#: How far a sentence under a move is indented.
_INDENT = 6


def candidate_table(
    env: BaseGameEnv,
    analysis: Analysis,
    screen: Screen,
    top: int | None = None,
    *,
    every_note: bool = False,
    sort: str = "best",
) -> RenderableType:
    """The candidates in as many columns as fit the screen, in the order of `sorted_candidates`.

    With ``every_note`` sentences that do not fit beside their moves are shown under them.
    """
    candidates = sorted_candidates(analysis, sort)[:top]
    words, best = words_for(env, analysis), set(analysis.best_moves)
    claims = analysis.claims
    claimed = {} if claims is None else claims.texts()
    columns = [
        Column("", [screen.fit(BEST) if c.move in best else "" for c in candidates]),
        Column("move", [c.name for c in candidates]),
        Column(
            f"{'claims ' if claimed else ''}for {env.traits.side(analysis.player)}",
            [screen.fit(claimed.get(c.move, words.short(c))) for c in candidates],
        ),
        Column("exact", [screen.fit(_truth(claims, c.move, words)) for c in candidates], 1),
        Column("prior", [share_text(c.prior) for c in candidates], 2),
        Column("visits", [_number(c.visits, ",d") for c in candidates], 1),
        Column("UCT", [_number(c.uct, ".2f") if claimed else "" for c in candidates], 3),
        Column("line", [screen.fit(line_text(env, c.line)) for c in candidates], 3),
        Column("why", [screen.fit(c.note or "") for c in candidates], 4, _NARROWEST_NOTE),
    ]
    columns = [column for column in columns if any(column.cells)]
    shown = fitting(columns, screen.width)
    if not every_note or columns == shown or columns[-1].head != "why":
        return _rows(shown, candidates)
    parts: list[RenderableType] = []
    for number, note in enumerate(columns[-1].cells):
        parts.append(_rows(shown, candidates, number))
        if note:
            parts.append(Padding(Text(note, "dim"), (0, 0, 0, _INDENT)))
    return Group(*parts)


def sorted_candidates(analysis: Analysis, sort: str = "best") -> list[Candidate]:
    """The candidates ``best`` first, by ``value``, by ``visits``, or in the order of the board.

    Tree search trusts visits more than values, so that its best move need not have the highest
    value. What was not searched comes last; where the engine only says which move it plays, that
    move is alone.
    """
    keys: dict[str, Callable[[Candidate], Any]] = {
        "value": lambda c: (c.value is None, -(c.value or 0.0), _sooner(c)),
        "visits": lambda c: -(c.visits or 0),
        "move": lambda c: c.move,
    }
    if sort not in keys:
        return list(analysis.spoken_of)
    return sorted(analysis.spoken_of, key=keys[sort])


def _sooner(candidate: Candidate) -> float:
    """The order among equal values: more pieces, early wins, late losses."""
    if candidate.score is not None:
        return -candidate.score
    distance = candidate.distance or 0
    return -distance if candidate.outcome == "loss" else distance


def _rows(columns: list[Column], candidates: Sequence[Candidate], only: int | None = None) -> Table:
    """All rows, or ``only`` one of them with the same widths; the first has the headings."""
    heads = [column.head for column in columns]
    table = plain_table(*heads, numbers=_NUMBERS, show_header=not only)
    for shown, column in zip(table.columns, columns, strict=True):
        shown.no_wrap = column.head != "why"
        shown.min_width = None if only is None else column.width
    for number in range(len(candidates)) if only is None else [only]:
        cells = [
            Text(column.cells[number], _style_of(column, candidates[number])) for column in columns
        ]
        table.add_row(*cells, style="bold" if columns[0].cells[number] else "")
    return table


def _style_of(column: Column, candidate: Candidate) -> str:
    if column.head == "exact":
        return ""
    return value_style(candidate) if "for " in column.head else ""


def _truth(claims: Claims | None, move: int, words: Words) -> str:
    """What is proven about a move beside the claims of a bot, with a mark where they differ."""
    truth = None if claims is None else claims.truth_of(move)
    if claims is None or truth is None:
        return ""
    claim = claims.of(move)
    return f"{words.short(truth)}{' ✗' if claim is not None and claim.is_wrong else ''}"


def headline(env: BaseGameEnv, analysis: Analysis, *, with_line: bool = False) -> str:
    """The best move and why, in one line: ``d wins in 20 moves, proven. …``."""
    if not analysis.candidates:
        return "The game is over."
    best = analysis.best
    words = words_for(env, analysis)
    value = words.short(best)
    parts = []
    if best.proven:
        line = _line_of_result(env, best) if with_line else ""
        parts.append(f"{best.name} {value.replace('draw', 'draws')}, proven{line}.")
    elif analysis.claims is not None:
        parts.append(f"{analysis.engine} plays {best.name}.")
    elif best.value is None:
        parts.append(f"{analysis.engine} plays {best.name}; its value is unknown.")
    else:
        parts.append(f"Best: {best.name}, {value} for {env.traits.side(analysis.player)}.")
    if reason := _reason(best.note or "", words.full(best, analysis.player)):
        parts.append(reason)  # next to its subject
    others = [analysis.candidate(move).name for move in analysis.best_moves if move != best.move]
    if others and len(others) + 1 < len(analysis.candidates):
        more = len(others) - _MOST_NAMED
        named = others if more < 2 else [*others[:_MOST_NAMED], f"{more} more"]
        same = "Equally good:" if analysis.claims is None else "It claims the same for"
        parts.append(f"{same} {listed(named)}.")
    elif others and analysis.claims is not None:
        parts.append("It claims the same for all moves.")
    elif others:
        parts.append("All moves are equally good.")
    return " ".join(parts)


def worth(env: BaseGameEnv, analysis: Analysis, candidate: Candidate) -> str:
    """What a move is worth, and why: ``X wins in 2 moves (b1 a2 c3). Misses the win at c1.``."""
    value = words_for(env, analysis).full(candidate, analysis.player)
    reason = _reason(candidate.note or "", value)
    return f"{value}{_line_of_result(env, candidate)}. {reason}".rstrip()


def _line_of_result(env: BaseGameEnv, candidate: Candidate) -> str:
    """`` (d e d)``, the line that leads to a proven win or loss; nothing if it is one move."""
    if not candidate.proven or candidate.outcome == "draw" or len(candidate.line) < 2:
        return ""
    return f" ({line_text(env, candidate.line)})"


def _reason(note: str, value: str) -> str:
    """The note without the clause that says again what the best move is worth."""
    clauses = [part for part in note.split("; ") if value.lower() not in part.lower()]
    reason = "; ".join(clauses)
    return f"{reason}." if reason and not reason.endswith(".") else reason


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
    if analysis.threads > 1:
        parts.append(f"{analysis.threads} threads")
    parts.append(f"{analysis.elapsed:.2f} s")
    if count and analysis.elapsed > 0.01:
        rate = float(f"{count / analysis.elapsed:.3g}")  # three figures, in full: 1,230,000
        parts.append(f"{int(rate):,}/s")
    return " · ".join(parts)


def thinking_picture(env: BaseGameEnv, screen: Screen, analysis: Analysis) -> RenderableType:
    """What an engine has found so far: work, best line, and a bar for each good move.

    The length of a bar is the share of the visits; where there are none it shows the value.
    """
    words = words_for(env, analysis)
    side = f" for {env.traits.side(analysis.player)}"
    rows = [
        screen.one_line(work_text(analysis), "dim"),
        screen.one_line(f"best line{side}: {line_text(env, analysis.line)}"),
    ]
    shown = analysis.candidates[:_BARS]
    values = [screen.fit(words.short(candidate)) for candidate in shown]
    wide = max(map(len, values), default=0)
    beside = 17 + wide + (11 if any(c.prior is not None for c in analysis.candidates) else 0)
    room = max(4, min(40, screen.width - beside))
    visited = max((c.visits or 0 for c in analysis.candidates), default=0)
    for candidate, value in zip(shown, values, strict=True):
        by_value = 0.0 if candidate.value is None else (candidate.value + 1) / 2
        share = (candidate.visits or 0) / visited if visited else by_value
        filled = round(share * room)
        row = Text(f"{candidate.name:>5} {value:<{wide}} ", value_style(candidate), no_wrap=True)
        row.append(screen.fit("█" * filled) + " " * (room - filled))
        row.append(f" {candidate.visits:,}" if candidate.visits else "", "dim")
        row.append(
            "" if candidate.prior is None else f" prior {share_text(candidate.prior)}", "dim"
        )
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
    sort: str = "best",
) -> None:
    """Write the table of the moves and a sentence about the best; see `candidate_table`."""
    if analysis.candidates:
        screen.say(candidate_table(env, analysis, screen, top, every_note=every_note, sort=sort))
    screen.left_out(len(analysis.spoken_of) - top, hint)
    if silent := len(analysis.candidates) - len(analysis.spoken_of):
        screen.say(f"Nothing is known about the other {counted(silent, 'move')}.", "dim")
    screen.say(headline(env, analysis))


def line_text(env: BaseGameEnv, line: tuple[int, ...]) -> str:
    """The moves of a line by name, the first few."""
    names = env.line_names(line[:_LINE])
    return " ".join([*names, "…"] if len(line) > _LINE else names)


def value_style(candidate: Candidate) -> str:
    """Green for moves that are good for the side to move, red for bad ones, dim for unknown."""
    if candidate.value is None:
        return "dim"
    return "green" if candidate.value > 0.1 else "red" if candidate.value < -0.1 else ""


def share_text(share: float | None) -> str:
    """A share of a whole, as priors are: ``37.5 %``."""
    return "" if share is None else f"{100 * share:.1f} %"


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)
