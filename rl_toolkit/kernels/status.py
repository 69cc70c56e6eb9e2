"""How a game stands, as kernels say it: one small number, seen by one player."""

RUNNING = 0
WON = 1
DRAWN = 2
LOST = 3
