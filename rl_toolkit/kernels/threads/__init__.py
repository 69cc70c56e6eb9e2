"""Several threads in one search: words that they share, and who starts and ends them."""
