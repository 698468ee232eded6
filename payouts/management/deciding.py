"""What the commands have in common by which two persons settle a round again."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.trail.actor import Actor
from payouts.services.settle_again import NotSettledAgain, SettledAgain
from payouts.services.two_persons import NoReason, NotByTwo
from payouts.stuck.people import actor_of
from rounds.queries import round_named
from rounds.rules.money import format_cents
from rounds.services.validate import RulesChangedError


class DecisionCommand(BaseCommand):
    """No password is asked for: whoever runs it vouches for both persons."""

    decide: ClassVar[Callable[..., SettledAgain]]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The round, what is known of it, and who decides."""
        parser.add_argument("round", metavar="ROUND", help="the studio's id of the round")
        parser.add_argument(
            "--after",
            type=int,
            required=True,
            metavar="N",
            help="the settlement that you looked at, as the round's page counts them; 0 for a held"
            " round. If somebody has settled it since, nothing happens",
        )
        parser.add_argument("--reason", required=True, help="why, in words; kept for ever")
        parser.add_argument("--by", required=True, metavar="USER", help="who decides")
        parser.add_argument("--approved-by", required=True, metavar="USER", help="who approves")

    def handle(self, *, by: str, approved_by: str, **options: Any) -> None:  # noqa: ANN401  Django's options
        reference = options["round"]
        row = round_named(reference)
        if row is None:
            raise CommandError(
                f"ROUND: found none called {reference}; needed one that was ingested"
            )
        try:
            done = type(self).decide(
                round_id=row.id,
                after=options["after"],
                reason=options["reason"],
                at=timezone.now(),
                actor=_person("--by", by),
                approved_by=_person("--approved-by", approved_by),
            )
        except (NotByTwo, NoReason, NotSettledAgain, RulesChangedError) as refusal:
            raise CommandError(f"{reference}: {refusal}") from None
        self.stdout.write(f"{reference}: {_told(done)}")


def _person(option: str, username: str) -> Actor:
    person = User.objects.filter(username=username, is_active=True).first()
    if person is None:
        raise CommandError(f"{option}: found nobody called {username}; needed an active user")
    return actor_of(person)


def _told(done: SettledAgain) -> str:
    paid = f"settlement {done.sequence} pays {format_cents(done.payout_cents)}"
    if done.payout_before_cents is not None:
        paid += f" instead of {format_cents(done.payout_before_cents)}"
    return f"{paid}, customers owe {format_cents(done.owed_cents)}"
