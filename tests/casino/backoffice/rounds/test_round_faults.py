"""The page of a held round: its faults, what they mark, and the suggested remedy."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from rounds.arrival import Arrival, configured_limits
from rounds.uploads.ingest_upload import ingest_uploads
from tests.casino.backoffice.conftest import page_of
from tests.casino.backoffice.page_source import page_html
from tests.casino_in_play import NOW, ingest, open_table, settle
from tests.documents import baccarat_bet, baccarat_round, lines
from tests.rounds.contract.by_hand import Document, bet, deal
from tests.rounds.uploads.uploaded_feeds import upload

pytestmark = pytest.mark.django_db


def held(text: str, *bets: Document, **fields: Any) -> str:
    """The address of a held round."""
    open_table("t-1", "blackjack/1")
    ingest(lines(deal(text, *bets, **fields)))
    settle()
    return page_of("r-1")


def body(client: Client, address: str, language: str = "en") -> str:
    """The page in a language."""
    with translation.override(language):
        return page_html(client.get(address, headers={"accept-language": language}))


def test_a_payout_is_named_with_both_values(supervisor: Client) -> None:
    """Its bet is marked; settling by the rules is suggested."""
    address = held("1:9S D:TD 1:TC D:8C", bet("b1", reported="30.00"), bet("b2", "21+3", "1.00"))

    page = body(supervisor, address)

    assert "The studio reported a payout of €30.00; under the rules it is €20.00." in page
    assert "Bet b1 of p-1" in page
    assert page.count("fault-note") == 1
    assert 'class="bet is-fault" id="bet-0"' in page
    assert 'class="bet" id="bet-1"' in page
    main = page[page.index("button is-main") :]
    assert main.index("?remedy=real_result") < main.index("Open a case: settle by the rules")


def test_a_card_too_many_is_marked_on_the_table_layout(supervisor: Client) -> None:
    """The dealer's third card; a correction is suggested."""
    address = held("1:9S D:TD 1:9C D:8C D:2C", bet("b1"))

    page = body(supervisor, address)

    assert 'The dealer drew <b class="card-text is-black">2♣</b> on 18 and must stand.' in page
    assert 'slot is-fault" data-card="5"' in page
    assert page.count("slot is-fault") == 1
    assert "This card caused the error" in page
    assert "Correct from the video" in page


def test_a_missing_card_has_its_place_marked(supervisor: Client) -> None:
    """The dealer's next card is outlined."""
    address = held("1:9S D:TD 1:9C D:5C", bet("b1"))

    page = body(supervisor, address)

    assert "must draw up to 17; the next card is missing" in page
    assert page.count("card-missing") == 1


def test_a_late_arrival_says_both_times_and_is_released(
    supervisor: Client, settings: Settings
) -> None:
    """Forty days late; a release is suggested."""
    settings.MAX_LATENESS_DAYS = 31
    open_table()
    names = ("opened_at", "closed_at", "ended_at")
    times = dict.fromkeys(names, "2026-10-01T21:10:10Z")
    bets = [baccarat_bet("b1", "player", "10.00", placed_at=times["opened_at"])]
    arrived = datetime(2026, 11, 10, 21, 10, 10, tzinfo=UTC)
    arrival = Arrival(arrived, configured_limits())
    ingest(lines(baccarat_round("r-1", bets=bets, **times)), at=arrived, arrival=arrival)
    settle(at=arrived)

    page = body(supervisor, page_of("r-1"))

    assert "The round opened on 1 Oct, 23:10 and arrived on 10 Nov, 22:10." in page
    assert "The maximum delay is 31 days." in page
    main = page[page.index("button is-main") :]
    release = "Open a case: release and settle by the rules"
    assert main.index("?remedy=by_rules") < main.index(release)


def test_an_uploaded_round_names_who_uploaded_it(supervisor: Client) -> None:
    """It has no signature of the studio, so another person releases it."""
    open_table()
    upload(b"\n".join(lines(baccarat_round("r-1"))))
    ingest_uploads(now=lambda: NOW, after_batch=lambda: None, is_over=lambda: False)
    settle()

    page = body(supervisor, page_of("r-1"))

    assert "Giulia Marchetti uploaded the round on 21 Nov, 23:" in page
    assert "without a studio signature. Another person must approve its release." in page


def test_what_cannot_be_corrected_is_voided(supervisor: Client) -> None:
    """A void is suggested where release and correction would be refused."""
    address = held("1:9S D:AD 1:9C D:8C", bet("b1"), bet("b2", "insurance", "4.00"))

    page = body(supervisor, address)

    assert "Insurance of €4.00; half of the main stake of €10.00 is €5.00." in page
    assert "Open a case: void the round" in page
    release = body(supervisor, f"{address.split('admin')[0]}" + _release(page))
    assert 'value="void" required checked' in release


def test_nothing_of_a_document_is_markup(supervisor: Client) -> None:
    """HTML in pseudonyms is escaped."""
    address = held("1:9S D:TD 1:TC D:8C", bet("b1", reported="30.00", player="<b>x</b>"))

    page = body(supervisor, address)

    assert "<b>x</b>" not in page
    assert "&lt;b&gt;x&lt;/b&gt;" in page


def test_many_faults_are_counted(supervisor: Client) -> None:
    """Twenty of a kind are listed, the others counted; all are marked."""
    bets = [bet(f"b{n}", player=f"p-{n}", behind=n > 0, reported="1.00") for n in range(45)]
    address = held("1:9S D:TD 1:TC D:8C", *bets)

    page = body(supervisor, address)

    assert (
        page.count("The studio reported a payout of €1.00; under the rules it is €20.00.")
        == 20 + 45
    )
    assert "and 25 more of the same kind" in page


def _release(page: str) -> str:
    start = page.index('href="/', page.index("round-actions")) + len('href="')
    return page[start + 1 : page.index('"', start)]
