"""Gomoku in the words of its players: shapes, forced replies, wins by continuous fours."""
