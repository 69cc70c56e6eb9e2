"""Interfaces of other libraries: PettingZoo, Gymnasium, OpenSpiel.

Each library is an extra: ``pettingzoo``, ``gymnasium``, ``openspiel``. Nothing here is
imported by the rest of the package, except through a name such as ``openspiel:hex(board_size=5)``.
"""

__all__: list[str] = []
