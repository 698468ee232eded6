"""Rounds as two persons read them: other cards, other plays, no bonus, bets given back."""

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
    """What the rules say of the round as it is read so."""
    ruling = Ruling(**output)  # type: ignore[arg-type]
    return judge_as_ruled(rule_set(round_.rules), round_, shoe, limits, ruling)


class TestCorrectedFacts:
    def test_are_what_the_round_is_judged_by(self) -> None:
        """Nineteen beat eighteen; with a six for the nine, sixteen do not."""
        round_ = dealt(NINETEEN, bet())

        verdict = ruled(round_, cards=cards("1:6S D:TD 1:TC D:8C"))

        assert [grade.outcome for grade in verdict.grades] == ["lose"]

    def test_leave_a_round_held_that_still_breaks_a_rule(self) -> None:
        """A third card that no play asked for."""
        round_ = dealt(NINETEEN, bet())

        verdict = ruled(round_, cards=cards("1:9S D:TD 1:TC D:8C 1:2C"))

        assert (verdict.status, verdict.anomalies) == ("held", ("extra-card",))

    def test_may_be_the_decisions_of_a_hand(self) -> None:
        """The studio told that the hand stood on twelve, and a card was dealt to it."""
        round_ = dealt("1:9S D:TD 1:3C D:8C 1:9D", bet(play="S"))

        verdict = ruled(round_, plays={0: "H"})

        assert [grade.payout_cents for grade in verdict.grades] == [2000]

    def test_never_touch_what_was_staked(self) -> None:
        """Told to have doubled without the money for it, the round stays held."""
        round_ = dealt("1:9S D:TD 1:2C D:8C 1:9D", bet(play="HS"))

        verdict = ruled(round_, plays={0: "D"})

        assert verdict.anomalies == ("raise-mismatch",)

    def test_correct_facts_without_editing_them(self) -> None:
        """The round itself is a value; only the one that is judged says otherwise."""
        round_ = dealt(NINETEEN, bet(reported_cents=5))

        ruled = as_ruled(round_, Ruling(cards=cards("1:6S D:TD 1:TC D:8C"), malfunction=True))

        assert (round_.cards[0], ruled.cards[0]) == (("1", "9S"), ("1", "6S"))
        assert (round_.malfunction, ruled.malfunction) == (False, True)
        assert ruled.bets[0].reported_cents is None


class TestAReleaseAsDealt:
    def test_sets_aside_limits_shoe_and_what_the_studio_credited(self) -> None:
        """Each of them alone holds the round, and none says what a card is worth."""
        round_ = dealt(NINETEEN, bet(reported_cents=5))
        shoe, limits = Shoe(7), {"main": (1, 999)}
        rules = rule_set(round_.rules)

        held = rules.judge(round_._replace(drawn=20), shoe, limits)
        verdict = ruled(round_._replace(drawn=20), shoe, limits, as_dealt=True)

        assert held.anomalies == ("shoe-gap", "stake-limits")
        assert [grade.payout_cents for grade in verdict.grades] == [2000]

    def test_does_not_set_aside_a_card_that_no_rule_explains(self) -> None:
        """Nobody can say what such a round pays."""
        round_ = dealt(f"{NINETEEN} 1:2C", bet())

        verdict = ruled(round_, as_dealt=True)

        assert verdict.anomalies == ("extra-card",)


class TestABonusThatWasNotPlayed:
    def test_is_paid_as_the_sheet_has_it_for_a_malfunction(self) -> None:
        """[MFB] Gestione degli errori: fourteen lose, the bonus bet goes back, no points lost."""
        bets = bet(), bet(box=2), bet("mega_fire_blaze")
        round_ = dealt(SIX_POINTS, *bets, rules=MEGA_FIRE_BLAZE, bonus=MINOR)

        verdict = ruled(round_, malfunction=True, no_bonus=True)

        assert [grade.outcome for grade in verdict.grades] == ["lose", "lose", "void"]


class TestARefund:
    def test_gives_single_bets_back_and_lets_the_others_stand(self) -> None:
        """The losing side bet goes back, the main bet pays."""
        round_ = dealt(NINETEEN, bet(), bet("perfect_pairs", stake=300))

        verdict = ruled(round_, refunded=frozenset({1}))

        assert verdict.status == "settled"
        assert [(grade.outcome, grade.payout_cents) for grade in verdict.grades] == [
            ("win", 2000),
            ("void", 300),
        ]
        assert verdict.grades[1].reasons == ("refunded-by-decision",)

    def test_is_explained_in_words(self) -> None:
        """Like every other payment."""
        round_ = dealt(NINETEEN, bet(), bet("perfect_pairs", stake=300))
        verdict = ruled(round_, refunded=frozenset({1}))
        rules = rule_set(round_.rules)

        explanations = rules.explain(round_, list(zip(round_.bets, verdict.grades, strict=True)))

        assert explanations[1].adds_up
        assert "refunded-by-decision" in [step.rule for step in explanations[1].steps]
        assert rules.reasons["refunded-by-decision"].title == "Refunded by decision"
