"""Tables that somebody registers alone: what is dealt there is held until two persons allow it."""

from pathlib import Path

import pytest
from django.db import ProgrammingError, transaction
from django.utils import timezone
from pytest_django import Settings

from payouts.settlement.models import Settlement
from rounds.models import EarlierTable, Table
from rounds.services.register_table import register_table
from rounds.signatures import requirements
from tests.attacks.forgeries import as_web
from tests.attacks.guards import Guard
from tests.attacks.studios.signed_feeds import batch, faults, held
from tests.attacks.studios.stored_rounds import assert_held
from tests.casino.api.api_client import ADMINISTRATOR
from tests.casino.api.studio import delivered, studio
from tests.casino_in_play import NOW, Unchecked, ingest, settle
from tests.documents import baccarat_bet, baccarat_round

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("table")]

INVENTED = {"bets": [baccarat_bet("b1", "player", "100000.00", player="accomplice")]}


class TestATableOfTheWebRole:
    def test_pays_nothing(self) -> None:
        """Table, round, bet and queue are rows of the web role, and no row says held."""
        with as_web():
            Table.objects.create(code="bac-9", name="bac-9", rules="baccarat/1")
            ingest(batch("x-1", table="bac-9", **INVENTED).splitlines(), arrival=Unchecked(NOW))

        assert_held("x-1")
        assert faults() == [
            "round x-1: table bac-9 requires signatures; it is neither signed nor held"
        ]

    def test_is_not_made_one_from_before(self) -> None:
        """Only the owner of the tables says so."""
        table = register_table(
            code="bac-9", name="Nine", rules="baccarat/1", at=NOW, actor=ADMINISTRATOR
        )
        with (
            pytest.raises(ProgrammingError, match="permission denied"),
            transaction.atomic(),
            as_web(),
        ):
            EarlierTable.objects.create(table=table)


@pytest.fixture(autouse=True)
def _no_static_files(settings: Settings, tmp_path: Path) -> None:
    settings.STATIC_ROOT = tmp_path


def test_an_administrator_with_a_key_of_the_api_is_paid_nothing() -> None:
    """Registering a table and issuing a key take a code of a phone, and no signature."""
    assert ADMINISTRATOR.signer is None
    register_table(
        code="bac-9", name="Nine", rules="baccarat/1", at=timezone.now(), actor=ADMINISTRATOR
    )
    answer = delivered(studio(), baccarat_round("x-1", table="bac-9", **INVENTED))

    settle()

    assert answer.status_code == 200
    assert held() == ["x-1"]
    assert not Settlement.objects.exists()
    assert faults() == []


GUARDS = {
    "new table": Guard(
        requirements.requires_signature,
        "not is_earlier",
        test_an_administrator_with_a_key_of_the_api_is_paid_nothing,
    ),
}


@pytest.mark.parametrize("guard", GUARDS.values(), ids=GUARDS)
def test_without_its_guard_is_paid(guard: Guard, request: pytest.FixtureRequest) -> None:
    """The default is needed."""
    guard.is_needed(request)
