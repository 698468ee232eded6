"""Closing a day with an authenticator: the text before the row."""

from datetime import timedelta
from typing import Final

import pytest
from django.utils import timezone

from compliance.signatures.verify_rows import verify_rows
from compliance.signatures.verify_signatures import verify_signatures
from payouts.gaming_days.models import DayClosing
from rounds.models import ClosedDay
from tests.casino.backoffice.page_source import page_html
from tests.casino.backoffice.second_factors import code_of
from tests.casino.backoffice.signatures.signing_desks import Desk
from tests.casino.backoffice.signatures.test_signed_forms import PREPARES
from tests.casino_in_play import open_table
from tests.payouts.gaming_days.day_scenarios import NOON, arrive, dealt, reconcile_at, settle_at

CLOSE: Final = "/admin/days/2026-11-10/close/"
HELD: Final = {"held_rounds": "1", "held_cents": "2200", "acknowledged": "on"}


@pytest.fixture(autouse=True)
def _keys_in_files() -> None:
    """No key in a file: people sign with authenticators."""


@pytest.fixture
def lorenzo(fresh_casino: str) -> Desk:
    """A compliance officer, after a day with a held round."""
    open_table()
    arrive(dealt("r-1", NOON), dealt("r-2", NOON, held=True))
    settle_at()
    reconcile_at()
    return Desk("Lorenzo", "compliance")


class TestADay:
    def test_is_closed_with_a_signature_of_its_totals(self, lorenzo: Desk) -> None:
        """The first request leaves nothing behind."""
        form = {**HELD, "code": code_of(lorenzo.person)}
        assert "publicKey" in lorenzo.browser.post(CLOSE, form, headers=PREPARES).json()
        assert not ClosedDay.objects.exists()

        words = lorenzo.send(CLOSE, HELD)

        assert "Gaming day closed." in words
        assert DayClosing.objects.get().held_cents == 2200
        found: list[str] = []
        verify_signatures(found.append)
        assert verify_rows(found.append) == "1 rows of signed decisions"
        assert found == []

    def test_is_not_closed_without_a_signature(self, lorenzo: Desk) -> None:
        """By a browser without JavaScript, or in a stolen session."""
        form = {**HELD, "code": code_of(lorenzo.person)}

        words = page_html(lorenzo.browser.post(CLOSE, form, follow=True))

        assert "Decisions are signed with a security key." in words
        assert not ClosedDay.objects.exists()

    def test_is_not_closed_with_a_signature_of_another_text(self, lorenzo: Desk) -> None:
        """Here of another time; other totals change the text as well."""
        before = timezone.now() - timedelta(minutes=1)

        words = lorenzo.send(CLOSE, HELD, decided_at=before.isoformat())

        assert "The signature is not valid for this decision." in words
        assert not ClosedDay.objects.exists()
