"""A day of a casino: what happens in it is drawn, and its clock is not that of the machine.

Everybody works with real services on a real database. A process may be killed before any of its
statements or before it answers; feeds repeat themselves and break off; the clock of the host is set
back and forth.
"""

import shutil
from collections.abc import Callable, Sequence
from datetime import timedelta
from functools import partial
from typing import Any, Final

from django.db.models import QuerySet
from hypothesis import strategies
from hypothesis.stateful import initialize, precondition, rule

from compliance.trail.actor import WORKER, Actor
from compliance.trail.log.append_to_log import append_to_log
from payouts.cases.models import Case, CaseRun
from payouts.cases.reasons_in_force import reasons_in_use
from payouts.cases.remedies import Remedy
from payouts.cases.run_cases import work_on_case
from payouts.disputes.close_dispute import advance_remedied_disputes
from payouts.disputes.decide_dispute import citable_headings
from payouts.disputes.models import Dispute
from payouts.gaming_days.close_day import close_days
from payouts.ledger.models import Account
from payouts.ledger.transfer_to_wallet import pay_over
from rounds.models import Bet, Round
from tests.compliance.trail.logs import KEY
from tests.payouts.cases.case_scenarios import REASONS, opened
from tests.payouts.disputes.dispute_scenarios import VERBS, disputed
from tests.payouts.gaming_days.day_scenarios import reconcile_at
from tests.simulation import calls
from tests.simulation.casino import ENOUGH, PEOPLE, SimulatedCasino
from tests.simulation.studio import Studio

_LONGEST_STEP_BACK: Final = 240
"""Seconds; documents from more than five minutes in the future are refused."""

_any: Final = strategies.integers(0, 3) | strategies.integers(0, ENOUGH)
"""Which row: 0 is the latest."""
_people: Final = strategies.sampled_from(list(PEOPLE))
_kills: Final = strategies.integers(0, 400).map(
    lambda number: number - 310 if number > 310 else None
)
"""Mostly none; else before which statement."""
_few: Final = strategies.integers(0, 5)
_verbs: Final = strategies.sampled_from(["approve", "reject", "refer", "allow", "refuse"])


def _with_some(what: str) -> Callable[[Any], Any]:
    return precondition(lambda day: bool(day.number[what]))


