"""How `lanes.match` is called: what its tables hold, and where its machine code comes from.

Nothing here needs Numba. A program that has not loaded it gets the code from
`kernels.compiling.objects`, if it was saved.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from rl_toolkit.kernels.compiling import objects

#: The games that are replayed together, and the words of ``room`` that they need.
LANES = 64
ROOM = 8 * LANES

# The numbers of ``plan``: the games, the width of a row, who moves first (0 or 1), the images of
# the pattern, and whether ``chosen`` says which games are wanted.
GAMES, WIDTH, FIRST, IMAGES, CHOSEN = range(5)
PLAN = 5
# The words of an image: discs of X, discs of O, free cells, the symmetries that have it.
DISCS_X, DISCS_O, FREE, SYMMETRIES = range(4)
IMAGE = 4

_NAME = "archive.lanes.match"
_ARGUMENTS = 10

#: Takes the addresses of ten arrays, and returns the number of games.
Match = Callable[..., int]


def match_function(*, lightly: bool) -> Match | None:
    """`lanes.match` as a C function, which runs without the GIL.

    ``lightly`` its code is loaded without Numba, or ``None`` is returned.
    """
    address = objects.load(_NAME) if lightly else _compiled()
    if address is None:
        return None
    return ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_void_p] * _ARGUMENTS)(address)


def _compiled() -> int:
    from rl_toolkit.kernels.archive import lanes

    return lanes.match.address
