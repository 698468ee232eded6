"""Rounds in which the studio reports a malfunction (contract, detail 43, and the readings)."""

import pytest

from tests.rounds.rules.dealing import (
    BLACKJACK,
    MEGA_FIRE_BLAZE,
    QUANTUM,
    ZAPPIT,
    bet,
    bonus,
    dealt,
    judged,
)

SIX_POINTS = "1:8S 2:8C D:TD 1:6C 2:6D D:8C"
NO_POINTS = "1:9S 2:9C D:TD 1:TC 2:9D D:8C"
MINOR = bonus("minor", "8", "1:2 2:2 3:2 4:2", "", "", "")


class TestAMalfunction:
    """[BJ] Gestione degli errori, [QB] Nota sui malfunzionamenti, [ZAP] Disclaimer."""

    @pytest.mark.parametrize("rules", [BLACKJACK, QUANTUM, ZAPPIT])
    def test_voids_the_round_before_any_other_check(self, rules: str) -> None:
        """R: every stake, raises and insurance too, for any cards and reports."""
        bets = (
            bet(play="SHH", raised_cents=123, reported_cents=0),
            bet("insurance", stake=7),
        )

        verdict = judged(dealt("1:9S D:2C 5:9C", *bets, rules=rules, malfunction=True))

        assert (verdict.status, verdict.anomalies) == ("void", ())
        assert [grade.payout_cents for grade in verdict.grades] == [1123, 7]
        assert {grade.reasons for grade in verdict.grades} == {("void-malfunction",)}


class TestAMalfunctionAtMegaFireBlaze:
    """[MFB] Gestione degli errori: everything else is paid on the real result."""

    def test_voids_the_round_when_a_card_is_missing(self) -> None:
        """With any other error."""
        round_ = dealt(
            "1:9S 2:9C D:TD 5:2C",
            bet(reported_cents=1),
            rules=MEGA_FIRE_BLAZE,
            malfunction=True,
        )

        verdict = judged(round_)

        assert (verdict.status, verdict.anomalies, verdict.bonus) == ("void", (), None)

    def test_pays_a_complete_round(self) -> None:
        """Nineteen against eighteen; no points, so the bonus bet loses."""
        bets = bet(), bet("mega_fire_blaze")

        verdict = judged(dealt(NO_POINTS, *bets, rules=MEGA_FIRE_BLAZE, malfunction=True))

        assert verdict.status == "settled"
        assert [grade.payout_cents for grade in verdict.grades] == [2000, 0]

    def test_voids_a_bonus_bet_whose_bonus_was_not_played(self) -> None:
        """R: the stake goes back; this is no missing bonus."""
        bets = bet(play="S"), bet("mega_fire_blaze", stake=300)

        verdict = judged(dealt(SIX_POINTS, *bets, rules=MEGA_FIRE_BLAZE, malfunction=True))

        assert (verdict.status, verdict.anomalies) == ("settled", ())
        assert [grade.outcome for grade in verdict.grades] == ["lose", "void"]
        assert verdict.grades[1].payout_cents == 300
        assert verdict.grades[1].reasons == ("void-bonus-not-played",)

    def test_pays_a_bonus_that_was_played(self) -> None:
        """Detail 43: 3.00 at a multiplier of 8."""
        bets = bet(), bet("mega_fire_blaze", stake=300)
        round_ = dealt(SIX_POINTS, *bets, rules=MEGA_FIRE_BLAZE, malfunction=True, bonus=MINOR)

        verdict = judged(round_)

        assert [grade.payout_cents for grade in verdict.grades] == [0, 2400]

    def test_does_not_excuse_other_anomalies(self) -> None:
        """Detail 43: they hold the round."""
        round_ = dealt(f"{NO_POINTS} 1:2C", bet(), rules=MEGA_FIRE_BLAZE, malfunction=True)

        assert judged(round_).anomalies == ("extra-card",)

    def test_does_not_excuse_a_wrong_report(self) -> None:
        """The round is settled, so the reported payout is compared."""
        round_ = dealt(NO_POINTS, bet(reported_cents=1), rules=MEGA_FIRE_BLAZE, malfunction=True)

        assert judged(round_).anomalies == ("payout-differs",)
