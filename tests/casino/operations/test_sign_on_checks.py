"""What ``manage.py doctor`` says of the identity provider."""

import pytest
from pytest_django import Settings

from casino.access.single_sign_on.configuration import OpenIdProvider, SamlProvider
from casino.operations.checks.check_result import CheckResult, State
from casino.operations.doctor import CHECKS
from tests.casino.backoffice.single_sign_on.conftest import peer
from tests.casino.backoffice.single_sign_on.openid_peer import SECRET, Peer, running_peer
from tests.casino.backoffice.single_sign_on.saml_peer import ISSUER, Signer, metadata

__all__ = ["peer"]


def provider_is_usable() -> CheckResult:
    """What the check finds."""
    return CHECKS["single sign-on"]()


def test_no_provider_is_needed() -> None:
    """Most installations have none."""
    assert provider_is_usable().state is State.OK


class TestAnOpenIdProvider:
    def test_that_describes_itself_is_usable(self, peer: Peer) -> None:
        """It is asked."""
        assert provider_is_usable().state is State.OK
        assert peer.called == ["/.well-known/openid-configuration"]

    @pytest.mark.parametrize(
        ("part", "value"),
        [
            ("issuer", "https://another.example"),
            ("token_endpoint", "https://another.example/token"),
            ("jwks_uri", None),
        ],
    )
    def test_with_another_description_is_not(
        self, peer: Peer, part: str, value: str | None
    ) -> None:
        """The detail names what is wrong."""
        peer.description[part] = value

        result = provider_is_usable()

        assert result.state is State.ERROR
        assert result.detail.startswith(f"{part}: found {value}; needed ")

    def test_that_does_not_answer_is_not(self, settings: Settings) -> None:
        """It may be down, or the address wrong."""
        with running_peer() as gone:
            issuer = gone.issuer
        settings.SINGLE_SIGN_ON = OpenIdProvider(
            name="X", issuer=issuer, client_id="sabot", client_secret=SECRET, ca_file=""
        )

        assert provider_is_usable().state is State.ERROR


@pytest.mark.parametrize(
    ("days", "state"),
    [((-1,), State.ERROR), ((20,), State.WARNING), ((200,), State.OK), ((-1, 200), State.OK)],
)
def test_a_saml_provider_has_a_valid_certificate(
    settings: Settings, days: tuple[int, ...], state: State
) -> None:
    """One of those in its metadata, for a month; the library does not look at their ends."""
    document = metadata(*(Signer(days=each) for each in days))
    settings.SINGLE_SIGN_ON = SamlProvider(name="X", issuer=ISSUER, metadata=document, entity_id="")

    assert provider_is_usable().state is state
