"""The actor, an argument of every service that changes something."""

from typing import NamedTuple


class Actor(NamedTuple):
    """A person, or a part of the platform that acts on its own.

    ``name`` is stored with every audit record; ``user_id`` is the person's account, None for a
    program.
    """

    name: str
    user_id: int | None = None


WORKER = Actor("settlement worker")
