"""The demo casino: a table for every game, a person for every role. Not for production."""

import json
import secrets
from collections.abc import Mapping
from datetime import date, datetime
from pathlib import Path
from typing import Final

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import decrypt
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils import timezone

from casino.access.changes import roles_of
from casino.access.models.roles import ROLES_GIVEN_ON_HOST
from casino.access.roles import AUDITOR, grant_roles
from casino.access.second_factor import (
    PHONE,
    STEP_SECONDS,
    new_phone_secret,
    phone_code,
    store_phone,
)
from casino.access.software_keys import make_software_key, software_key_of
from casino.integrations.issue_key import NewKey, issue_key
from casino.integrations.key_lookup import match_key
from casino.integrations.models import ApiKey
from casino.integrations.scopes import OF_PROGRAMS
from casino.integrations.tokens import Token, parse_token, token_prefix
from compliance.certification.queries import weights_in_force
from compliance.certification.services.set_weights import approve_weights, set_weights
from compliance.signatures.manage_keys import approve_key, register_key, root_key
from compliance.signatures.queries import keys_of, signing_keys_of
from compliance.trail.actor import Actor
from compliance.trail.people import actor_of
from compliance.trail.record import Entry, record_entries
from rounds.models import Table
from rounds.services.limit_stakes import NO_SET, limit_stakes
from rounds.services.register_table import register_table
from rounds.services.sign_rules import sign_rules, unsigned_rule_sets
from rounds.simulation.games import GAMES, table_codes
from rounds.simulation.limits import DEMO_LIMITS
from rounds.simulation.weights import weights_documents

PEOPLE: Final[Mapping[str, tuple[str, str]]] = {
    "supervisor": ("Giulia", "Marchetti"),
    "payments": ("Marco", "Rinaldi"),
    "compliance": ("Lorenzo", "Ferri"),
    "auditor": ("Elena", "Conti"),
    "administrator": ("Paolo", "Greco"),
    "administrator-2": ("Chiara", "Longo"),
}
"""First and last name of each person; the user name is the role, with a number for a second one."""

WEIGHTS_REASON: Final = "demo: the simulator's weights, which give the declared return"


def make_tables(*, at: datetime, actor: Actor, each: int = 1) -> None:
    """Registers ``each`` tables for every game. Idempotent.

    They get limits for every bet kind, unless the actor cannot sign.
    """
    for name, simulated in GAMES.items():
        for number, code in enumerate(table_codes(name, count=each), start=1):
            rules = simulated.game.rule_set
            _make_table(code, f"{rules.game} {number}", rules.name, at=at, actor=actor)


def _make_table(code: str, name: str, rules: str, *, at: datetime, actor: Actor) -> None:
    with transaction.atomic():
        if not Table.objects.filter(code=code).exists():
            table = register_table(code=code, name=name, rules=rules, at=at, actor=actor)
            if actor.signer is not None:
                limits = DEMO_LIMITS[rules]
                limit_stakes(table_id=table.pk, limits=limits, seen=NO_SET, at=at, actor=actor)


def make_people(*, passwords_file: Path, at: datetime | None = None) -> dict[str, str]:
    """Creates a user for every role and a second administrator; returns their passwords.

    They have their roles from ``at`` on; from now on by default. All have a phone (``code_of``).
    The passwords are random, generated once for this clone and stored in a file that only its owner
    may read.
    """
    passwords = _stored_passwords(passwords_file)
    grant_roles()
    for name, names in PEOPLE.items():
        make_person(name, names, password=passwords[name], at=at)
    return passwords


def make_person(
    username: str, names: tuple[str, str], *, password: str, at: datetime | None = None
) -> None:
    """Creates a user with a phone, and with the role that the user name begins with. Idempotent.

    ``names`` are the first and the last one. The roles have been granted.
    """
    first_name, last_name = names
    user, _ = User.objects.get_or_create(
        username=username,
        defaults={
            "first_name": first_name,
            "last_name": last_name,
            "email": f"{username}@sabot.example",
            "is_staff": True,
        },
    )
    if not user.check_password(password):
        user.set_password(password)
        user.save(update_fields=["password"])
    role = Group.objects.get(name=username.partition("-")[0])
    _give_role(user, role, at=at or timezone.now())
    if not Authenticator.objects.filter(user=user, type=PHONE).exists():
        store_phone(user, new_phone_secret())


def _give_role(user: User, role: Group, *, at: datetime) -> None:
    if roles_of(user) == [role.name]:
        return
    details = {"account": user.username, "roles_after": [role.name]}
    given = Entry(ROLES_GIVEN_ON_HOST, f"user:{user.pk}", details)
    with transaction.atomic():
        user.groups.set([role])
        record_entries([given], at=at, actor=Actor("demo"))


