"""gunicorn's worker class, for slow clients."""

from typing import Final

PATIENT_WORKER: Final = "casino.webserver.worker.PatientWorker"
"""gunicorn's ``--worker-class``: slow clients occupy no threads."""
