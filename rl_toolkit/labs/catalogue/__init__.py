"""The labs, one folder each; see `rl_toolkit.labs.model.lab` for what is in a folder."""
