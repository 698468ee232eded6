"""Values as programs send and read them: what JSON has as a text is no number, and none is cut."""

from datetime import UTC
from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers


class Moment(serializers.DateTimeField):
    """A time in UTC, as RFC 3339 writes it."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  the framework's
        super().__init__(default_timezone=UTC, **options)


class Text(serializers.CharField):
    """A text, word for word."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  the framework's
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:  # noqa: ANN401  JSON
        """The text; nothing else is one."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number."""

    default_error_messages = {"invalid": _("a whole number")}

    def to_internal_value(self, data: Any) -> int:  # noqa: ANN401  JSON
        """The number; a text of digits is none, nor is true."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)
