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
PLUGIN = "Load a file of yours with games or engines; may be repeated."

#: Heading → its commands, each with its module and its line in the overview.
GROUPS: dict[str, dict[str, tuple[str, str]]] = {
    "Play": {
        "play": ("play", "Play against the computer or a friend, or watch two engines."),
        "puzzle": ("puzzle", "Solve puzzles at your rating, and what you got wrong in your games."),
        "web": ("web", "Serve web pages to play, analyse and watch engines think."),
    },
    "Ask": {
        "analyse": ("analyse", "Ask an engine what each move of a position is worth, and why."),
        "solve": ("solve", "Solve positions exactly: score and best moves, one line each."),
        "compare": ("compare", "Compare the answers of several engines for one position."),
        "trace": ("measure.trace", "Tell step by step what a search does, and why it cuts."),
    },
    "Measure": {
        "accuracy": (
            "measure.accuracy",
            "Measure how often an engine finds a right move, against the exact solver.",
        ),
        "match": ("measure.match", "Let two engines play each other: the score and its interval."),
        "tournament": (
            "measure.tournament",
            "Let several engines play each other, and rate them together.",
        ),
        "scorecard": (
            "measure.scorecard",
            "Show on one card what an engine, bot or network can do, in all games it plays.",
        ),
        "calibrate": ("measure.calibrate", "Rate the levels of a game in Elo."),
        "openings": ("measure.openings", "Draw balanced openings for matches, or show some."),
        "experiment": (
            "measure.experiment",
            "Reproduce the figures of the courses, with a table and a plot.",
        ),
    },
    "Learn": {
        "course": ("course", "Follow a handout with your own files: pages, skeletons and tests."),
        "figure": ("figure", "Write a figure of the chapters: SVG, PNG, or one live HTML file."),
        "lab": ("lab", "Do the labs of the courses; your own machine checks your work."),
        "class": ("classroom", "Run a class: roster, hand-ins, grades, and back to the platform."),
    },
    "Build": {
        "engine": ("engine", "Write a bot of your own, and check it."),
        "train": (
            "train",
            "Train a network, or an evaluation for Reversi or Gomoku, by self-play.",
        ),
        "self-play": (
            "measure.self_play",
            "Let an engine play against itself, and save the games with its analyses.",
        ),
        "book": ("book", "Build an opening book, or show what a book holds."),
    },
    "Files": {
        "game": ("game", "Show, review, convert, count or check saved games."),
        "library": ("library", "Keep games in one file, and search it by player or position."),
    },
    "Connect": {
        "gtp": ("protocols", "Play through GTP, for programs that show or referee games."),
        "gomocup": ("protocols", "Play Gomoku through the protocol of Gomocup and Piskvork."),
        "nboard": ("protocols", "Play Reversi as an engine of the program NBoard."),
        "service": ("protocols", "Answer queries about positions, as JSON lines."),
    },
    "Lists": {
        "games": ("about.listings", "List the games and their variants."),
        "engines": ("about.listings", "List the engines and their options."),
        "levels": ("about.listings", "List the levels of a game, with their ratings."),
    },
    "Setup and help": {
        "warmup": ("warmup", "Compile all machine code now, so that no game has to wait."),
        "doctor": ("doctor", "Say what keeps other people's code from this machine."),
        "completion": ("about.completion", "Print the completion script for your shell."),
        "help": ("about.help", "Explain a command, a game, an engine, or the words for values."),
    },
}
#: Command → its module and its line in the overview, in the order of the groups.
COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}
#: Command → the page that says more, for `rl-toolkit help page PAGE`.
PAGES = {
    "play": "play_and_analyse",
    "puzzle": "puzzles",
    "web": "web",
    "analyse": "play_and_analyse",
    "solve": "terminal",
    "compare": "disagreements",
    "trace": "traces",
    "accuracy": "arena",
    "match": "arena",
    "tournament": "tournaments",
    "scorecard": "scorecard",
    "calibrate": "players",
    "openings": "arena",
    "experiment": "theatre",
    "course": "course",
    "figure": "chapters",
    "lab": "labs",
    "class": "teachers",
    "engine": "write_a_bot",
    "train": "first_network",
    "self-play": "arena",
    "book": "connect_four_solver",
    "game": "records",
    "library": "library",
    "gtp": "protocols",
    "gomocup": "protocols",
    "nboard": "protocols",
    "service": "protocols",
    "games": "envs",
    "engines": "players",
    "levels": "players",
    "warmup": "install",
    "doctor": "teachers",
}


def overview(width: int) -> str:
    """The overview in lines of at most ``width`` characters."""
    options = {
        "--version": VERSION,
        "--plugin FILE": PLUGIN,
        "-h, --help": "Show this message and exit.",
    }
    longest = max(map(len, COMMANDS))
    groups = []
    for heading, commands in GROUPS.items():
        lines = {name.ljust(longest): line for name, (_, line) in commands.items()}
        groups += [f"{heading}:", *_table(lines, width), ""]
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
            *groups,
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
