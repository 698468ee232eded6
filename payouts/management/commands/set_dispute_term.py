"""``manage.py set_dispute_term STATE DAYS``: sets the term of a dispute state."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.trail.people import actor_of
from payouts.disputes.calendar import Term
from payouts.disputes.set_dispute_term import InvalidTerm, set_dispute_term
from payouts.disputes.status import FIRST_TERMS, State
from payouts.management.arguments import active_user


class Command(BaseCommand):
    """A command without a password: the person who runs it vouches for the person named."""

    help = (
        "Sets the time limit of a dispute state (acknowledgement, decision and so on) for later"
        " steps."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("state", choices=[state.value for state in FIRST_TERMS])
        parser.add_argument("days", type=int, metavar="DAYS")
        parser.add_argument("--working", action="store_true", help="working days of Rome")
        parser.add_argument("--by", required=True, metavar="USER", help="the user who decides")

    def handle(self, *, state: str, days: int, working: bool, by: str, **_options: Any) -> None:
        term = Term(days, working)
        try:
            set_dispute_term(
                state=State(state),
                term=term,
                at=timezone.now(),
                actor=actor_of(active_user("--by", by)),
            )
        except InvalidTerm as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{state}: {days} {'working days' if working else 'days'} from now on")
