"""The arbiter of a game: clocks, limits, and results that an exact engine proves."""
