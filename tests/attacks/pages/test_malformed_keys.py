"""A security key of a cheat's own making, which registers what is no key."""

from typing import Any, Final

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from fido2.cose import ES256

from compliance.signatures.models import SigningKey
from tests.casino.backoffice.people.people import browser_of, somebody
from tests.casino.backoffice.second_factors import CONFIRM, Passkey, code_of, question_of

pytestmark = pytest.mark.django_db

_REGISTER: Final = "/admin/security/signing-key/"


class _Maker(Passkey):
    """Says that its person was verified by a PIN."""

    @staticmethod
    def _seen(site: str, *, flags: int) -> bytes:
        return Passkey._seen(site, flags=flags | 0x04)


def _browser() -> Client:
    person = somebody("ada", "administrator")
    browser = browser_of(person)
    browser.defaults["HTTP_HOST"] = "localhost"
    browser.post(CONFIRM, {"code": code_of(person)})
    return browser


@pytest.mark.parametrize(
    ("changed", "is_registered"),
    [({}, True), ({-3: bytes(32)}, False), ({-2: b"short"}, False), ({-2: "text"}, False)],
)
def test_only_a_key_is_registered(
    monkeypatch: pytest.MonkeyPatch, changed: dict[int, Any], *, is_registered: bool
) -> None:
    """A point beside the curve would stop every later export that shows the key."""
    make = ES256.from_cryptography_key
    browser = _browser()
    before = SigningKey.objects.count()

    def made(public: ec.EllipticCurvePublicKey) -> ES256:
        return ES256({**make(public), **changed})  # type: ignore[no-untyped-call]

    monkeypatch.setattr(ES256, "from_cryptography_key", made)
    answer = _Maker().enrol(question_of(browser, _REGISTER))
    page = browser.post(_REGISTER, {"name": "desk", "credential": answer}, follow=True)

    assert page.status_code == 200
    assert SigningKey.objects.count() == before + is_registered
