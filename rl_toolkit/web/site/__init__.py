"""What surrounds the pages: sections, the home page, and what can be shared of a game."""
