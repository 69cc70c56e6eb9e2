"""Session 4: an address that answers a position with a move.

Make a Flask application with the name app and the route POST /api/ai-move.
"""
