"""`GameTree`: a game that is edited, as a tree of nodes that keeps everything.

::

    root ── d ── b ── c ── e        children[0] goes on the line; the chain of first children from
                 └─── f ── f        the root is the main line
                      └── g

A node is identified by its path, the moves from the root: siblings never share a move, so a path is
the same in another copy, in a file and after undo. The nodes of *the game as played* are marked
(``played``); no edit takes the mark away, and no edit deletes such a node. In a tree without such a
node the main line counts as the game.

`GameRecord` is the same game as a value that is checked, compared and saved; undo is `copy`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rl_toolkit.envs import BaseGameEnv
from rl_toolkit.records import move_notes
from rl_toolkit.records.errors import RecordFieldError
from rl_toolkit.records.game_record import GameRecord
from rl_toolkit.records.tree.game_line import seconds
from rl_toolkit.records.tree.notes import Note
from rl_toolkit.records.tree.variations import Variation

Path = tuple[int, ...]


class Node:
    """One move with all that is attached to it; the root has the move −1.

    Attributes:
        parent: the node before, ``None`` for the root.
        move: the move that leads here.
        comment: a text, "" if there is none.
        note: glyph, marks, clock and so on.
        played: whether the move belongs to the game as played.
        children: the moves that follow, that of the line first.
    """

    __slots__ = ("children", "comment", "move", "note", "parent", "played")

    def __init__(self, parent: Node | None = None, move: int = -1) -> None:
        self.parent, self.move = parent, move
        self.comment, self.note, self.played = "", Note(), False
        self.children: list[Node] = []

    def child(self, move: int) -> Node | None:
        """The node after ``move``, if there is one."""
        return next((node for node in self.children if node.move == move), None)

    @property
    def path(self) -> Path:
        """The moves that lead here."""
        moves = []
        node = self
        while node.parent is not None:
            moves.append(node.move)
            node = node.parent
        return tuple(reversed(moves))

    def line(self) -> Iterator[Node]:
        """Yield the first child, its first child, and so on."""
        node = self
        while node.children:
            node = node.children[0]
            yield node

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, a node before its children, these in order."""
        waiting = [self]
        while waiting:
            node = waiting.pop()
            yield node
            waiting.extend(reversed(node.children))


