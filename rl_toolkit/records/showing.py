"""A game record for a notebook: who played, the final position as a picture, and the moves."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rl_toolkit.records.game_record import GameRecord


def record_html(record: GameRecord) -> str:
    """The record as HTML; comments stand after the move they belong to."""
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
