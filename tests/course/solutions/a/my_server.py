import numpy as np
from flask import Flask, jsonify, request
from my_minimax import MinimaxSolver
from my_tictactoe import TicTacToe

app = Flask(__name__)


@app.post("/api/ai-move")
def ai_move():
    data = request.get_json(silent=True) or {}
    board, player, size = data.get("board"), data.get("player"), data.get("board_size", 3)
    if not isinstance(board, list) or len(board) != size**2 or player not in (1, -1):
        return jsonify(error="a board and a player are needed"), 400
    game = TicTacToe(size)
    game.board = np.array(board, dtype=np.int8)
    game.current_player = player
    if game._find_line() is not None or 0 not in board:
        return jsonify(error="the game is over"), 400
    solver = MinimaxSolver()
    answer = {"action": solver.get_best_action(game, player == 1)}
    if data.get("show_thinking"):
        found = solver.get_candidate_evaluations(game, player == 1)
        answer["evaluations"] = {str(move): entry for move, entry in found.items()}
    return jsonify(answer)
