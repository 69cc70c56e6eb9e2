"""Commands that measure engines: how often they are right, and how they play each other."""
