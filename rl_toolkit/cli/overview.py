"""The overview of all commands, ``rl-toolkit --help``: a table, written without Click."""

from __future__ import annotations

from textwrap import wrap

_ABOUT = "Play, solve and understand Tic-Tac-Toe, Connect Four, Gomoku and Reversi."
EPILOG = "`rl-toolkit COMMAND --help` has examples. Data goes to stdout, the rest to stderr."
EXAMPLES = (
    "rl-toolkit play tictactoe",
    "rl-toolkit play connect-four --o hard --first random",
    "rl-toolkit analyse connect-four 4453",
    "rl-toolkit experiment node-counts",
)
VERSION = "Show the version and exit."
PLUGIN = "Load a file of yours that registers games or engines; may be repeated."

#: Command → its module and its line in the overview.
COMMANDS: dict[str, tuple[str, str]] = {
    "play": ("play", "Play a game against the computer or a friend, or watch two engines."),
    "web": ("web", "Serve web pages to play, analyse and watch engines think."),
    "analyse": ("analyse", "Ask an engine about a position."),
    "solve": ("solve", "Solve positions exactly: score and best moves, one line each."),
    "compare": ("compare", "Compare the answers of several engines for one position."),
    "trace": ("measure.trace", "Tell step by step what a search does, and why it cuts."),
    "experiment": (
        "measure.experiment",
        "Repeat an experiment of the courses, with a table and a plot.",
    ),
    "accuracy": (
        "measure.accuracy",
        "Measure how often an engine is right, against the exact solver.",
    ),
    "match": ("measure.match", "Let two engines play each other, colours and openings paired."),
    "tournament": (
        "measure.tournament",
        "Let many engines play each other, and rate them together.",
    ),
    "calibrate": ("measure.calibrate", "Rate the levels of a game in Elo, until exact enough."),
    "openings": ("measure.openings", "Draw balanced openings for matches, or show some."),
    "scorecard": (
        "measure.scorecard",
        "Show on one card what an engine, bot or network can do, in all games it plays.",
    ),
    "self-play": ("measure.self_play", "Let an engine play against itself and save its analyses."),
    "gtp": ("protocols", "Play through GTP, for programs that show or referee games."),
    "gomocup": ("protocols", "Play Gomoku through the protocol of Gomocup and Piskvork."),
    "nboard": ("protocols", "Play Reversi as an engine of the program NBoard."),
    "service": ("protocols", "Analyse positions: queries and answers as JSON lines."),
    "lab": ("lab", "Do the labs of the courses, guided and checked."),
    "games": ("about.listings", "List the games and their variants."),
    "engines": ("about.listings", "List the engines and their options."),
    "engine": ("engine", "Write a bot of your own, and check it."),
    "levels": ("about.listings", "List the levels of a game."),
    "game": ("game", "Show, review, convert, count or check saved games."),
    "book": ("book", "Build an opening book, or show what one holds."),
    "train": ("train", "Train a network, or an evaluation for Reversi or Gomoku, by self-play."),
    "warmup": ("warmup", "Compile everything now, so that no game has to wait for it."),
    "help": ("about.help", "Explain a command, a game, an engine, or the words for values."),
    "completion": ("about.completion", "Print the completion script for your shell."),
}


def overview(width: int) -> str:
    """The overview in lines of at most ``width`` characters, as Click would write it."""
    options = {
        "--version": VERSION,
        "--plugin FILE": PLUGIN,
        "-h, --help": "Show this message and exit.",
    }
    lines = {name: line for name, (_, line) in COMMANDS.items()}
    return "\n".join(
        [
            "Usage: rl-toolkit [OPTIONS] COMMAND [ARGS]...",
            "",
            *_indented(_ABOUT, width),
            "",
            "  Examples:",
            *(f"    {line}" for line in EXAMPLES),
            "",
            "Options:",
            *_table(options, width),
            "",
            "Commands:",
            *_table(lines, width),
            "",
            *_indented(EPILOG, width),
            "",
        ]
    )


def _indented(text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent="  ", subsequent_indent="  ")


def _table(rows: dict[str, str], width: int) -> list[str]:
    """Two columns, the second one wrapped."""
    first = max(map(len, rows)) + 4
    lines = []
    for name, text in rows.items():
        start, *rest = wrap(text, max(width - first, 10))
        lines += [f"  {name}".ljust(first) + start, *(" " * first + line for line in rest)]
    return lines
