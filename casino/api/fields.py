"""Strict serializer fields for request bodies.

Values must have their JSON type: a string of digits is not a number, and nothing is trimmed. Error
messages say what is needed.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from rounds.field_errors import one_of

_MISSING: Final = {"required": _("a value"), "null": _("a value other than null")}


class Body(serializers.Serializer[Any]):
    """A request body, a JSON object. Unknown names are an error."""

    default_error_messages = {**_MISSING, "invalid": _("an object")}

    def to_internal_value(self, data: Any) -> Any:
        """The validated values."""
        names = data if isinstance(data, Mapping) else ()
        unknown = [name for name in names if name not in self.fields]
        if unknown:
            needed = [one_of(list(self.fields))]
            raise serializers.ValidationError(dict.fromkeys(unknown, needed))
        return super().to_internal_value(data)


class Text(serializers.CharField):
    """A string, not trimmed."""

    default_error_messages = {
        **_MISSING,
        "invalid": _("a string"),
        "blank": _("a string that is not empty"),
        "max_length": _("at most {max_length} characters"),
    }

    def __init__(self, **options: Any) -> None:
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:
        """The string; other JSON types are invalid."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Integer(serializers.IntegerField):
    """An integer."""

    default_error_messages = {
        **_MISSING,
        "invalid": _("a whole number"),
        "max_value": _("at most {max_value}"),
        "min_value": _("at least {min_value}"),
    }

    def to_internal_value(self, data: Any) -> int:
        """The number; strings and booleans are invalid."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class Choice(serializers.ChoiceField):
    """One of several strings."""

    default_error_messages = {**_MISSING}

    def to_internal_value(self, data: Any) -> Any:
        """The chosen string."""
        if data not in list(self.choices):
            raise serializers.ValidationError(one_of(list(self.choices)))
        return data


class Day(serializers.DateField):
    """A day."""

    default_error_messages = {**_MISSING, "invalid": _("a date such as 2026-11-21")}


class Moment(serializers.DateTimeField):
    """A time with a UTC offset."""

    default_error_messages = {
        **_MISSING,
        "invalid": _("a time with a time zone, such as 2026-11-21T21:10:10Z"),
    }

    def to_internal_value(self, value: Any) -> datetime:
        """The time; one without an offset is invalid."""
        try:
            parsed = datetime.fromisoformat(value)
            if parsed.tzinfo is None:
                self.fail("invalid")
            return parsed.astimezone(UTC)
        except (TypeError, ValueError, OverflowError):
            self.fail("invalid")


class List(serializers.ListField):
    """A list."""

    default_error_messages = {
        **_MISSING,
        "not_a_list": _("a list"),
        "max_length": _("at most {max_length} values"),
    }
