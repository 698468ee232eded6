"""Puts a tax rate in force from a day on."""

from datetime import date, datetime

from django.db import transaction

from compliance.exports.models import TaxRate
from compliance.signatures.sign_decision import record_decision
from compliance.trail.actor import Actor


def set_tax_rate(
    *, game: str, in_force_from: date, per_million: int, at: datetime, actor: Actor
) -> None:
    """Sets the rate of a game; an empty ``game`` is the default for all games.

    Replaces an earlier rate for the same game and day. The actor signs: raises as
    ``record_decision``.
    """
    with transaction.atomic():
        rate = TaxRate.objects.create(
            game=game,
            in_force_from=in_force_from,
            per_million=per_million,
            decided_at=at,
            actor=actor.name,
            actor_user_id=actor.user_id,
        )
        record_decision(rate.entry, at=at, actor=actor)
