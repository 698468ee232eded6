"""A person's way through single sign-on, as a browser takes it."""

import html
import re
from typing import Any, Final

from django.contrib.auth.models import User
from django.test import Client

from casino.access.single_sign_on.identities import Identity, connect
from tests.casino.backoffice.second_factors import HERE, code_of
from tests.casino.backoffice.single_sign_on.openid_peer import Peer
from tests.casino.backoffice.single_sign_on.saml_peer import ISSUER

BEGIN: Final = "/admin/login/sso/"
BACK: Final = "/admin/login/sso/back/"
ACS: Final = "/admin/login/sso/saml/"
METADATA: Final = "/admin/login/sso/metadata/"
STEP: Final = "/admin/login/second/"
CONNECT: Final = "/admin/security/sso/"
CONFIRM_BOTH: Final = "/admin/security/confirm/?both=1"
DISCONNECT: Final = "/admin/security/sso/end/"
SECURITY: Final = "/admin/security/"
SUBJECT: Final = "8f1c-giulia"


def browser() -> Client:
    """A browser in which nobody is logged in, in English."""
    client = Client(REMOTE_ADDR=HERE)
    client.cookies["django_language"] = "en"
    return client


def address_on(page: Any) -> str:
    """Where a page leads."""
    [address] = re.findall(r'content="0; url=([^"]+)"', page.content.decode())
    return html.unescape(address)


def led(client: Client, path: str = BEGIN, **form: str) -> str:
    """The provider's address to which a form leads."""
    return address_on(client.post(path, form))


def first_step(client: Client, peer: Peer, subject: str = SUBJECT, **form: str) -> Any:
    """The answer to a browser that comes back from a login at the provider."""
    return client.get(BACK, peer.log_in(led(client, **form), subject))


def both_steps(client: Client, peer: Peer, person: User) -> Any:
    """The answer to the second factor after it."""
    return client.post(first_step(client, peer)["Location"], {"code": code_of(person)})


def connected(person: User, peer: Peer, subject: str = SUBJECT) -> User:
    """The person, with an account that is connected."""
    assert connect(person, Identity(peer.issuer, subject))
    return person


def linked(person: User) -> User:
    """The person, with an account that is connected with the SAML provider."""
    assert connect(person, Identity(ISSUER, SUBJECT))
    return person


def answered(client: Client, form: dict[str, str], *, follow: bool = False) -> Any:
    """The answer to a browser that was sent back with a form of the SAML provider."""
    posted = client.post(ACS, form)
    return client.get(posted["Location"], follow=follow) if posted.status_code == 302 else posted


def is_in(client: Client) -> bool:
    """Whether somebody is logged in."""
    return "_auth_user_id" in client.session


def said_on(page: Any) -> str:
    """The text of an error on the page."""
    found = re.search(r'role="alert">.*?<span>(.*?)</span>', page.content.decode(), re.DOTALL)
    return html.unescape(found[1]) if found else ""
