"""What an engine can do, in every game it plays, on one card.

::

    card.py        the card as data
    subject.py     who is measured: engines, levels, bots, files of weights; which games it plays
    tactics.py     positions with a forced win, by its length
    rating.py      a few games against levels of the ladder
    positions.py   where it was strongest and weakest
    measuring.py   all of it together
    card_html.py   the card as one HTML file
"""
