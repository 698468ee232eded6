"""The answers of the API as frozen dataclasses: the one declaration of each field.

The client reads answers into them; ``casino.api.components`` derives the OpenAPI components.
The text in ``Annotated`` is the description of the field.
"""

from typing import Final

HEADER: Final = "header"
"""Metadata key of a field that is sent in the response header of this name, not in the body."""
