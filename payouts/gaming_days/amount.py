"""A count of rounds, documents, cases or disputes, with their amount in cents."""

from typing import NamedTuple


class Amount(NamedTuple):
    """A count and an amount in cents."""

    number: int = 0
    cents: int = 0
