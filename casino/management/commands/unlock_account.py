"""`manage.py unlock_account NAME --by ADMINISTRATOR`: for when no administrator can log in."""

from argparse import ArgumentParser

from axes.handlers.proxy import AxesProxyHandler
from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from casino.access.lockout_by_account import failures_of
from casino.access.roles import ADMINISTRATOR
from compliance.trail.people import actor_of
from compliance.trail.record import Entry, record_entries


class Command(BaseCommand):
    """The person who runs it vouches for the administrator."""

    help = (
        "Resets the failed logins of an account, so that its owner can log in. The action is"
        " recorded."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Adds the account, and the administrator who unlocks it."""
        parser.add_argument("account", metavar="NAME", help="the account's user name")
        parser.add_argument("--by", required=True, metavar="USER", help="an administrator")

    def handle(self, *, account: str, by: str, **_options: object) -> None:
        """Deletes the failures and prints their number."""
        owner = _person("NAME", account)
        unlocker = _person("--by", by)
        if not unlocker.groups.filter(name=ADMINISTRATOR).exists():
            raise CommandError(f"--by: found {by}; needed an administrator")
        with transaction.atomic():
            failures = failures_of(account)
            AxesProxyHandler.reset_attempts(username=account)
            details = {"failures": failures, "account": account, "address": None}
            entry = Entry("ACCOUNT_UNLOCKED", f"user:{owner.pk}", details)
            record_entries([entry], at=timezone.now(), actor=actor_of(unlocker))
        self.stdout.write(f"{account}: {failures} failed logins reset")


def _person(argument: str, name: str) -> User:
    person = User.objects.filter(username=name, is_active=True).first()
    if person is None:
        raise CommandError(f"{argument}: found no open account {name}; needed one")
    return person
