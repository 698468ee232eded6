"""What both protocols have in common: why a login began, how it ended, why it was refused."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from casino.access.single_sign_on.identities import Identity

_CONNECT: Final = "connect"
_LOGIN: Final = "login"


class Refused(Exception):
    """The answer proves nothing.

    The reason is for the audit record and the page, the detail for the log.
    """

    def __init__(self, reason: str, *, detail: str = "", is_counted: bool = True) -> None:
        super().__init__(reason)
        self.reason, self.detail, self.is_counted = reason, detail, is_counted


class ProviderDown(Exception):
    """The provider did not answer, or not as a provider does; the message is for the log."""


class Purpose(NamedTuple):
    """Why the browser was sent to the provider. It is kept in the session."""

    back_to: str
    person: int | None = None
    """Whose account is to be connected; None for a login."""

    @property
    def is_connection(self) -> bool:
        """Whether an account is to be connected."""
        return self.person is not None

    @property
    def process(self) -> str:
        """As django-allauth names it."""
        return _CONNECT if self.is_connection else _LOGIN

    @property
    def kept(self) -> dict[str, Any]:
        """What the session keeps until the browser is back."""
        return {"back_to": self.back_to, "person": self.person}

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> "Purpose":
        """The purpose that was kept."""
        data = state["data"]
        return cls(data["back_to"], data["person"])


class Finished(NamedTuple):
    """Whom the provider has logged in, and what for."""

    identity: Identity
    purpose: Purpose
