"""A model field for JSON that is stored as it is hashed."""

import json
from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.models.expressions import Expression

from compliance.trail.encoding import json_of

if TYPE_CHECKING:
    _TextField = models.TextField[Any, Any]
else:
    _TextField = models.TextField


class CanonicalJSONField(_TextField):
    """A JSON value, stored as text in the canonical encoding (``compliance.trail.encoding``).

    The column holds the very text that is hashed, so that verification does not depend on how a
    database formats JSON. SQL casts it to look inside: ``details::jsonb``.
    """

    def from_db_value(
        self,
        value: str | None,
        expression: Expression,  # noqa: ARG002  Django's signature
        connection: BaseDatabaseWrapper,  # noqa: ARG002  Django's signature
    ) -> Any:
        """The decoded value; the text itself if it is not valid JSON (a tampered row)."""
        try:
            return None if value is None else json.loads(value)
        except ValueError:
            return value

    def get_prep_value(self, value: Any) -> str | None:
        """The canonical encoding of the value."""
        return None if value is None else json_of(value)
