"""What runs in the student's process: it loads their files and answers calls, nothing else."""
