"""Programs that read dossiers and bundles, and people who sign them."""

from datetime import date
from typing import Any, Final

from django.http import HttpResponse
from django.utils import timezone

from casino.integrations.issue_key import issue_customer_token
from compliance.exports.bundle.signing import SigningKey
from compliance.exports.models import Bundle
from compliance.exports.services.bundle_steps import sign_bundle
from compliance.exports.services.issue_dossier import sign_dossiers
from tests.casino.api.api_client import ADMINISTRATOR, EVERYTHING, Program, issued, json_of
from tests.casino_in_play import NOW, by_now
from tests.documents import baccarat_bet, baccarat_round
from tests.payouts.settlement.resettlement_scenarios import GIULIA, LORENZO

OTHER: Final = "p-2-who-is-nobodys-business"
"""Another customer of the same round."""
EXPORTS: Final = "/api/v1/exports"
ONE: Final = f"{EXPORTS}/1"
READ: Final = "exports:read"


def program(*scopes: str, **key_fields: Any) -> Program:
    """A program with these scopes; every scope by default."""
    return Program(issued(scopes=scopes or EVERYTHING, **key_fields).token)


def of_customer(pseudonym: str, **key_fields: Any) -> Program:
    """A program with a customer's token."""
    issued_token = issue_customer_token(
        customer=pseudonym,
        minutes=5,
        issuer=issued(**key_fields).key,
        at=timezone.now(),
        actor=ADMINISTRATOR,
    )
    return Program(issued_token.token)


def played_by_two() -> dict[str, Any]:
    """A round in which p-1 and another bet on Player, which wins."""
    bets = [
        baccarat_bet("b1", "player", "10.00"),
        baccarat_bet("b2", "player", "10.00", player=OTHER, participation="N2"),
    ]
    return baccarat_round("r-1", bets=bets)


def dossiers_of(dispute: object) -> str:
    """The address of a dispute's dossiers."""
    return f"/api/v1/disputes/{dispute}/dossiers"


def issue(by: Program, dispute: object, reader: str = "customer", **once: str) -> HttpResponse:
    """Issues a dossier for this reader."""
    return by.post(dossiers_of(dispute), {"audience": reader}, **once)


def address_of(answer: HttpResponse) -> str:
    """The address of the dossier in an answer."""
    return str(json_of(answer)["links"]["self"])


def work(key: SigningKey) -> None:
    """Signs waiting dossiers, as the worker with the key does."""
    sign_dossiers(key=key, now=by_now)


def approve(number: int = 1) -> None:
    """Two persons sign a bundle."""
    sign_bundle(number=number, seen=0, at=NOW, actor=GIULIA)
    sign_bundle(number=number, seen=1, at=NOW, actor=LORENZO)


def made(number: int, day: int = 21, **of: Any) -> Bundle:
    """The record of a bundle, without its file."""
    return Bundle.objects.create(
        number=number,
        day=date(2026, 11, day),
        **{
            "manifest_digest": bytes([number] * 32),
            "previous_digest": None if number == 1 else bytes([number - 1] * 32),
            "path": f"bundle-{number}.zip",
            "size": 1,
            "built_at": NOW,
            **of,
        },
    )
