"""Lab L19: Tic-Tac-Toe in the browser: model, one grid, clicks, an opponent, an API."""
