"""The people, keys and tables of the installation, made as the demo makes them."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, NamedTuple

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import decrypt
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from benchmarks.soak.installation import Installation
from benchmarks.soak.load.desk import Person, Phone
from casino.access.second_factor import PHONE
from casino.devserver.demo import (
    demo_person,
    make_people,
    make_person,
    make_signing_keys,
    make_tables,
    sign_rule_sets,
)
from casino.devserver.studio_key import register_studio_key
from casino.integrations.issue_key import NewKey, issue_key
from casino.integrations.models import ApiKey
from casino.integrations.scopes import OF_PROGRAMS
from compliance.exports.bundle.signing import make_signing_key
from compliance.signatures.manage_keys import approve_key
from compliance.signatures.models import SigningKey
from compliance.signatures.queries import keys_of
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.log.key_file import make_key, remember_head
from rounds.models import Table
from rounds.services.studio_keys import approve_studio_key, propose_studio_key
from tests.studio_signatures import Signer, base64url

TABLES_OF_A_GAME: Final = 4
OPERATORS: Final[Mapping[str, tuple[str, str]]] = {
    "supervisor-2": ("Anna", "Bruno"),
    "compliance-2": ("Luca", "Serra"),
}
"""First and last name of the people in Chromium, who sign with security keys."""
_ADMINISTRATORS: Final = ("administrator", "administrator-2")
_EXPIRES_IN: Final = timedelta(days=10)
_CALLS_PER_MINUTE: Final = 100_000


class People(NamedTuple):
    """What the load needs of the people and programs."""

    staff: Mapping[str, Person]
    token: str
    """Of a program with all scopes."""
    signer: Signer
    """Of the studio."""


def make_all(place: Installation) -> People:
    """Makes people with signing keys, tables with limits, signed rule sets and a studio's key.

    The first two signing keys are named in SIGNING_KEY_ROOTS, as an installation does.
    """
    folder = place.folder / "keys"
    at = timezone.now()
    make_signing_key(place.export_key, name="Sabot, soak only", at=at)
    log_key = make_key(place.log_key)
    passwords = make_people(passwords_file=folder / "passwords.json")
    for name, names in OPERATORS.items():
        passwords[name] = secrets.token_urlsafe()
        make_person(name, names, password=passwords[name])
    make_signing_keys(at=timezone.now())
    place.trust_first_keys(_roots())
    settings.SIGNING_KEY_ROOTS = _roots().split(",")
    if head := append_to_log(log_key, now=timezone.now()):
        remember_head(place.log_key, head)
    make_tables(at=timezone.now(), actor=demo_person("administrator"), each=TABLES_OF_A_GAME)
    sign_rule_sets(at=timezone.now())
    signer, studio_key = Signer(), folder / "studio.pem"
    _store(signer, studio_key)
    if register_studio_key(file=studio_key, at=timezone.now()) is None:
        raise RuntimeError("the people who register the studio's key cannot sign")
    token = _issue_token(at=timezone.now())
    staff = {
        name: Person(name, passwords[name], Phone(decrypt(phone.data["secret"])))
        for phone in Authenticator.objects.filter(type=PHONE).select_related("user")
        if (name := phone.user.get_username())
    }
    if head := append_to_log(log_key, now=timezone.now()):
        remember_head(place.log_key, head)
    connection.close()
    return People(staff, token, signer)


def _roots() -> str:
    """The ids of the administrators' keys, which were made first."""
    administrators = User.objects.filter(username__startswith="administrator")
    keys = SigningKey.objects.filter(person_id__in=administrators.values("pk"))
    return ",".join(sorted(keys.values_list("pk", flat=True)))


def _issue_token(*, at: datetime) -> str:
    """The token of a program with every scope, from this machine alone."""
    new = NewKey(
        kind=ApiKey.Kind.CUSTOMER_SERVICE,
        owner="Soak",
        scopes=[scope.value for scope in OF_PROGRAMS],
        networks=["127.0.0.0/8"],
        calls_per_minute=_CALLS_PER_MINUTE,
    )
    return issue_key(new=new, at=at, actor=Actor("soak")).token


def _store(signer: Signer, file: Path) -> None:
    pem = signer.private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.touch(mode=0o600)
    file.write_bytes(pem)


def approve_keys_of_operators() -> None:
    """Two administrators approve the signing keys that wait for it."""
    people = User.objects.filter(username__in=OPERATORS).values_list("pk", flat=True)
    for person in people:
        for key in keys_of(person):
            for name in _ADMINISTRATORS:
                actor = demo_person(name)
                approve_key(key_id=key.id, note="Soak.", at=timezone.now(), actor=actor)


def register_expiring_key(*, at: datetime) -> None:
    """Two people register a studio's key that expires within the time of the alert."""
    key = propose_studio_key(
        studio="Second studio",
        public_key=base64url(Signer(2).public),
        tables=[Table.objects.values_list("code", flat=True)[0]],
        valid_from=at,
        valid_until=at + _EXPIRES_IN,
        reason="soak",
        at=at,
        actor=demo_person("administrator"),
    )
    approve_studio_key(key_id=key.pk, at=at, actor=demo_person("compliance"))
    connection.close()
