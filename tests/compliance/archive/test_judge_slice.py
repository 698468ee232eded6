"""Archived rounds are judged as live ones are, from the files alone."""

from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from compliance.archive.archived_rounds import array_of
from compliance.archive.judge_slice import judge_slice
from compliance.archive.recorded_archives import require_archive
from compliance.trail.key_ranges import month_keys
from payouts.reconciliation.checks.differences import CheckResult, Kind
from payouts.reconciliation.checks.messages import difference_message
from payouts.reconciliation.checks.rounds import check_rounds
from payouts.reconciliation.models import ReconcileDifference
from payouts.settlement.models import BetSettlement, Settlement
from rounds.models import Bet, Round, StoredRuling, Validation
from tests.compliance.archive.archived_months import MONTH, Archived, write
from tests.compliance.exports.exported_days import key_in
from tests.payouts.reconciliation.five_games import tamper

_AGAINST_OTHERS = {Kind.ON_RECORD, Kind.DECISION, Kind.QUEUE}
"""Found by the audit records, cases and queue of the database, which are no part of judging."""
_FIRST = "(SELECT min(id::text)::uuid FROM rounds_round)"
_PAID = """
    (round_id, sequence, bet_number) = (SELECT round_id, sequence, bet_number
      FROM payouts_betsettlement WHERE payout_cents > 0 ORDER BY 1, 2, 3 LIMIT 1)
"""
_MOVED = """
    (origin, entry, line) = (SELECT origin, entry, line FROM payouts_transfer
      WHERE purpose = '{}' ORDER BY 1, 2, 3 LIMIT 1)
"""
_TAMPERINGS = {
    "a card": f"""
        UPDATE rounds_round SET cards[1] = CASE WHEN cards[1] LIKE '%%9H'
               THEN replace(cards[1], '9H', '8H') ELSE left(cards[1], -2) || '9H' END
         WHERE id = {_FIRST}
    """,
    "a stake": f"UPDATE rounds_bet SET stake_cents = stake_cents + 100 WHERE round_id = {_FIRST}",
    "a customer": f"""
        UPDATE rounds_bet SET customer_id = (SELECT max(id) FROM rounds_customer)
         WHERE round_id = {_FIRST} AND number = 0
    """,
    "a bet": f"""
        INSERT INTO rounds_bet SELECT round_id, number + 1000, reference, participation, box, kind,
               stake_cents, raised_cents, play, golden, behind, follows, placed_at, reported_cents,
               customer_id FROM rounds_bet WHERE round_id = {_FIRST} AND number = 0
    """,
    "a time": f"UPDATE rounds_round SET closed_at = closed_at - interval '1 s' WHERE id = {_FIRST}",
    "the rules": f"UPDATE rounds_round SET rules_digest = sha256('x') WHERE id = {_FIRST}",
    "a payout": f"UPDATE payouts_betsettlement SET payout_cents = payout_cents + 1 WHERE {_PAID}",
    "a reason": f"UPDATE payouts_betsettlement SET reasons = '{{other}}' WHERE {_PAID}",
    "a result": f"DELETE FROM payouts_betsettlement WHERE {_PAID}",
    "a sum": "UPDATE payouts_settlement SET payout_cents = payout_cents + 1 WHERE sequence = 1",
    "a digest": "UPDATE payouts_settlement SET results_digest = sha256('x') WHERE sequence = 2",
    "a settlement": "DELETE FROM payouts_settlement WHERE sequence = 2",
    "a verdict": "UPDATE rounds_validation SET status = 'held' WHERE sequence = 1",
    "a ruling": "UPDATE rounds_storedruling SET said = '{\"refunded\": [1]}'",
    "an amount": f"""
        UPDATE payouts_transfer SET amount_cents = amount_cents + 1 WHERE {_MOVED.format("payout")}
    """,
    "an account": f"""
        UPDATE payouts_transfer SET credit_id = credit_id + 8 WHERE {_MOVED.format("payout")}
    """,
    "a reversal": f"DELETE FROM payouts_transfer WHERE {_MOVED.format('reversal')}",
    "a shortfall": f"""
        UPDATE payouts_transfer SET amount_cents = amount_cents + 100000
         WHERE {_MOVED.format("shortfall")}
    """,
    "a round": f"DELETE FROM rounds_round WHERE id = {_FIRST}",
}


def live_findings() -> list[str]:
    """What reconciliation finds in the database."""
    result = CheckResult()
    with translation.override("en"):
        check_rounds(month_keys(MONTH), result)
        return sorted(
            difference_message(ReconcileDifference(**difference._asdict()))
            for difference in result.differences
            if difference.kind not in _AGAINST_OTHERS
        )


class TestASlice:
    def test_agrees_with_the_rules(self, archived: Archived) -> None:
        """All games, voids, rulings, refunds, held rounds: everything, and nothing differs."""
        judged = judge_slice(archived.folder, archived.archive, 1)

        assert (judged.findings, judged.differences) == ([], 0)
        assert judged.judged["rounds"] == Round.objects.count()
        assert judged.judged["bets"] == Bet.objects.count()
        assert judged.judged["settlements"] == Settlement.objects.count()
        assert StoredRuling.objects.exists()
        assert Validation.objects.filter(status="held").exists()
        assert BetSettlement.objects.filter(outcome="void").exists()

    def test_is_read_from_the_files_alone(self, archived: Archived) -> None:
        """Not a query of the database, so that the primary is left alone."""
        with CaptureQueriesContext(connection) as queries:
            judged = judge_slice(archived.folder, archived.archive, 1)

        assert judged.judged["rounds"] > 0
        assert [query["sql"] for query in queries] == []

    @pytest.mark.slow
    def test_is_judged_in_small_batches(
        self, archived: Archived, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The same in batches of a few bets."""
        whole = judge_slice(archived.folder, archived.archive, 1)
        monkeypatch.setattr("compliance.archive.judge_slice._AT_ONCE", 7)

        batched = judge_slice(archived.folder, archived.archive, 1)

        assert batched == whole

    @pytest.mark.slow
    @pytest.mark.parametrize("what", list(_TAMPERINGS))
    def test_with_a_change_differs_as_the_database_does(
        self, month: str, tmp_path: Path, what: str
    ) -> None:
        """Rows changed before the month was archived: what reconciliation finds, word for word."""
        tamper(_TAMPERINGS[what])
        key = key_in(tmp_path)

        archive = write(tmp_path, key)
        folder = require_archive(MONTH).folder(tmp_path)
        judged = judge_slice(folder, archive, 1)

        assert sorted(judged.findings) == live_findings()
        assert judged.differences == len(judged.findings) > 0

    def test_whose_file_was_changed_is_a_finding(self, archived: Archived) -> None:
        """Nothing is judged from it."""
        bets = archived.folder / archived.archive.table("rounds_bet").files[0].name
        bets.write_bytes(bets.read_bytes()[:-1] + b"x")

        judged = judge_slice(archived.folder, archived.archive, 1)

        assert judged.judged["rounds"] == 0
        assert [finding.split(": ")[1] for finding in judged.findings] == [bets.name]
        assert "found SHA-256" in judged.findings[0]


@pytest.mark.django_db
@pytest.mark.parametrize(
    "elements", [[], ["a"], ["1a 8H", "1b TD"], ["", " ", ","], ['"', "\\", '\\"', "{}"], ["a\nb"]]
)
def test_arrays_are_read_as_postgresql_writes_them(elements: list[str]) -> None:
    """Quoted or not."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s::text[]::text", [elements])
        [text] = cursor.fetchone()

    assert array_of(text) == elements
