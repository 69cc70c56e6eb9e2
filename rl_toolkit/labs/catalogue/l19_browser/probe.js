// Walks the student's model through games and answers with plain data. It knows no right answers.
// It runs behind game.js, in Node or in a page.
var probes = {
  // What makeMove answers to each move, and the game after it.
  steps(opener, moves) {
    const game = newGame(opener);
    const seen = [];
    for (const [row, col] of moves) {
      const move = makeMove(game, row, col);
      const judged = { board: game.board, player: game.player, over: null };
      const now = { move: move, board: game.board, player: game.player, over: game.over, end: checkGameOver(judged) };
      seen.push(JSON.parse(JSON.stringify(now)));
    }
    return seen;
  },

  // What makeMove does with a game that is over.
  late(board, player) {
    const game = { board: board, player: player, over: { victor: 1, line: [[0, 0]] } };
    const move = makeMove(game, 2, 2);
    return { move: move, board: game.board, player: game.player };
  },

  // What checkGameOver says about a board.
  over(board, player) {
    const game = { board: board, player: player, over: null };
    return { said: checkGameOver(game), board: game.board };
  },

  // Whether a clone is a second game: both boards after the clone was changed.
  clone(board, player) {
    const game = { board: board, player: player, over: null };
    const copy = clone(game);
    const taken = JSON.parse(JSON.stringify(copy));
    copy.board[1][1] = 9;
    copy.player = 9;
    return { copy: taken, board: game.board, player: game.player };
  },

  // The children of a position, and the position afterwards.
  children(board, player) {
    const game = { board: board, player: player, over: checkGameOver({ board: board, player: player, over: null }) };
    const children = getChildren(game);
    return { children: children, board: game.board, player: game.player };
  },

  // The move of the program, and the game after it.
  ai(board, player) {
    const game = { board: board, player: player, over: null };
    const move = makeAiMove(game);
    return { move: move === undefined ? null : move, board: game.board, player: game.player };
  },
};
