"""Persons with signing keys, for tests."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import Group, User
from django.db import connection

from casino.access.models import EarlierRoles
from casino.access.roles import MONEY_DECIDER_ROLES
from casino.access.software_keys import make_software_key, software_key_of
from compliance.signatures.assertions import Assertion
from compliance.signatures.manage_keys import approve_key, register_key, root_key
from compliance.signatures.models import SigningKey, SigningKeyStep
from compliance.signatures.software_key import SoftwareKey
from compliance.trail.actor import Actor
from compliance.trail.log.append_to_log import append_to_log
from compliance.trail.people import actor_of
from tests.compliance.trail.logs import KEY

EARLY: Final = datetime(2020, 1, 1, tzinfo=UTC)
AT: Final = datetime(2026, 11, 21, 20, tzinfo=UTC)
HOST: Final = Actor("root on casino-1")


class Person(NamedTuple):
    """A person who signs what they decide."""

    actor: Actor
    key: SoftwareKey
    row: SigningKey


def registered(
    name: str,
    user_id: int,
    *,
    at: datetime = AT,
    is_software: bool = False,
    key: SoftwareKey | None = None,
) -> Person:
    """A person whose key waits for approval."""
    key = key or SoftwareKey.generate()
    actor = Actor(name, user_id, key)
    row = register_key(
        public=key.public,
        credential_id=key.credential_id,
        label="desk",
        is_software=is_software,
        at=at,
        actor=actor,
    )
    give_earlier_roles(user_id)
    return Person(actor, key, row)


def rooted(name: str, user_id: int, *, at: datetime = AT, **key: Any) -> Person:
    """A person whose key was approved on the host."""
    person = registered(name, user_id, at=at, **key)
    root_key(key_id=person.row.id, at=at, actor=HOST)
    return person


def approved(name: str, user_id: int, *, by: Person, at: datetime = AT, **key: Any) -> Person:
    """A person whose key this one and ANOTHER have approved; it signs after the decision delay."""
    person = registered(name, user_id, at=at, **key)
    for approver in (by.actor, ANOTHER):
        approve_key(key_id=person.row.id, note="seen in person", at=at, actor=approver)
    append_to_log(KEY, now=at)
    return person


class FirstKey:
    """Signs for a person. In each database its key becomes a first one when it is used.

    Then its person has roles as well: those of the user's groups, or these.
    """

    def __init__(
        self,
        actor: Actor,
        key: SoftwareKey | None = None,
        *,
        roles: Sequence[str] = MONEY_DECIDER_ROLES,
    ) -> None:
        self._actor, self.key, self._roles = actor, key or SoftwareKey.generate(), roles

    def sign(self, text: str) -> Assertion:
        """The assertion that signs the text."""
        if not SigningKey.objects.filter(public_key=self.key.public.cose).exists():
            self.approve()
        return self.key.sign(text)

    def approve(self) -> None:
        """Stores the key as one that the host approved long ago, without audit records."""
        row = SigningKey.objects.create(
            id=hashlib.sha256(self.key.public.cose).hexdigest(),
            person_id=self._actor.user_id or 0,
            person_name=self._actor.name,
            label="desk",
            site=self.key.public.site,
            credential_id=self.key.credential_id,
            public_key=self.key.public.cose,
            registered_at=EARLY,
        )
        SigningKeyStep.objects.create(
            key=row, sequence=1, action="rooted", in_force_from=EARLY, at=EARLY, actor=HOST.name
        )
        give_earlier_roles(row.person_id, self._roles)


def with_roles(name: str, user_id: int, *roles: str) -> Actor:
    """A person whose key signs already, with these roles since long ago."""
    actor = Actor(name, user_id)
    key = FirstKey(actor, roles=roles)
    key.approve()
    return actor._replace(signer=key)


def give_earlier_roles(account: int, otherwise: Sequence[str] = MONEY_DECIDER_ROLES) -> None:
    """Since long ago: those of the user's groups, if there is one."""
    roles = User.groups.through.objects.filter(user_id=account).values_list(
        "group__name", flat=True
    )
    with as_login() as may_give:
        if may_give:
            EarlierRoles.objects.get_or_create(
                person_id=account,
                defaults={"roles": sorted(roles) or [*otherwise], "at": EARLY},
            )


def give_accounts() -> None:
    """To all who have roles since long ago, so that rows of groups agree with them."""
    for row in EarlierRoles.objects.all():
        account, _ = User.objects.get_or_create(
            pk=row.person_id, defaults={"username": f"person-{row.person_id}"}
        )
        account.groups.set(Group.objects.filter(name__in=row.roles))


@contextmanager
def as_login() -> Iterator[bool]:
    """Django's connection has the rights of who logged in; whether that is the owner of tables."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user, session_user")
        [role, login] = cursor.fetchone()
        cursor.execute("RESET ROLE")
        cursor.execute("SELECT has_table_privilege('casino_earlierroles', 'INSERT')")
        [may_insert] = cursor.fetchone()
        yield may_insert
        if role != login:
            cursor.execute(f"SET ROLE {role}")


def signing(name: str, user_id: int, roles: Sequence[str] = MONEY_DECIDER_ROLES) -> Actor:
    """A person who signs, with a key in force and these roles since long ago."""
    actor = Actor(name, user_id)
    return actor._replace(signer=FirstKey(actor, roles=roles))


ANOTHER: Final = signing("Zita Another", 9_001)
"""The second approver of keys."""


def give_signing_key(person: User) -> None:
    """Gives a user a key in a file, as in the demo, unless there is one."""
    if software_key_of(person) is None:
        FirstKey(actor_of(person), make_software_key(person)).approve()
