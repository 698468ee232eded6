"""``manage.py implausible_rounds``: lists rounds with impossible times, and opens cases."""

from argparse import ArgumentParser
from collections.abc import Sequence
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from compliance.trail.actor import Actor
from payouts.cases.models import Case
from payouts.cases.open_case import open_case
from payouts.cases.reasons_in_force import reasons_in_use
from payouts.cases.round_selection import MOST_ROUNDS
from payouts.settlement.queries import RoundStatus, settlement_statuses
from rounds.arrival import configured_limits
from rounds.rules.money import format_cents
from rounds.services.implausible_times import ImplausibleRound, implausible_rounds

_TEXT = "Stored with implausible times, before such rounds were rejected on arrival."


class Command(BaseCommand):
    """Lists rounds. It decides nothing: two persons propose and approve the cases."""

    help = (
        "Lists the stored rounds that opened before their rule set was in force, or after their own"
        " arrival. --open-case opens cases about those that are not void; two persons then void"
        " them on the pages of the cases."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--open-case",
            metavar="REASON",
            help="open malfunction cases with this reason code (up to 5,000 rounds each)",
        )

    def handle(self, *, open_case: str | None, **_options: Any) -> None:
        rounds = implausible_rounds(configured_limits())
        statuses = settlement_statuses([row.id for row in rounds])
        for row in rounds:
            self.stdout.write(
                f"{row.reference}: opened {row.opened_at}, ended {row.ended_at}, arrived"
                f" {row.received_at}, staked {format_cents(row.staked_cents)},"
                f" {statuses[row.id].status.value}"
            )
        self.stdout.write(f"{len(rounds):,} implausible rounds")
        if open_case is not None:
            left = [row for row in rounds if statuses[row.id].status is not RoundStatus.VOID]
            self._open(left, open_case)

    def _open(self, rounds: Sequence[ImplausibleRound], code: str) -> None:
        purpose = Case.Kind.MALFUNCTION
        reason = reasons_in_use(purpose.value).filter(code=code).first()
        if reason is None:
            raise CommandError(
                f"--open-case: found {code}; needed the code of a reason for malfunctions in use"
            )
        for first in range(0, len(rounds), MOST_ROUNDS):
            case = open_case(
                kind=purpose,
                reason=reason,
                text=_TEXT,
                round_ids=[row.id for row in rounds[first : first + MOST_ROUNDS]],
                at=timezone.now(),
                actor=Actor("implausible_rounds"),
            )
            self.stdout.write(f"opened case {case}")
