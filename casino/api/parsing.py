"""JSON request bodies that can be stored and rendered again."""

from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser

from rounds.feed import json_fault


class JsonParser(JSONParser):
    """The framework's parser; lone surrogates and endless nesting are an error (400)."""

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Any = None,
    ) -> Any:
        """The decoded body. Raises ParseError."""
        try:
            body = super().parse(stream, media_type, parser_context)
        except RecursionError:
            raise ParseError(_("The JSON of the body is nested too deeply.")) from None
        if fault := json_fault(body):
            found, needed = fault
            message = _("The JSON of the body contains %(found)s; expected: %(needed)s.")
            raise ParseError(message % {"found": found, "needed": needed})
        return body
