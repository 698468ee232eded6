"""The identity provider that the environment names, checked when the settings are read."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from environ import Env

_LONGEST_NAME: Final = 40
_LONGEST_ISSUER: Final = 200
"""As long as the column that stores it (``SocialAccount.provider``)."""
_PORTS: Final = {"https": 443, "http": 80}


@dataclass(frozen=True, kw_only=True)
class OpenIdProvider:
    """A provider that speaks OpenID Connect."""

    name: str
    issuer: str
    client_id: str
    client_secret: str
    ca_file: str

    @property
    def method(self) -> str:
        """As audit records name it."""
        return "openid_connect"

    @property
    def origin(self) -> tuple[str, str, int]:
        """Where its addresses are, and the only place that Sabot calls for a login."""
        return origin_of(self.issuer)


@dataclass(frozen=True, kw_only=True)
class SamlProvider:
    """A provider that speaks SAML 2.0, as its metadata describe it."""

    name: str
    issuer: str
    """Its entity id."""
    metadata: str
    """The XML document."""
    entity_id: str
    """Sabot's own; the address of its metadata if it is empty."""

    @property
    def method(self) -> str:
        """As audit records name it."""
        return "saml"

    @cached_property
    def settings(self) -> dict[str, Any]:
        """Its addresses and certificates, as python3-saml takes them."""
        return _settings_of(self.metadata)


Provider = OpenIdProvider | SamlProvider


def origin_of(url: str) -> tuple[str, str, int]:
    """Scheme, host and port of an address; empty if it is none."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return "", "", 0
    return parts.scheme, (parts.hostname or "").lower(), port


def configured_provider(env: Env, *, is_demo: bool) -> Provider | None:
    """The provider of the environment; None without one. Raises ImproperlyConfigured."""
    issuer, metadata = _text(env, "SSO_OIDC_ISSUER"), _text(env, "SSO_SAML_METADATA")
    if issuer and metadata:
        raise _wrong("SSO_SAML_METADATA", metadata, "one provider: this or SSO_OIDC_ISSUER")
    if not issuer and not metadata:
        if env.bool("SSO_REQUIRED", default=False):
            raise _wrong("SSO_REQUIRED", "true", "SSO_OIDC_ISSUER or SSO_SAML_METADATA with it")
        return None
    name = _text(env, "SSO_NAME")
    if not 0 < len(name) <= _LONGEST_NAME:
        needed = f"the provider's name for people, of at most {_LONGEST_NAME} characters"
        raise _wrong("SSO_NAME", name, needed)
    if metadata:
        document = _content("SSO_SAML_METADATA", metadata)
        entity = _text(env, "SSO_SAML_ENTITY_ID")
        return _saml(name, document, entity_id=entity, path=metadata, is_demo=is_demo)
    _check_address("SSO_OIDC_ISSUER", issuer, is_demo=is_demo)
    if not (client_id := _text(env, "SSO_OIDC_CLIENT_ID")):
        raise _wrong("SSO_OIDC_CLIENT_ID", "", "the name that the provider gave to Sabot")
    path = _text(env, "SSO_OIDC_CLIENT_SECRET_FILE")
    if not (secret := _content("SSO_OIDC_CLIENT_SECRET_FILE", path).strip()):
        raise _wrong("SSO_OIDC_CLIENT_SECRET_FILE", f"an empty file {path}", "the secret in it")
    ca_file = _text(env, "SSO_CA_FILE")
    if ca_file:
        _content("SSO_CA_FILE", ca_file)
    return OpenIdProvider(
        name=name, issuer=issuer, client_id=client_id, client_secret=secret, ca_file=ca_file
    )


def _saml(name: str, document: str, *, entity_id: str, path: str, is_demo: bool) -> SamlProvider:
    needed = "metadata with an entity id, an address for redirects and a certificate"
    try:
        description = _settings_of(document)
        issuer, address = description["entityId"], description["singleSignOnService"]["url"]
        has_certificate = bool(certificates_of(description))
    except Exception as error:  # the parser raises those of lxml, and KeyError
        raise _wrong("SSO_SAML_METADATA", f"{path}: {error!r}", needed) from error
    if not has_certificate or len(issuer) > _LONGEST_ISSUER:
        raise _wrong("SSO_SAML_METADATA", path, needed)
    _check_address("SSO_SAML_METADATA", address.partition("?")[0], is_demo=is_demo)
    return SamlProvider(name=name, issuer=issuer, metadata=document, entity_id=entity_id)


def _settings_of(document: str) -> dict[str, Any]:
    from onelogin.saml2 import idp_metadata_parser  # noqa: PLC0415  every process reads settings

    parser = idp_metadata_parser.OneLogin_Saml2_IdPMetadataParser
    parsed = parser.parse(document.encode())
    description: dict[str, Any] = parsed["idp"]
    return description


def certificates_of(description: dict[str, Any]) -> list[str]:
    """The certificates that the provider signs with, in Base64."""
    if "x509cert" in description:
        return [description["x509cert"]]
    signing: list[str] = description["x509certMulti"]["signing"]
    return signing


def _check_address(variable: str, url: str, *, is_demo: bool) -> None:
    needed = "an https:// address of at most 200 characters without query, user or fragment"
    try:
        parts = urlsplit(url)
        is_plain = not (parts.query or parts.fragment or parts.username or parts.password)
        is_whole = bool(parts.hostname) and parts.port != 0 and len(url) <= _LONGEST_ISSUER
    except ValueError:
        raise _wrong(variable, url, needed) from None
    is_safe = parts.scheme == "https" or (parts.scheme == "http" and is_demo)
    if not (is_plain and is_whole and is_safe and url.isascii() and " " not in url):
        raise _wrong(variable, url, needed)


def _text(env: Env, variable: str) -> str:
    return str(env.str(variable, default="")).strip()


def _content(variable: str, path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        found = f"no readable file {path!r} ({type(error).__name__})"
        raise _wrong(variable, found, "the path of a text file") from None


def _wrong(variable: str, found: str, needed: str) -> ImproperlyConfigured:
    return ImproperlyConfigured(f"{variable}: found {found or 'nothing'}; needed {needed}")
