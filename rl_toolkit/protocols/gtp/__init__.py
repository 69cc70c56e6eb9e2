"""The Go Text Protocol, version 2, for every game: programs as engines, and engines as programs."""
