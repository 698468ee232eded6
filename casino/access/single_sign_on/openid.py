"""A login by OpenID Connect: the authorization code flow with PKCE, state and nonce.

State, PKCE and the exchange of the code are django-allauth's. It neither sends a nonce nor verifies
the signature of an ID token that came by TLS, so both are done here.
"""

from collections.abc import Mapping
from secrets import token_urlsafe
from typing import Any, Final

import jwt
from allauth.socialaccount.models import SocialApp
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from requests import RequestException

from casino.access.single_sign_on.configuration import OpenIdProvider
from casino.access.single_sign_on.flow import Finished, ProviderDown, Purpose, Refused
from casino.access.single_sign_on.identities import LONGEST_SUBJECT, Identity
from casino.access.single_sign_on.provider_calls import description_of, read_json

_ALGORITHMS: Final = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA"),
)
"""Signatures of a key pair. None with a shared secret, and not the algorithm ``none``."""
_CLOCK_SECONDS: Final = 60
_REQUIRED: Final = ("iss", "sub", "aud", "exp", "iat", "nonce")
_STATE_PROVIDER: Final = "sabot-oidc"


class _Adapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]  # django-allauth ships no types
    """django-allauth's, for the provider of the settings."""

    def get_provider(self) -> Any:
        """The provider of the settings; rows of the database name none."""
        return _allauth_provider(self.request, self.configured)

    @property
    def configured(self) -> OpenIdProvider:
        """Our settings of it."""
        configured: OpenIdProvider = self.request.single_sign_on
        return configured

    @property
    def openid_config(self) -> Mapping[str, Any]:
        """The provider's checked description."""
        return description_of(self.configured)

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        """Where the provider sends the browser back to."""
        return request.build_absolute_uri(reverse("finish_single_sign_on"))


class _Provider(OpenIDConnectProvider):  # type: ignore[misc]  # as above
    oauth2_adapter_class = _Adapter


def begin(request: HttpRequest, provider: OpenIdProvider, purpose: Purpose) -> str:
    """The provider's address for the browser. Raises ProviderDown."""
    nonce = token_urlsafe(32)
    parameters = {"nonce": nonce}
    if purpose.is_connection:
        parameters["prompt"] = "login"  # whoever is still logged in there is not taken for granted
    try:
        answer = _allauth_provider(request, provider).redirect(
            request,
            purpose.process,
            data={"nonce": nonce, **purpose.kept},
            auth_params=parameters,
            scope=["openid"],
        )
    except RequestException as error:
        raise ProviderDown(str(error)) from error
    address: str = answer["Location"]
    return address


def finish(request: HttpRequest, provider: OpenIdProvider) -> Finished:
    """Who the provider says it is. Raises Refused or ProviderDown."""
    own = _allauth_provider(request, provider)
    try:
        state = own.unstash_redirect_state(request, request.GET.get("state", ""))
    except PermissionDenied as error:
        raise Refused("unknown_state") from error
    _check_issuer(request, provider)
    if "code" not in request.GET:
        raise Refused("denied_by_provider", is_counted=False)
    return Finished(_identity(request, provider, own, state), Purpose.of(state))


def _identity(
    request: HttpRequest, provider: OpenIdProvider, own: Any, state: Mapping[str, Any]
) -> Identity:
    adapter = own.get_oauth2_adapter(request)
    try:
        client = adapter.get_client(request, own.app)
        answer = adapter.get_access_token_data(
            request, own.app, client, pkce_code_verifier=state.get("pkce_code_verifier")
        )
        token = answer.get("id_token")
        keys = read_json(provider, str(adapter.openid_config["jwks_uri"]))
    except (OAuth2Error, KeyError) as error:  # as a used code; KeyError: without a content type
        raise Refused("code_refused", detail=str(error)) from error
    except RequestException as error:
        raise ProviderDown(str(error)) from error
    if not isinstance(token, str):
        raise Refused("no_id_token")
    claims = verified_claims(token, keys, provider, nonce=state["data"]["nonce"])
    return Identity(provider.issuer, claims["sub"])


def verified_claims(
    token: str, keys: Mapping[str, Any], provider: OpenIdProvider, *, nonce: str
) -> dict[str, Any]:
    """What the ID token says, if the provider signed it for this login. Raises Refused."""
    try:
        header = jwt.get_unverified_header(token)
        claims: dict[str, Any] = jwt.decode(
            token,
            _key(keys, header),
            algorithms=list(_ALGORITHMS),
            audience=provider.client_id,
            issuer=provider.issuer,
            leeway=_CLOCK_SECONDS,
            options={"require": list(_REQUIRED)},
        )
    except (jwt.PyJWTError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise Refused("invalid_token", detail=str(error)) from error
    several = isinstance(claims["aud"], list) and len(claims["aud"]) > 1
    if (several or "azp" in claims) and claims.get("azp") != provider.client_id:
        raise Refused("invalid_token")
    if not constant_time_compare(str(claims["nonce"]), nonce):
        raise Refused("invalid_token")
    if not 0 < len(claims["sub"]) <= LONGEST_SUBJECT:
        raise Refused("invalid_token")
    return claims


def _key(keys: Mapping[str, Any], header: Mapping[str, Any]) -> Any:
    """The key of the provider that the token names; with one key it may name none."""
    usable = [
        key
        for key in jwt.PyJWKSet.from_dict(dict(keys)).keys
        if key.public_key_use in {None, "sig"} and key.key_type in {"RSA", "EC", "OKP"}
    ]
    named = header.get("kid")
    fitting = usable if named is None else [key for key in usable if key.key_id == named]
    if len(fitting) != 1:
        raise KeyError(f"{len(fitting)} keys fit {named}")
    return fitting[0]


def _check_issuer(request: HttpRequest, provider: OpenIdProvider) -> None:
    """Against answers of another provider (RFC 9207)."""
    try:
        description = description_of(provider)
    except RequestException as error:
        raise ProviderDown(str(error)) from error
    named = request.GET.get("iss")
    is_promised = description.get("authorization_response_iss_parameter_supported") is True
    if (named is None and is_promised) or named not in {None, provider.issuer}:
        raise Refused("other_issuer")


def _allauth_provider(request: HttpRequest, provider: OpenIdProvider) -> _Provider:
    request.single_sign_on = provider  # type: ignore[attr-defined]  # read by _Adapter
    app = SocialApp(
        provider="openid_connect",
        provider_id=_STATE_PROVIDER,
        name=provider.name,
        client_id=provider.client_id,
        secret=provider.client_secret,
        settings={"server_url": provider.issuer, "oauth_pkce_enabled": True},
    )
    return _Provider(request, app=app)
