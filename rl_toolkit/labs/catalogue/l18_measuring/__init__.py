"""Lab L18: how strong is a player, and how sure are we?"""
