"""Each guard of studio keys, of tables' signatures and of legal holds is needed."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from functools import partial
from types import ModuleType
from typing import Any, Final

import pytest
from django.db import IntegrityError

from compliance.retention import legal_holds as holds
from compliance.retention.legal_holds import (
    AlreadyLifted,
    LegalHoldIncomplete,
    NotByAnother,
    lift_hold,
    place_hold,
)
from compliance.trail.actor import Actor
from compliance.trail.steps import StaleState
from rounds.field_errors import InvalidField
from rounds.models import StudioKey
from rounds.services import require_signatures as requirements
from rounds.services import studio_keys as keys
from rounds.services.studio_keys import (
    LONGEST_VALIDITY,
    SecondPersonRequired,
    approve_studio_key,
    propose_studio_key,
    revoke_studio_key,
)
from tests.attacks.guards import Refused, unguarded
from tests.attacks.test_forged_holds import GUARDS as OF_HOLDS
from tests.casino_in_play import NOW, open_table
from tests.studio_signatures import APPROVER, LONG_AGO, PROPOSER, YEARS_AHEAD, Signer, base64url

pytestmark = pytest.mark.django_db

DAY: Final = date(2020, 3, 9)
NOBODY: Final = Actor("nightly job", None)


def proposed(**columns: Any) -> StudioKey:
    """A key for a table that exists."""
    open_table()
    given: dict[str, Any] = {
        "studio": "Live Studio",
        "tables": ["bac-1"],
        "valid_from": LONG_AGO,
        "valid_until": YEARS_AHEAD,
        "reason": "new",
        **columns,
    }
    public = base64url(Signer().public)
    return propose_studio_key(public_key=public, **given, at=LONG_AGO, actor=PROPOSER)


def proposed_until(start: datetime, end: datetime) -> None:
    """A key of this validity."""
    proposed(valid_from=start, valid_until=end)


def proposed_twice() -> None:
    """The same key again."""
    proposed()
    public = base64url(Signer().public)
    propose_studio_key(
        studio="Another",
        public_key=public,
        tables=["bac-1"],
        valid_from=LONG_AGO,
        valid_until=YEARS_AHEAD,
        reason="again",
        at=NOW,
        actor=PROPOSER,
    )


def approved(*approvers: Actor) -> None:
    """A key, approved by each of these."""
    key = proposed()
    for approver in approvers:
        approve_studio_key(key_id=key.pk, at=NOW, actor=approver)


def revoked(*notes: str) -> None:
    """A key, revoked with each of these reasons."""
    key = proposed()
    for note in notes:
        revoke_studio_key(key_id=key.pk, note=note, at=NOW, actor=APPROVER)


def required(steps: Sequence[tuple[Any, int, Actor]], note: str = "outage") -> None:
    """A table, after these steps of its setting."""
    table = open_table()
    for step, seen, actor in steps:
        step(table_id=table.pk, note=note, seen=seen, at=NOW, actor=actor)


def placed(
    last_day: date = DAY, about: str = "p-1", reference: str = "12", by: Any = PROPOSER
) -> Any:
    """A legal hold."""
    return place_hold(
        first_day=DAY, last_day=last_day, about=about, reference=reference, at=NOW, actor=by
    )


def lifted(*actors: Actor, reason: str = "over") -> None:
    """A legal hold, lifted by each of these."""
    hold = placed()
    for actor in actors:
        lift_hold(hold_id=hold.pk, reason=reason, at=NOW, actor=actor)


REQUIRE: Final = (requirements.require_signatures, 0, PROPOSER)
PROPOSE: Final = (requirements.propose_unsigned_rounds, 1, PROPOSER)
OF_A_KEY: Final = "is_same_person(key.actor, key.actor_user_id, actor)"
OF_A_TABLE: Final = "is_same_person(proposal.actor, proposal.actor_user_id, actor)"
KEYS: Final = (
    Refused(
        propose_studio_key,
        "StudioKey.objects.filter(key_id=key_id).exists()",
        proposed_twice,
        InvalidField,
        IntegrityError,  # by the table as well
    ),
    Refused(
        approve_studio_key,
        "latest is not None",
        partial(approved, APPROVER, APPROVER),
        StaleState,
        IntegrityError,
    ),
    Refused(
        approve_studio_key,
        OF_A_KEY,
        partial(approved, PROPOSER),
        SecondPersonRequired,
        IntegrityError,
    ),
    Refused(
        revoke_studio_key, "not note.strip()", partial(revoked, " "), InvalidField, IntegrityError
    ),
    Refused(
        revoke_studio_key,
        "latest is not None and latest.action == REVOKED",
        partial(revoked, "stolen", "again"),
        StaleState,
        IntegrityError,
    ),
    Refused(
        keys._check,
        "0 < len(name) <= _LONGEST_STUDIO",
        partial(proposed, studio=" "),
        InvalidField,
        passing="True",
    ),
    Refused(
        keys._check,
        "name.isprintable()",
        partial(proposed, studio="one\ntwo"),
        InvalidField,
        passing="True",
    ),
    Refused(keys._check, "not tables", partial(proposed, tables=[]), InvalidField, IntegrityError),
    Refused(keys._check, "known != list(tables)", partial(proposed, tables=["x-1"]), InvalidField),
    Refused(
        keys._check,
        "start < end",
        partial(proposed_until, YEARS_AHEAD, YEARS_AHEAD),
        InvalidField,
        IntegrityError,
        passing="True",
    ),
    Refused(
        keys._check,
        "at < end",
        partial(proposed_until, LONG_AGO - timedelta(days=1), LONG_AGO),
        InvalidField,
        passing="True",
    ),
    Refused(
        keys._check,
        "end - start <= LONGEST_VALIDITY",
        partial(proposed_until, LONG_AGO, LONG_AGO + LONGEST_VALIDITY + timedelta(seconds=1)),
        InvalidField,
        passing="True",
    ),
    Refused(keys._check, "not reason.strip()", partial(proposed, reason=" "), InvalidField),
)
TABLES: Final = (
    Refused(
        requirements._add_step,
        "not note.strip()",
        partial(required, [REQUIRE], note=" "),
        InvalidField,
        IntegrityError,
    ),
    Refused(
        requirements._add_step,
        "sequence != seen",
        partial(required, [(requirements.require_signatures, 1, PROPOSER)]),
        StaleState,
    ),
    Refused(
        requirements._add_step,
        "last not in _AFTER[action]",
        partial(required, [REQUIRE, (requirements.require_signatures, 1, PROPOSER)]),
        StaleState,
    ),
    Refused(
        requirements._add_step,
        "_is_needless(action, table_id)",
        partial(required, [(requirements.propose_unsigned_rounds, 0, PROPOSER)]),
        StaleState,
    ),
    Refused(
        requirements._require_another,
        OF_A_TABLE,
        partial(required, [REQUIRE, PROPOSE, (requirements.allow_unsigned_rounds, 2, PROPOSER)]),
        SecondPersonRequired,
        IntegrityError,
    ),
)
HOLDS: Final = (
    Refused(
        place_hold,
        "actor.user_id is None",
        partial(placed, by=NOBODY),
        NotByAnother,
        IntegrityError,
    ),
    Refused(
        place_hold,
        "last_day is not None and last_day < first_day",
        partial(placed, DAY - timedelta(days=1)),
        LegalHoldIncomplete,
        IntegrityError,
    ),
    Refused(place_hold, "not about.strip()", partial(placed, about=" "), LegalHoldIncomplete),
    Refused(
        place_hold, "not reference.strip()", partial(placed, reference=""), LegalHoldIncomplete
    ),
    Refused(
        lift_hold, "actor.user_id is None", partial(lifted, NOBODY), NotByAnother, IntegrityError
    ),
    Refused(
        lift_hold, "not reason.strip()", partial(lifted, APPROVER, reason=" "), LegalHoldIncomplete
    ),
    Refused(
        lift_hold,
        "LegalHoldLift.objects.filter(hold=hold).exists()",
        partial(lifted, APPROVER, APPROVER),
        AlreadyLifted,
        IntegrityError,
    ),
)
REFUSED: Final = (*KEYS, *TABLES, *HOLDS)


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_is_refused(case: Refused) -> None:
    """By the service; nothing is written."""
    case.is_refused()


@pytest.mark.parametrize("case", REFUSED, ids=str)
def test_without_its_guard_it_is_not(case: Refused, request: pytest.FixtureRequest) -> None:
    """It is stored, or only the table refuses it."""
    case.guard.is_needed(request)


@pytest.mark.parametrize("module", [keys, requirements, holds])
def test_the_list_is_complete(module: ModuleType) -> None:
    """Each condition under which these services refuse something is in it."""
    guards = [case.guard for case in REFUSED]
    assert unguarded(module, (*guards, *OF_HOLDS)) == set()
