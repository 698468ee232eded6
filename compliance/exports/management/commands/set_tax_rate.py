"""``manage.py set_tax_rate DAY RATE``: a rate of the tax, in force from a day on."""

from argparse import ArgumentParser, ArgumentTypeError
from datetime import date
from decimal import Decimal, InvalidOperation
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils import timezone

from compliance.exports.scope import GAMES
from compliance.exports.services.set_tax_rate import set_tax_rate
from compliance.trail.people import actor_of
from payouts.management.arguments import active_user

_PER_PERCENT: Final = 10_000


class Command(BaseCommand):
    """Runs without a password: shell access is the authorization."""

    help = "Sets the rate of the tax on stakes minus winnings, for the register of the tax base."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("day", metavar="DAY", type=date.fromisoformat, help="2026-01-01")
        parser.add_argument("rate", metavar="PERCENT", type=_per_million, help="a rate such as 20")
        parser.add_argument("--game", choices=GAMES, default="", help="only this game")
        parser.add_argument("--by", required=True, metavar="USER", help="the user who decides")

    def handle(self, *, day: date, rate: int, game: str, by: str, **_options: Any) -> None:
        set_tax_rate(
            game=game,
            in_force_from=day,
            per_million=rate,
            at=timezone.now(),
            actor=actor_of(active_user("--by", by)),
        )
        self.stdout.write(f"{game or 'all games'}: {rate} per million from {day} on")


def _per_million(text: str) -> int:
    try:
        rate = Decimal(text) * _PER_PERCENT
    except InvalidOperation:
        raise ArgumentTypeError(f"found {text}; needed a number such as 20 or 25.5") from None
    if rate != int(rate) or not 0 <= rate <= 100 * _PER_PERCENT:
        raise ArgumentTypeError(f"found {text}; needed 0 to 100 with at most four decimals")
    return int(rate)
