"""Who acts. Passed to every service that changes something, never guessed from a request."""

from typing import NamedTuple


class Actor(NamedTuple):
    """A named person, or a named part of the platform that acts on its own.

    ``name`` is what a reader of the trail sees years later, so it is stored with every record;
    ``user_id`` is the person's account, None for a machine.
    """

    name: str
    user_id: int | None = None


WORKER = Actor("settlement worker")
