"""gunicorn's settings for a web host: ``--config python:casino.webserver.settings``.

Arguments of the command, such as ``--workers`` and ``--bind``, come on top of them.
"""

from typing import Final

worker_class: Final = "casino.webserver.worker.PatientWorker"
"""Slow clients occupy no threads."""
threads: Final = 2
keepalive: Final = 75
"""Seconds for which an idle connection is kept: longer than proxies keep theirs (nginx: 60).

Otherwise a proxy sends a request on a connection that is being closed, and has no answer to give.
"""
control_socket_disable: Final = True
