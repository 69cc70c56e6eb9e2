"""The experiments: each described once, and run by the terminal and by the web alike.

An `Experiment` names its settings, measures step by step, and draws its conclusion (table, chart,
data) from whatever has been measured by then; so every one can be watched, and stopped without
loss::

    description.py   Experiment, Question             results.py   the table, the chart, CSV
    settings.py      settings: reading, bounds        running.py   progress, stop, what is kept
    catalogue.py     all experiments, by id           playing.py   games between players, counted

The other files are the experiments themselves.
"""
