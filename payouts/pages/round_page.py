"""Everything about one round: cards, then money, then proof."""

import re
from typing import Any, Final

from django.utils.translation import gettext as _

from compliance.trail.queries import records_of
from payouts.disputes.queries import disputes_about
from payouts.models import Account, Case, StuckWorkStep, Transfer, WorkKind
from payouts.pages.bets import bet_page
from payouts.pages.bonus_grid import fire_blaze_of, lay_grid, lay_ladder
from payouts.pages.cases.ruling_words import ruling_changes
from payouts.pages.felt import lay_felt
from payouts.pages.stakes import chips_of, lay_stakes
from payouts.pages.words import action_words
from payouts.queries import RoundStatus, Standing, movements_of, settlements_of, standings_of
from payouts.stuck.steps import latest_steps
from rounds.gaming_day import gaming_day
from rounds.models import ConflictingDocument, QueuedRound, Round
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling
from rounds.rulings import rulings_of
from rounds.storage import bonus_of, cards_of, disconnects_of, milliseconds_of, multipliers_of
from rounds.suspended import suspension_holding

_MOST_RECORDS: Final = 100
_MOST_CONFLICTS: Final = 20
_MOST_CASES: Final = 20
_AS_TOLD: Final = Ruling()
_BET_NUMBER: Final = re.compile(r"[0-9]{1,9}")


def round_context(row: Round, *, bets_after: str | None) -> dict[str, Any]:
    """What the round's page shows; the number of queries does not grow with the round.

    Of a round whose rule set the running code does not know, everything but cards and bets.
    """
    standing = standings_of([row.id])[row.id]
    conflicts = _conflicts(row)
    rules = RULE_SETS.get(row.rules)
    settlements = settlements_of(row.id)
    waiting = QueuedRound.objects.select_related("round").filter(round=row).first()
    ruling = _ruling_in_force(row, standing)
    return {
        "title": _("Round %(code)s") % {"code": row.game_code},
        "rules": rules,
        "standing": standing,
        "facts": _facts(row, standing),
        "disconnects": disconnects_of(row.disconnects),
        "anomalies": [(code, _(ANOMALIES[code])) for code in standing.anomalies],
        "waiting": waiting,
        "suspended": suspension_holding(waiting),
        "conflicts": conflicts,
        "in_conflict": any(step is None or not step.is_closing for _conflict, step in conflicts),
        "records": [
            (action_words(record.action), record)
            for record in records_of(f"round:{row}")[:_MOST_RECORDS]
        ],
        "settlements": settlements,
        "decided": any(one.approved_by for one in settlements),
        "played_on": gaming_day(milliseconds_of(row.opened_at)),
        "ruling": ruling,
        "changes": [] if ruling is None else ruling_changes(row, ruling),
        "cases": Case.objects.filter(rounds__round_id=row.id).order_by("-pk")[:_MOST_CASES],
        "disputes": disputes_about(row.id)[:_MOST_CASES],
        "movements": [_movement(one) for one in movements_of(row.id)],
        "neighbours": round_neighbours(row),
        **(
            {}
            if rules is None
            else _dealt(row, standing, rules, ruling or _AS_TOLD, bets_after=bets_after)
        ),
    }


def _ruling_in_force(row: Round, standing: Standing) -> Ruling | None:
    """The ruling by which the latest settlement was made, if it was made by one."""
    if standing.settlement is None or standing.settlement.approved_by is None:
        return None
    return rulings_of([row.id]).get(row.id, {}).get(standing.settlement.sequence)


def _dealt(
    row: Round, standing: Standing, rules: RuleSet, ruling: Ruling, *, bets_after: str | None
) -> dict[str, Any]:
    """The cards on the felt and the bets, as the rule set and the latest ruling read them."""
    chips = chips_of(row.id, standing.settlement)
    cards = cards_of(row.cards) if ruling.cards is None else ruling.cards
    felt = lay_felt(cards, boxes=rules.boxes)
    bonus = None if ruling.no_bonus else ruling.bonus or bonus_of(row.bonus)
    blaze = fire_blaze_of(rules)
    result = standing.settlement.bonus if standing.settlement else None
    return {
        "felt": felt,
        "boxes": lay_stakes(felt.boxes, chips),
        "winner": felt.winner if standing.status is RoundStatus.SETTLED else None,
        "stakes_on_felt": chips.get(None, []),
        "multipliers": ruling.multipliers or multipliers_of(row.multipliers),
        "bonus": bonus,
        "grid": lay_grid(blaze, bonus) if blaze and bonus else None,
        "ladder": blaze
        and lay_ladder(
            blaze,
            points=result["points"] if result else None,
            played=bonus.level if bonus else None,
        ),
        "bets": bet_page(row, standing, rules, after=_number(bets_after), ruling=ruling),
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


def _conflicts(row: Round) -> list[tuple[ConflictingDocument, StuckWorkStep | None]]:
    """The documents that claim the round's id, each with the last that was done about it."""
    documents = ConflictingDocument.objects.filter(round=row).defer("content")
    found = list(documents.order_by("pk")[:_MOST_CONFLICTS])
    steps = latest_steps(WorkKind.CONFLICT, [one.pk for one in found])
    return [(one, steps.get(one.pk)) for one in found]


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
