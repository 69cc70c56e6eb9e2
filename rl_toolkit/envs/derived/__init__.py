"""The parts that `BaseGameEnv` is made of, one topic each.

* `core`: what the parts know of each other
* `hints`: what a game may tell engines
* `move_names`: moves as people write them
* `pictures`: a game as text and as SVG
* `completing`: what the base fills in for a class with fewer than the eight methods
* `own_form`: objects that keep board, moves or players in their own way
* `state`: winner, end and line of games in which they follow from the board

How moves are recorded stands in `envs.recording`.
"""
