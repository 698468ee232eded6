"""The likelihood of a bet's outcome: on the page of the bet, in its pictures, in the letter.

With eight decks Player wins 44.6247 % of coups, Banker 45.8597 %, and 9.5156 % tie (Wizard of
Odds). Player wins the rounds of the day with five or six cards.
"""

from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client

from compliance.exports.bundle.signing import read_signing_key
from compliance.exports.likelihood_text import frequency_words
from compliance.exports.models import RuleCertificate
from compliance.exports.services.issue_certificate import issue_certificate
from rounds.models import Round
from rounds.rules.catalogue import RULE_SETS
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import NOW, open_table
from tests.compliance.exports.exported_days import CLERK
from tests.payouts.gaming_days.day_scenarios import NOON, arrive, dealt, settle_at

HOUR = timedelta(hours=1)
PLAYER, BANKER = 0, 1


@pytest.fixture
def auditor(fresh_casino: str) -> Client:
    """A browser of an auditor; two rounds of the day and one of the next are settled."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON + HOUR), dealt("r-3", NOON + 24 * HOUR))
    settle_at()
    return reader(person("auditor"))


@pytest.fixture
def certificate(auditor: Client, tmp_path: Path) -> RuleCertificate:
    """The certificate of baccarat."""
    key = read_signing_key(tmp_path / "export.key")
    certificate, _ = issue_certificate(RULE_SETS["baccarat/1"], key=key, at=NOW, actor=CLERK)
    return certificate


def page_of_bet(client: Client, number: int, *, reference: str = "r-1") -> str:
    """The text of the page of a bet."""
    round_ = Round.objects.get(reference=reference)
    return plain(client, f"/admin/rounds/{round_.pk}/bets/{number}/likelihood/")


class TestABetThatWon:
    def test_is_reported_with_the_chance_of_winning(
        self, auditor: Client, certificate: RuleCertificate
    ) -> None:
        """In both languages, with a link to the certificate."""
        words = page_of_bet(auditor, PLAYER)

        assert "45 of 100 such bets have this outcome" in words
        assert "Frequency of a win for bets of this kind: 45 of 100." in words
        assert "Frequenza di vincita di questo tipo di puntata: 45 su 100." in words
        assert f"SHA-256 {bytes(certificate.digest).hex()[:16]}" in words
        assert "Push 9.52 %" in words

    def test_is_seen_in_the_rounds_of_its_day(
        self, auditor: Client, certificate: RuleCertificate
    ) -> None:
        """Two of two on this day, on average 0.9; both are won by 0.446247 squared, 19.9 %."""
        words = page_of_bet(auditor, PLAYER)

        assert "you placed this bet: 2, of which you won 2. The average is 0.9." in words
        assert "rounds won; expected 0.9" in words
        assert "the same number of rounds who win as often, or more often: 20 of 100." in words

    def test_is_linked_from_its_round(self, auditor: Client) -> None:
        """Next to the reasons for its payout."""
        round_ = Round.objects.get(reference="r-1")

        page = page_html(auditor.get(f"/admin/rounds/round/{round_.pk}/change/"))

        assert f'/admin/rounds/{round_.pk}/bets/{PLAYER}/likelihood/"' in page


class TestABetThatLost:
    def test_is_reported_with_the_chance_of_losing(
        self, auditor: Client, certificate: RuleCertificate
    ) -> None:
        """Banker loses with what Player wins; none of two was won: 0.541403 squared, 29.3 %."""
        words = page_of_bet(auditor, BANKER)

        assert "Frequency of a loss for bets of this kind: 45 of 100." in words
        assert "the same number of rounds who win as rarely, or more rarely: 29 of 100." in words


class TestAMissingLikelihood:
    def test_is_stated_without_a_certificate(self, auditor: Client) -> None:
        """The page says that there is none."""
        assert "This bet has no certified probability." in page_of_bet(auditor, PLAYER)

    def test_is_shown_for_a_bet_that_does_not_exist(self, auditor: Client) -> None:
        """404."""
        round_ = Round.objects.get(reference="r-1")

        assert auditor.get(f"/admin/rounds/{round_.pk}/bets/77/likelihood/").status_code == 404


class TestAFrequency:
    @pytest.mark.parametrize(
        ("chance", "words"),
        [
            (0.446247, "45 of 100"),
            (0.0747, "1 of 13"),
            (1 / 463.4, "1 of 463"),
            (1 / 649_740, "1 of 650,000"),
            (0.0, "1 of 1,000,000,000,000"),
        ],
    )
    def test_has_at_most_three_digits(self, chance: float, words: str) -> None:
        """Frequencies are rounded for readers."""
        assert frequency_words(chance) == words
