"""The page of a round: cards, then money, then proof."""

import re
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from casino.backoffice.cases.ruling_changes import ruling_changes
from casino.backoffice.rounds.bets import bet_page
from casino.backoffice.rounds.faults import Faults, faults_of
from compliance.trail.action_labels import action_label
from compliance.trail.models import AuditRecord
from compliance.trail.queries import records_of
from payouts.cases.models import Case
from payouts.disputes.queries import disputes_about
from payouts.ledger.models import Account, Transfer
from payouts.settlement.chips_on_table import chips_of
from payouts.settlement.queries import (
    RoundStatus,
    SettlementStatus,
    movements_of,
    settlement_statuses,
    settlements_of,
)
from payouts.stuck_work.models import StuckWorkStep, WorkKind
from payouts.stuck_work.steps import latest_steps
from rounds.gaming_day import gaming_day
from rounds.layouts.dealt_round import lay_out_round
from rounds.models import ConflictingDocument, QueuedRound, Round
from rounds.row_mapping import bonus_of, cards_of, disconnects_of, milliseconds_of, multipliers_of
from rounds.rules.anomalies import ANOMALIES
from rounds.rules.catalogue import RULE_SETS
from rounds.rules.rule_set import RuleSet
from rounds.rules.ruling import Ruling
from rounds.rulings import rulings_of
from rounds.suspended_tables import blocking_suspension

_MOST_RECORDS: Final = 100
_MOST_CONFLICTS: Final = 20
_MOST_CASES: Final = 20
_NO_RULING: Final = Ruling()
_BET_NUMBER: Final = re.compile(r"[0-9]{1,9}")


def round_context(row: Round, *, bets_after: str | None) -> dict[str, Any]:
    """The context of a round. The number of queries does not depend on the round.

    If the running code lacks the rule set, cards and bets are left out.
    """
    status = settlement_statuses([row.id])[row.id]
    conflicts = _conflicts(row)
    rules = RULE_SETS.get(row.rules)
    settlements = settlements_of(row.id)
    waiting = QueuedRound.objects.select_related("round").filter(round=row).first()
    ruling = ruling_in_force(row, status)
    faults = faults_of(row, status)
    return {
        "title": _("Round %(code)s") % {"code": row.game_code},
        "live": f"round:{row.reference}",
        "live_asks": True,
        "rules": rules,
        "status": status,
        "facts": _facts(row, status),
        "disconnects": disconnects_of(row.disconnects),
        "anomalies": [(code, _(ANOMALIES[code])) for code in status.anomalies],
        "faults": faults,
        "waiting": waiting,
        "suspended": blocking_suspension(waiting),
        "conflicts": conflicts,
        "in_conflict": any(step is None or not step.is_closing for _conflict, step in conflicts),
        "records": labelled_records(f"round:{row}"),
        "settlements": settlements,
        "decided": any(settlement.approved_by for settlement in settlements),
        "played_on": gaming_day(milliseconds_of(row.opened_at)),
        "ruling": ruling,
        "changes": [] if ruling is None else ruling_changes(row, ruling),
        "cases": Case.objects.filter(rounds__round_id=row.id).order_by("-pk")[:_MOST_CASES],
        "disputes": disputes_about(row.id)[:_MOST_CASES],
        "movements": [_movement(movement) for movement in movements_of(row.id)],
        "neighbours": round_neighbours(row),
        **(
            {}
            if rules is None
            else dealt_context(row, status, rules, ruling, bets_after=bets_after, faults=faults)
        ),
    }


def labelled_records(subject: str) -> list[tuple[str | Promise, AuditRecord]]:
    """The first audit records of a subject, each with the label of its action."""
    records = records_of(subject)[:_MOST_RECORDS]
    return [(action_label(record.action), record) for record in records]


def ruling_in_force(row: Round, status: SettlementStatus) -> Ruling | None:
    """The ruling on which the latest settlement is based; None without one."""
    if status.settlement is None or status.settlement.approved_by is None:
        return None
    return rulings_of([row.id]).get(row.id, {}).get(status.settlement.sequence)


class BetScope(NamedTuple):
    """Whose bets a page shows, and whether it names customers."""

    customer_id: int | None = None
    """None for the bets of all customers."""
    shows_names: bool = True


_ALL_BETS: Final = BetScope()


def dealt_context(
    row: Round,
    status: SettlementStatus,
    rules: RuleSet,
    ruling: Ruling | None,
    *,
    bets_after: str | None,
    faults: Faults | None = None,
    scope: BetScope = _ALL_BETS,
) -> dict[str, Any]:
    """The cards on the table and the bets, under the rule set and the latest ruling."""
    ruling = ruling or _NO_RULING
    chips = chips_of(
        row.id, status.settlement, customer_id=scope.customer_id, shows_names=scope.shows_names
    )
    result = status.settlement.bonus if status.settlement else None
    return {
        **lay_out_round(
            rules,
            cards_of(row.cards) if ruling.cards is None else ruling.cards,
            chips,
            multipliers=ruling.multipliers or multipliers_of(row.multipliers),
            bonus=None if ruling.no_bonus else ruling.bonus or bonus_of(row.bonus),
            bonus_points=result["points"] if result else None,
            is_settled=status.status is RoundStatus.SETTLED,
        ),
        "bets": bet_page(
            row,
            status,
            rules,
            after=_number(bets_after),
            ruling=ruling,
            customer_id=scope.customer_id,
            **({} if faults is None else {"faults": faults.of_bet}),
        ),
    }


def _number(text: str | None) -> int | None:
    """The number of a bet; None if invalid."""
    return int(text) if text and _BET_NUMBER.fullmatch(text) else None


def _facts(row: Round, status: SettlementStatus) -> dict[str, Any]:
    drawn = row.drawn
    paid = status.paid_cents
    return {
        "first_card": None if drawn is None else drawn + 1,
        "last_card": None if drawn is None else drawn + len(row.cards),
        "paid_cents": paid,
        "margin_cents": None if paid is None else row.staked_cents - paid,
    }


def _conflicts(row: Round) -> list[tuple[ConflictingDocument, StuckWorkStep | None]]:
    """The conflicting documents of the round, each with its latest step."""
    documents = ConflictingDocument.objects.filter(round=row).defer("content")
    conflicts = list(documents.order_by("pk")[:_MOST_CONFLICTS])
    steps = latest_steps(WorkKind.CONFLICT, [document.pk for document in conflicts])
    return [(document, steps.get(document.pk)) for document in conflicts]


def _movement(movement: Any) -> dict[str, Any]:
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
    """The previous and the next round of the table."""
    same = Round.objects.filter(table_id=row.table_id).only("id", "opened_at")
    return {
        "earlier": same.filter(id__lt=row.id).order_by("-id").first(),
        "later": same.filter(id__gt=row.id).order_by("id").first(),
    }
