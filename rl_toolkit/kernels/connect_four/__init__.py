"""The exact Connect Four search on 64-bit boards."""
