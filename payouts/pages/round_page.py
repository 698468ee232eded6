"""Everything about one round: cards, then money, then proof."""

import re
from typing import Any, Final

from django.utils.translation import gettext as _

from compliance.trail.queries import records_of
from payouts.models import Account, Transfer
from payouts.pages.bets import bet_page
from payouts.pages.felt import lay_felt
from payouts.pages.stakes import chips_of, lay_stakes
from payouts.pages.words import action_words
from payouts.queries import Standing, movements_of, standings_of
from rounds.models import ConflictingDocument, QueuedRound, Round
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.catalogue import rule_set
from rounds.storage import bonus_of, cards_of, disconnects_of, multipliers_of

_MOST_RECORDS: Final = 100
_BET_NUMBER: Final = re.compile(r"[0-9]{1,9}")


def round_context(row: Round, *, bets_after: str | None) -> dict[str, Any]:
    """What the round's page shows; the number of queries does not grow with the round."""
    rules = rule_set(row.rules)
    standing = standings_of([row.id])[row.id]
    dealt = cards_of(row.cards)
    chips = chips_of(row.id, standing.settlement)
    felt = lay_felt(dealt, boxes=rules.boxes)
    return {
        "title": _("Round %(code)s") % {"code": row.game_code},
        "rules": rules,
        "standing": standing,
        "facts": _facts(row, standing),
        "felt": felt,
        "boxes": lay_stakes(felt.boxes, chips),
        "winner": felt.winner if standing.settlement else None,
        "stakes_on_felt": chips.get(None, []),
        "multipliers": multipliers_of(row.multipliers),
        "bonus": bonus_of(row.bonus),
        "disconnects": disconnects_of(row.disconnects),
        "bets": bet_page(row, standing, rules, after=_number(bets_after)),
        "anomalies": [(code, _(ANOMALIES[code])) for code in standing.anomalies],
        "waiting": QueuedRound.objects.filter(round=row).first(),
        "conflicts": ConflictingDocument.objects.filter(round=row)
        .defer("content")
        .order_by("pk")[:20],
        "records": [
            (action_words(record.action), record)
            for record in records_of(f"round:{row}")[:_MOST_RECORDS]
        ],
        "movements": [_movement(one) for one in movements_of(row.id)],
        "neighbours": round_neighbours(row),
    }


def _number(text: str | None) -> int | None:
    """The number of a bet; None for what cannot be one."""
    return int(text) if text and _BET_NUMBER.fullmatch(text) else None


def _facts(row: Round, standing: Standing) -> dict[str, Any]:
    drawn = row.drawn
    paid = standing.paid_cents
    return {
        "first_card": None if drawn is None else drawn + 1,
        "last_card": None if drawn is None else drawn + len(row.cards),
        "paid_cents": paid,
        "margin_cents": None if paid is None else row.staked_cents - paid,
    }


def _movement(movement: Any) -> dict[str, Any]:  # noqa: ANN401  a Movement
    return {
        "purpose": Transfer.Purpose(movement.purpose).label,
        "debit": Account.Kind(movement.debit).label,
        "credit": Account.Kind(movement.credit).label,
        "chips": movement.asset == Account.Asset.CHIPS,
        "transfers": movement.transfers,
        "cents": movement.cents,
        "entry": movement.entry,
    }


def round_neighbours(row: Round) -> dict[str, Round | None]:
    """The rounds before and after at the same table."""
    same = Round.objects.filter(table_id=row.table_id).only("id", "opened_at")
    return {
        "earlier": same.filter(id__lt=row.id).order_by("-id").first(),
        "later": same.filter(id__gt=row.id).order_by("id").first(),
    }
