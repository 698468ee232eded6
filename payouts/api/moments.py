"""Times as programs read them."""

from datetime import UTC
from typing import Any

from rest_framework import serializers


class Moment(serializers.DateTimeField):
    """A time in UTC, as RFC 3339 writes it."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  the framework's
        super().__init__(default_timezone=UTC, **options)
