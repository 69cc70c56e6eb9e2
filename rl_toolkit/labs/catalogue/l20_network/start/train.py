"""Train a network with your settings.toml (given; needs JAX): python train.py

It leaves run/network.npz (to play with) and run/log.jsonl (for the doctor).
"""

from pathlib import Path

FOLDER = Path("run")


def main():
    from rl_toolkit.labs.catalogue.l20_network.run import random_grade, train
    from rl_toolkit.labs.catalogue.l20_network.settings import RunSettingsError, run_settings
    from rl_toolkit.utils.installation import install_command

    try:
        settings = run_settings(Path("settings.toml").read_text("utf-8"))
    except RunSettingsError as error:
        print(error)
        return
    try:
        import jax  # noqa: F401
    except ImportError:
        print(f"JAX is not installed: {install_command('train')}")
        return
    if FOLDER.exists():
        print("There is a run in the folder run/ already. Rename or delete it first.")
        return
    print(f"A random move keeps the result in {100 * random_grade():.1f} % of 4,520 positions.")
    print("Compiling takes half a minute.")
    found = train(settings, FOLDER, lambda i, share: print(f"iteration {i:3}: {100 * share:.1f} %"))
    print(*(found.findings or ["The doctor finds nothing."]), sep="\n")


if __name__ == "__main__":
    main()
