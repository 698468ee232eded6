"""Checks of a document on its arrival (contract, details 46 and 47).

Times are checked once, against the time of arrival. The resulting anomalies are stored with the
round, so that a later validation needs no clock and gives the same result.
"""

from datetime import datetime, time, timedelta
from operator import attrgetter
from typing import Final, NamedTuple

from django.conf import settings

from rounds.feed import FeedError
from rounds.feed.times import format_time
from rounds.gaming_day import ROME
from rounds.row_mapping import milliseconds_of
from rounds.rules.anomalies import LATE_ARRIVAL, UNSIGNED_SOURCE
from rounds.rules.catalogue import RULE_SETS, rule_set
from rounds.rules.facts import Round, ShoeOpening
from rounds.signatures.signature import Signature

_PLACED_AT: Final = attrgetter("placed_at")
_FIRST_RULES: Final = min(rules.in_force_from for rules in RULE_SETS.values())


class ArrivalLimits(NamedTuple):
    """How far the times of a document may differ from the time of its arrival."""

    max_skew: timedelta = timedelta(seconds=300)
    max_lateness: timedelta = timedelta(days=31)


DEFAULT_LIMITS: Final = ArrivalLimits()


class Arrival(NamedTuple):
    """When and how documents arrived."""

    at: datetime
    limits: ArrivalLimits = DEFAULT_LIMITS
    is_by_hand: bool = False
    """A person uploaded them: unsigned, they are held at every table."""
    signature: Signature | None = None
    """The studio's signature over all of them."""

    def check(self, document: Round | ShoeOpening) -> None:
        """Raises FeedError, with the field, for an implausible time."""
        reference = document.round if isinstance(document, Round) else None
        in_force = (
            rule_set(document.rules).in_force_from if isinstance(document, Round) else _FIRST_RULES
        )
        begins = datetime.combine(in_force, time(), ROME)
        if document.opened_at < milliseconds_of(begins):
            needed = f"{in_force} (Europe/Rome) or later: the rule set is in force from that day"
            raise FeedError("opened_at", f'"{format_time(document.opened_at)}"', needed, reference)
        latest = milliseconds_of(self.at + self.limits.max_skew)
        late = _field_after(document, latest)
        if late is not None:
            field, at = late
            seconds = self.limits.max_skew.total_seconds()
            needed = (
                f"at most {seconds:g} seconds after its arrival at"
                f" {format_time(milliseconds_of(self.at))}"
            )
            raise FeedError(field, f'"{format_time(at)}"', needed, reference)

    def is_signed(self, dealt: Round) -> bool:
        """Whether a key that may sign for the table of the round signed it."""
        return self.signature is not None and self.signature.covers(dealt.table)

    def anomalies_of(self, dealt: Round, *, requires_signature: bool) -> list[str]:
        """The codes, sorted, that hold the round until two persons release it."""
        oldest = milliseconds_of(self.at - self.limits.max_lateness)
        codes = [LATE_ARRIVAL] if dealt.opened_at < oldest else []
        needs_signature = requires_signature or self.is_by_hand
        return [*codes, UNSIGNED_SOURCE] if needs_signature and not self.is_signed(dealt) else codes


def configured_limits() -> ArrivalLimits:
    """The limits in the settings."""
    return ArrivalLimits(
        timedelta(seconds=settings.MAX_CLOCK_SKEW_SECONDS),
        timedelta(days=settings.MAX_LATENESS_DAYS),
    )


def _field_after(document: Round | ShoeOpening, latest: int) -> tuple[str, int] | None:
    """The first field with a time after ``latest``, and that time."""
    fields = ["opened_at"]
    if isinstance(document, Round):
        fields += ["closed_at", "ended_at"]
    for field in fields:
        if getattr(document, field) > latest:
            return field, getattr(document, field)
    if isinstance(document, ShoeOpening):
        return None
    if max(map(_PLACED_AT, document.bets), default=latest) > latest:
        for number, bet in enumerate(document.bets):
            if bet.placed_at > latest:
                return f"bets[{number}].placed_at", bet.placed_at
    for number, entry in enumerate(document.disconnects):
        if entry.at > latest:
            return f"disconnects[{number}].at", entry.at
    return None
