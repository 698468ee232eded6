"""What a changed rule would have paid, against what the books and other arithmetic say."""

from collections import Counter
from collections.abc import Callable
from datetime import date, timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from compliance.impact.analyses import (
    RuleChange,
    begin_analysis,
    figures_of,
    finish_analysis,
    work_on_part,
)
from compliance.impact.changed_fields import BadChange, FieldChange
from compliance.impact.models import ImpactAnalysis, ImpactPart
from compliance.impact.other_readings import known_readings
from compliance.impact.results import changed_customers, customer_results, kind_results
from compliance.trail.models import AuditRecord
from payouts.ledger.models import Transfer
from payouts.reconciliation.checks.days import Days
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Bet, Round
from rounds.rules.catalogue import RULE_SETS
from tests.casino_in_play import NOW, ingest, open_table, open_tables, settle
from tests.conftest import NewTemplate
from tests.documents import baccarat_round, lines, shoe
from tests.payouts.reconciliation.five_games import deal, play
from tests.payouts.settlement.resettlement_scenarios import GIULIA

EVERY_DAY = Days(None, None)
TIE = RuleChange(reading=("tie-nine-for-one", 1))


def field(rules: str, name: str, value: str) -> RuleChange:
    """Another value of one field."""
    return RuleChange(fields=[FieldChange(rules, name, value)])


def analysed(change: RuleChange, days: Days = EVERY_DAY) -> ImpactAnalysis:
    """A finished analysis, worked on by this process alone."""
    analysis = begin_analysis(change, days=days, at=NOW, actor=GIULIA)
    while work_on_part(analysis, now=timezone.now):
        pass
    assert finish_analysis(analysis.pk, now=timezone.now)
    analysis.refresh_from_db()
    return analysis


@pytest.fixture(scope="session")
def played(new_template: NewTemplate, casino_template: str) -> str:
    """All games with every kind of decision, once for all tests."""
    return new_template("impact", lambda: play(240, seed="impact"), template=casino_template)


@pytest.fixture
def _casino(played: str, copy_of: Callable[[str], str]) -> None:
    """A test's own one."""
    copy_of(played)


def latest_settlements(*rules: str) -> dict[UUID, Settlement]:
    """Of rounds of these rule sets, those in force."""
    rows = Settlement.objects.filter(rules__in=rules).order_by("round_id", "sequence")
    return {row.round_id: row for row in rows}


def won_stakes(kind: str) -> Counter[int]:
    """By customer, the stakes of bets of a kind at baccarat that won, by the books."""
    stakes = Counter[int]()
    for settlement in latest_settlements("baccarat/1").values():
        of_round = {"round_id": settlement.round_id}
        results = BetSettlement.objects.filter(**of_round, sequence=settlement.sequence)
        won = results.filter(outcome="win").values_list("bet_number", flat=True)
        for bet in Bet.objects.filter(**of_round, kind=kind, number__in=list(won)):
            stakes[bet.customer_id] += bet.stake_cents
    return stakes


class TestAChangedPayTable:
    @pytest.mark.usefixtures("_casino")
    def test_pays_each_winner_the_difference(self) -> None:
        """Of the tie: one stake more for each stake that won; nobody else gets another cent."""
        expected = won_stakes("tie")
        assert expected

        analysis = analysed(TIE)

        found = {it.customer_id: it.sums.difference_cents for it in customer_results(analysis)}
        assert found == expected
        assert changed_customers(analysis) == len(expected)
        by_kind = {it.kind: it for it in kind_results(analysis)}
        assert {kind for kind, it in by_kind.items() if it.changed_bets} == {"tie"}
        assert by_kind["tie"].sums.difference_cents == expected.total()
        expected_returns = by_kind["tie"].expected
        assert expected_returns is not None
        assert [f"{float(share):.6f}" for share in expected_returns] == ["0.856404", "0.951560"]
        assert sorted(found, key=lambda it: (-found[it], it)) == list(found)

    @pytest.mark.usefixtures("_casino")
    def test_is_the_same_by_fields(self) -> None:
        """A reading that a pay table expresses."""
        same = kind_results(analysed(field("baccarat/1", "bets/tie/pays", "9:1")))

        assert same == kind_results(analysed(TIE))

    @pytest.mark.usefixtures("fresh_casino")
    def test_names_a_round_for_each_customer(self) -> None:
        """In which something differs."""
        open_table()
        ingest(lines(shoe("s-1"), baccarat_round("r-1")))
        settle()

        [result] = customer_results(analysed(field("baccarat/1", "bets/player/pays", "2:1")))

        assert result.example == "r-1"
        assert result.sums.difference_cents == result.sums.staked_cents


