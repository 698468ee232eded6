"""``manage.py make_administrator``: makes the first two administrators, or replaces one."""

import argparse
import getpass
import socket
from typing import Any, Final

from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from casino.access.account_status import add_event, is_being_installed
from casino.access.changes import password_half
from casino.access.models import AccessEvent, OpenSession
from casino.access.models.roles import ADMINISTRATOR_MADE
from casino.access.notices import notify_about
from casino.access.roles import ADMINISTRATOR, grant_roles
from casino.backoffice.people.forms import NewPersonForm
from compliance.trail.actor import Actor
from compliance.trail.record import Entry, record_entries

_ENOUGH: Final = 2
_FIELDS: Final = ("username", "first_name", "last_name", "email")


class Command(BaseCommand):
    """Recorded with the operating system's account and host."""

    help = (
        "Creates one of the first two administrators, with a one-time password. --replace first"
        " closes the account of an administrator who can no longer log in."
    )

    def add_arguments(self, parser: argparse.ArgumentParser) -> None:
        for field in _FIELDS:
            parser.add_argument(f"--{field.replace('_', '-')}", help="prompted for if missing")
        parser.add_argument("--replace", metavar="USERNAME", help="the administrator to close")

    def handle(self, *_args: Any, **options: Any) -> None:
        person = User(**{field: _value(field, options[field]) for field in _FIELDS})
        password = f"{password_half()}-{password_half()}"
        actor = Actor(f"{getpass.getuser()} on {socket.gethostname()}")
        with transaction.atomic():
            _make(person, password, replaced=options["replace"], actor=actor)
        self.stdout.write(f"{person.username} is an administrator. One-time password: {password}")
        self.stdout.write(
            "At the first login the password must be replaced and a second factor added."
        )


def _value(field: str, given: str | None) -> str:
    value = (given or input(f"{field.replace('_', ' ')}: ")).strip()
    try:
        NewPersonForm.base_fields[field].clean(value)
    except ValidationError as error:
        raise CommandError(f"{field}: {error.messages[0]}") from error
    return value


def _make(person: User, password: str, *, replaced: str | None, actor: Actor) -> None:
    """Locks the role, so that concurrent runs wait for each other."""
    role = grant_roles()[ADMINISTRATOR]
    Group.objects.select_for_update().get(pk=role.pk)
    if replaced:
        _close(replaced, actor)
    if User.objects.filter(is_active=True, groups=role).count() >= _ENOUGH:
        raise CommandError(
            "there are two administrators already: they add others on the page Users and roles;"
            " --replace USERNAME closes the account of one who can no longer log in"
        )
    if User.objects.filter(username__iexact=person.username).exists():
        raise CommandError(f"an account with this name exists: {person.username}")
    is_first = is_being_installed()
    person.is_staff = True
    person.set_password(password)
    person.save()
    person.groups.add(role)
    add_event(person, AccessEvent.Kind.ACCOUNT_CREATED)
    if not is_first:
        add_event(person, AccessEvent.Kind.ROLES_CHANGED)
    details = {"account": person.username, "email": person.email, "replaces": replaced}
    _record(person, ADMINISTRATOR_MADE, details, actor)


def _close(username: str, actor: Actor) -> None:
    former = User.objects.filter(
        username=username, is_active=True, groups__name=ADMINISTRATOR
    ).first()
    if former is None:
        raise CommandError(f"{username} is not an administrator")
    former.is_active = False
    former.save(update_fields=["is_active"])
    OpenSession.objects.filter(user=former).delete()
    _record(former, "ACCOUNT_CLOSED", {"account": username}, actor)


def _record(person: User, action: str, details: dict[str, Any], actor: Actor) -> None:
    now = timezone.now()
    record_entries([Entry(action, f"user:{person.pk}", details)], at=now, actor=actor)
    notify_about(person, action, actor=actor.name, at=now)
