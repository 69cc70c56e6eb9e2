"""Where engines are measured: by the truth where it is known, by each other elsewhere."""
