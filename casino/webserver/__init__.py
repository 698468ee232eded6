"""The web host: gunicorn with a worker class for slow clients."""

from typing import Final

GUNICORN: Final = ("gunicorn", "casino.wsgi", "--config", "python:casino.webserver.settings")
"""The command of a web host, without ``--workers`` and ``--bind``."""