class GameTree:
    """The tree of a game; ``about`` is the record that it was made of.

    ``removed`` counts for a path how often its node was deleted and added again: an odd number says
    that it is deleted, so that `merge` does not bring it back from another copy.

    >>> tree = GameTree(GameRecord("tictactoe", (4, 0)))
    >>> side = tree.add((4,), 8)
    >>> tree.promote(side.path)
    >>> [node.move for node in tree.main], [node.move for node in tree.game]
    ([4, 8], [4, 0])
    >>> tree.record().moves
    (4, 0)
    """

    def __init__(self, about: GameRecord) -> None:
        self.about, self.root = about, Node()
        self.removed: dict[Path, int] = {}
        times = seconds(about.headers, len(about.moves))
        if times is not None:
            headers = {k: v for k, v in about.headers.items() if k != move_notes.TIMES}
            self.about = replace(about, headers=headers)
        self.root.comment = about.comments.get(0, "")
        self.root.note = about.notes.get(0, Note())
        node, forks = self.root, [self.root]
        for ply, move in enumerate(about.moves, 1):
            node = _added(node, move)
            node.played, node.comment = True, about.comments.get(ply, "")
            analysis = about.analyses[ply - 1] if about.analyses else None
            time = times[ply - 1] if times else None
            node.note = replace(about.notes.get(ply, Note()), time=time, analysis=analysis)
            forks.append(node)
        _add_variations(forks, about.variations)

    @classmethod
    def of(cls, about: GameRecord, root: Node) -> GameTree:
        """The tree below ``root``, in which the moves of ``about`` are the game as played.

        The nodes are taken as they are; `record` refuses what cannot be played.
        """
        tree = cls.__new__(cls)
        tree.about, tree.root, tree.removed = about, root, {}
        node = root
        for move in about.moves:
            following = node.child(move)
            if following is None:
                raise KeyError(tuple(about.moves))
            node = following
            node.played = True
        return tree

    # ------------------------------------------------------------------------- looking

    @property
    def main(self) -> list[Node]:
        """The nodes of the main line, without the root."""
        return list(self.root.line())

    @property
    def game(self) -> list[Node]:
        """The nodes of the game as played, without the root; the main line if none is marked."""
        nodes: list[Node] = []
        children = self.root.children
        while (node := next((child for child in children if child.played), None)) is not None:
            nodes.append(node)
            children = node.children
        return nodes or self.main

    def at(self, path: Sequence[int]) -> Node:
        """The node with that path; raises `KeyError` if there is none."""
        node: Node | None = self.root
        for move in path:
            node = node.child(move) if node is not None else None
        if node is None:
            raise KeyError(tuple(path))
        return node

    def walk(self) -> Iterator[Node]:
        """Yield every node, the root first, each before its children."""
        return self.root.walk()

    def lines(self) -> Iterator[list[Node]]:
        """Yield the line from the root to every node that nothing follows."""
        for node in self.walk():
            if not node.children:
                nodes = []
                while node.parent is not None:
                    nodes.append(node)
                    node = node.parent
                yield nodes[::-1]

    def positions(self) -> Iterator[tuple[Node, BaseGameEnv]]:
        """Yield every node of `walk` with a new game in its position."""
        waiting = [(self.root, self.about.starting_position())]
        while waiting:
            node, env = waiting.pop()
            yield node, env.copy()
            for child in reversed(node.children):
                after = env.copy()
                after.step(child.move)
                waiting.append((child, after))

    # ------------------------------------------------------------------------- editing

    def add(
        self, path: Sequence[int], move: int, *, played: bool = False, ahead: bool = False
    ) -> Node:
        """The node after ``move`` at ``path``, added as the last child if it is not there.

        With ``ahead`` it becomes the first child. A played move continues the game as played: the
        moves that it replaces there are no longer marked. Raises `ValueError` for an illegal move.
        """
        parent = self.at(path)
        child = parent.child(move)
        if child is None:
            self._check(path, move)
            child = _added(parent, move)
            if self.removed.get(child.path, 0) % 2:
                self.removed[child.path] += 1
        if ahead:
            parent.children.remove(child)
            parent.children.insert(0, child)
        if played and not child.played:
            self._take_back_to(parent)
            child.played = True
        return child

    def promote(self, path: Sequence[int]) -> None:
        """Move the line of a node one place up at the nearest fork where it is not the first."""
        node: Node | None = self.at(path)
        while node is not None and node.parent is not None:
            siblings = node.parent.children
            place = siblings.index(node)
            if place:
                siblings[place - 1 : place + 1] = [node, siblings[place - 1]]
                return
            node = node.parent

    def make_main(self, path: Sequence[int]) -> None:
        """Put a node on the main line; the game as played stays what it was."""
        node = self.at(path)
        while node.parent is not None:
            node.parent.children.remove(node)
            node.parent.children.insert(0, node)
            node = node.parent

    def back_to_game(self) -> None:
        """Make the game as played the main line again."""
        if nodes := self.game:
            self.make_main(nodes[-1].path)

    def remove(self, path: Sequence[int]) -> None:
        """Delete a node and all that follows it; raises `ValueError` for a move of the game."""
        node = self.at(path)
        if node.parent is None or node.played:
            raise ValueError("the start and the moves of the game as played are not deleted")
        node.parent.children.remove(node)
        self.removed[tuple(path)] = self.removed.get(tuple(path), 0) + 1

    def copy(self) -> GameTree:
        """A tree that shares no node with this one, for undo."""
        twin = GameTree.__new__(GameTree)
        twin.about, twin.removed, twin.root = self.about, dict(self.removed), Node()
        twin._join(self)
        return twin

    def merge(self, other: GameTree) -> None:
        """Join another copy of the same game.

        No node is lost, except those that were deleted in one of the two; the comments and notes of
        ``other`` win where it has any. Raises `RecordFieldError` if the start is another one.
        """
        if (self.about.game, self.about.start) != (other.about.game, other.about.start):
            raise RecordFieldError("two games from different starts are not merged", "start")
        for path, count in other.removed.items():
            self.removed[path] = max(count, self.removed.get(path, 0))
        self._join(other)
        for path in sorted(path for path, count in self.removed.items() if count % 2):
            try:
                node = self.at(path)
            except KeyError:
                continue
            if node.parent is not None and not node.played:
                node.parent.children.remove(node)

    def _join(self, other: GameTree) -> None:
        """Add the nodes of ``other``; the game as played is the longer one of the two."""
        waiting = [(self.root, other.root)]
        longer = max(self._played_path(), other._played_path(), key=len)
        while waiting:
            mine, theirs = waiting.pop()
            mine.comment = theirs.comment or mine.comment
            mine.note = mine.note.joined(theirs.note)
            for child in theirs.children:
                waiting.append((mine.child(child.move) or _added(mine, child.move), child))
        self._take_back_to(self.root)
        node = self.root
        for move in longer:
            node = node.child(move) or _added(node, move)
            node.played = True

    def _played_path(self) -> Path:
        """The moves of the game as played; empty if none is marked."""
        return tuple(node.move for node in self.game if node.played)

    def _take_back_to(self, node: Node) -> None:
        """Take the marks of the game as played from everything after ``node``."""
        marked = next((child for child in node.children if child.played), None)
        while marked is not None:
            marked.played = False
            marked = next((child for child in marked.children if child.played), None)

    def _check(self, path: Sequence[int], move: int) -> None:
        env = self.about.starting_position()
        for step in (*path, move):
            env.step(step)

    # -------------------------------------------------------------------------- record

    def record(self) -> GameRecord:
        """The game as a value; its moves are the game as played.

        The result is that of the record while the game has the same moves; else the board decides.
        """
        line = self.game
        moves = tuple(node.move for node in line)
        nodes = [self.root, *line]
        result, ended_by = self.about.result, self.about.ended_by
        if moves != self.about.moves:
            env = BaseGameEnv.after(self.about.starting_position(), moves)
            result, ended_by = env.winner if env.is_terminal() else None, ""
        return replace(
            self.about,
            moves=moves,
            result=result,
            ended_by=ended_by,
            comments=_comments(nodes),
            notes=_notes(nodes),
            analyses=(),
            variations=_variations(nodes, 0),
            opening=min(self.about.opening, len(moves)),
        )


