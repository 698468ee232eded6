"""Who calls: the key that a token proves, and what it is bound to."""

from dataclasses import dataclass

from compliance.trail.actor import Actor
from payouts.api.models import ApiKey
from payouts.api.scopes import Scope


@dataclass(frozen=True)
class Caller:
    """A program that has proved which key it has. It stands where Django has a user."""

    key: ApiKey
    address: str | None
    is_authenticated: bool = True

    @property
    def actor(self) -> Actor:
        """As the trail names it."""
        return Actor(f"{self.key.owner} (key {self.key.handle})")

    def has(self, scope: Scope) -> bool:
        """Whether its key may do this."""
        return scope.value in self.key.scopes

    def covers_table(self, code: str) -> bool:
        """Whether its key reaches this table: all of them, unless it is bound to some."""
        return not self.key.tables or code in self.key.tables

    def covers_customer(self, pseudonym: str) -> bool:
        """Whether its key reaches what is this customer's: everybody's, unless it is one's own."""
        return self.key.customer is None or self.key.customer == pseudonym