def make_signing_keys(*, at: datetime) -> None:
    """Gives everybody but the auditor a signing key in a file, where such keys count. Idempotent.

    Those of the administrators are the first two; both approve the others.
    """
    if not settings.SOFTWARE_KEYS:
        return
    people = {name: User.objects.get(username=name) for name in PEOPLE if name != AUDITOR}
    roots = [people["administrator"], people["administrator-2"]]
    for person in [*roots, *people.values()]:
        if keys_of(person.pk):
            continue
        with transaction.atomic():
            key = make_software_key(person)
            row = register_key(
                public=key.public,
                credential_id=key.credential_id,
                label="demo",
                is_software=True,
                at=at,
                actor=actor_of(person),
            )
            if person in roots:
                root_key(key_id=row.id, at=at, actor=Actor("demo"))
                continue
            for root in roots:
                approve_key(key_id=row.id, note="demo", at=at, actor=_signing(root))


def demo_person(role: str) -> Actor:
    """The person of a role, who signs with the key in their file."""
    return _signing(User.objects.get(username=role))


def _signing(person: User) -> Actor:
    return actor_of(person)._replace(signer=software_key_of(person))


def put_weights_in_force(*, day: date, at: datetime) -> None:
    """Puts the simulator's multiplier weights in force from a day on.

    Compliance sets them and the supervisor approves, each with the key in their file; where one has
    no key in force, there are no weights. Weights that are in force already stay.
    """
    people = [User.objects.get(username=role) for role in ("compliance", "supervisor")]
    if not all(signing_keys_of(person.pk, at=at) for person in people):
        return
    setter, approver = (_signing(person) for person in people)
    for rules, content in weights_documents().items():
        with transaction.atomic():
            if weights_in_force(rules, on=day) is None:
                weights = set_weights(
                    content=content,
                    in_force_from=day,
                    reason=WEIGHTS_REASON,
                    at=at,
                    actor=setter,
                )
                approve_weights(weights_id=weights.pk, at=at, actor=approver)


def sign_rule_sets(*, at: datetime) -> None:
    """Compliance signs the rule sets of this release, with the key in their file, if it signs."""
    person = User.objects.get(username="compliance")
    if signing_keys_of(person.pk, at=at):
        for name in unsigned_rule_sets():
            sign_rules(name=name, at=at, actor=_signing(person))


def make_api_token(*, file: Path, at: datetime, actor: Actor) -> str:
    """The token of a key with all scopes, for this machine alone.

    It is stored in a file that only its owner may read, and replaced if its key is missing, revoked
    or rotated.
    """
    known = parse_token(file.read_text()) if file.exists() else None
    if known is not None and _is_in_force(known):
        return known.text
    new_key = NewKey(
        kind=ApiKey.Kind.CUSTOMER_SERVICE,
        owner="Demo program",
        scopes=[scope.value for scope in OF_PROGRAMS],
        networks=["127.0.0.0/8", "::1/128"],
    )
    issued = issue_key(new=new_key, at=at, actor=actor)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch(mode=0o600)
    file.write_text(issued.token)
    return issued.token


def _is_in_force(token: Token) -> bool:
    match = match_key(token) if token.prefix == token_prefix() else None
    return match is not None and match.revoked_at is None and match.ends_at is None


class NotADemoUser(Exception):
    """The user is not a demo user, or has no phone."""


def code_of(name: str, *, passwords_file: Path, at: datetime) -> str:
    """The current code of a demo user's phone, or the next one if it was used.

    Raises NotADemoUser unless the user has the password that the demo gave.
    """
    user = User.objects.filter(username=name).first()
    given = _stored_passwords(passwords_file).get(name) if passwords_file.exists() else None
    if user is None or given is None or not user.check_password(given):
        raise NotADemoUser(f"{name} is not a user of the demo casino")
    phone = Authenticator.objects.filter(user=user, type=PHONE).first()
    if phone is None:
        raise NotADemoUser(f"{name} has no phone")
    step = max(int(at.timestamp()) // STEP_SECONDS, phone.data.get("last_step", 0) + 1)
    return phone_code(decrypt(phone.data["secret"]), step)


def _stored_passwords(file: Path) -> dict[str, str]:
    """The passwords in the file, with new ones for people who are missing."""
    passwords: dict[str, str] = json.loads(file.read_text()) if file.exists() else {}
    missing = [name for name in PEOPLE if name not in passwords]
    if missing:
        passwords |= {name: secrets.token_urlsafe(9) for name in missing}
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(json.dumps(passwords, indent=1))
    return passwords
