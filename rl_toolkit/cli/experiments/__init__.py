"""How experiments are shown in the terminal, and the proof of an opening, which keeps a file."""
