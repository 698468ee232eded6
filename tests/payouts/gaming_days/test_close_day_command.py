"""Days are closed by the command and by the nightly task."""

from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from payouts.gaming_days.models import DayClosing
from payouts.tasks import close_days_task
from rounds.models import ClosedDay
from tests.casino.backoffice.second_factors import give_phone
from tests.payouts.gaming_days.day_scenarios import AFTER, DAY, NEXT, NOON, closing_of, reconcile_at
from tests.payouts.reconciliation.five_games import tamper
from tests.payouts.settlement.resettlement_scenarios import void
from tests.payouts.stuck_work.stuck_scenarios import person

pytestmark = pytest.mark.usefixtures("played_day")


class TestTheCommand:
    @pytest.fixture(autouse=True)
    def _lorenzo(self, played_day: None) -> None:
        """Lorenzo of compliance, with a phone."""
        give_phone(person("compliance", "Lorenzo"))

    def test_closes_with_what_is_held_acknowledged(self) -> None:
        """The first attempt prints the held rounds and the option to acknowledge them."""
        reconcile_at(datetime.now(tz=UTC))
        out = StringIO()

        with pytest.raises(CommandError, match="not closed: found no acknowledgement"):
            call_command("close_day", by="Lorenzo", stdout=out)
        assert "held: r-3, booked on 2026-11-10, 22.00" in out.getvalue()
        assert "--held 1 2200" in out.getvalue()
        assert not ClosedDay.objects.exists()
        call_command("close_day", "2026-11-10", by="Lorenzo", held=[1, 2200], stdout=out)

        assert (
            "2026-11-10 is closed by Lorenzo: 2 rounds settled, 1 corrections, gross win -3.00,"
            " 1 held rounds with 22.00" in out.getvalue()
        )
        assert closing_of().actor == "Lorenzo"

    def test_closes_all_days_without_held_rounds(self) -> None:
        """All days that are over."""
        void("r-3", after=0, at=NOON)
        reconcile_at(datetime.now(tz=UTC))

        call_command("close_day", by="Lorenzo", stdout=StringIO())

        assert ClosedDay.objects.filter(day=NEXT).exists()

    def test_says_what_differs(self) -> None:
        """One line each, with a non-zero exit status."""
        reconcile_at()
        tamper("UPDATE payouts_dailyrounds SET void_rounds = 0")
        out = StringIO()

        with pytest.raises(CommandError, match="2026-11-10 is not closed: found 1 differences"):
            call_command("close_day", "2026-11-10", by="Lorenzo", stdout=out)

        assert "void rounds 0; needed void rounds 1" in out.getvalue()

    @pytest.mark.parametrize(
        ("arguments", "options", "refusal"),
        [
            (["2026-11-10"], {}, "--by"),
            (["2026-11-10"], {"by": "Nobody"}, "found no user Nobody"),
            (["2026-11-10"], {"by": "Giulia"}, "found Giulia, who cannot close days"),
            (["2026-11-10"], {"by": "Marco"}, "found Marco, who cannot close days"),
            ([], {"by": "Lorenzo", "held": [1, 2200]}, "--held: found no DAY"),
        ],
    )
    def test_needs_a_permitted_person(
        self, arguments: list[str], options: dict[str, Any], refusal: str
    ) -> None:
        """With a second factor; an acknowledgement is for one day."""
        give_phone(person("supervisor", "Giulia"))
        person("compliance", "Marco")
        reconcile_at()

        with pytest.raises(CommandError, match=refusal):
            call_command("close_day", *arguments, **options)

        assert not ClosedDay.objects.exists()


class TestTheTask:
    def test_closes_what_can_be_closed_and_leaves_the_rest(self) -> None:
        """Days that are not reconciled stay open; the task may run twice."""
        reconcile_at(AFTER)

        close_days_task()
        close_days_task()

        assert ClosedDay.objects.filter(day=DAY).count() == 1
        assert DayClosing.objects.get(day=DAY).actor == "nightly closing"
