"""Lab L04: game trees by hand."""
