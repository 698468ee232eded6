"""Plausible times where rounds arrive (contract, detail 46)."""

from datetime import timedelta
from typing import Any

import pytest

from compliance.trail.models import AuditRecord
from payouts.cases.remedies import Remedy
from payouts.reconciliation.reconcile import figures_of
from payouts.settlement.models import Settlement
from payouts.settlement.resettle_round import RoundHeldByRules
from rounds.arrival import Arrival, ArrivalLimits
from rounds.models import QuarantinedDocument, Round, ShoeOpening, Validation
from tests.casino_in_play import NOW, Unchecked, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines, shoe
from tests.payouts.cases.case_scenarios import decided
from tests.payouts.gaming_days.day_scenarios import dealt
from tests.payouts.reconciliation.five_games import reconciled, tamper
from tests.payouts.settlement.resettlement_scenarios import resettle

_AGES_AGO = {"opened_at": "0001-01-01T00:00:00Z", "closed_at": "0001-01-01T00:00:15Z"}
_LOST = {"player": "p-1", "at": "2026-11-21T22:05:00.001Z"}
_IMPLAUSIBLE: list[tuple[dict[str, Any], str, str]] = [
    ({"opened_at": "0001-01-01T00:00:00Z"}, "opened_at", "0001-01-01T00:00:00Z"),
    ({"opened_at": "1969-12-31T23:59:59.999Z"}, "opened_at", "1969-12-31T23:59:59.999Z"),
    ({"opened_at": "2025-12-31T22:59:59.999Z"}, "opened_at", "2025-12-31T22:59:59.999Z"),
    ({"ended_at": "2026-11-21T22:05:00.001Z"}, "ended_at", "2026-11-21T22:05:00.001Z"),
    (
        {"closed_at": "2999-01-01T00:00:00Z", "ended_at": "2999-01-01T00:00:00Z"},
        "closed_at",
        "2999-01-01T00:00:00Z",
    ),
    (
        {
            "opened_at": "9999-12-31T23:59:59Z",
            "closed_at": "9999-12-31T23:59:59Z",
            "ended_at": "9999-12-31T23:59:59.999Z",
        },
        "opened_at",
        "9999-12-31T23:59:59Z",
    ),
    (
        {
            "bets": [
                baccarat_bet("b1", "player", "10.00"),
                baccarat_bet("b2", "small", "2.00", placed_at="2026-11-21T22:05:00.001Z"),
            ]
        },
        "bets[1].placed_at",
        "2026-11-21T22:05:00.001Z",
    ),
    ({"disconnects": [_LOST]}, "disconnects[0].at", "2026-11-21T22:05:00.001Z"),
]


