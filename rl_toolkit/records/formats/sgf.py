"""SGF, the Smart Game Format: Gomoku (``GM[4]``) and Othello (``GM[2]``), with variations.

=====================  =======================================================================
``B[hh]`` ``W[]``      a move: column, then row from the top, ``aa`` top left; empty is a pass
``C[…]``               a comment; that of the root ends with the number of moves of the opening
``AB`` ``AW`` ``PL``   the starting position, if it is not the usual one
``RE[B+R]``            the result; ``R`` resignation, ``T`` time, ``F`` forfeit
``RU[standard]``       the rule of Gomoku; freestyle if it is missing
``RLHDR`` ``RLEND``    what SGF has no property for: other headers, other reasons for an end
``RLWIN``              the number in a row that wins, if it is not five
``RLGAME``             the last move of the game as played, if the main line is another one
=====================  =======================================================================

Squares (``d3``) are read as moves too. Glyphs, marks and clocks are in `sgf_notes`; a file that
names no game can be read if the caller says which game it is. Analyses are not written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from rl_toolkit.envs import BaseGameEnv, Gomoku, Reversi, for_game, make_game
from rl_toolkit.envs.position import set_up
from rl_toolkit.records.errors import (
    OtherGameError,
    RecordFieldError,
    RecordMoveError,
    inside,
)
from rl_toolkit.records.formats.file_results import ADJUDICATED, outcome, rule_of_gomoku
from rl_toolkit.records.formats.opening_note import with_note, without_note
from rl_toolkit.records.formats.played_moves import play_coloured
from rl_toolkit.records.formats.sgf_grammar import (
    Node,
    decode,
    node_text,
    pair_of,
    pair_text,
    parse,
    property_text,
)
from rl_toolkit.records.formats.sgf_notes import note_of, note_properties
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.records.move_names import move_named
from rl_toolkit.records.tree.notes import Note
from rl_toolkit.records.tree.variations import MAX_DEPTH, Variation, branches
from rl_toolkit.utils import shown

PLAYERS = {"B": 1, "W": -1}
_COLOURS = {player: colour for colour, player in PLAYERS.items()}
_STONES = {"AB": 1, "AW": -1, "AE": 0}
_GAME_ENDS = "RLGAME[1]"
_ENDS = {"R": "resignation", "T": "time", "F": "forfeit"}
HEADERS = {
    "EV": "event",
    "RO": "round",
    "DT": "date",
    "PC": "place",
    "GN": "name",
    "SO": "source",
    "AN": "annotator",
    "BR": "black rating",
    "WR": "white rating",
    "TM": "time limit",
    "GC": "about",
}
_NAMED = {header: name for name, header in HEADERS.items()}
#: Games of the standard that cannot be read here.
_OTHERS = {"1": "Go", "3": "chess", "5": "Nine Men's Morris", "6": "Backgammon"}
#: Properties of a root that are not headers: what describes game and moves, marks, and clocks.
_STRUCTURE = re.compile(
    "FF|GM|CA|AP|ST|SZ|RU|RE|PB|PW|PL|AB|AW|AE|B|W|C|RLHDR|RLEND|RLWIN|RLGAME|RLNOTE|KM|HA|"
    "N|KO|MN|DM|GB|GW|HO|UC|V|BM|DO|IT|TE|AR|CR|DD|LB|LN|MA|SL|SQ|TR|BL|WL|OB|OW|FG|PM|VW|TB|TW"
)


@dataclass(frozen=True, slots=True)
class _SgfGame:
    """How SGF describes the games of one class.

    ``make`` makes the game that a root describes, given its size; ``rules`` are the properties that
    describe a game beside its size.
    """

    number: int
    size: int
    make: Callable[[int, Node], BaseGameEnv]
    rules: Callable[[BaseGameEnv], list[str]]


# ------------------------------------------------------------------------- reading


def read_sgf(data: bytes | str, game: str | None = None) -> list[GameRecord]:
    """The games of a file; ``game`` is needed if the file does not say which game it holds.

    Raises `RecordError` with the number of the game and the line.
    """
    return list(iter_sgf(data, game))


def iter_sgf(data: bytes | str, game: str | None = None) -> Iterator[GameRecord]:
    """The games that `read_sgf` reads, each played when its turn comes."""
    roots = parse(decode(data) if isinstance(data, bytes) else data)
    for number, root in enumerate(roots, 1):
        with inside(f"game {number}"):
            record = _record(root, game)
        yield record


def _record(root: Node, game: str | None) -> GameRecord:
    env = game_of(root, game)
    _set_up(env, root)
    main = _Line(env, 0)
    main.follow(root, is_root=True, game=_as_played(root))
    said, reason = said_result(root)
    result, ended_by = outcome(env, said, reason, "RE")
    first, opening = without_note(main.comments.pop(0, ""), len(env.history))
    headers = {}
    for name, values in root.properties.items():
        if not is_structure(name) and len(values) == 1:
            headers[HEADERS.get(name, name)] = root.first(name) or ""
    for value in root.properties.get("RLHDR", ()):
        pair = pair_of(value)
        if pair is None:
            raise RecordFieldError(f"{shown(value)} is not a name, a colon and a text", "RLHDR")
        headers[pair[0]] = pair[1]
    return GameRecord.from_env(
        env,
        players=(root.first("PB") or "", root.first("PW") or ""),
        result=result,
        ended_by=ended_by,
        headers=headers,
        comments={0: first, **main.comments},
        variations=main.variations,
        opening=opening,
        notes=main.notes,
    )


def _as_played(root: Node) -> set[int] | None:
    """The identities of the nodes of the game as played, ``None`` if it is the main line."""
    waiting = [root]
    before: dict[int, Node] = {}
    while waiting:
        node = waiting.pop()
        if "RLGAME" in node.properties:
            nodes = {id(node)}
            while id(node) in before:
                node = before[id(node)]
                nodes.add(id(node))
            return nodes
        for child in node.children:
            before[id(child)] = node
            waiting.append(child)
    return None


def game_of(root: Node, game: str | None) -> BaseGameEnv:
    """The game that a root describes; ``game`` decides where it is given."""
    said = (root.first("GM") or "").strip()
    if game is not None:
        env = make_game(game)
        known = for_game(_GAMES, env)
        if known is None:
            raise OtherGameError(f"SGF has no form for {env.name}", "GM")
        if said and said != str(known.number):
            what = f"{_gm(said)} is another game than {env.name}"
            raise OtherGameError(f"{what}, which has GM[{known.number}]", "GM")
        size = _size(root, env.rows)
        if size != env.rows:
            raise OtherGameError(f"the board has {size} rows, but {env.name} was asked for", "SZ")
        return env
    numbers = {str(known.number): known for known in _GAMES.values()}
    if said not in numbers:
        names = " and ".join(f"GM[{k.number}] ({c.__name__})" for c, k in _GAMES.items())
        if said:
            raise RecordFieldError(f"{_gm(said)} is not a game that can be read: {names} can", "GM")
        raise RecordFieldError(f"there is no GM: {names} can be read; say which game it is", "GM")
    known = numbers[said]
    return known.make(_size(root, known.size), root)


def _gm(said: str) -> str:
    """The property that says which game it is, with the name that the standard gives the game."""
    name = _OTHERS.get(said)
    return f"GM[{said[:8]}]" + (f" ({name})" if name else "")


def _size(root: Node, usual: int) -> int:
    text = (root.first("SZ") or str(usual)).strip()
    match = re.fullmatch(r"([0-9]{1,2})(?::([0-9]{1,2}))?", text, re.ASCII)
    if match is None or match[2] not in (None, match[1]):
        raise RecordFieldError(f"the board is not a square of 1 to 26: {shown(text)}", "SZ")
    return int(match[1])


def _set_up(env: BaseGameEnv, root: Node) -> None:
    """Set up the starting position, if the root has one."""
    player = (root.first("PL") or "").strip().upper()[:1]
    if "PL" in root.properties and player not in PLAYERS:
        raise RecordFieldError("the side to move is B or W", "PL")
    stones = [name for name in _STONES if name in root.properties]
    if not stones:
        if player:
            set_up(env, env.board_2d, PLAYERS[player])
        return
    board = np.zeros(env.rows * env.cols, dtype=np.int8)
    for name in stones:
        for value in root.properties[name]:
            for cell in _cells(env, value.strip(), name):
                board[cell] = _STONES[name]
    set_up(env, board.reshape(env.rows, env.cols), PLAYERS[player] if player else 1)


def _cells(env: BaseGameEnv, value: str, where: str) -> Iterator[int]:
    """The cells of a point, or of a rectangle ``aa:cc``."""
    first, _, last = value.partition(":")
    corner, other = _cell(env, first, where), _cell(env, last or first, where)
    rows, cols = zip(divmod(corner, env.cols), divmod(other, env.cols), strict=True)
    for row in range(min(rows), max(rows) + 1):
        for col in range(min(cols), max(cols) + 1):
            yield row * env.cols + col


def _cell(env: BaseGameEnv, value: str, where: str) -> int:
    if re.fullmatch(r"[a-zA-Z][0-9]{1,2}", value, re.ASCII):
        return move_named(env, value)
    if re.fullmatch(r"[a-z]{2}", value, re.ASCII):
        col, down = (ord(letter) - ord("a") for letter in value)
        if col < env.cols and down < env.rows:
            row = down if env.traits.row_one_at == "top" else env.rows - 1 - down
            return row * env.cols + col
    raise RecordMoveError(
        f"{shown(value)} is not on the board of {env.rows} rows and {env.cols} columns", where
    )


def _move(env: BaseGameEnv, value: str, where: str) -> int:
    word = value.strip()
    if word.lower() in ("", "--", "pass") or (word == "tt" and env.rows <= 19):
        if env.pass_move is None:
            raise RecordMoveError("this is a pass, and the game has none", where)
        return env.pass_move
    return _cell(env, word, where)


class _Line:
    """A line of a tree while it is read: its moves are played on ``env``."""

    def __init__(self, env: BaseGameEnv, depth: int) -> None:
        self.env, self.depth = env, depth
        self.begun = len(env.history)
        self.comments: dict[int, str] = {}
        self.notes: dict[int, Note] = {}
        self.variations: list[Variation] = []

    @property
    def ply(self) -> int:
        """The number of moves of this line."""
        return len(self.env.history) - self.begun

    def follow(self, node: Node, is_root: bool = False, game: set[int] | None = None) -> None:
        """Read ``node`` and the first child of every node after it; other children branch off.

        Where ``game`` has the identities of some nodes, the line follows these.
        """
        while True:
            self._read(node, is_root)
            is_root = False
            places = [
                k for k, child in enumerate(node.children) if game is None or id(child) in game
            ]
            for k, child in enumerate(node.children):
                if places[:1] != [k]:
                    self._branch(child, ahead=bool(places) and k < places[0])
            if not places:
                return
            node = node.children[places[0]]

    def _read(self, node: Node, is_root: bool) -> None:
        where = f"line {node.line}"
        colours = [colour for colour in PLAYERS if colour in node.properties]
        if not is_root and any(name in node.properties for name in (*_STONES, "PL")):
            raise RecordFieldError("stones are set up after the start", where)
        if len(colours) > 1 or any(len(node.properties[colour]) != 1 for colour in colours):
            raise RecordFieldError("a node has more than one move", where)
        for colour in colours:
            place = f"{where}, {colour}[{node.first(colour)}]"[:60]
            move = _move(self.env, node.first(colour) or "", place)
            play_coloured(self.env, PLAYERS[colour], move, place)
        self.say(self.ply, node.first("C") or "")
        player = PLAYERS[colours[0]] if colours else 0
        self.note(self.ply, note_of(node, player, self._marked, where))

    def note(self, ply: int, note: Note) -> None:
        """Add a note, to the one that is there."""
        if note:
            self.notes[ply] = self.notes.get(ply, Note()).joined(note)

    def _marked(self, value: str) -> list[int]:
        """The cells of a mark, a point or a rectangle; none if it is not on the board."""
        try:
            return list(_cells(self.env, value.strip(), ""))
        except ValueError:
            return []

    def say(self, ply: int, text: str) -> None:
        """Add a comment; one that stands before the first move of a variation belongs to it."""
        if text:
            before = self.comments.get(ply, "")
            self.comments[ply] = f"{before}\n{text}" if before else text

    def _branch(self, child: Node, ahead: bool) -> None:
        if self.depth >= MAX_DEPTH:
            raise RecordFieldError(
                f"variations are nested deeper than {MAX_DEPTH}", f"line {child.line}"
            )
        line = _Line(self.env.copy(), self.depth + 1)
        line.follow(child)
        early, noted = line.comments.pop(0, ""), line.notes.pop(0, Note())
        if not line.ply:
            self.say(self.ply, early)
            self.note(self.ply, noted)
            return
        if noted:
            line.notes[1] = noted.joined(line.notes.get(1, Note()))
        if early:
            first = line.comments.get(1, "")
            line.comments[1] = f"{early}\n{first}" if first else early
        moves = line.env.history[line.begun :]
        self.variations.append(
            Variation(self.ply, moves, line.comments, line.variations, line.notes, ahead)
        )


def is_structure(name: str) -> bool:
    """Whether a property of a root describes game and moves, and is not a header."""
    return _STRUCTURE.fullmatch(name) is not None


def said_result(root: Node) -> tuple[int | None, str]:
    """The result that a root says, and what ended the game if its moves do not."""
    text = (root.first("RE") or "").strip()
    match = re.fullmatch(r"([BW])(?:lack|hite)?\+(.*)", text, re.DOTALL)
    said: int | None
    if match is not None:
        said, end = PLAYERS[match[1]], match[2].strip()[:1].upper()
    elif text.lower() in ("0", "draw", "d"):
        said, end = 0, ""
    elif text.lower() in ("", "?", "void"):
        said, end = None, ""
    else:
        raise RecordFieldError(f"a result is B+, W+, 0 or ?, not {shown(text)}", "RE")
    return said, root.first("RLEND") or _ENDS.get(end, ADJUDICATED)


# ------------------------------------------------------------------------- writing


def write_sgf(records: Iterable[GameRecord]) -> str:
    """The games as a file; raises `RecordError` for a game that SGF cannot hold."""
    trees = []
    for number, record in enumerate(records, 1):
        with inside(f"game {number}"):
            trees.append(_tree(record))
    return "".join(f"({tree})\n" for tree in trees)


def _tree(record: GameRecord) -> str:
    begun, usual = record.starting_position(), make_game(record.game)
    known = for_game(_GAMES, begun)
    if known is None:
        raise RecordFieldError(f"SGF has no form for {record.game}", "game")
    root = [property_text("FF", "4"), property_text("GM", str(known.number))]
    root += [property_text("CA", "UTF-8"), property_text("AP", "rl_toolkit")]
    root += [property_text("SZ", str(begun.rows)), *known.rules(begun)]
    read_back = parse(f"({node_text(root)})")[0]
    if game_of(read_back, None).name != record.game:
        raise RecordFieldError(f"SGF has no form for {record.game}", "game")
    for name, player in zip(("PB", "PW"), record.players, strict=True):
        root += [property_text(name, player)] if player else []
    root += _header_texts(record)
    root += _result_texts(record)
    if record.start:
        root += _stones(begun, usual)
    if first := with_note(record.comments.get(0, ""), record.opening):
        root.append(property_text("C", first))
    elsewhere = any(v.ahead or v.ply == len(record.moves) for v in record.variations)
    root += note_properties(record.notes.get(0, Note()), 0, lambda cell: _point(begun, cell))
    if elsewhere and not record.moves:
        root.append(_GAME_ENDS)
    game = Variation(0, record.moves, record.comments, record.variations, record.notes)
    return node_text(root) + _line_text(begun, game, _GAME_ENDS if elsewhere else "")


def _header_texts(record: GameRecord) -> Iterator[str]:
    others = []
    for header, text in record.headers.items():
        if header in _NAMED:
            yield property_text(_NAMED[header], text)
        elif _is_property(header):
            yield property_text(header, text)
        else:
            others.append(pair_text(header, text))
    if others:
        yield "RLHDR" + "".join(others)


def _is_property(header: str) -> bool:
    """Whether a header can be written under its own name, and is read back as a header."""
    known = header in HEADERS or _STRUCTURE.fullmatch(header) is not None
    return re.fullmatch(r"[A-Z]{1,8}", header) is not None and not known


def _result_texts(record: GameRecord) -> Iterator[str]:
    if record.result is None:
        return
    ends = {reason: letter for letter, reason in _ENDS.items()}
    end = ends.get(record.ended_by, "") if record.ended_by else _margin(record)
    yield property_text("RE", f"{_COLOURS[record.result]}+{end}" if record.result else "0")
    if record.ended_by and (not record.result or not end) and record.ended_by != ADJUDICATED:
        yield property_text("RLEND", record.ended_by)


def _margin(record: GameRecord) -> str:
    """By how many points a game was won that is counted in points."""
    env = record.replay()
    return str(abs(int(env.board.sum(dtype=np.int64)))) if env.traits.score_unit else ""


def _stones(begun: BaseGameEnv, usual: BaseGameEnv) -> Iterator[str]:
    if not np.array_equal(begun.board, usual.board):
        for name, stone in (("AB", 1), ("AW", -1)):
            cells = [_point(begun, int(cell)) for cell in np.flatnonzero(begun.board == stone)]
            if cells:
                yield property_text(name, *cells)
        if not begun.board.any():
            yield property_text("AE", f"{_point(begun, 0)}")
    yield property_text("PL", _COLOURS[begun.current_player])


def _point(env: BaseGameEnv, move: int) -> str:
    if move == env.pass_move:
        return ""
    row, col = divmod(move, env.cols)
    down = row if env.traits.row_one_at == "top" else env.rows - 1 - row
    return chr(ord("a") + col) + chr(ord("a") + down)


def _line_text(begun: BaseGameEnv, line: Variation, end: str = "") -> str:
    """The nodes of a line; ``end`` is a property of the last one.

    A branch opens before the move that it replaces.
    """
    moves, comments = line.moves, line.comments
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for variation, env in branches(begun, moves, line.variations):
        place = before if variation.ahead else after
        text = f"({_line_text(env, variation)})"
        place[variation.ply] = place.get(variation.ply, "") + text
    parts: list[str] = []
    closing: list[str] = []  # innermost last
    env = begun.copy()
    for ply, move in enumerate(moves):
        if ply in before or ply in after:
            parts.append(before.get(ply, "") + "(")
            closing.append(")" + after.get(ply, ""))
        properties = [property_text(_COLOURS[env.current_player], _point(env, move))]
        if ply + 1 in comments:
            properties.append(property_text("C", comments[ply + 1]))
        note = line.notes.get(ply + 1, Note())
        properties += note_properties(note, env.current_player, lambda cell: _point(begun, cell))
        if end and ply + 1 == len(moves):
            properties.append(end)
        parts.append(node_text(properties))
        env.step(move)
    return "".join(parts) + after.get(len(moves), "") + "".join(reversed(closing))


# --------------------------------------------------------------------------- games


def _make_gomoku(size: int, root: Node) -> BaseGameEnv:
    word = root.first("RU") or ""
    rule = rule_of_gomoku("" if word.strip().lower() == "gomoku" else word, "RU")
    length = (root.first("RLWIN") or "5").strip()
    if not re.fullmatch(r"[0-9]{1,2}", length, re.ASCII):
        raise RecordFieldError(f"{shown(length)} is not a number in a row", "RLWIN")
    return Gomoku(size, int(length), rule)


def _gomoku_rules(env: BaseGameEnv) -> list[str]:
    if not isinstance(env, Gomoku):
        return []
    rules = [property_text("RU", env.rule)]
    return rules if env.win_length == 5 else [*rules, property_text("RLWIN", str(env.win_length))]


_GAMES: dict[type, _SgfGame] = {
    Reversi: _SgfGame(2, 8, lambda size, root: Reversi(size), lambda env: []),
    Gomoku: _SgfGame(4, 15, _make_gomoku, _gomoku_rules),
}


def sgf_loses(record: GameRecord) -> list[str]:
    """What an SGF file does not hold of a record."""
    return ["analyses"] if record.analyses else []
