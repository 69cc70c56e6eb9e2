"""Analyses as JSON lines, many at once, in the manner of KataGo's analysis engine."""