@pytest.mark.usefixtures("_casino")
class TestTheValueInForce:
    @pytest.mark.parametrize("name", RULE_SETS)
    def test_changes_nothing(self, name: str) -> None:
        """All that the rules settled is compared, to the cent; voids by persons are left out."""
        latest = latest_settlements(name).values()
        left_out = [row for row in latest if row.kind == "void" and row.approved_by is not None]

        analysis = analysed(field(name, "decks", str(RULE_SETS[name].decks)))

        assert list(customer_results(analysis)) == []
        figures = figures_of(analysis)
        assert figures["rounds"] == len(latest) - len(left_out)
        assert figures["left_out_rounds"] == len(left_out) > 0
        assert figures["refused_rounds"] == 0
        paid = sum(row.payout_cents for row in latest)
        compared = sum(it.sums.paid_cents for it in kind_results(analysis))
        assert compared == paid - sum(row.payout_cents for row in left_out)


@pytest.mark.usefixtures("_casino")
class TestEachReading:
    @pytest.mark.parametrize(
        "key",
        [
            pytest.param(key, marks=[pytest.mark.slow] if place > 2 else [])
            for place, key in enumerate(known_readings())
        ],
    )
    def test_accounts_for_every_settled_round(self, key: tuple[str, int]) -> None:
        """Compared, refused or left out."""
        analysis = analysed(RuleChange(reading=key))

        assert analysis.error == ""
        names = set(ImpactPart.objects.exclude(rules="").values_list("rules", flat=True))
        figures = figures_of(analysis)
        looked_at = [figures[name] for name in ("rounds", "refused_rounds", "left_out_rounds")]
        assert sum(looked_at) == len(latest_settlements(*names))
        assert {it.rules for it in kind_results(analysis)} == names


class TestAnAnalysis:
    @pytest.mark.usefixtures("_casino")
    def test_changes_nothing(self) -> None:
        """Of rounds, settlements and money; its record says what was found."""
        before = [model.objects.count() for model in (Round, Settlement, BetSettlement, Transfer)]

        analysis = analysed(TIE)

        after = [model.objects.count() for model in (Round, Settlement, BetSettlement, Transfer)]
        assert after == before
        record = AuditRecord.objects.get(action="IMPACT_ANALYSED")
        sums = [it.sums for it in kind_results(analysis)]
        assert record.subject == f"impact-analysis:{analysis.pk}"
        assert record.actor == GIULIA.name
        assert record.details == {
            "reading": "tie-nine-for-one:1",
            "fields": [],
            "from": None,
            "to": None,
            **figures_of(analysis),
            "paid_cents": sum(it.paid_cents for it in sums),
            "other_cents": sum(it.other_cents for it in sums),
        }

    @pytest.mark.usefixtures("fresh_casino")
    def test_is_of_its_days(self) -> None:
        """Of the opening of rounds, in Rome."""
        open_tables(at=NOW)
        deal(40, seed="a", start="2026-11-20T20:00:00Z")
        deal(40, seed="b", start="2026-11-22T20:00:00Z")
        settle()
        first = date(2026, 11, 20)

        rounds = [
            figures_of(analysed(TIE, Days(*days)))["rounds"]
            for days in ((None, None), (first, first), (first + timedelta(days=2), None))
        ]

        assert rounds[0] == rounds[1] + rounds[2]
        assert min(rounds) > 0

    @pytest.mark.usefixtures("fresh_casino")
    def test_is_recorded_once(self) -> None:
        """By the process that finishes it first."""
        analysis = analysed(TIE)

        assert finish_analysis(analysis.pk, now=timezone.now)
        assert AuditRecord.objects.filter(action="IMPACT_ANALYSED").count() == 1

    @pytest.mark.usefixtures("fresh_casino")
    def test_that_another_release_cannot_compute_ends_with_its_error(self) -> None:
        """The rule set has no such field there."""
        analysis = begin_analysis(TIE, days=EVERY_DAY, at=NOW, actor=GIULIA)
        analysis.reading, analysis.fields = "", [["baccarat/1", "bets/super6/pays", "", "9:1"]]
        analysis.save()

        assert not work_on_part(analysis, now=timezone.now)

        analysis.refresh_from_db()
        assert analysis.error.startswith("BadChange: field: found bets/super6/pays; needed a field")
        assert analysis.finished_at is not None
        assert not AuditRecord.objects.filter(action="IMPACT_ANALYSED").exists()


