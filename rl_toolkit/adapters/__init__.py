"""Interfaces of other libraries: PettingZoo, Gymnasium, OpenSpiel.

Each library is an extra (``pip install 'rl-toolkit-games[pettingzoo]'``); nothing here is imported
by the rest of the package, except through a name such as ``openspiel:hex(board_size=5)``.
"""
