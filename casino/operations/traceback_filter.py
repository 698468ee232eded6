"""What the log says of refused requests."""

import logging
from http import HTTPStatus


class WithoutTraceback(logging.Filter):
    """Leaves the tracebacks of requests out that were answered 4xx.

    Django logs them like those of its errors. They tell of no fault, and whoever knocks at random
    fills the log with them.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        """Every record is logged."""
        status = getattr(record, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR)
        if status < HTTPStatus.INTERNAL_SERVER_ERROR:
            record.exc_info = record.exc_text = None
        return True
