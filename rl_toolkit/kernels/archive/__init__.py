"""Many games at once: replaying a batch, and looking for a position or a pattern in packs."""
