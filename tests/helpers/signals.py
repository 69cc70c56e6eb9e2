"""Starting programs that hear Ctrl-C, however the tests themselves were started.

A program started in the background of a shell inherits SIGINT as ignored, and so do its children:
Python then never raises ``KeyboardInterrupt``. Programs started inside ``with ctrl_c_heard():``
have the signal as a terminal gives it, because a handler is reset when a program is started while
"ignored" is inherited.
"""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_heard() -> Iterator[None]:
    """Programs that the block starts hear Ctrl-C; use it in the main thread."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
