"""How the server serves: connections, hosts it answers to, limits, and the queue of its work."""
