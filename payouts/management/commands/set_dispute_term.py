"""``manage.py set_dispute_term STATE DAYS``: how long disputes may stand in a state."""

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.models import User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from payouts.disputes.calendar import Term
from payouts.disputes.standing import FIRST_TERMS, State
from payouts.services.set_dispute_term import NotATerm, set_dispute_term
from payouts.stuck.people import actor_of


class Command(BaseCommand):
    """No password is asked for: whoever runs it vouches for the person."""

    help = "Sets by when disputes are to be acknowledged, decided and so on, from now on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("state", choices=[one.value for one in FIRST_TERMS])
        parser.add_argument("days", type=int, metavar="DAYS")
        parser.add_argument("--working", action="store_true", help="working days of Rome")
        parser.add_argument("--by", required=True, metavar="USER", help="who decides")

    def handle(self, *, state: str, days: int, working: bool, by: str, **_options: Any) -> None:  # noqa: ANN401  Django's options
        person = User.objects.filter(username=by, is_active=True).first()
        if person is None:
            raise CommandError(f"--by: found nobody called {by}; needed an active user")
        term = Term(days, working)
        try:
            set_dispute_term(
                state=State(state), term=term, at=timezone.now(), actor=actor_of(person)
            )
        except NotATerm as refusal:
            raise CommandError(str(refusal)) from None
        self.stdout.write(f"{state}: {days} {'working days' if working else 'days'} from now on")
