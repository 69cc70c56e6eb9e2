"""The terminal scripts of the courses: their words, their table, their prompts."""
