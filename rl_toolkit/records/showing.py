"""A game as a picture that replays it, and a record for a notebook."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.utils.svg import render_replay_svg, render_texts_svg

if TYPE_CHECKING:
    from rl_toolkit.records.game_record import GameRecord
    from rl_toolkit.utils.svg import ThemeName


def replay_svg(env: BaseGameEnv, theme: ThemeName = "light", *, seconds: float = 1.0) -> str:
    """The moves of ``env`` one after the other, as an SVG picture that moves by itself.

    >>> from rl_toolkit.records import from_transcript
    >>> replay_svg(from_transcript("tictactoe", "b2 a1")).count("<animate ")
    4
    """
    game = BaseGameEnv.start(env)
    shown = [game.copy()]
    for move in env.history:
        game.step(move)
        shown.append(game.copy())
    traits = env.traits
    if not traits.has_grid:
        texts = [position.render(mode="ansi") or "" for position in shown]
        return render_texts_svg(texts, theme=theme, seconds=seconds)
    return render_replay_svg(
        [position.board_2d for position in shown],
        [position.last_move for position in shown],
        style=traits.style,
        theme=theme,
        colours=traits.piece_colours,
        row_one_at=traits.row_one_at,
        winning_line=env.winning_line,
        seconds=seconds,
    )


def record_html(record: GameRecord) -> str:
    """The record as HTML: players, the final position, and the moves with their comments."""
    env = record.replay()
    traits = env.traits
    names = [
        f"{traits.pieces[k]}: {name}" if name else traits.pieces[k]
        for k, name in enumerate(record.players)
    ]
    heading = f"{traits.title} · {names[0]} · {names[1]} · {_result(record, traits.pieces)}"
    moves = record.starting_position().line_names(record.moves)
    parts = [_comment(record, 0)]
    for ply, name in enumerate(moves, 1):
        number = f"{(ply + 1) // 2}.&nbsp;" if ply % 2 else ""
        ended = " <em>(end of the opening, which no player chose)</em>" * (ply == record.opening)
        parts.append(f"{number}{escape(name)}{ended}{_comment(record, ply)}")
    return (
        f"<figure><figcaption>{escape(heading)}</figcaption>{env.to_svg()}"
        f"<p>{' '.join(part for part in parts if part)}</p></figure>"
    )


def _result(record: GameRecord, pieces: tuple[str, str]) -> str:
    if record.result is None:
        return "not over"
    told = "drawn" if record.result == 0 else f"{pieces[record.result < 0]} won"
    return f"{told} ({record.ended_by})" if record.ended_by else told


def _comment(record: GameRecord, ply: int) -> str:
    text = record.comments.get(ply, "")
    return f" <em>{escape(text)}</em>" if text else ""
