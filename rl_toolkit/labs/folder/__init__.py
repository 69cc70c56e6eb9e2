"""The student's folder: started, with its progress and written answers, handed in."""
