"""The experiments: each described once, and run by the terminal and by the web alike.

An `Experiment` names its settings, measures step by step, and draws its conclusion (table, chart,
data) from whatever has been measured by then; so every one can be watched, and stopped without
loss::

    description.py   Experiment, Question             counting/   nodes, positions, sweeps
    settings.py      settings: reading, bounds        playing/    matches and leagues
    results.py       the table, the chart, CSV        sampling/   MCTS and bandits
    running.py       progress, stop, what is kept     catalogue.py   all of them, by id
"""
