"""Draw the boards in the README, with what an engine says of each move written on them.

usage: python tools/draw_pictures.py
"""

from __future__ import annotations

from pathlib import Path

from rl_toolkit.analysis import words_for
from rl_toolkit.players import make_engine
from rl_toolkit.records import from_transcript
from rl_toolkit.utils.atomic_file import write_text_atomically
from rl_toolkit.utils.board_viz import render_board_svg

FOLDER = Path(__file__).parent.parent / "docs" / "images"

#: The moves of each game, and the engine that judges the position.
POSITIONS = {
    "tictactoe": ("a1", "minimax:depth=14,time=20"),
    "connect-four": ("65271671156143", "exact"),
    "gomoku-9": ("e5e6f5d5f6f4g4", "minimax:depth=14,time=20"),
    "reversi-6": ("b3b4e5b2a4f6", "reversi:every=on,nodes=20000"),
}


def draw(game: str, transcript: str, engine: str) -> str:
    """The picture of one position."""
    env = from_transcript(game, transcript)
    analysis = make_engine(engine).analyse(env)
    shown = analysis.candidates if "gomoku" not in game else analysis.candidates[:10]
    words, player = words_for(env), env.current_player
    places = [(env.landing_cell(c.move), c) for c in shown]
    drawn = {cell: c for cell, c in places if cell is not None}
    return render_board_svg(
        env.board_2d,
        style=env.traits.style,
        row_one_at=env.traits.row_one_at,
        last_move=env.last_move,
        heat={cell: c.value or 0.0 for cell, c in drawn.items()},
        labels={cell: words.mark(c) for cell, c in drawn.items()},
        value_texts={cell: words.full(c, player) for cell, c in drawn.items()},
        size=300,
    )


if __name__ == "__main__":
    for name, (moves, judge) in POSITIONS.items():
        write_text_atomically(FOLDER / f"{name}.svg", draw(name, moves, judge))
