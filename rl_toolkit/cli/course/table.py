"""The table of the courses: the outcome of each move in words, with the best ones marked.

Outcomes are worded as the AI sees them, whichever side it plays and whichever is to move.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rich.cells import cell_len, set_cell_size

from rl_toolkit.analysis import UNKNOWN, Analysis, Candidate
from rl_toolkit.cli.play.cells import Cells
from rl_toolkit.cli.ui.tables import Column, fitting
from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.explain import assessment, exploration, format_outcome

_BEST = "⭐ YES"
#: The outcome between two advantages, while it is not proven.
_EVEN = "⚖️ Even"
#: An unproven value is at most an advantage, however large it is.
_UNPROVEN = 0.89
_BETWEEN = " | "
#: Assessments are cut down to this width before they are left out.
_SHORTEST = 16


#: The words of the table and what they mean; without an AI they name X and O.
LEGEND = (
    (f"{format_outcome(1.0)}, {format_outcome(-1.0)}", "proven, whatever the other side does"),
    (f"{format_outcome(0.0)}", "proven, with best play by both sides"),
    (f"{format_outcome(0.5)}, {_EVEN}, {format_outcome(-0.5)}", "estimates"),
    (UNKNOWN, "this move was not searched"),
    (_BEST, "the best move; all equally good moves have it"),
)


def numbered(env: BaseGameEnv, move: int, cells: Cells) -> str:
    """A move by name and by the number that people may type for it: ``b2 (4)``."""
    number = move + 1 if env.traits.move_by == "column" else cells.number(env, move)
    return f"{env.move_name(move)} ({number})"


def course_table(
    env: BaseGameEnv,
    analysis: Analysis,
    *,
    ai: int,
    cells: Cells | None = None,
    best_first: bool = False,
    width: int | None = None,
    fit: Callable[[str], str] = str,
) -> list[str]:
    """Position, Outcome, Assessment, Best; for tree search the visits as well.

    Args:
        env: the position.
        analysis: an analysis of it.
        ai: the player that the AI is; 0 where two people or two engines play, and the outcomes
            are about X and O.
        cells: how cells are numbered.
        best_first: in the order of the analysis, which puts the best move first and unknown moves
            last; else in the order of the board.
        width: the width of the screen.
        fit: replaces characters that cannot be shown.
    """
    best = analysis.best_moves
    candidates = list(analysis.candidates)
    if not best_first:
        candidates.sort(key=lambda candidate: candidate.move)
    cells = cells or Cells()
    searched = any(candidate.visits is not None for candidate in candidates)

    def is_best(candidate: Candidate) -> bool:
        return candidate.move in best and candidate.value is not None

    def assessed(candidate: Candidate) -> str:
        claim = None if analysis.claims is None else analysis.claims.of(candidate.move)
        own = "" if claim is None else claim.says  # a bot's own sentence
        return fit(own) or _assessed(candidate, searched=searched)

    columns = [
        Column("Position", [numbered(env, c.move, cells) for c in candidates]),
        Column("Outcome", [fit(_outcome(c, analysis.player, ai)) for c in candidates]),
        Column("Visits", [f"{c.visits or 0:,}" for c in candidates], 1),
        Column("Assessment", [assessed(c) for c in candidates], 2, _SHORTEST),
        Column("Best", [fit(_BEST) if is_best(c) else "" for c in candidates]),
    ]
    if not searched:
        del columns[2]
    if width is not None:
        columns = _shortened(fitting(columns, width, len(_BETWEEN)), width, fit("…"))
    widths = [column.width for column in columns]
    rows = [[c.head for c in columns], *zip(*(c.cells for c in columns), strict=True)]
    lines = [_BETWEEN.join(map(set_cell_size, row, widths)).rstrip() for row in rows]
    return [lines[0], "-+-".join("-" * width for width in widths), *lines[1:]]


def _outcome(candidate: Candidate, mover: int, ai: int) -> str:
    """The value in words; only a proven win "wins", and only a proven draw is a "Draw"."""
    value = candidate.value
    if value is None:
        return UNKNOWN
    if not candidate.proven:
        value = max(-_UNPROVEN, min(_UNPROVEN, value))
    for_ai = value if mover == (ai or 1) else -value  # of X, if there is no AI
    text = format_outcome(for_ai)
    if not candidate.proven and text == format_outcome(0.0):
        text = _EVEN
    if ai:
        return text
    _ornament, words = text.split(" ", 1)
    return words.replace("AI", "X").replace("Human", "O")


def _assessed(candidate: Candidate, *, searched: bool) -> str:
    if candidate.value is None:
        return "not searched"
    if searched and not candidate.proven:
        return exploration(candidate.visits or 0, candidate.value)
    return assessment(candidate.value, candidate.distance, proven=candidate.proven)


def _shortened(columns: list[Column], width: int, dots: str) -> list[Column]:
    """The columns with the assessments cut where that makes them fit."""
    missing = sum(c.width for c in columns) + len(_BETWEEN) * (len(columns) - 1) - width
    if missing <= 0:
        return columns
    return [
        replace(column, cells=[_cut(cell, column.width - missing, dots) for cell in column.cells])
        if column.narrowest
        else column
        for column in columns
    ]


def _cut(text: str, room: int, dots: str) -> str:
    if cell_len(text) <= room:
        return text
    return set_cell_size(text, room - len(dots)).rstrip() + dots
