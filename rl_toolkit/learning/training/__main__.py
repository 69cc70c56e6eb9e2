"""``python -m rl_toolkit.learning.training …``: the same as ``rl-toolkit train …``."""

import runpy
import sys

sys.argv[1:1] = ["train"]
runpy.run_module("rl_toolkit.cli", run_name="__main__")
