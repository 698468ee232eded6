"""The check of the identity provider for single sign-on."""

from base64 import b64decode
from datetime import timedelta
from typing import Final

from cryptography import x509
from django.conf import settings
from django.utils import timezone
from requests import RequestException

from casino.access.single_sign_on.configuration import (
    OpenIdProvider,
    SamlProvider,
    certificates_of,
)
from casino.access.single_sign_on.provider_calls import read_description
from casino.operations.checks.check_result import CheckResult, error, ok, warning

_SOON: Final = timedelta(days=30)
_DOCUMENT: Final = "docs/administrator/single-sign-on.md"


def provider_is_usable() -> CheckResult:
    """The provider describes itself as it should, or its certificate is valid for a month."""
    provider = settings.SINGLE_SIGN_ON
    if provider is None:
        return ok("none", "none, or a provider that can be used")
    if isinstance(provider, OpenIdProvider):
        return _description(provider)
    return _certificates(provider)


def _description(provider: OpenIdProvider) -> CheckResult:
    needed = "a description with its issuer, and addresses at its host"
    try:
        read_description(provider)
    except RequestException as failure:
        todo = f"repair the provider or SSO_OIDC_ISSUER ({_DOCUMENT})"
        return error("no usable description", needed, todo, detail=str(failure))
    return ok("its description", needed)


def _certificates(provider: SamlProvider) -> CheckResult:
    needed = f"a certificate that is valid for {_SOON.days} days"
    todo = f"put its new metadata into SSO_SAML_METADATA ({_DOCUMENT})"
    ends = [
        x509.load_der_x509_certificate(b64decode(text)).not_valid_after_utc
        for text in certificates_of(provider.settings)
    ]
    left = max(ends) - timezone.now()
    if left <= timedelta():
        return error("an expired certificate", needed, todo)
    if left < _SOON:
        return warning(f"one that ends in {left.days} days", needed, todo)
    return ok(f"one for {left.days} days", needed)
