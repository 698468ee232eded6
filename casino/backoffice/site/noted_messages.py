"""The messages of pages; those that say why something was refused are logged with the request."""

from typing import Any, Final

from django.contrib import messages
from django.contrib.messages.storage.session import SessionStorage

from casino.operations.refusals import note_refusal

ACCEPTED: Final = "accepted"
"""The tag of a warning about something that was done all the same."""


class NotedMessages(SessionStorage):
    """In the session, not in a cookie."""

    def add(self, level: int, message: Any, extra_tags: str | None = "") -> None:
        """Stores the message for the next page."""
        if level >= messages.WARNING and extra_tags != ACCEPTED:
            note_refusal(self.request, message)
        super().add(level, message, extra_tags)
