"""A small game that keeps every law, and one game after another that breaks a single one."""

import contextlib

import numpy as np

from rl_toolkit.envs import BaseGameEnv, GameTraits, Symmetry, TicTacToe
from rl_toolkit.envs.validation import as_move


class Poison(BaseGameEnv):
    """Five cells in a row; whoever must take cell 0 loses. Only the eight methods are written."""

    def __init__(self):
        super().__init__((1, 5))

    def reset(self, first_player=1):
        self.board = np.zeros(5, dtype=np.int8)
        self.current_player, self.move_count = first_player, 0
        self.winner, self.done, self.last_move = None, False, None
        return self.board.copy()

    def step(self, move):
        move = as_move(move)
        if move not in self.get_legal_moves():
            raise ValueError(f"{move} cannot be taken")
        self.board[move] = self.current_player
        self.move_count += 1
        self.last_move = move
        if self.is_terminal():
            self.done, self.winner = True, -self.current_player
        else:
            self.current_player = -self.current_player
        info = {
            key: getattr(self, key) for key in ("winner", "winning_line", "move_count", "last_move")
        }
        return self.board.copy(), float(self.winner or 0), self.done, info

    def get_legal_moves(self):
        return [] if self.is_terminal() else np.flatnonzero(self.board == 0).tolist()

    def is_terminal(self):
        return bool(self.board[0])

    def check_win(self, player):
        return bool(self.board[0] == -player)

    def get_result(self, player):
        if not self.is_terminal():
            raise ValueError("the game is still running")
        return 1.0 if self.check_win(player) else -1.0

    def copy(self):
        twin = type(self)()
        vars(twin).update(vars(self))
        twin.board = self.board  # assigning a board copies it
        return twin

    def get_state_hash(self):
        return self.board.tobytes(), self.current_player


class WideBoard(Poison):
    """Shows its board as int64."""

    @property
    def board(self):
        return self._board.astype(np.int64)

    @board.setter
    def board(self, cells):
        self._board = np.array(cells, dtype=np.int8)


class SharedBoard(Poison):
    """A copy writes on the same board."""

    def copy(self):
        twin = type(self)()
        vars(twin).update(vars(self))
        return twin


class HalfReset(Poison):
    """Remembers the last move of the game before."""

    def reset(self, first_player=1):
        last_move = self.last_move
        board = super().reset(first_player)
        self.last_move = last_move
        return board


class OwnBoardFromReset(Poison):
    """Hands its own board out."""

    def reset(self, first_player=1):
        super().reset(first_player)
        return self.board


class BackwardMoves(Poison):
    """Lists its moves from the right."""

    def get_legal_moves(self):
        return super().get_legal_moves()[::-1]


class UnplayableMove(Poison):
    """Calls a taken cell legal."""

    def get_legal_moves(self):
        return [] if self.is_terminal() else [0, 1, 2, 3, 4]

    def step(self, move):
        if self.board[as_move(move) % 5]:
            raise ValueError("taken")
        return super().step(move)


class OneListForAll(Poison):
    """Gives everybody the same list of moves."""

    def get_legal_moves(self):
        if vars(self).get("_listed_for") != self.board.tobytes():
            self._listed_for = self.board.tobytes()
            self._listed = super().get_legal_moves()
        return self._listed

    def get_legal_actions(self):
        return list(self.get_legal_moves())


class StuckGame(Poison):
    """Runs on without a legal move."""

    def get_legal_moves(self):
        return []


class EarlyResult(Poison):
    """Has a result while it runs."""

    def get_result(self, player):
        return super().get_result(player) if self.is_terminal() else 0.0


class TurnPassesAtTheEnd(Poison):
    """Gives the turn to the other player when the game is over."""

    def step(self, move):
        answer = super().step(move)
        if answer[2]:
            self.current_player = -self.current_player
        return answer

    def check_win(self, player):
        return bool(self.board[0] == -player)


class BothWin(Poison):
    """Everybody's result is a win."""

    def get_result(self, player):
        super().get_result(player)
        return 1.0


class RewardOfTheMover(Poison):
    """Rewards whoever moves, not player +1."""

    def step(self, move):
        mover = self.current_player
        board, reward, done, info = super().step(move)
        return board, reward * mover, done, info


class OwnBoardFromStep(Poison):
    """Hands its own board out."""

    def step(self, move):
        _, reward, done, info = super().step(move)
        return self.board, reward, done, info


class PoorInfo(Poison):
    """Says nothing of the winning line."""

    def step(self, move):
        board, reward, done, info = super().step(move)
        del info["winning_line"]
        return board, reward, done, info


class TrueIsOne(Poison):
    """Takes True for cell 1."""

    def step(self, move):
        return super().step(int(move) if isinstance(move, bool) else move)


class WrongError(Poison):
    """Refuses with an error that is no ValueError."""

    def step(self, move):
        try:
            return super().step(move)
        except ValueError as error:
            raise IndexError("no") from error


class ChangedByRefusal(Poison):
    """Counts refused moves."""

    def step(self, move):
        try:
            return super().step(move)
        except ValueError:
            self.move_count += 1
            raise


class HalfUndo(TicTacToe):
    """Takes the piece back and not the turn."""

    def undo(self):
        player = self.current_player
        move = super().undo()
        self._player = player
        return move


class HashWithoutTurn(Poison):
    """Forgets whose turn it is."""

    def get_state_hash(self):
        return self.board.tobytes()


