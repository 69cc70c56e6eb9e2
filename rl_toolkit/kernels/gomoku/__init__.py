"""Compiled Gomoku: line patterns, proofs by threats, and search."""
