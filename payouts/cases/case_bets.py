"""The planned and posted amounts of a case, bet by bet, in pages."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection

from payouts.cases.case_effect import CaseRoundStatus
from payouts.cases.models import Case, CasePlan, CaseRun, CaseStep, CaseWork
from payouts.ledger.models.account import kind_and_asset_of

_AT_ONCE: Final = 5_000
BetPosition = tuple[int, int]
"""The number of a round in its case and of a bet in its round."""

FIRST_BET: Final[BetPosition] = (0, -1)

_BETS: Final = """
    SELECT place.number, place.round_id, round.reference, round.opened_at, bet.number,
           bet.reference, customer.pseudonym, bet.kind, bet.stake_cents + bet.raised_cents
      FROM payouts_caseround AS place
      JOIN rounds_round AS round ON round.id = place.round_id
      JOIN rounds_bet AS bet ON bet.round_id = place.round_id
      JOIN rounds_customer AS customer ON customer.id = bet.customer_id
     WHERE place.case_id = %(case)s AND place.number >= %(round)s
       AND (place.number, bet.number) > (%(round)s, %(bet)s)
     ORDER BY place.number, bet.number
     LIMIT %(most)s
"""
_PAYOUTS: Final = """
    SELECT round_id, bet_number, payout_cents
      FROM payouts_betsettlement
      JOIN unnest(%(rounds)s::uuid[], %(sequences)s::smallint[], %(first)s::int[], %(last)s::int[])
           AS spans (round_id, sequence, first, last) USING (round_id, sequence)
     WHERE bet_number BETWEEN first AND last AND round_id = ANY(%(rounds)s::uuid[])
"""
_POSTED: Final = """
    SELECT origin, bet_number, credit_id, debit_id, amount_cents
      FROM payouts_transfer
      JOIN unnest(%(rounds)s::uuid[], %(sequences)s::smallint[], %(first)s::int[], %(last)s::int[])
           AS spans (origin, entry, first, last) USING (origin, entry)
     WHERE bet_number BETWEEN first AND last AND origin = ANY(%(rounds)s::uuid[])
"""


class CaseBet(NamedTuple):
    """One bet of a case, in cents."""

    place: BetPosition
    round_id: UUID
    round: str
    opened_at: Any
    reference: str
    customer: str
    kind: str
    staked_cents: int
    state: CaseRoundStatus
    settlement: int | None
    """The sequence of the case's settlement."""
    before_cents: int | None
    """The earlier payout, chips included; None if the round was held."""
    planned_cents: int | None
    """The planned payout, chips included; None without a stored plan."""
    credited_cents: int
    """Cash and chips credited by the case's settlement."""
    taken_cents: int
    """Cash and chips of the earlier settlement that it reversed."""

    @property
    def net_cents(self) -> int:
        """The net amount posted."""
        return self.credited_cents - self.taken_cents

    @property
    def planned_net_cents(self) -> int | None:
        """The net amount planned."""
        return None if self.planned_cents is None else self.planned_cents - (self.before_cents or 0)


class _CaseRound(NamedTuple):
    state: CaseRoundStatus
    settlement: int | None
    after: int
    plan: CasePlan | None


def case_bets(
    case: Case, proposal: CaseStep, *, after: BetPosition = FIRST_BET, most: int
) -> list[CaseBet]:
    """At most ``most`` bets of a case after a position, in the order of its rounds."""
    arguments = {"case": case.pk, "round": after[0], "bet": after[1], "most": most}
    with connection.cursor() as cursor:
        cursor.execute(_BETS, arguments)
        rows = cursor.fetchall()
    spans: dict[UUID, tuple[int, int]] = {}
    for _number, round_id, _name, _at, bet, *_rest in rows:
        spans[round_id] = (spans.get(round_id, (bet, bet))[0], bet)
    rounds = _rounds(case, proposal, spans)
    before = _payouts(
        {pk: (round_.after, *spans[pk]) for pk, round_ in rounds.items() if round_.after}
    )
    posted = {
        pk: (round_.settlement, *spans[pk])
        for pk, round_ in rounds.items()
        if round_.settlement is not None
    }
    credited, taken = _transfers(posted)
    return [_bet(row, rounds[row[1]], before, credited, taken) for row in rows]


