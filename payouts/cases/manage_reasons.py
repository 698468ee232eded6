"""Managing the list of reasons. Reasons are added, changed and retired, never deleted.

Each version is signed: both services raise as ``record_decision`` too.
"""

import re
from datetime import datetime
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from compliance.signatures.sign_decision import record_decision
from compliance.storage.advisory_locks import lock_names
from compliance.trail.actor import Actor
from compliance.trail.steps import StaleState, require_person
from payouts.cases.models import Reason
from payouts.cases.reasons_in_force import reason_in_force
from payouts.cases.required_reasons import why_needed
from rounds.field_errors import InvalidField, one_of

_CODE: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_LONGEST_CODE: Final = 40
_LONGEST_TEXT: Final = 200


class Wording(NamedTuple):
    """The fields of a reason that may change."""

    text_it: str
    text_en: str
    needs_regulator: bool
    is_active: bool


def add_reason(*, code: str, purpose: str, wording: Wording, at: datetime, actor: Actor) -> Reason:
    """Adds a reason.

    Raises InvalidField for an invalid field or a code in use, or PersonRequired.
    """
    code, wording = _checked_code(code), _checked(wording)
    if purpose not in Reason.Purpose.values:
        raise InvalidField("purpose", purpose, one_of(Reason.Purpose.values))
    with transaction.atomic():
        lock_names([f"reason:{code}"])
        if reason_in_force(code) is not None:
            raise InvalidField("code", code, _("a code that no other reason uses"))
        return _add_version(code, purpose, None, wording, at=at, actor=actor)


def change_reason(*, code: str, wording: Wording, seen: int, at: datetime, actor: Actor) -> Reason:
    """Puts a further version in force. Earlier decisions keep the text that was in force.

    ``seen`` is the version that the actor looked at. Writes nothing without a change. Raises
    InvalidField for an invalid field or a required reason that would be retired, StaleState or
    PersonRequired.
    """
    wording = _checked(wording)
    with transaction.atomic():
        lock_names([f"reason:{code}"])
        reason = reason_in_force(code)
        if reason is None or reason.version != seen:
            raise StaleState(reason, found=f"another version of {code}")
        _check_required(reason, wording)
        if wording == wording_of(reason):
            return reason
        return _add_version(code, reason.purpose, reason, wording, at=at, actor=actor)


def wording_of(reason: Reason) -> Wording:
    """The wording of a version."""
    return Wording(**reason.wording)


def _checked_code(code: str) -> str:
    if len(code) <= _LONGEST_CODE and _CODE.fullmatch(code):
        return code
    needed = _("up to 40 lowercase letters and digits, in words joined by hyphens")
    raise InvalidField("code", code, needed)


def _checked(wording: Wording) -> Wording:
    texts = {}
    for field in ("text_it", "text_en"):
        text = getattr(wording, field).strip()
        if not (0 < len(text) <= _LONGEST_TEXT and text.isprintable()):
            raise InvalidField(field, getattr(wording, field), _("1 to 200 characters on one line"))
        texts[field] = text
    return wording._replace(**texts)


def _check_required(reason: Reason, wording: Wording) -> None:
    why = why_needed(reason.code)
    if reason.is_active and not wording.is_active and why is not None:
        raise InvalidField("is_active", _("not in use"), why)


def _add_version(
    code: str,
    purpose: str,
    replaces: Reason | None,
    wording: Wording,
    *,
    at: datetime,
    actor: Actor,
) -> Reason:
    """Numbered after all versions, signed or not."""
    person = require_person(actor)
    latest = Reason.objects.filter(code=code).aggregate(latest=Max("version", default=0))["latest"]
    reason = Reason.objects.create(
        code=code,
        version=latest + 1,
        replaces=replaces,
        purpose=purpose,
        **wording._asdict(),
        at=at,
        actor=actor.name,
        actor_user_id=person,
    )
    record_decision(reason.entry, at=at, actor=actor)
    return reason
