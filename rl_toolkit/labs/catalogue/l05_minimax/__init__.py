"""L05: minimax on Tic-Tac-Toe."""
