"""The caller of the API: an authenticated key and its restrictions."""

from dataclasses import dataclass

from casino.integrations.models import ApiKey
from casino.integrations.scopes import Scope
from compliance.trail.actor import Actor


@dataclass(frozen=True)
class Caller:
    """A program that is authenticated by a key, in the place of Django's user."""

    key: ApiKey
    address: str | None
    is_authenticated: bool = True

    @property
    def actor(self) -> Actor:
        """The actor of audit records."""
        return Actor(f"{self.key.owner} (key {self.key.handle})")

    def has(self, scope: Scope) -> bool:
        """Whether the key has this scope."""
        return scope.value in self.key.scopes

    @property
    def is_directory(self) -> bool:
        """Whether the key is a directory's, which calls SCIM and nothing else."""
        return self.has(Scope.DIRECTORY_MANAGE)

    def covers_table(self, code: str) -> bool:
        """Whether the key covers this table: all tables, unless it is bound to some."""
        return not self.key.tables or code in self.key.tables

    def covers_customer(self, pseudonym: str) -> bool:
        """Whether the key covers this customer: all customers, unless it is bound to one."""
        return self.key.customer is None or self.key.customer == pseudonym
