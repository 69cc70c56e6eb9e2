"""Training by self-play: search, a network and the loop around them, in JAX.

Lowest first; modules marked * need the extra ``train`` (JAX)::

    settings            the settings of a run
    presets             measured settings for every game
    policy_targets      which moves an analysis recommends
    recorded_games      games in files as samples
    games/            * batched games, and the positions in which self-play begins
    loop/             * one iteration: network, search, self-play, replay, learner, evaluation
    log                 reading and writing ``log.jsonl``
    log_entries       * the log entry of an iteration
    checkpoint          saving and loading states of a run
    run_state         * the state of a run as pieces of a checkpoint
    export            * writing the averaged network to a file
    compiled_programs   compiling programs in the background
    trainer           * the training loop
    curves              charts of a log
    __main__            `rl-toolkit train` without the installed script
"""
