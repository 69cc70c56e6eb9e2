"""Play in the browser: ``python web_app.py`` serves http://localhost:5001/tictactoe."""

from rl_toolkit.cli.course.scripts import web_script

if __name__ == "__main__":
    web_script()
