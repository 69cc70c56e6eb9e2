"""One iteration of training: self-play, learning, evaluation. Everything here needs JAX."""