@pytest.mark.django_db
class TestABadChange:
    @pytest.mark.parametrize(
        ("change", "text"),
        [
            (RuleChange(), "change: found none; needed a reading or a field"),
            (
                RuleChange(reading=("tie", 1)),
                "reading: found tie:1; needed one of look-under-ten:1",
            ),
            (RuleChange(reading=("tie-nine-for-one", 0)), "reading: found tie-nine-for-one:0;"),
            (field("poker/1", "decks", "8"), "rules: found poker/1; needed blackjack/1 or"),
            (
                field("baccarat/1", "bets/super6/pays", "9:1"),
                "field: found bets/super6/pays; needed",
            ),
            (field("baccarat/1", "bets/tie", "9:1"), "field: found bets/tie; needed a field of"),
            (
                field("baccarat/1", "bets/tie/wins", "x"),
                "field: found bets/tie/wins; needed a field",
            ),
            (field("baccarat/1", "decks/8", "8"), "field: found decks/8; needed a field of"),
            (field("baccarat/1", "bets/tie/pays", "9"), "bets/tie/pays: found 9; needed odds such"),
            (field("baccarat/1", "bets/tie/pays", "9:0"), "bets/tie/pays: found 9:0; needed odds"),
            (field("baccarat/1", "decks", "-1"), "decks: found -1; needed a whole number"),
            (
                field("blackjack/1", "hits_soft_17", "true"),
                "hits_soft_17: found true; needed yes or",
            ),
            (
                field("blackjack/1", "malfunction", "PAYS"),
                "malfunction: found PAYS; needed VOIDS or",
            ),
            (
                field("zappit-blackjack/1", "zaps", "15, x"),
                "zaps: found 15, x; needed a whole number",
            ),
            (
                field("zappit-blackjack/1", "side_bets", "x"),
                "field: found side_bets; needed a field",
            ),
        ],
    )
    def test_is_refused_with_its_field(self, change: RuleChange, text: str) -> None:
        """What was found and what is needed; nothing is written."""
        with pytest.raises(BadChange) as refused:
            begin_analysis(change, days=EVERY_DAY, at=NOW, actor=GIULIA)

        assert str(refused.value).startswith(text)
        assert not ImpactAnalysis.objects.exists()

    def test_is_one_of_days_in_disorder(self) -> None:
        """The last before the first."""
        days = Days(date(2026, 11, 2), date(2026, 11, 1))

        with pytest.raises(BadChange, match="last day: found 2026-11-01; needed 2026-11-02 or"):
            begin_analysis(TIE, days=days, at=NOW, actor=GIULIA)
