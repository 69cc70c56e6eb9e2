"""What runs in the student's process: their files, and our tests of them."""
