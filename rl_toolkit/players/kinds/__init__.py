"""The kinds of engines: what each is called, which options it takes, what it knows."""
