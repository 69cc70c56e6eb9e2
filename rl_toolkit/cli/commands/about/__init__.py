"""Commands about the toolkit itself: help, lists of what there is, and completion."""
