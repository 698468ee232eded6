"""Decisions with a signature that is none by WebAuthn: no worker pays them.

Each one is made with the person's real key and is right in all but one point.
"""

import hashlib
import json
from typing import Any, Final, Self

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from fido2 import cbor
from fido2.cose import RS1

from compliance.signatures import assertions
from compliance.signatures.assertions import Assertion, PublicKey, base64url, challenge_of
from compliance.signatures.software_key import SoftwareKey
from payouts.cases.models import Case, CaseStep
from tests.attacks.forgeries import (
    CENTS,
    VERIFIED,
    Moved,
    approval_columns,
    as_web,
    begin_execution,
    key_of,
    nothing_moves,
    signed,
    step,
)
from tests.attacks.guards import Guard, unguarded
from tests.attacks.keys.test_forged_browser_keys import GUARDS as OF_BROWSERS
from tests.payouts.cases.case_scenarios import credit_proposed
from tests.payouts.settlement.resettlement_scenarios import LORENZO
from tests.signers import FirstKey

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("settled_rounds")]

SITE: Final = "localhost"
ELSEWHERE: Final = "sab0t.example"


class Forger(SoftwareKey):
    """Signs with the person's key, and writes what it wants into the assertion."""

    site: str = SITE
    flags: bytes = VERIFIED
    client: dict[str, Any]

    @classmethod
    def of(cls, key: SoftwareKey, **said: Any) -> Self:
        """Client data in which something is said otherwise."""
        forger = cls.load(key.pem, site=SITE, origin=key.origin)
        forger.client = said
        return forger

    def sign(self, text: str, *, flags: bytes = VERIFIED) -> Assertion:
        """The assertion that claims to sign the text."""
        said = {"type": "webauthn.get", "origin": self.origin}
        client = {"challenge": base64url(challenge_of(text)), **said, **self.client}
        client_data = json.dumps(client).encode()
        seen = hashlib.sha256(self.site.encode()).digest() + self.flags + bytes(4)
        octets = self.signature(seen + hashlib.sha256(client_data).digest())
        return Assertion(self.credential_id, seen, client_data, octets)

    def signature(self, octets: bytes) -> bytes:
        """The signature of authenticator and client data."""
        return self._key.sign(octets, ec.ECDSA(SHA256()))


class OtherPrivateKey(Forger):
    """Signs with a key of its own, under the id of the person's."""

    def signature(self, octets: bytes) -> bytes:
        """By another private key."""
        return ec.generate_private_key(ec.SECP256R1()).sign(octets, ec.ECDSA(SHA256()))


class BrokenAlgorithm(Forger):
    """An authenticator that signs SHA-1 digests."""

    @property
    def _rsa(self) -> rsa.RSAPrivateKey:
        self.__dict__.setdefault("made", rsa.generate_private_key(65_537, 2_048))
        made: rsa.RSAPrivateKey = self.__dict__["made"]
        return made

    @property
    def public(self) -> PublicKey:
        """Its key, as browsers would register it."""
        key = RS1.from_cryptography_key(self._rsa.public_key())  # type: ignore[no-untyped-call]
        return PublicKey(cbor.encode(key), SITE)

    def signature(self, octets: bytes) -> bytes:
        """For which other octets with the same digest can be found."""
        return self._rsa.sign(octets, padding.PKCS1v15(), SHA1())  # noqa: S303  the weak digest is the attack


SAID: Final[dict[str, dict[str, Any]]] = {
    "registration": {"type": "webauthn.create"},
    "text": {"challenge": base64url(challenge_of("1.00"))},
    "frame": {"crossOrigin": True},
    "origin": {"origin": f"https://{ELSEWHERE}"},
}
FLAGS: Final = {"absent": b"\x04", "unverified": b"\x01"}
FORGERS: Final = {"key": OtherPrivateKey, "algorithm": BrokenAlgorithm}


def forger(point: str) -> Forger:
    """One that is wrong in this point."""
    made = FORGERS.get(point, Forger).of(key_of(LORENZO), **SAID.get(point, {}))
    made.site = ELSEWHERE if point == "site" else SITE
    made.flags = FLAGS.get(point, VERIFIED)
    return made


def approved_by(forger: Forger) -> Case:
    """Giulia's proposal, approved in Lorenzo's name with an assertion of the forger's."""
    if isinstance(forger, BrokenAlgorithm):
        FirstKey(LORENZO, forger).approve()
    case = credit_proposed("p-1", CENTS)
    with as_web():
        proposal = CaseStep.objects.get(case=case, sequence=2)
        signed(step(case, 3, LORENZO, **approval_columns(proposal)), forger)
        begin_execution(case)
    return case


POINTS: Final = {
    "registration": (
        assertions._require_client_data,
        "data['type'] != ceremony",
        "needed webauthn.get",
    ),
    "text": (
        assertions._require_client_data,
        "octets_of(data['challenge']) != challenge",
        "another text",
    ),
    "frame": (assertions._require_client_data, "data.get('crossOrigin')", "signature made at"),
    "origin": (
        assertions._require_client_data,
        "not verify_rp_id(site, data['origin'])",
        "signature made at",
    ),
    "site": (
        assertions._require_authenticator,
        "seen.rp_id_hash != hashlib.sha256(site.encode()).digest()",
        "for another site",
    ),
    "absent": (
        assertions._require_authenticator,
        "seen.is_user_present()",
        "no verified user",
    ),
    "unverified": (
        assertions._require_authenticator,
        "seen.is_user_verified()",
        "no verified user",
    ),
    "algorithm": (
        assertions._public_key,
        "public.ALGORITHM not in CoseKey.supported_algorithms()",
        "unknown algorithm",
    ),
    "key": (
        assertions.verify_answer,
        "public.verify(signed(assertion, key.site, public), assertion.signature)",
        "by another key",
    ),
}
"""What is wrong in one point, the guard that sees it, and what it says."""


@pytest.mark.parametrize("point", POINTS)
def test_that_is_wrong_in_one_point_pays_nothing(point: str) -> None:
    """The other points are right."""
    _function, _condition, refusal = POINTS[point]

    assert refusal in nothing_moves(approved_by(forger(point)))


@pytest.mark.slow
@pytest.mark.parametrize("point", POINTS)
def test_without_its_guard_is_paid(point: str, request: pytest.FixtureRequest) -> None:
    """No other guard sees it."""
    guard(point).is_needed(request, point=point)


def guard(point: str) -> Guard:
    """The guard that sees what is wrong in this point."""
    function, condition, _refusal = POINTS[point]
    return Guard(
        function,
        condition,
        test_that_is_wrong_in_one_point_pays_nothing,
        passing=str(condition.startswith("seen.is_user")),
        noticed_by=Moved,
    )


def test_every_refusal_has_its_forgery() -> None:
    """Each condition under which the module raises is removed above, or by those of browsers."""
    assert unguarded(assertions, [*map(guard, POINTS), *OF_BROWSERS]) == set()
