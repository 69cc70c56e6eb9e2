"""Lab L02: the rules of m,n,k games as a class on the base."""
