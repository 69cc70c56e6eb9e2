"""Play in the browser: ``python web_app.py`` serves http://localhost:5001/tictactoe."""

from rl_toolkit.web import serve

if __name__ == "__main__":
    serve()
