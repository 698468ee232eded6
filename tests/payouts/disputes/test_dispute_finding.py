"""The finding: what Sabot compares when a dispute is opened."""

import pytest

from compliance.trail.log.append_to_log import append_to_log
from payouts.cases.remedies import Remedy
from payouts.disputes.models import DisputeFinding
from rounds.rules.ambiguities.register import REGISTER
from rounds.rules.ruling import Ruling
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.compliance.trail.logs import KEY
from tests.documents import baccarat_bet, baccarat_round, held_baccarat_round, lines
from tests.payouts.cases.case_scenarios import decided
from tests.payouts.disputes.dispute_scenarios import disputed, play, voided_wrongly
from tests.rounds.contract.by_hand import MFB, bet, deal

pytestmark = pytest.mark.django_db


class TestAFinding:
    def test_agrees_where_the_round_was_settled_by_its_rules(self) -> None:
        """Player 10.00 pays 20.00, Small 2.00 pays 5.00."""
        play()

        finding = DisputeFinding.objects.get(dispute=disputed()).content

        assert finding["replay"]["agrees"] is True
        assert finding["replay"]["ruling_agrees"] is None
        paid = [(bet["reference"], bet["settled"]["payout_cents"]) for bet in finding["bets"]]
        assert paid == [("b1", 2000), ("b3", 500)]
        assert [bet["settled"] == bet["rules_give"] for bet in finding["bets"]] == [True, True]
        assert all(bet["adds_up"] for bet in finding["bets"])
        [step] = [step for step in finding["bets"][0]["steps"] if step["sheet"] == "BAC"]
        assert step["heading"]
        assert step["text"]["it"] != step["text"]["en"]
        assert finding["round"]["aams_session"] == "M000000000000001"
        assert finding["bets"][0]["aams_participation"] == "N000000000000001"
        assert [settlement["sequence"] for settlement in finding["settlements"]] == [1]

    def test_differs_where_two_persons_cancelled_a_round_that_was_in_order(self) -> None:
        """The rules pay 20.00, the void returned 10.00."""
        play()
        voided_wrongly()

        dispute = disputed(bet_number=0)

        assert DisputeFinding.objects.get(dispute=dispute).agrees is False
        finding = DisputeFinding.objects.get(dispute=dispute).content
        [line] = finding["bets"]
        assert line["settled"]["payout_cents"] == 1000
        assert line["rules_give"]["payout_cents"] == 2000
        assert [settlement["approved_by"] is not None for settlement in finding["settlements"]] == [
            False,
            True,
        ]

    def test_distinguishes_a_ruling_from_the_cards(self) -> None:
        """It agrees with the ruling and not with the cards."""
        play()
        decided("refund", "r-1", remedy=Remedy.REFUND_BETS, ruling=Ruling(refunded=frozenset({0})))

        finding = DisputeFinding.objects.get(dispute=disputed(bet_number=0)).content

        assert finding["replay"]["agrees"] is False
        assert finding["replay"]["ruling_agrees"] is True
        assert len(finding["earlier"]["cases"]) == 1

    def test_names_the_anomalies_of_a_held_round(self) -> None:
        """There is no settlement to compare."""
        play(held_baccarat_round("r-1"))

        finding = DisputeFinding.objects.get(dispute=disputed()).content

        assert finding["status"] == "held"
        assert finding["replay"]["agrees"] is None
        assert finding["replay"]["anomalies"] == finding["anomalies"] != []

    def test_lists_others_in_the_same_situation(self) -> None:
        """Same kind, box and outcome in the round, without the customer's own bets."""
        bets = [
            baccarat_bet("b1", "player", "10.00"),
            baccarat_bet("b2", "player", "5.00"),
            baccarat_bet("b3", "player", "10.00", player="p-2"),
            baccarat_bet("b4", "banker", "10.00", player="p-3"),
            baccarat_bet("b5", "player", "1.00", player="p-4"),
        ]
        play(baccarat_round("r-1", bets=bets))

        finding = DisputeFinding.objects.get(dispute=disputed(bet_number=0)).content

        siblings = finding["bets"][0]["siblings"]
        assert siblings["count"] == 2
        assert [bet["reference"] for bet in siblings["bets"]] == ["b3", "b5"]
        assert [bet["customer"] for bet in siblings["bets"]] == ["p-2", "p-4"]

    def test_names_the_readings_that_the_payout_rests_on(self) -> None:
        """At Mega Fire Blaze, in both languages."""
        open_table("t-1", MFB)
        cards = "1:9S 2:9C D:TD 1:TC 2:TS D:8C"
        ingest(lines(deal(cards, bet("b1"), bet("b2", box=2), rules=MFB)))
        settle()

        finding = DisputeFinding.objects.get(dispute=disputed()).content

        keys = [reading["key"] for reading in finding["readings"]]
        assert keys
        assert set(keys) <= set(REGISTER)
        for reading in finding["readings"]:
            assert reading["reading"]["en"] == REGISTER[reading["key"]].settled_by.says
            assert reading["reading"]["it"] != reading["reading"]["en"]

    def test_says_which_records_are_logged(self) -> None:
        """Those before the latest signed head."""
        play()
        append_to_log(KEY, now=NOW)

        finding = DisputeFinding.objects.get(dispute=disputed()).content

        assert [record["action"] for record in finding["records"]] == [
            "ROUND_RECEIVED",
            "ROUND_SETTLED",
        ]
        assert all(record["in_log"] for record in finding["records"])

    def test_names_earlier_disputes(self) -> None:
        """About the same round, by anybody."""
        play()
        first = disputed()

        second = disputed(pseudonym="p-2")

        finding = DisputeFinding.objects.get(dispute=second).content
        assert finding["earlier"]["disputes"] == [str(first)]
