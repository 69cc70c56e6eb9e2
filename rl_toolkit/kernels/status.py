"""The status of a game in kernels: one small number, from the view of one player."""

RUNNING = 0
WON = 1
DRAWN = 2
LOST = 3