def all_case_bets(case: Case, proposal: CaseStep) -> Iterator[CaseBet]:
    """All bets of a case, read in batches."""
    after = FIRST_BET
    while bets := case_bets(case, proposal, after=after, most=_AT_ONCE):
        yield from bets
        after = bets[-1].place


def _bet(
    row: Sequence[Any],
    round_: _CaseRound,
    before: Mapping[tuple[UUID, int], int],
    credited: Mapping[tuple[UUID, int], int],
    taken: Mapping[tuple[UUID, int], int],
) -> CaseBet:
    number, round_id, name, opened_at, bet, reference, customer, kind, staked = row
    key = round_id, bet
    return CaseBet(
        (number, bet),
        round_id,
        name,
        opened_at,
        reference,
        customer,
        kind,
        staked,
        round_.state,
        round_.settlement,
        before.get(key),
        None if round_.plan is None else round_.plan.payouts_cents[bet],
        credited.get(key, 0),
        taken.get(key, 0),
    )


def _rounds(
    case: Case, proposal: CaseStep, spans: Mapping[UUID, tuple[int, int]]
) -> dict[UUID, _CaseRound]:
    rows = CasePlan.objects.filter(case=case, sequence=proposal.sequence, round_id__in=spans)
    plans = {plan.round_id: plan for plan in rows}
    has_begun = CaseRun.objects.filter(pk=case.pk).exists()
    works = {
        work.round_id: work for work in CaseWork.objects.filter(run_id=case.pk, round_id__in=spans)
    }
    return {pk: _case_round(works.get(pk), plans.get(pk), has_begun=has_begun) for pk in spans}


def _case_round(work: CaseWork | None, plan: CasePlan | None, *, has_begun: bool) -> _CaseRound:
    after = plan.after if plan is not None else work.after if work is not None else 0
    if not has_begun:
        return _CaseRound(CaseRoundStatus.PROPOSED, None, after, plan)
    if work is None:
        return _CaseRound(CaseRoundStatus.UNCHANGED, None, after, plan)
    state = CaseRoundStatus(work.outcome) if work.outcome else CaseRoundStatus.WAITING
    return _CaseRound(state, work.sequence, after, plan)


def _arguments(spans: Mapping[UUID, tuple[int, int, int]]) -> dict[str, list[Any]]:
    return {
        "rounds": list(spans),
        "sequences": [sequence for sequence, _first, _last in spans.values()],
        "first": [first for _sequence, first, _last in spans.values()],
        "last": [last for _sequence, _first, last in spans.values()],
    }


def _payouts(spans: Mapping[UUID, tuple[int, int, int]]) -> dict[tuple[UUID, int], int]:
    """The payouts of bets in a settlement, by round and number."""
    with connection.cursor() as cursor:
        cursor.execute(_PAYOUTS, _arguments(spans))
        return {(round_id, bet): cents for round_id, bet, cents in cursor.fetchall()}


def _transfers(
    spans: Mapping[UUID, tuple[int, int, int]],
) -> tuple[dict[tuple[UUID, int], int], dict[tuple[UUID, int], int]]:
    """The amounts credited to and reversed from customers, by round and bet number."""
    credited: dict[tuple[UUID, int], int] = {}
    taken: dict[tuple[UUID, int], int] = {}
    with connection.cursor() as cursor:
        cursor.execute(_POSTED, _arguments(spans))
        rows = cursor.fetchall()
    for origin, bet, credit, debit, cents in rows:
        for account, sums in ((credit, credited), (debit, taken)):
            kind, _asset = kind_and_asset_of(account) or ("", "")
            if kind == "customer":
                sums[origin, bet] = sums.get((origin, bet), 0) + cents
    return credited, taken
