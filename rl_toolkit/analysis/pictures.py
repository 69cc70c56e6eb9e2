"""An analysis as a picture: values as heat and marks on the squares, the best line as arrows.

A notebook shows the picture beside the table of candidates.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from rl_toolkit.analysis.words import words_for
from rl_toolkit.envs import BaseGameEnv, make_game
from rl_toolkit.envs.position import cells_from_text, position_from_text
from rl_toolkit.utils.board_viz import render_board_svg

if TYPE_CHECKING:
    from rl_toolkit.analysis.results import Analysis
    from rl_toolkit.utils.svg import ThemeName


def draw_analysis(
    analysis: Analysis,
    env: BaseGameEnv | None = None,
    *,
    theme: ThemeName = "light",
    top: int = 12,
    line: int = 4,
    size: int = 480,
) -> str:
    """The analysed position as SVG; see `Analysis.to_svg`."""
    env = analysed_position(analysis) if env is None else env.copy()
    if not env.traits.has_grid:
        return env.to_svg(theme)
    words = words_for(env, analysis)
    shown = analysis.candidates[:top]
    cells = {candidate.move: env.landing_cell(candidate.move) for candidate in shown}
    on_board = [
        (candidate, cell) for candidate in shown if (cell := cells[candidate.move]) is not None
    ]
    path = _line_cells(env, analysis.line[:line])
    return render_board_svg(
        env.board_2d,
        style=env.traits.style,
        colours=env.traits.piece_colours,
        row_one_at=env.traits.row_one_at,
        last_move=env.last_move,
        winning_line=env.winning_line,
        heat={cell: max(-1.0, min(1.0, c.value)) for c, cell in on_board if c.value is not None},
        labels={cell: words.mark(candidate) for candidate, cell in on_board},
        arrows=pairwise(path),
        value_texts={cell: words.short(candidate) for candidate, cell in on_board},
        badges={cell: str(number) for number, cell in reversed(list(enumerate(path, 1)))},
        title=f"{env.traits.title}, {_headline(analysis, words.side(analysis.player))}",
        theme=theme,
        size=size,
    )


def analysis_html(analysis: Analysis, caption: str, rows: list[list[str]]) -> str:
    """The board and a table, side by side; ``rows`` begin with the heads of the columns.

    There is no board if the position cannot be set up, as in a game that is not registered.
    """
    try:
        board = f"<div>{draw_analysis(analysis, size=320)}</div>"
    except ValueError:
        board = ""
    head, *body = rows
    cells = ["".join(f"<td>{escape(cell)}</td>" for cell in row) for row in body]
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:1em;align-items:flex-start">'
        f"{board}<div><table><caption>{escape(caption)}</caption>"
        f"<thead><tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr></thead>"
        f"<tbody>{''.join(f'<tr>{row}</tr>' for row in cells)}</tbody></table>"
        + "".join(f"<p>{escape(note)}</p>" for note in analysis.notes)
        + "</div></div>"
    )


def analysed_position(analysis: Analysis) -> BaseGameEnv:
    """The position of an analysis, from its text; raises ``ValueError`` for an unknown game."""
    try:
        env = make_game(analysis.game)
        if not env.traits.has_grid:
            return position_from_text(env, analysis.position)
        # Boards that no game reaches are drawn too.
        env.board, env.current_player = cells_from_text(env, analysis.position)
        env.get_legal_moves()  # a board that cannot be set up is refused here
    except ValueError as error:
        raise ValueError(
            f"the position {analysis.position!r} of {analysis.game} cannot be set up here; "
            "give the game: to_svg(env)"
        ) from error
    return env


def _line_cells(env: BaseGameEnv, line: tuple[int, ...]) -> list[int]:
    """The cells where the pieces of a line go, played one after the other; passes have none."""
    game, cells = env.copy(), []
    for move in line:
        try:
            cell = game.landing_cell(move)
            game.step(move)
        except ValueError:  # a line that goes on after the end
            break
        if cell is not None:
            cells.append(cell)
    return cells


def _headline(analysis: Analysis, side: str) -> str:
    best = f", best {analysis.best.name}" if analysis.candidates else ""
    return f"{side} to move{best}"
