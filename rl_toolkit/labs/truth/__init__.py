"""Right answers that several labs need; never sent to a student's process."""
