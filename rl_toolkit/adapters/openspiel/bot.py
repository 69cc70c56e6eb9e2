"""Our engines as OpenSpiel's bots."""
