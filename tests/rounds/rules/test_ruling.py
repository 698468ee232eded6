"""Rounds judged by a decision of two persons: other cards or plays, no bonus, refunds."""

import pytest

from rounds.rules.catalogue import rule_set
from rounds.rules.facts import Round
from rounds.rules.limits import NO_LIMITS, Limits
from rounds.rules.ruling import Ruling, as_ruled, judge_as_ruled
from rounds.rules.shoe import Shoe
from rounds.rules.verdict import Verdict
from tests.rounds.rules.dealing import MEGA_FIRE_BLAZE, bet, bonus, cards, dealt

NINETEEN = "1:9S D:TD 1:TC D:8C"
SIX_POINTS = "1:8S 2:8C D:TD 1:6C 2:6D D:8C"
MINOR = bonus("minor", "8", "1:2 2:2 3:2 4:2", "", "", "")


def ruled(
    round_: Round, shoe: Shoe | None = None, limits: Limits = NO_LIMITS, **output: object
) -> Verdict:
    """The verdict on the round under such a ruling."""
    ruling = Ruling(**output)  # type: ignore[arg-type]
    return judge_as_ruled(rule_set(round_.rules), round_, shoe, limits, ruling)


class TestCorrectedFacts:
    def test_replace_the_cards_of_the_round(self) -> None:
        """Nineteen beats eighteen; with a six for the nine, sixteen does not."""
        round_ = dealt(NINETEEN, bet())

        verdict = ruled(round_, cards=cards("1:6S D:TD 1:TC D:8C"))

        assert [grade.outcome for grade in verdict.grades] == ["lose"]

    def test_leave_a_round_held_if_it_still_breaks_a_rule(self) -> None:
        """A third card without a play."""
        round_ = dealt(NINETEEN, bet())

        verdict = ruled(round_, cards=cards("1:9S D:TD 1:TC D:8C 1:2C"))

        assert (verdict.status, verdict.anomalies) == ("held", ("extra-card",))

    def test_may_be_the_decisions_of_a_hand(self) -> None:
        """The studio reported a stand on twelve, but a card was dealt."""
        round_ = dealt("1:9S D:TD 1:3C D:8C 1:9D", bet(play="S"))

        verdict = ruled(round_, plays={0: "H"})

        assert [grade.payout_cents for grade in verdict.grades] == [2000]

    def test_never_change_the_stakes(self) -> None:
        """Corrected to a double without its raise, the round stays held."""
        round_ = dealt("1:9S D:TD 1:2C D:8C 1:9D", bet(play="HS"))

        verdict = ruled(round_, plays={0: "D"})

        assert verdict.anomalies == ("raise-mismatch",)

    def test_leave_the_original_round_unchanged(self) -> None:
        """Only the judged copy has the corrections."""
        round_ = dealt(NINETEEN, bet(reported_cents=5))

        ruled = as_ruled(round_, Ruling(cards=cards("1:6S D:TD 1:TC D:8C"), malfunction=True))

        assert (round_.cards[0], ruled.cards[0]) == (("1", "9S"), ("1", "6S"))
        assert (round_.malfunction, ruled.malfunction) == (False, True)
        assert ruled.bets[0].reported_cents is None


class TestARuling:
    @pytest.mark.parametrize(
        "ruling",
        [
            Ruling(cards=cards(NINETEEN)),
            Ruling(plays={0: "H"}),
            Ruling(multipliers=()),
            Ruling(bonus=MINOR),
            Ruling(no_bonus=True),
        ],
    )
    def test_of_cards_plays_or_a_bonus_changes_facts(self, ruling: Ruling) -> None:
        """Each of them alone."""
        assert ruling.changes_facts is True

    @pytest.mark.parametrize(
        "ruling",
        [Ruling(), Ruling(malfunction=True, as_dealt=True, released=True, refunded=frozenset({0}))],
    )
    def test_of_the_round_as_a_whole_changes_no_facts(self, ruling: Ruling) -> None:
        """A malfunction, a release or a refund corrects nothing that was dealt or decided."""
        assert ruling.changes_facts is False

    def test_overrides_nothing_that_it_does_not_name(self) -> None:
        """A bonus stays, limits and shoe are checked, and what held the round on arrival holds."""
        ruling = Ruling()

        assert (ruling.no_bonus, ruling.as_dealt, ruling.released) == (False, False, False)


class TestAReleaseAsDealt:
    def test_ignores_limits_shoe_and_reported_payouts(self) -> None:
        """Each of them would hold the round."""
        round_ = dealt(NINETEEN, bet(reported_cents=5))
        shoe, limits = Shoe(7), {"main": (1, 999)}
        rules = rule_set(round_.rules)

        held = rules.judge(round_._replace(drawn=20), shoe, limits)
        verdict = ruled(round_._replace(drawn=20), shoe, limits, as_dealt=True)

        assert held.anomalies == ("shoe-gap", "stake-limits")
        assert [grade.payout_cents for grade in verdict.grades] == [2000]

    def test_does_not_ignore_an_extra_card(self) -> None:
        """The payout of such a round is undefined."""
        round_ = dealt(f"{NINETEEN} 1:2C", bet())

        verdict = ruled(round_, as_dealt=True)

        assert verdict.anomalies == ("extra-card",)


class TestABonusThatWasNotPlayed:
    def test_is_settled_as_after_a_malfunction(self) -> None:
        """[MFB] Gestione degli errori: fourteen loses, the bonus bet goes back."""
        bets = bet(), bet(box=2), bet("mega_fire_blaze")
        round_ = dealt(SIX_POINTS, *bets, rules=MEGA_FIRE_BLAZE, bonus=MINOR)

        verdict = ruled(round_, malfunction=True, no_bonus=True)

        assert [grade.outcome for grade in verdict.grades] == ["lose", "lose", "void"]


class TestARefund:
    def test_voids_single_bets_and_settles_the_others(self) -> None:
        """The losing side bet is refunded, the main bet wins."""
        round_ = dealt(NINETEEN, bet(), bet("perfect_pairs", stake=300))

        verdict = ruled(round_, refunded=frozenset({1}))

        assert verdict.status == "settled"
        assert [(grade.outcome, grade.payout_cents) for grade in verdict.grades] == [
            ("win", 2000),
            ("void", 300),
        ]
        assert verdict.grades[1].reasons == ("refunded-by-decision",)

    def test_of_a_round_that_stays_held_pays_nothing_yet(self) -> None:
        """The card beyond the play still holds the round, so no bet has a grade."""
        round_ = dealt(f"{NINETEEN} 1:2C", bet())

        verdict = ruled(round_, refunded=frozenset({0}))

        assert (verdict.anomalies, verdict.grades) == (("extra-card",), ())

    def test_is_explained(self) -> None:
        """With its rule and title."""
        round_ = dealt(NINETEEN, bet(), bet("perfect_pairs", stake=300))
        verdict = ruled(round_, refunded=frozenset({1}))
        rules = rule_set(round_.rules)

        explanations = rules.explain(round_, list(zip(round_.bets, verdict.grades, strict=True)))

        assert explanations[1].adds_up is True
        assert "refunded-by-decision" in [step.rule for step in explanations[1].steps]
        assert rules.reasons["refunded-by-decision"].title == "Refunded by decision"
