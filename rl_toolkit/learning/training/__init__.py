"""Learning to play from nothing: games against itself, search, a network, in JAX.

The files, lowest first; only those marked * need the extra ``rl_toolkit[train]``::

    settings      what a run is made of
    presets       settings that work, for every game
    batch_game  * many positions of one game at once, as the files below need them
    batch_lines * k in a row, with or without falling pieces
    batch_reversi *
    games       * a batched game by its name
    starts      * positions from which games begin
    network     * the network: made, trained on, folded for play
    search      * Gumbel search over all games at once
    selfplay    * a chunk of self-play, with what is to be learned from it
    replay      * the positions last played
    learner     * steps of the optimiser
    judge       * how often the network keeps the exact result
    judging     * the same while it learns
    reports     * what the log says of an iteration
    log           the lines of ``log.jsonl``
    checkpoint    saved states that are whole or absent
    saved_state * the state of a run as pieces of a checkpoint
    export      * the averaged network as a file to play with
    teacher     * another network to learn from
    programs      compiled programs, made in the background
    trainer     * the loop around all of this
    curves        pictures of a log
    run         * the command line where there is nothing but JAX
"""
