"""What can be seen on a Reversi board, and the phrases for it."""