class SimulatedDay(SimulatedCasino):
    """One day of one casino."""

    def __init__(self) -> None:
        super().__init__()
        self._paid_over: dict[int, Any] = {}
        """By number of the reference, what was answered first."""

    @initialize(seed=strategies.integers(0, 1_000_000), first=strategies.integers(1, 20))
    def open(self, seed: int, first: int) -> None:
        """The studio deals from this seed, and delivers some of it, which is settled."""
        shutil.rmtree(self.folder, ignore_errors=True)  # of the day before
        self.url = type(self).prepare()
        self.studio = Studio(seed)
        self.is_open = True
        self.deliver(first, 0, is_cut=False, kill=None)
        self.settle(1, kill=None)

    # Studio and workers.

    @rule(further=strategies.integers(1, 8), again=_few, is_cut=strategies.booleans(), kill=_kills)
    def deliver(self, further: int, again: int, is_cut: bool, kill: int | None) -> None:
        """Further documents after some that were taken already; the last one may break off."""
        lines = self.studio.next_lines(further=further, again=again)
        if not lines:
            return
        if is_cut:
            lines[-1] = lines[-1][: len(lines[-1]) // 2]
        tally = self.hand_over(lines, kill=kill)
        if tally is not None:
            new = max(0, len(lines) - min(again, self.studio.taken) - is_cut)
            self.studio.taken += new
            self.number["rounds"] += tally.rounds

    @_with_some("rounds")
    @rule(batches=strategies.integers(1, 3), kill=_kills)
    def settle(self, batches: int, kill: int | None) -> None:
        """A worker sweeps."""
        self.do("settle", lambda: calls.sweep(batches, at=self.now), kill=kill)

    @rule(seconds=strategies.integers(1, 7_200))
    def wait(self, seconds: int) -> None:
        """Time passes."""
        self.true_time += timedelta(seconds=seconds)

    @rule(seconds=strategies.integers(-_LONGEST_STEP_BACK, 10_000))
    def set_clock(self, seconds: int) -> None:
        """The clock of the host goes wrong by so much."""
        self.skew = timedelta(seconds=seconds)

    # Cases.

    @_with_some("rounds")
    @rule(kind=strategies.sampled_from(list(REASONS)), number=_any, who=_people, kill=_kills)
    def open_case(self, kind: str, number: int, who: str, kill: int | None) -> None:
        """A case about one round, or about none."""
        round_ = _nth(Round.objects.order_by("-id"), number)
        references = [round_.reference] if round_ is not None and kind != "goodwill" else []
        reason = _nth(reasons_in_use(kind).order_by("code"), number).code
        about: dict[str, Any] = {"reason": reason, "at": self.now, "actor": PEOPLE[who]}
        case = self.do("open case", lambda: opened(kind, *references, **about), kill=kill)
        self.number["cases"] += case is not None

    @_with_some("cases")
    @rule(number=_any, choice=_few, who=_people, kill=_kills)
    def propose(self, number: int, choice: int, who: str, kill: int | None) -> None:
        """A remedy with the effect that it has now; one of another kind of case is refused."""
        case = _nth(Case.objects.order_by("-pk"), number)
        if case is not None:
            remedies = (*calls.REMEDIES[case.kind], Remedy.CREDIT)
            remedy = remedies[choice % len(remedies)]
            about: dict[str, Any] = {"at": self.now, "actor": PEOPLE[who]}
            call = partial(calls.propose, case, remedy, number, **about)
            self.do("propose", call, kill=kill)

    @_with_some("cases")
    @rule(number=_any, verb=_verbs, who=_people, kill=_kills)
    def decide(self, number: int, verb: str, who: str, kill: int | None) -> None:
        """A decision about a case, by anybody; the regulator's letters too."""
        case = _nth(Case.objects.order_by("-pk"), number)
        if case is not None:
            about: dict[str, Any] = {"at": self.now, "actor": PEOPLE[who]}
            self.do("decide", partial(calls.decide, case, verb, **about), kill=kill)

    @_with_some("cases")
    @rule(number=_any, choice=_few, order=strategies.permutations(list(PEOPLE)), kill=_kills)
    def decide_by_two(
        self, number: int, choice: int, order: Sequence[str], kill: int | None
    ) -> None:
        """A proposal, its approval by another person, and its execution."""
        self.propose(number, choice, order[0], None)
        self.decide(number, "approve", order[1], kill)
        self.execute(number, kill)

    @_with_some("cases")
    @rule(number=_any, kill=_kills)
    def execute(self, number: int, kill: int | None) -> None:
        """A worker executes a round of a case, and disputes follow."""
        run = _nth(CaseRun.objects.order_by("-pk"), number)
        if run is not None:
            self.do("execute", lambda: work_on_case(run.pk, now=lambda: self.now), kill=kill)
            self.do("follow up", lambda: advance_remedied_disputes(at=self.now), kill=kill)

    # Customers.

    @_with_some("rounds")
    @rule(number=_any, who=_people, kill=_kills)
    def dispute(self, number: int, who: str, kill: int | None) -> None:
        """A customer disputes a round in which they bet."""
        bet = _nth(Bet.objects.order_by("round_id", "number"), number)
        if bet is not None:
            reference, pseudonym = bet.round.reference, bet.customer.pseudonym
            about = {"at": self.now, "actor": PEOPLE[who]}
            made = self.do("dispute", lambda: disputed(reference, pseudonym, **about), kill=kill)
            self.number["disputes"] += made is not None

    @_with_some("disputes")
    @rule(number=_any, verb=strategies.sampled_from(list(VERBS)), who=_people, kill=_kills)
    def answer_dispute(self, number: int, verb: str, who: str, kill: int | None) -> None:
        """A step of a dispute."""
        dispute = _nth(Dispute.objects.order_by("-pk"), number)
        if dispute is None:
            return
        about: dict[str, Any] = {"at": self.now, "actor": PEOPLE[who]}
        if verb in {"upheld", "partly_upheld", "rejected"}:
            about["citations"] = citable_headings(dispute)[:1]
        self.do("answer dispute", lambda: VERBS[verb](dispute, **about), kill=kill)

    @_with_some("disputes")
    @rule(number=_any, verb=strategies.sampled_from(["rejected", "upheld"]), who=_people)
    def decide_dispute(self, number: int, verb: str, who: str) -> None:
        """A dispute is taken and decided by one person."""
        self.answer_dispute(number, "taken", who, None)
        self.answer_dispute(number, verb, who, None)

    @_with_some("rounds")
    @rule(number=_any, reference=_few, share=strategies.integers(1, 3), kill=_kills)
    def pay_over(self, number: int, reference: int, share: int, kill: int | None) -> None:
        """The wallet takes a part of what a customer has; some references come twice."""
        winners = Account.objects.filter(kind="customer", balance_cents__gt=0).order_by("pk")
        account = _nth(winners, number)
        if account is None:
            return
        arguments: dict[str, Any] = {
            "reference": f"w-{reference}",
            "customer_id": account.customer_id,
            "cents": max(1, account.balance_cents // share),
            "asset": Account.Asset(account.asset),
            "at": self.now,
            "actor": Actor("wallet"),
        }
        paid = self.do("pay over", lambda: pay_over(**arguments), kill=kill)
        if paid is not None:
            assert self._paid_over.setdefault(reference, paid.pk) == paid.pk, paid

    # Compliance.

    @rule(kill=_kills)
    def sign_log(self, kill: int | None) -> None:
        """The key's holder signs the log, and remembers its head."""
        head = self.do(
            "sign log", lambda: append_to_log(KEY, now=self.now, witnessed=self.head), kill=kill
        )
        self.head = head or self.head

    @_with_some("rounds")
    @rule(kill=_kills)
    def close(self, kill: int | None) -> None:
        """The nightly job: reconciliation, and closing of the days that are over."""
        self.do("reconcile", lambda: reconcile_at(self.now), kill=kill)
        self.do("close", lambda: close_days(now=lambda: self.now, actor=WORKER), kill=kill)

    @_with_some("rounds")
    @rule(number=_any, kill=_kills)
    def export(self, number: int, kill: int | None) -> None:
        """The bundle of a day."""
        days = sorted(set(Round.objects.values_list("booked_on", flat=True)))
        if not days:
            return
        call = partial(self.build_bundle_of, days[number % len(days)])
        bundle = self.do("export", call, kill=kill)
        if bundle is not None:
            self.exported.add(bundle.path)


def _nth(rows: QuerySet[Any], number: int) -> Any:
    """One of the rows; None without any."""
    count = rows.count()
    return rows[number % count] if count else None
