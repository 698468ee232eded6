"""Identities of other providers, and the accounts that their owners connected with them.

An identity is the provider's name and its name for the person there; never an e-mail address,
which may be given to somebody else. Rows are those of django-allauth, without anything that the
provider says about the person.
"""

from typing import Final, NamedTuple

from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.utils.crypto import salted_hmac

_SALT: Final = "sabot: identities of other providers"
LONGEST_SUBJECT: Final = 191
"""Characters, as many as the column has."""


class Identity(NamedTuple):
    """Somebody, as a provider names them."""

    issuer: str
    subject: str

    @property
    def digest(self) -> str:
        """For audit records: who has no key learns nothing from it."""
        text = f"{len(self.issuer)} {self.issuer} {self.subject}"
        return salted_hmac(_SALT, text, algorithm="sha256").hexdigest()


def account_for(identity: Identity) -> User | None:
    """The account that is connected with the identity, also a closed one."""
    known = SocialAccount.objects.filter(provider=identity.issuer, uid=identity.subject)
    row = known.select_related("user").first()
    person: User | None = row.user if row else None
    return person


def is_connected(person: User, issuer: str) -> bool:
    """Whether the account is connected with an identity of the provider."""
    return bool(SocialAccount.objects.filter(user=person, provider=issuer).exists())


def connect(person: User, identity: Identity) -> bool:
    """Connects the account; False if the identity or the account is connected already."""
    User.objects.select_for_update().get(pk=person.pk)
    if is_connected(person, identity.issuer):
        return False
    try:
        with transaction.atomic():
            SocialAccount.objects.create(
                user=person, provider=identity.issuer, uid=identity.subject, extra_data={}
            )
    except IntegrityError:
        return False
    return True


def disconnect(person: User, issuer: str | None = None) -> bool:
    """Deletes the connection with a provider, or with all; whether there was one."""
    known = SocialAccount.objects.filter(user=person)
    deleted, _rows = (known.filter(provider=issuer) if issuer else known).delete()
    return bool(deleted)
