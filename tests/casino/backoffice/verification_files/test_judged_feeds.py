"""A feed judged in the browser: totals, faults and single rounds."""

import json

from casino.backoffice.verification_files.browser.feeds import feed_context, is_feed, round_in
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round

_BETS = [baccarat_bet("b-1", "player", "10.00"), baccarat_bet("b-2", "banker", "5.00")]
_FEED = "\n".join(
    [
        json.dumps(baccarat_round("r-1", bets=_BETS)),
        json.dumps(held_baccarat_round("r-2")),
        "",
        "{broken",
        json.dumps(baccarat_round("r-3", bets=_BETS[:1])),
    ]
)


def test_totals_are_those_of_the_settled_rounds() -> None:
    """By gaming day and rule set; held rounds are counted apart."""
    [total] = feed_context(_FEED, name="")["totals"]

    assert (total.day.isoformat(), total.rules) == ("2026-11-21", "baccarat/1")
    assert (total.rounds, total.held, total.bets) == (3, 1, 3)
    assert (total.staked_cents, total.paid_cents) == (2_500, 4_000)


def test_faults_name_the_round_or_the_line() -> None:
    """With the reason in words."""
    context = feed_context(_FEED, name="")

    assert [fault.round for fault in context["faults"]] == ["r-2", "Line 4"]
    assert context["fault_count"] == 2
    assert all(fault.text for fault in context["faults"])


def test_any_round_is_found_by_its_name() -> None:
    """With its payouts; nothing for another name."""
    judged = round_in(_FEED, "r-3")

    assert judged is not None
    assert judged.paid["b-1"].payout_cents == 2_000
    assert round_in(_FEED, "r-4") is None


def test_a_verification_file_is_no_feed() -> None:
    """Nor is nonsense."""
    assert is_feed(f"\n{_FEED}")
    assert not is_feed(json.dumps({"verification": "1", "document": baccarat_round("r-1")}))
    assert not is_feed("<p>")
