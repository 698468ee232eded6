"""The page of tax rates: compliance sets them, exporters and auditors see them."""

from datetime import date

import pytest
from django.utils import timezone

from compliance.exports.models import TaxRate
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader

PAGE = "/admin/tax-rates/"
FORM = {"game": "baccarat", "in_force_from": "2026-11-01", "percent": "25.5"}


@pytest.mark.django_db
class TestThePage:
    def test_sets_a_rate_in_percent(self) -> None:
        """Stored per million; the later of two from the same day is in force."""
        compliance = reader(person("compliance"))
        assert "No tax rates" in plain(compliance, PAGE)

        for percent in ("25.5", "26.0001"):
            compliance.post(PAGE, {**FORM, "percent": percent})

        later, first = TaxRate.objects.order_by("-pk")
        assert (first.game, first.in_force_from) == ("baccarat", date(2026, 11, 1))
        assert (first.per_million, later.per_million) == (255_000, 260_001)
        words = plain(compliance, PAGE)
        assert "baccarat In force 1 Nov 2026 26.0001 %" in words
        assert "baccarat Replaced 1 Nov 2026 25.5 %" in words

    def test_names_rates_that_begin_later_and_those_that_nobody_signed(self) -> None:
        """A row without a record does not count."""
        compliance = reader(person("compliance"))
        compliance.post(PAGE, {**FORM, "game": "", "in_force_from": "2099-01-01"})
        TaxRate.objects.create(
            in_force_from=date(2026, 1, 1), per_million=1, decided_at=timezone.now(), actor="x"
        )

        words = plain(compliance, PAGE)

        assert "all games Future 1 Jan 2099 25.5 %" in words
        assert "all games Not signed 1 Jan 2026" in words

    @pytest.mark.parametrize("percent", ["a fifth", "101", "-1", "20.00001", ""])
    def test_refuses_other_numbers(self, percent: str) -> None:
        """At most four decimals."""
        answer = reader(person("compliance")).post(PAGE, {**FORM, "percent": percent})

        assert "field-error" in answer.content.decode()
        assert not TaxRate.objects.exists()

    def test_lets_nobody_else_set_one(self) -> None:
        """A supervisor sees the list."""
        reader(person("supervisor")).post(PAGE, FORM)

        assert not TaxRate.objects.exists()
