"""``manage.py void_round`` and ``manage.py resettle_round``."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from payouts.settlement.models import Settlement
from tests.casino_in_play import ingest, open_table, settle
from tests.documents import baccarat_round, held_baccarat_round, lines
from tests.payouts.settlement.resettlement_scenarios import REASON, balance, sequences
from tests.payouts.stuck_work.stuck_scenarios import person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _two_persons() -> None:
    """Giulia, Lorenzo, and a round that paid 25.00."""
    person("supervisor", "Giulia")
    person("compliance", "Lorenzo")
    open_table()
    ingest(lines(baccarat_round("r-1")))
    settle()


def command(name: str, reference: str = "r-1", **options: Any) -> str:
    """The output of the command; Giulia decides and Lorenzo approves."""
    out = StringIO()
    given = {"after": 1, "reason": REASON, "by": "Giulia", "approved_by": "Lorenzo"}
    call_command(name, reference, stdout=out, **(given | options))
    return out.getvalue().strip()


class TestTheCommands:
    def test_void_and_resettle(self) -> None:
        """22.00 for 25.00, and back."""
        voided = command("void_round")
        settled = command("resettle_round", after=2)

        assert voided == "r-1: settlement 2 pays 22.00 instead of 25.00, customers owe 0.00"
        assert settled == "r-1: settlement 3 pays 25.00 instead of 22.00, customers owe 0.00"
        assert sequences() == [(1, "settled"), (2, "void"), (3, "settled")]
        latest = Settlement.objects.get(sequence=3)
        assert (latest.actor, latest.approved_by, latest.reason) == ("Giulia", "Lorenzo", REASON)

    def test_void_a_held_round(self) -> None:
        """It had no settlement."""
        ingest(lines(held_baccarat_round("r-2")))
        settle()

        output = command("void_round", "r-2", after=0)

        assert output == "r-2: settlement 1 pays 22.00, customers owe 0.00"
        assert balance("stakes_held") == 0

    @pytest.mark.parametrize(
        ("options", "refusal"),
        [
            ({"reference": "r-9"}, "ROUND: found no round r-9"),
            ({"by": "Nobody"}, "--by: found no user Nobody; needed an active user"),
            ({"approved_by": "Nobody"}, "--approved-by: found no user Nobody"),
            ({"approved_by": "Giulia"}, "r-1: found Giulia twice; needed two persons"),
            ({"reason": " "}, "r-1: found no reason"),
            ({"after": 0}, r"r-1: found settlement 1 \(settled\) by settlement worker"),
        ],
    )
    def test_refuse_with_a_message(self, options: dict[str, Any], refusal: str) -> None:
        """With the state found and needed; nothing happens."""
        with pytest.raises(CommandError, match=refusal):
            command("void_round", **options)

        assert sequences() == [(1, "settled")]

    def test_refuse_what_its_rules_hold(self) -> None:
        """With the anomalies."""
        ingest(lines(held_baccarat_round("r-2")))
        settle()

        with pytest.raises(CommandError, match="r-2: found extra-card; needed"):
            command("resettle_round", "r-2", after=0)