@pytest.mark.django_db
class TestAnImpossibleTime:
    @pytest.mark.parametrize(("fields", "field", "found"), _IMPLAUSIBLE)
    def test_is_refused_by_its_field_and_the_rest_of_the_feed_is_taken(
        self, fields: dict[str, Any], field: str, found: str
    ) -> None:
        """Before 2026-01-01 in Rome, or more than 300 seconds in the future."""
        open_table()

        rounds = (baccarat_round("r-1"), baccarat_round("r-2", **fields), baccarat_round("r-3"))
        tally = ingest(lines(*rounds), arrival=Arrival(NOW))

        assert (tally.rounds, tally.quarantined) == (2, 1)
        quarantined = QuarantinedDocument.objects.get()
        assert (quarantined.round_reference, quarantined.field, quarantined.found) == (
            "r-2",
            field,
            f'"{found}"',
        )
        assert ("2026-01-01" if found < "2026" else "2026-11-21T22:00:00Z") in quarantined.needed

    @pytest.mark.parametrize(
        "fields",
        [
            {"ended_at": "2026-11-21T22:05:00Z"},
            {"disconnects": [{"player": "p-1", "at": "2026-11-21T22:05:00Z"}]},
        ],
    )
    def test_begins_after_five_minutes(self, fields: dict[str, Any]) -> None:
        """Clocks may be fast by exactly 300 seconds."""
        open_table()

        assert ingest(lines(baccarat_round("r-1", **fields)), arrival=Arrival(NOW)).rounds == 1

    @pytest.mark.parametrize(
        ("opened_at", "accepted"), [("2026-11-21T22:05:01Z", 0), ("2026-11-21T22:05:00Z", 1)]
    )
    def test_is_refused_of_a_shoe_too(self, opened_at: str, accepted: int) -> None:
        """In the future, or centuries ago."""
        open_table()

        tally = ingest(
            lines(shoe("s-1", opened_at=opened_at), shoe("s-2", opened_at="1969-07-20T20:17:00Z"))
        )

        assert (tally.shoes, ShoeOpening.objects.count()) == (accepted, accepted)
        assert tally.quarantined == 2 - accepted

    def test_is_measured_by_the_limits_that_are_set(self) -> None:
        """An hour of skew instead of five minutes."""
        open_table()
        limits = ArrivalLimits(max_skew=timedelta(hours=1))
        ahead = baccarat_round("r-1", ended_at="2026-11-21T23:00:00Z")

        assert ingest(lines(ahead), arrival=Arrival(NOW, limits)).rounds == 1

    def test_leaves_stored_rounds_known(self) -> None:
        """The same document is known, another one is a conflict."""
        open_table()
        old = baccarat_round("r-1", **_AGES_AGO)
        ingest(lines(old), arrival=Unchecked(NOW))

        again = ingest(lines(old, baccarat_round("r-1", session="M2", **_AGES_AGO)))

        assert (again.known, again.quarantined, again.conflicts) == (1, 1, 0)


class TestALateRound:
    def test_is_held_from_the_first_millisecond_after_31_days(self, fresh_casino: str) -> None:
        """Exactly 31 days are in time."""
        open_table()
        in_time = dealt("r-1", NOW - timedelta(days=31))
        late = dealt("r-2", NOW - timedelta(days=31, seconds=1))

        ingest(lines(in_time, late))
        settle()

        assert Settlement.objects.get().round.reference == "r-1"
        held = Validation.objects.get(status="held")
        assert (held.round.reference, held.anomalies) == ("r-2", ["late-arrival"])
        received = AuditRecord.objects.get(action="ROUND_RECEIVED", subject="round:r-2")
        assert received.details["anomalies"] == ["late-arrival"]
        assert figures_of(reconciled())["differences"] == 0

    def test_is_paid_by_its_rules_once_two_persons_release_it(self, fresh_casino: str) -> None:
        """22.00 staked, 25.00 paid; time no longer matters."""
        open_table()
        ingest(lines(dealt("r-1", NOW - timedelta(days=40))))
        settle()

        _case, outcomes = decided("release", "r-1", remedy=Remedy.BY_RULES)

        assert outcomes == [("done", 1)]
        assert Settlement.objects.get().payout_cents == 2500
        assert figures_of(reconciled())["differences"] == 0

    def test_is_not_paid_by_a_sweep_or_by_settling_it_again(self, fresh_casino: str) -> None:
        """Only a case releases it."""
        open_table()
        ingest(lines(dealt("r-1", NOW - timedelta(days=40))))
        settle()
        settle()

        with pytest.raises(RoundHeldByRules, match="late-arrival"):
            resettle(after=0)

        assert not Settlement.objects.exists()

    def test_lists_what_its_rules_hold_as_well(self, fresh_casino: str) -> None:
        """It cannot be released by its rules then."""
        open_table()
        ingest(lines(dealt("r-1", NOW - timedelta(days=40), held=True)))
        settle()

        assert Validation.objects.get().anomalies == ["extra-card", "late-arrival"]

    def test_cannot_lose_its_anomaly_unseen(self, fresh_casino: str) -> None:
        """The row would contradict the audit record."""
        open_table()
        ingest(lines(dealt("r-1", NOW - timedelta(days=40))))
        settle()

        tamper("UPDATE rounds_round SET arrival_anomalies = '{}'")

        assert figures_of(reconciled())["differences"] > 0
        assert Round.objects.get().arrival_anomalies == []
