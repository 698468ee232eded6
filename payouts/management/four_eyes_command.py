"""The base of commands by which two persons settle a round again."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.trail.people import actor_of
from payouts.management.arguments import active_user
from payouts.settlement.four_eyes import FourEyesRequired, ReasonRequired
from payouts.settlement.resettle import Resettlement, RoundNotResettleable
from rounds.queries import round_by_reference
from rounds.rules.money import format_cents
from rounds.services.validate import RulesChangedError


class FourEyesCommand(BaseCommand):
    """A command without a password: the person who runs it vouches for both persons."""

    decide: ClassVar[Callable[..., Resettlement]]

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The round, the settlement that was seen, the reason and the persons."""
        parser.add_argument("round", metavar="ROUND", help="the studio's id of the round")
        parser.add_argument(
            "--after",
            type=int,
            required=True,
            metavar="N",
            help="the number of the settlement to replace, as on the round's page; 0 for a held"
            " round. If the round was settled in the meantime, nothing changes",
        )
        parser.add_argument("--reason", required=True, help="the reason; stored permanently")
        parser.add_argument("--by", required=True, metavar="USER", help="the user who decides")
        parser.add_argument(
            "--approved-by", required=True, metavar="USER", help="the user who approves"
        )

    def handle(self, *, by: str, approved_by: str, **options: Any) -> None:
        reference = options["round"]
        row = round_by_reference(reference)
        if row is None:
            raise CommandError(f"ROUND: found no round {reference}; needed an ingested round")
        try:
            resettlement = type(self).decide(
                round_id=row.id,
                after=options["after"],
                reason=options["reason"],
                at=timezone.now(),
                actor=actor_of(active_user("--by", by)),
                approved_by=actor_of(active_user("--approved-by", approved_by)),
            )
        except (
            FourEyesRequired,
            ReasonRequired,
            RoundNotResettleable,
            RulesChangedError,
        ) as error:
            raise CommandError(f"{reference}: {error}") from None
        self.stdout.write(f"{reference}: {_message(resettlement)}")


def _message(resettlement: Resettlement) -> str:
    paid = f"settlement {resettlement.sequence} pays {format_cents(resettlement.payout_cents)}"
    if resettlement.payout_before_cents is not None:
        paid += f" instead of {format_cents(resettlement.payout_before_cents)}"
    return f"{paid}, customers owe {format_cents(resettlement.owed_cents)}"
