"""The witnesses of the log on the page of its keys, and on Today when too few cosign."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from compliance.trail.witnesses.ask_witnesses import ask_witnesses
from tests.casino.backoffice.conftest import person
from tests.casino.backoffice.page_reader import plain, reader
from tests.compliance.trail.logs import append, write
from tests.compliance.trail.witnesses.running_witness import obey, running_witnesses

pytestmark = pytest.mark.django_db
_PAGE = "/admin/log-keys/"


@pytest.mark.slow
def test_witnesses_that_do_not_cosign_are_named(tmp_path: Path) -> None:
    """With their keys, which others compare; until they cosign."""
    page = reader(person("compliance"))
    with running_witnesses(tmp_path, "one", "two") as witnesses:
        obey(witnesses)
        write(5)
        append(at=timezone.now() - timedelta(minutes=20))
        late, today = plain(page, _PAGE), plain(page, "/admin/")
        ask_witnesses()
        words = plain(page, _PAGE)
        assert "Witnesses do not cosign" not in plain(page, "/admin/")

    key = witnesses[0].key
    assert f"one.example/witness {key} Does not cosign" in late
    assert "Witnesses do not cosign the audit log Too few of them have signed since" in today
    assert "Bundles and receipts need 2 signatures." in words
    assert f"one.example/witness {key} Cosigns 1 " in words


def test_no_witness_is_missed_where_none_is_named() -> None:
    """By default."""
    assert "Witnesses" not in plain(reader(person("compliance")), _PAGE)
