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


def is_same_person(name: str, user_id: int | None, actor: Actor) -> bool:
    """Whether name or account are the actor's, apart from case and white space of the name."""
    is_same_account = user_id is not None and user_id == actor.user_id
    return is_same_account or normal_name(name) == normal_name(actor.name)


def normal_name(name: str) -> str:
    """The name in lower case with single spaces."""
    return " ".join(name.split()).casefold()
