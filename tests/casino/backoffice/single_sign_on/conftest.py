"""A provider, and Sabot set up for it."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User
from pytest_django import Settings

from casino.access.single_sign_on.configuration import OpenIdProvider, SamlProvider
from casino.access.single_sign_on.provider_calls import forget_descriptions
from tests.casino.backoffice.people.people import somebody
from tests.casino.backoffice.single_sign_on.openid_peer import CLIENT, SECRET, Peer, running_peer
from tests.casino.backoffice.single_sign_on.saml_peer import ISSUER, metadata
from tests.casino.backoffice.single_sign_on.sign_on import connected


@pytest.fixture
def peer(settings: Settings) -> Iterator[Peer]:
    """A provider that Sabot is set up for."""
    forget_descriptions()
    with running_peer() as running:
        settings.SINGLE_SIGN_ON = OpenIdProvider(
            name="Casino ID",
            issuer=running.issuer,
            client_id=CLIENT,
            client_secret=SECRET,
            ca_file="",
        )
        yield running


@pytest.fixture
def giulia(peer: Peer, db: None) -> User:
    """A supervisor with a phone, whose account is connected."""
    return connected(somebody("giulia", "supervisor"), peer)


@pytest.fixture
def saml(settings: Settings, db: None) -> SamlProvider:
    """Sabot set up for a provider that speaks SAML."""
    provider = SamlProvider(name="Casino ID", issuer=ISSUER, metadata=metadata(), entity_id="")
    settings.SINGLE_SIGN_ON = provider
    return provider