class HashOfCounts(Poison):
    """Calls positions with the same number of pieces equal."""

    def get_state_hash(self):
        return int(np.count_nonzero(self.board)), self.current_player


class HiddenEnd(Poison):
    """Ends by what was played last, whatever is on the board."""

    def is_terminal(self):
        return self.last_move == 0


class DeafToThePlayer(Poison):
    """Sets up every position for player +1."""

    def set_position(self, board, player):
        super().set_position(board, player)
        self.current_player = 1


class AnythingGoes(Poison):
    """Sets up boards that are none."""

    def set_position(self, board, player):
        with contextlib.suppress(ValueError):
            super().set_position(board, player)


class FalseMirror(Poison):
    """Believes that left and right are alike."""

    def symmetries(self):
        mirror = np.arange(5)[::-1]
        return [*super().symmetries(), Symmetry("left-right", mirror, mirror)]


class NoPermutation(Poison):
    """Has a symmetry that maps two cells to one."""

    def symmetries(self):
        return [*super().symmetries(), Symmetry("fold", np.array([0, 1, 2, 1, 0]), np.arange(5))]


class Squinting(TicTacToe):
    """Likes the left side better than the right, though the rules do not."""

    def evaluate_heuristic(self, player):
        if self.done:
            return self.get_result(player)
        return 0.1 * player * float(self.board[0])


class Enthusiast(Poison):
    """Values positions beyond a win."""

    def evaluate_heuristic(self, player):
        return 1.5


class Undecided(Poison):
    """Has no opinion, not even at the end."""

    def evaluate_heuristic(self, player):
        return 0.0


class FewPriorities(Poison):
    """Has a priority for one move only."""

    def move_priorities(self):
        return np.zeros(1, dtype=np.int64)


class NameForAll(Poison):
    """Calls every move by one name."""

    def move_name(self, move):
        super().move_name(move)
        return "a1"


class WelcomesAnyText(Poison):
    """Reads nonsense as cell 0."""

    def parse_move(self, text):
        try:
            return super().parse_move(text)
        except ValueError:
            return 0


class SecretDrawing(Poison):
    """Prints something else than it returns."""

    def render(self, mode="human"):
        if mode == "human":
            print("?")
            return None
        return super().render(mode)


class NoPicture(Poison):
    """Draws half a picture."""

    def to_svg(self, theme="light"):
        return "<svg>"


class Moody(Poison):
    """Shows the fatal cell in some games, and in others not."""

    born = 0

    def __init__(self):
        super().__init__()
        type(self).born += 1
        self.mood = self.born % 2

    def step(self, move):
        board, reward, done, info = super().step(move)
        if done and self.mood:
            self.winning_line = info["winning_line"] = [0]
        return board, reward, done, info

    def reset(self, first_player=1):
        self.winning_line = None
        return super().reset(first_player)


class ChangedByThinking(Poison):
    """Forgets the last move when asked for its opinion."""

    def evaluate_heuristic(self, player):
        self.last_move = None
        return super().evaluate_heuristic(player)


class Endless(Poison):
    """Pieces are put down and taken up again for ever."""

    def step(self, move):
        answer = super().step(move)
        if not answer[2] and np.count_nonzero(self.board) == 4:
            self.board = np.zeros(5)
            return self.board.copy(), *answer[1:]
        return answer

    def get_legal_moves(self):
        return [move for move in super().get_legal_moves() if move]


class Chatterbox(Poison):
    """Prints while it plays."""

    def step(self, move):
        print("here I go")
        return super().step(move)


class Unsized(TicTacToe):
    """Registered, but its name does not tell how large it is."""

    traits = GameTraits()

    @classmethod
    def from_variant(cls, variant):
        return cls(3) if variant == "" else None

    def __init__(self, side=4):
        super().__init__(side)

    @property
    def name(self):
        return "unsized"


class ImpossiblePreview(TicTacToe):
    """Its preview takes a square twice."""

    traits = GameTraits(preview="b2 b2")


BROKEN = {
    WideBoard: "shape",
    SharedBoard: "copy",
    HalfReset: "reset",
    OwnBoardFromReset: "reset",
    BackwardMoves: "legal moves",
    UnplayableMove: "legal moves",
    OneListForAll: "legal moves",
    StuckGame: "legal moves",
    EarlyResult: "end of game",
    TurnPassesAtTheEnd: "end of game",
    BothWin: "end of game",
    RewardOfTheMover: "step",
    OwnBoardFromStep: "step",
    PoorInfo: "step",
    TrueIsOne: "refused moves",
    WrongError: "refused moves",
    ChangedByRefusal: "refused moves",
    HalfUndo: "undo",
    HashWithoutTurn: "hash",
    HashOfCounts: "hash",
    HiddenEnd: "assignment",
    DeafToThePlayer: "set_position",
    AnythingGoes: "set_position",
    FalseMirror: "symmetry",
    NoPermutation: "symmetry",
    Squinting: "symmetry",
    Enthusiast: "heuristic",
    FewPriorities: "heuristic",
    Undecided: "heuristic",
    NameForAll: "notation",
    WelcomesAnyText: "notation",
    Unsized: "records",
    SecretDrawing: "drawing",
    NoPicture: "drawing",
    Moody: "determinism",
    ChangedByThinking: "questions",
    Endless: "never-ending game",
    Chatterbox: "silence",
    ImpossiblePreview: "traits",
}
