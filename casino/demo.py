"""The demo casino: a table for every game, a person for every role. Never for production."""

import json
import secrets
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Final

from django.contrib.auth import get_user_model
from django.db import transaction

from casino.roles import grant_roles
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries
from rounds.models import StakeLimit, StakeLimitSet, Table
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
        table, created = Table.objects.get_or_create(
            code=code, defaults={"name": name, "rules": rules}
        )
        if created:
            _limit_stakes(table, at=at, actor=actor)
            registered = Entry("TABLE_REGISTERED", f"table:{code}", {"rules": rules})
            record_entries([registered], at=at, actor=actor)


def _limit_stakes(table: Table, *, at: datetime, actor: Actor) -> None:
    limit_set = StakeLimitSet.objects.create(table=table, decided_at=at, decided_by=actor.name)
    StakeLimit.objects.bulk_create(
        StakeLimit(limit_set=limit_set, kind=kind, min_cents=least, max_cents=most)
        for kind, (least, most) in DEMO_LIMITS[table.rules].items()
    )


def make_people(*, passwords_file: Path) -> dict[str, str]:
    """A user for every role, named like the role; gives the password of each.

    The passwords are random, made once for this clone and kept in a file only its owner may read.
    """
    passwords = _kept_passwords(passwords_file)
    groups = grant_roles()
    users = get_user_model().objects
    for role, (first_name, last_name) in PEOPLE.items():
        user, _ = users.get_or_create(
            username=role,
            defaults={"first_name": first_name, "last_name": last_name, "is_staff": True},
        )
        if not user.check_password(passwords[role]):
            user.set_password(passwords[role])
            user.save(update_fields=["password"])
        user.groups.set([groups[role]])
    return passwords


def _kept_passwords(file: Path) -> dict[str, str]:
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.write_text(json.dumps({role: secrets.token_urlsafe(9) for role in PEOPLE}, indent=1))
    kept: dict[str, str] = json.loads(file.read_text())
    return kept
