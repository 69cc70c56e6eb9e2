"""Reads the counter of the start file, in the student's process."""


def counter(module, board, player):
    """What ``nodes`` has grown by in one search; ``None`` if there is no such counter."""
    before = getattr(module, "nodes", None)
    if before is None:
        return None
    module.alpha_beta(board, float("-inf"), float("inf"), player)
    return module.nodes - before
