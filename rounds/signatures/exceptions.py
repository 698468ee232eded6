"""The error of an invalid signature, precise enough for its author to correct it."""


class InvalidSignature(ValueError):
    """A signature, or what it covers, is invalid: the field, the value found, what is needed."""

    def __init__(self, field: str, found: str, needed: str) -> None:
        super().__init__(f"{field}: found {found}; needed {needed}")
        self.field, self.found, self.needed = field, found, needed
