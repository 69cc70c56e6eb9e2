"""Learning to play by self-play: search, a network and the loop around them, in JAX.

Lowest first; what is marked * needs the extra ``train`` (JAX)::

    settings            what a run is made of
    presets             settings that work, for every game
    games/            * many positions of one game at once, and where games begin
    loop/             * one iteration: network, search, self-play, replay, learner, evaluation
    log                 the lines of ``log.jsonl``
    log_entries       * what the log says of an iteration
    checkpoint          saved states that are whole or absent
    run_state         * the state of a run as pieces of a checkpoint
    export            * the averaged network as a file to play with
    compiled_programs   compiled programs, made in the background
    trainer           * the loop around all of this
    curves              pictures of a log
    __main__          * the command line where there is nothing but JAX
"""
