"""Proven results of Gomoku in words: wins by continuous fours, and what the other side threatens.

A line in which each move of the winner makes a four, and each reply takes the only cell for five,
is a proof by itself: no other reply lasts longer. So it is checked on the board here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rl_toolkit.analysis import Analysis, Candidate, words_for
from rl_toolkit.envs import BaseGameEnv, Gomoku
from rl_toolkit.explain.gomoku.facts import lines_of
from rl_toolkit.explain.gomoku.lines import Lines
from rl_toolkit.utils import counted

#: The moves of a line that are shown.
_LONGEST_LINE = 24


def are_continuous_fours(lines: Lines, side: int, moves: Sequence[int]) -> bool:
    """Whether ``moves``, the first by ``side``, are fours with forced replies and end with five.

    The board of ``lines`` is left as it was.
    """
    board, before, fives = lines.board, list(lines.board), list[int]()
    try:
        for number, move in enumerate(moves):
            mover = side if number % 2 == 0 else -side
            if not 0 <= move < len(board) or board[move]:
                return False
            if lines.wins(move, mover):
                return mover == side and number == len(moves) - 1
            board[move] = mover
            if mover == side:
                fives = lines.all_five_cells(side)
                if not fives or lines.all_five_cells(-side):
                    return False
            elif len(fives) == 1 and move != fives[0]:
                return False
        return False
    finally:
        board[:] = before


def gomoku_proof(env: BaseGameEnv, candidate: Candidate) -> str:
    """The proven win or loss as one by continuous fours; empty if it is not one."""
    if not isinstance(env, Gomoku) or not env.is_five or candidate.outcome == "draw":
        return ""
    lines, side, line = lines_of(env), env.current_player, candidate.line
    if len(line) != candidate.distance or line[:1] != (candidate.move,):
        return ""
    if candidate.outcome == "win":
        if len(line) < 3 or not are_continuous_fours(lines, side, line):
            return ""
        moves = counted((len(line) + 1) // 2)
        return f"a proven win in {moves} by continuous fours: {fours_text(env, line)}"
    if len(line) < 4 or lines.board[candidate.move]:
        return ""
    with lines.stone(candidate.move, side):
        if not are_continuous_fours(lines, -side, line[1:]):
            return ""
    opponent, moves = words_for(env).side(-side), counted(len(line) // 2)
    sentence = f"{opponent} wins in {moves} by continuous fours"
    return f"{sentence}: {fours_text(env, line[1:])}"


def fours_text(env: BaseGameEnv, line: Sequence[int]) -> str:
    """The line with the replies in brackets: ``h8 (g9) i7``."""
    names = env.line_names(list(line[:_LONGEST_LINE]))
    shown = [f"({name})" if number % 2 else name for number, name in enumerate(names)]
    return " ".join([*shown, "…"] if len(line) > _LONGEST_LINE else shown)


def name_threat(env: BaseGameEnv, analysis: Analysis) -> Analysis:
    """The analysis with a note on what the opponent threatens, unless the side to move wins."""
    threat = analysis.threat
    if not threat or (analysis.proven and analysis.outcome == "win"):
        return analysis
    opponent = words_for(env).side(-analysis.player)
    first = env.move_name(threat[0])
    note = f"{opponent} threatens to win from {first}"
    if len(threat) > 1:
        note += f": {fours_text(env, threat)}"
    elif isinstance(env, Gomoku) and lines_of(env).wins(threat[0], -analysis.player):
        note = f"{opponent} threatens to win at {first}"
    note += "."
    return replace(analysis, notes=(*analysis.notes, note))
