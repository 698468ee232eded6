"""Calls to the identity provider: to its own host only, bounded in time and size.

What a provider's description names as its addresses is not called if it lies elsewhere, and no
redirect is followed: a changed description leads no secret and no request to another host.
"""

import ssl
import time
from functools import cache
from typing import Any, Final

import requests
from django.utils.crypto import constant_time_compare
from urllib3.exceptions import HTTPError

from casino.access.single_sign_on.configuration import OpenIdProvider, origin_of

_SECONDS: Final = (3.0, 5.0)
"""To connect, and between two parts of an answer."""
_WHOLE_SECONDS: Final = 10.0
"""For the body of an answer."""
_LONGEST_ANSWER: Final = 1 << 20
_KEPT_SECONDS: Final = 300.0
_WELL_KNOWN: Final = "/.well-known/openid-configuration"
_ENDPOINTS: Final = ("authorization_endpoint", "token_endpoint", "jwks_uri")

_descriptions: Final[dict[str, tuple[float, dict[str, Any]]]] = {}


class ForeignAddress(requests.RequestException):
    """An address that is not the provider's."""


class WrongDescription(requests.RequestException):
    """The provider's description of itself is unusable; the message says why."""


class ProviderSession(requests.Session):
    """HTTP to one provider."""

    def __init__(self, provider: OpenIdProvider) -> None:
        super().__init__()
        self._origin = provider.origin
        self.trust_env = False  # no proxies, and no passwords of ~/.netrc
        self.verify = provider.ca_file or _certificates()

    def request(self, method: Any, url: Any, *args: Any, **options: Any) -> requests.Response:
        """The answer. Raises RequestException."""
        if origin_of(str(url)) != self._origin:
            raise ForeignAddress(f"{url} is not at the provider's host")
        own = {"timeout": _SECONDS, "allow_redirects": False, "stream": True}
        answer = super().request(method, url, *args, **{**options, **own})
        with answer:
            answer._content = _body_of(answer)  # noqa: SLF001  requests reads without limits
        return answer


def _body_of(answer: requests.Response) -> bytes:
    body, until = b"", time.monotonic() + _WHOLE_SECONDS
    try:
        while part := answer.raw.read1(_LONGEST_ANSWER, decode_content=True):
            body += part
            if len(body) > _LONGEST_ANSWER or time.monotonic() > until:
                raise requests.RequestException(f"{answer.url}: the answer is too long")
    except HTTPError as error:  # of urllib3, below requests
        raise requests.ConnectionError(f"{answer.url}: {error}") from error
    return body


def description_of(provider: OpenIdProvider) -> dict[str, Any]:
    """What the provider says of itself (OpenID Connect Discovery), read every five minutes.

    Raises RequestException.
    """
    until, known = _descriptions.get(provider.issuer, (0.0, {}))
    if time.monotonic() < until:
        return known
    description = read_description(provider)
    _descriptions[provider.issuer] = (time.monotonic() + _KEPT_SECONDS, description)
    return description


def read_description(provider: OpenIdProvider) -> dict[str, Any]:
    """The description, read now and checked. Raises RequestException."""
    description = read_json(provider, provider.issuer.rstrip("/") + _WELL_KNOWN)
    named = str(description.get("issuer", ""))
    if not constant_time_compare(named, provider.issuer):
        raise WrongDescription(f"issuer: found {named[:200]}; needed {provider.issuer}")
    for endpoint in _ENDPOINTS:
        address = str(description.get(endpoint, ""))
        if origin_of(address) != provider.origin:
            needed = f"an address at {provider.origin[1]}"
            raise WrongDescription(f"{endpoint}: found {address[:200]}; needed {needed}")
    return description


def read_json(provider: OpenIdProvider, url: str) -> dict[str, Any]:
    """The JSON object at an address of the provider. Raises RequestException."""
    with ProviderSession(provider) as session:
        answer = session.get(url)
    answer.raise_for_status()
    document = answer.json()
    if answer.status_code != requests.codes.ok or not isinstance(document, dict):
        raise WrongDescription(f"{url}: found no JSON object (status {answer.status_code})")
    return document


def forget_descriptions() -> None:
    """Reads them again at the next login."""
    _descriptions.clear()


@cache
def _certificates() -> str | bool:
    """Those that the machine trusts, as of every other connection; else those of requests."""
    return ssl.get_default_verify_paths().cafile or True