def _added(parent: Node, move: int) -> Node:
    node = Node(parent, move)
    parent.children.append(node)
    return node


def _add_variations(forks: Sequence[Node], variations: Sequence[Variation]) -> None:
    """Add variations to the nodes of their line; the same moves again become one node."""
    for variation in variations:
        node = forks[variation.ply]
        ahead = (
            sum(not child.played for child in _before_the_game(node)) if variation.ahead else None
        )
        line = [node]
        for count, move in enumerate(variation.moves, 1):
            child = node.child(move)
            if child is None:
                child = _added(node, move)
                if count == 1 and ahead is not None:
                    node.children.remove(child)
                    node.children.insert(ahead, child)
            text = variation.comments.get(count, "")
            child.comment = "\n".join(filter(None, (child.comment, text)))
            child.note = child.note.joined(variation.notes.get(count, Note()))
            node = child
            line.append(node)
        _add_variations(line, variation.variations)


def _before_the_game(node: Node) -> list[Node]:
    """The children that stand before the move of the game."""
    place = next((k for k, child in enumerate(node.children) if child.played), 0)
    return node.children[:place]


def _comments(nodes: Sequence[Node]) -> dict[int, str]:
    return {ply: node.comment for ply, node in enumerate(nodes) if node.comment}


def _notes(nodes: Sequence[Node]) -> dict[int, Note]:
    return {ply: node.note for ply, node in enumerate(nodes) if node.note}


def _variations(nodes: Sequence[Node], first: int) -> list[Variation]:
    """The variations that leave a line; ``nodes`` begins with the node before its first move."""
    made = []
    for ply, node in enumerate(nodes):
        line = nodes[ply + 1] if ply + 1 < len(nodes) else None
        place = node.children.index(line) if line is not None else 0
        for k, child in enumerate(node.children if ply >= first else ()):
            if child is line:
                continue
            branch = [node, child, *child.line()]
            made.append(
                Variation(
                    ply,
                    [each.move for each in branch[1:]],
                    _comments([Node(), *branch[1:]]),
                    _variations(branch, 1),
                    _notes([Node(), *branch[1:]]),
                    line is not None and k < place,
                )
            )
    return made
