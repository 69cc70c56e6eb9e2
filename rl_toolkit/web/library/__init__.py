"""The page ``/library`` and the addresses under ``/api/library``: saved games on the pages."""
