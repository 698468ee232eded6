"""The answers of the API as frozen dataclasses: the one declaration of each field.

The server builds and writes them, the client reads answers into them, and
``casino.api.openapi.components`` derives the OpenAPI components.
The text in ``Annotated`` is the description of the field.
"""

from typing import Final

HEADER: Final = "header"
"""Metadata key of a field that is sent in the response header of this name, not in the body.

The name of the field begins with an underscore, which leaves it out of the JSON.
"""
