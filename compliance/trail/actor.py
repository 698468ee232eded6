"""The actor, an argument of every service that changes something."""

from typing import NamedTuple, Protocol


class Signer(Protocol):
    """Signs decisions in the name of a person."""

    def sign(self, text: str) -> "tuple[bytes, bytes, bytes, bytes]":
        """The assertion that signs the text (``compliance.signatures.assertions``)."""


class Actor(NamedTuple):
    """A person, or a part of the platform that acts on its own.

    ``name`` is stored with every audit record; ``user_id`` is the person's account, None for a
    program. A person who signs decisions brings a ``signer``.
    """

    name: str
    user_id: int | None = None
    signer: Signer | None = None


WORKER = Actor("settlement worker")
