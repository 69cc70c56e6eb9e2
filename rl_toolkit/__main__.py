"""``python -m rl_toolkit``: the command line without the installed script."""

from rl_toolkit.cli.main import main

if __name__ == "__main__":
    main()
