"""Other programs as engines, and our engines as programs: GTP, Gomocup, NBoard and JSON lines."""
