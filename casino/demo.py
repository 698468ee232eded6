"""The demo casino: a table for every game, a person for every role. Never for production."""

import json
import secrets
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from allauth.mfa.utils import decrypt
from django.contrib.auth.models import User
from django.db import transaction

from casino.roles import DECIDERS, grant_roles
from compliance.trail.actor import Actor
from payouts.api.finding import key_of
from payouts.api.models import ApiKey
from payouts.api.scopes import Scope
from payouts.api.services.issue_key import AskedKey, issue_key
from payouts.api.tokens import Token, token_of
from payouts.pages.second_factor import PHONE, STEP_SECONDS, phone_code
from rounds.models import Table
from rounds.services.limit_stakes import NO_SET, limit_stakes
from rounds.services.register_table import register_table
from rounds.simulation.games import GAMES, table_codes
from rounds.simulation.limits import DEMO_LIMITS

PEOPLE: Final[Mapping[str, tuple[str, str]]] = {
    "supervisor": ("Giulia", "Marchetti"),
    "payments": ("Marco", "Rinaldi"),
    "compliance": ("Lorenzo", "Ferri"),
    "auditor": ("Elena", "Conti"),
    "administrator": ("Paolo", "Greco"),
}
"""First and last name of the person in each role; the role is the user name."""


def make_tables(*, at: datetime, actor: Actor, each: int = 1) -> None:
    """Registers so many tables for every game, with limits for every bet kind, once."""
    for name, simulated in GAMES.items():
        for number, code in enumerate(table_codes(name, count=each), start=1):
            rules = simulated.game.rule_set
            _make_table(code, f"{rules.game} {number}", rules.name, at=at, actor=actor)


def _make_table(code: str, name: str, rules: str, *, at: datetime, actor: Actor) -> None:
    with transaction.atomic():
        if not Table.objects.filter(code=code).exists():
            table = register_table(code=code, name=name, rules=rules, at=at, actor=actor)
            limits = DEMO_LIMITS[rules]
            limit_stakes(table_id=table.pk, limits=limits, seen=NO_SET, at=at, actor=actor)


def make_people(*, passwords_file: Path) -> dict[str, str]:
    """A user for every role, named like the role; gives the password of each.

    Those who decide about money have a phone each, whose code ``code_of`` tells. The passwords are
    random, made once for this clone and kept in a file only its owner may read.
    """
    passwords = _kept_passwords(passwords_file)
    groups = grant_roles()
    for role, (first_name, last_name) in PEOPLE.items():
        user, _ = User.objects.get_or_create(
            username=role,
            defaults={"first_name": first_name, "last_name": last_name, "is_staff": True},
        )
        if not user.check_password(passwords[role]):
            user.set_password(passwords[role])
            user.save(update_fields=["password"])
        user.groups.set([groups[role]])
        if role in DECIDERS and not Authenticator.objects.filter(user=user, type=PHONE).exists():
            TOTP.activate(user, generate_totp_secret())
    return passwords


def make_api_token(*, file: Path, at: datetime, actor: Actor) -> str:
    """The token of a key that may make every call, from this machine alone; made once.

    It is kept in a file only its owner may read. Another is made where that one's key is gone, or
    was revoked or rotated.
    """
    known = token_of(file.read_text()) if file.exists() else None
    if known is not None and _is_in_force(known):
        return known.text
    asked = AskedKey(
        kind=ApiKey.Kind.CUSTOMER_SERVICE,
        owner="Demo program",
        scopes=Scope.values,
        networks=["127.0.0.0/8", "::1/128"],
    )
    issued = issue_key(asked=asked, at=at, actor=actor)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(issued.token)
    return issued.token


def _is_in_force(token: Token) -> bool:
    proved = key_of(token)
    return proved is not None and proved.revoked_at is None and proved.ends_at is None


class NoDemo(Exception):
    """There is no such phone in a demo casino."""


def code_of(name: str, *, passwords_file: Path, at: datetime) -> str:
    """What the phone of a demo user shows, and the next code where that one was taken.

    Only of whom still has the password that the demo gave: nobody else's phone is for show.
    """
    user = User.objects.filter(username=name).first()
    given = _kept_passwords(passwords_file).get(name) if passwords_file.exists() else None
    if user is None or given is None or not user.check_password(given):
        raise NoDemo(f"{name} is no user of a demo casino")
    phone = Authenticator.objects.filter(user=user, type=PHONE).first()
    if phone is None:
        raise NoDemo(f"{name} has no phone and logs in with the password alone")
    step = max(int(at.timestamp()) // STEP_SECONDS, phone.data.get("last_step", 0) + 1)
    return phone_code(decrypt(phone.data["secret"]), step)


def _kept_passwords(file: Path) -> dict[str, str]:
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(json.dumps({role: secrets.token_urlsafe(9) for role in PEOPLE}, indent=1))
    kept: dict[str, str] = json.loads(file.read_text())
    return kept
