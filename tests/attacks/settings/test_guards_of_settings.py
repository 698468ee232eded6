"""Each guard of the services that change a setting is needed: without it they store what is wrong.

Those who call them may change the setting, and sign.
"""

from datetime import timedelta
from types import ModuleType
from typing import Any, Final

import pytest
from django.db import IntegrityError

from compliance.monitoring.services import open_alarm
from compliance.trail.steps import StaleState
from payouts.cases import manage_reasons
from payouts.cases.manage_reasons import Wording, add_reason, change_reason
from payouts.disputes import set_dispute_term as terms
from payouts.disputes.calendar import Term
from payouts.disputes.set_dispute_term import InvalidTerm, set_dispute_term
from payouts.disputes.status import State
from rounds.field_errors import InvalidField
from rounds.models import Table
from rounds.services import limit_stakes as limits
from rounds.services import suspend_table as suspensions
from rounds.services.limit_stakes import NO_SET, limit_stakes
from rounds.services.suspend_table import resume_table, suspend_table
from tests.attacks.guards import Refused, unguarded
from tests.attacks.settings.test_forged_limits import GUARDS as OF_LIMITS
from tests.casino_in_play import FLOOR, NOW, open_table
from tests.payouts.settlement.resettlement_scenarios import LORENZO
from tests.rounds.test_suspend_table import REASON

pytestmark = pytest.mark.django_db

WORDS: Final = Wording("Motivo", "Reason", needs_regulator=False, is_active=True)
MOST: Final = 99_999_999_999_999
BY: Final[dict[str, Any]] = {"at": NOW, "actor": LORENZO}
LATER: Final[dict[str, Any]] = {"at": NOW + timedelta(minutes=1), "actor": LORENZO}


def added(code: str = "new", purpose: str = "refund", **words: Any) -> object:
    """A further reason."""
    return add_reason(code=code, purpose=purpose, wording=WORDS._replace(**words), **BY)


def changed(code: str = "service-failure", seen: int = 1, **words: Any) -> object:
    """Another version of a reason."""
    return change_reason(code=code, wording=WORDS._replace(**words), seen=seen, **BY)


def limited(kind: str = "player", least: int = 1, most: int = 500, *, seen: int = NO_SET) -> object:
    """A limit of a table."""
    table = Table.objects.filter(code="bac-1").first() or open_table()
    wanted = {kind: (least, most)}
    return limit_stakes(table_id=table.pk, limits=wanted, seen=seen, at=NOW, actor=FLOOR)


def suspended_twice(seen: int) -> None:
    """A table that is suspended already."""
    suspended: dict[str, Any] = {"table_id": open_table().pk, "reason": REASON, "note": ""}
    suspend_table(**suspended, seen=0, **BY)
    suspend_table(**suspended, seen=seen, **LATER)


def resumed(note: str = "checked", *, seen: int = 1) -> None:
    """A suspended table."""
    table = open_table()
    suspend_table(table_id=table.pk, reason=REASON, note="", seen=0, **BY)
    resume_table(table_id=table.pk, note=note, seen=seen, **LATER)


def term(state: State, days: int) -> object:
    """The term of a state."""
    return set_dispute_term(state=state, term=Term(days, are_working_days=True), **BY)


REFUSED: Final = (
    Refused(
        manage_reasons.add_reason,
        "purpose not in Reason.Purpose.values",
        lambda: added(purpose="gift"),
        InvalidField,
    ),
    Refused(
        manage_reasons.add_reason,
        "reason_in_force(code) is not None",
        lambda: added(code="service-failure"),
        InvalidField,
    ),
    Refused(
        manage_reasons.change_reason,
        "reason is None",
        lambda: changed(code="unknown"),
        StaleState,
        AttributeError,
    ),
    Refused(
        manage_reasons.change_reason,
        "reason.version != seen",
        lambda: changed(seen=9),
        StaleState,
    ),
    Refused(
        manage_reasons._checked,
        "0 < len(text) <= _LONGEST_TEXT",
        lambda: added(text_it=" "),
        InvalidField,
        passing="True",
    ),
    Refused(
        manage_reasons._checked,
        "text.isprintable()",
        lambda: added(text_en="one\ntwo"),
        InvalidField,
        passing="True",
    ),
    Refused(
        manage_reasons._check_required,
        "reason.is_active and (not wording.is_active) and (why is not None)",
        lambda: changed(code=open_alarm.REASON, is_active=False),
        InvalidField,
    ),
    Refused(
        limits.limit_stakes,
        "(NO_SET if in_force is None else in_force.pk) != seen",
        lambda: limited(seen=7),
        StaleState,
    ),
    Refused(limits.check_limit, "kind not in known", lambda: limited("7"), InvalidField),
    Refused(
        limits.check_limit,
        "not 1 <= least <= _MOST_CENTS",
        lambda: limited(least=0),
        InvalidField,
        IntegrityError,  # by the table as well
    ),
    Refused(
        limits.check_limit,
        "not least <= most <= _MOST_CENTS",
        lambda: limited(most=MOST + 1),
        InvalidField,
    ),
    Refused(
        terms.set_dispute_term,
        "state not in FIRST_TERMS",
        lambda: term(State.CLOSED, 5),
        InvalidTerm,
    ),
    Refused(
        terms.set_dispute_term,
        "not 1 <= term.days <= MOST_DAYS",
        lambda: term(State.REJECTED, 366),
        InvalidTerm,
        IntegrityError,  # by the table as well
    ),
    Refused(
        suspensions.resume_table,
        "not note.strip()",
        lambda: resumed(" "),
        InvalidField,
        IntegrityError,  # by the table as well
    ),
    Refused(
        suspensions._add_step,
        "sequence != seen",
        lambda: resumed(seen=0),
        StaleState,
    ),
    Refused(
        suspensions._add_step,
        "last == action",
        lambda: suspended_twice(seen=1),
        StaleState,
    ),
)


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_is_refused(case: Refused) -> None:
    """By the service; nothing is written."""
    case.is_refused()


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_without_its_guard_it_is_not(case: Refused, request: pytest.FixtureRequest) -> None:
    """It is stored, or only the table refuses it."""
    case.guard.is_needed(request)


@pytest.mark.parametrize("module", [manage_reasons, limits, suspensions, terms])
def test_the_list_is_complete(module: ModuleType) -> None:
    """Each condition under which these services refuse something is in it."""
    assert unguarded(module, (*(case.guard for case in REFUSED), *OF_LIMITS)) == set()
