"""Searches and evaluations for Reversi on two 64-bit boards."""
