"""Session 3: names of squares. Letter = column, number = row from the top."""


def index_to_algebraic(index, board_size):
    raise NotImplementedError


def algebraic_to_index(position, board_size):
    raise NotImplementedError


def tuple_to_algebraic(position, board_size):
    raise NotImplementedError


def algebraic_to_tuple(position, board_size):
    raise NotImplementedError


def validate_position(position, board_size):
    """Whether the text names a square of the board."""
    raise NotImplementedError


def render_board_ascii(board, board_size):
    """The board as text, with letters above and numbers at the left."""
    raise NotImplementedError
