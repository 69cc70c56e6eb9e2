"""The pages that lay in docs/ itself before they were sorted by kind.

Links to the old addresses were printed and saved, so each of them leads to the page of today: on
the site by a page that forwards, in the repository by a file of three lines.
"""

from __future__ import annotations

#: Old name → new name, both below docs/ and without ``.md``.
FORMER = {
    "adapters": "reference/adapters",
    "adding_engines": "guides/adding_engines",
    "adding_new_games": "guides/write_a_game",
    "alphazero": "explanation/alphazero",
    "architecture": "explanation/architecture",
    "arena": "guides/arena",
    "chapters": "guides/chapters",
    "cluster": "guides/cluster",
    "connect_four_solver": "explanation/connect_four_solver",
    "course": "guides/course",
    "envs": "reference/envs",
    "explain": "explanation/explain",
    "gomoku": "explanation/gomoku",
    "kernels": "explanation/kernels",
    "labs": "guides/labs",
    "library": "guides/library",
    "mcts": "explanation/mcts",
    "minimax": "explanation/minimax",
    "own_page": "guides/own_page",
    "players": "reference/players",
    "protocols": "reference/protocols",
    "puzzles": "guides/puzzles",
    "records": "reference/records",
    "report": "explanation/report",
    "reversi": "explanation/reversi",
    "scorecard": "guides/scorecard",
    "teachers": "guides/teachers",
    "terminal": "reference/terminal",
    "theatre": "guides/theatre",
    "tournaments": "guides/tournaments",
    "traces": "reference/traces",
    "training_doctor": "guides/training_doctor",
    "utils": "reference/utils",
    "web": "reference/web",
    "web_api": "reference/web_api",
    "web_compared": "explanation/web_compared",
    "write_a_bot": "guides/write_a_bot",
    "write_a_game": "guides/write_a_game",
}
