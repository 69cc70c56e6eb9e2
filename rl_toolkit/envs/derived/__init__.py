"""What the base derives for the classes of games.

* `history`: records moves, so that every game has ``undo`` and ``history``
* `methods`: the methods that a class leaves out
* `own_form`: classes on the base that keep board, moves or players in their own way
* `state`: winner, end and line of games in which they follow from the board
"""
