"""JSON that is stored byte for byte as it is hashed."""

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
    """A JSON value in its canonical encoding (``compliance.trail.encoding``), as text.

    What a record was hashed from is what stands in the table, so that whoever verifies it need not
    trust how a database writes JSON. SQL that looks inside casts it: ``details::jsonb``.
    """

    def from_db_value(
        self,
        value: str | None,
        expression: Expression,  # noqa: ARG002  Django's signature
        connection: BaseDatabaseWrapper,  # noqa: ARG002
    ) -> Any:  # noqa: ANN401  whatever JSON holds
        """The value that the text encodes; the text itself, where somebody made it no JSON."""
        try:
            return None if value is None else json.loads(value)
        except ValueError:
            return value

    def get_prep_value(self, value: Any) -> str | None:  # noqa: ANN401  whatever JSON holds
        """The text that encodes the value."""
        return None if value is None else json_of(value)
