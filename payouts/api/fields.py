"""What programs send: objects of known names, values of the type that JSON has for them.

A text of digits is no number, and nothing is cut. Each refusal says what is needed in its place.
"""

from collections.abc import Mapping
from datetime import UTC
from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

from rounds.services.table_fields import one_of

_MISSING: Final = {"required": _("a value: it is missing"), "null": _("a value other than null")}


class Body(serializers.Serializer[Any]):
    """An object. A name that it does not have is refused: it may be another's, mistyped."""

    default_error_messages = {**_MISSING, "invalid": _("an object")}

    def to_internal_value(self, data: Any) -> Any:  # noqa: ANN401  JSON
        """Its values."""
        names = data if isinstance(data, Mapping) else ()
        unknown = [name for name in names if name not in self.fields]
        if unknown:
            needed = [one_of(list(self.fields))]
            raise serializers.ValidationError(dict.fromkeys(unknown, needed))
        return super().to_internal_value(data)


class Moment(serializers.DateTimeField):
    """A time in UTC, as RFC 3339 writes it."""

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  the framework's
        super().__init__(default_timezone=UTC, **options)


class Text(serializers.CharField):
    """A text, word for word."""

    default_error_messages = {
        **_MISSING,
        "invalid": _("a text"),
        "blank": _("a text that is not empty"),
        "max_length": _("at most {max_length} characters"),
    }

    def __init__(self, **options: Any) -> None:  # noqa: ANN401  the framework's
        super().__init__(trim_whitespace=False, **options)

    def to_internal_value(self, data: Any) -> str:  # noqa: ANN401  JSON
        """The text; nothing else is one."""
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class Whole(serializers.IntegerField):
    """A whole number."""

    default_error_messages = {
        **_MISSING,
        "invalid": _("a whole number"),
        "max_value": _("at most {max_value}"),
        "min_value": _("at least {min_value}"),
    }

    def to_internal_value(self, data: Any) -> int:  # noqa: ANN401  JSON
        """The number; a text of digits is none, nor is true."""
        if isinstance(data, bool) or not isinstance(data, int):
            self.fail("invalid")
        return super().to_internal_value(data)


class Choice(serializers.ChoiceField):
    """One of some texts."""

    default_error_messages = {**_MISSING}

    def to_internal_value(self, data: Any) -> Any:  # noqa: ANN401  JSON
        """The text that was chosen."""
        if data not in list(self.choices):
            raise serializers.ValidationError(one_of(list(self.choices)))
        return data


class Day(serializers.DateField):
    """A day."""

    default_error_messages = {**_MISSING, "invalid": _("a day such as 2026-11-21")}


class Many(serializers.ListField):
    """A list."""

    default_error_messages = {
        **_MISSING,
        "not_a_list": _("a list"),
        "max_length": _("at most {max_length} values"),
    }
