"""The demo's studio signs: a key of two persons, at tables that hold unsigned rounds."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from compliance.signatures.verify_rows import verify_rows
from rounds.models import Round, StudioKey, Table
from rounds.signatures.requirements import requires_signature_now
from rounds.signatures.verify_signatures import verify_signatures
from tests.casino.devserver.demo_casino import deal_demo

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _folder(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR, settings.SOFTWARE_KEYS = tmp_path, True
    settings.DECISION_DELAY = timedelta(0)


@pytest.mark.slow
def test_signs_its_feed(tmp_path: Path) -> None:
    """Every round is signed and verified, and the second run adds no key."""
    deal_demo(rounds=10)
    deal_demo(rounds=10)

    key = StudioKey.objects.get()
    [approval] = key.steps.all()
    assert (key.actor, approval.actor) == ("Paolo Greco", "Lorenzo Ferri")
    assert (tmp_path / "demo" / "studio-key.pem").stat().st_mode & 0o077 == 0
    assert all(requires_signature_now(table.pk) for table in Table.objects.all())
    assert Round.objects.exists()
    assert not Round.objects.filter(signed_batch=None).exists()
    faults: list[str] = []
    assert verify_signatures(faults.append) == "1 signed batches of 1 studio keys"
    verify_rows(faults.append)
    assert faults == []


def test_registers_no_key_where_keys_in_files_do_not_count(settings: Settings) -> None:
    """Nobody could sign for it: the rounds are unsigned."""
    settings.SOFTWARE_KEYS = False

    deal_demo(rounds=10)

    assert not StudioKey.objects.exists()
    assert Round.objects.filter(signed_batch=None).exists()


@pytest.mark.parametrize("is_demo", [True, False])
def test_fills_no_other_database(settings: Settings, is_demo: bool) -> None:
    """That of a casino, or without the declaration."""
    settings.DEMO = is_demo
    found = f"demo: found DEMO={str(is_demo).lower()} and the database of a real casino"

    with pytest.raises(CommandError, match=found):
        call_command("demo", rounds=10)

    assert not Round.objects.exists()
