"""The front door in the terminal: one file per command, and what the commands share."""

__all__: list[str] = []
