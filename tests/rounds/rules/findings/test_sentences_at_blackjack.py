"""The sentences of findings about cards and plays at blackjack: choices and places."""

from tests.rounds.contract.by_hand import bet
from tests.rounds.rules.findings.finding_cases import PLAIN, findings, texts_of


class TestAnIllegalDecision:
    def test_on_a_pair_names_the_split_as_a_choice(self) -> None:
        """Eights; [BJ] has no exchange of cards."""
        zapped = bet("b1", play="Z")

        faults = findings("1:8S D:TD 1:8C D:8C 1z:2C 1z:3C", zapped)

        assert texts_of(faults) == [
            "Box 1: the play is zap on 8♠ 8♣ (16), where the rules allow hit, stand, double, split."
        ]

    def test_on_a_pair_after_a_split_does_not(self) -> None:
        """[BJ] Obiettivo del gioco: one split, and no double after it."""
        doubled = bet("b1", play="PD,", raised="20.00")

        faults = findings("1:8S D:TD 1:8C D:8C 1a:8D 1a:2C 1b:3C", doubled)

        assert texts_of(faults) == [
            "Box 1a: the play is double on 8♠ 8♦ (16), where the rules allow hit, stand."
        ]


class TestACardAtNoPlace:
    def test_does_not_begin_the_plays(self) -> None:
        """Detail 24: the opening cards after it are in order."""
        faults = findings("1:9S P:2C D:TD 1:9C D:8C", PLAIN)

        assert [fault.cards for fault in faults] == [(1,)]
