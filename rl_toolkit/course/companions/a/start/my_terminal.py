"""Session 3: words for values, and a game in the terminal."""


def format_outcome(value, perspective="ai"):
    """Words for a value that is seen by `perspective`, "ai" or "human"."""
    raise NotImplementedError
