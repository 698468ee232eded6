"""``SSO_REQUIRED``: whose password still lets them in.

Administrators keep theirs, for the day on which the provider is down. Whoever cannot use the
provider yet gets in with a password, and is led to connect the account.
"""

from django.conf import settings
from django.contrib.auth.models import User

from casino.access.account_status import status_of
from casino.access.roles import ADMINISTRATOR
from casino.access.second_factor import has_factor
from casino.access.single_sign_on.configuration import Provider
from casino.access.single_sign_on.identities import is_connected


def logs_in_elsewhere(person: User) -> bool:
    """Whether the account's password is refused, because it can and must use the provider."""
    provider = _required_of(person)
    if provider is None or status_of(person).must_change_password:
        return False
    return has_factor(person) and is_connected(person, provider.issuer)


def must_connect(person: User) -> bool:
    """Whether the account has to be connected with an identity of the provider."""
    provider = _required_of(person)
    return provider is not None and not is_connected(person, provider.issuer)


def _required_of(person: User) -> Provider | None:
    """The provider that the person has to use; None for those who may choose."""
    if not settings.SSO_REQUIRED or person.groups.filter(name=ADMINISTRATOR).exists():
        return None
    return settings.SINGLE_SIGN_ON
