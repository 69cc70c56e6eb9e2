"""The experiments of the courses: counts, games, and how their results are shown."""
