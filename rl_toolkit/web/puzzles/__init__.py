"""The page ``/puzzles`` and what it asks the server."""
