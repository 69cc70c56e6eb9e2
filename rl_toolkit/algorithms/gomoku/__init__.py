"""Gomoku: proofs by threats, and the engine."""
